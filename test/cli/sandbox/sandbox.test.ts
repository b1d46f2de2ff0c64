// `agent sandbox`: the sandbox of an agent, shown and tried with commands of a person.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxTrial } from '../../../schemas/agent/sandbox-trial.ts'
import { DaemonStand } from '../../support/daemon.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  const agent = (name: string, more: string) =>
    stand.write(`agents/${name}.yml`, `name: ${name}\nruntime: scripted\nworking_dir: .\nshell: bash\n${more}`)
  mkdirSync(join(stand.project, 'secrets'))
  writeFileSync(join(stand.project, 'secrets', 'key'), 'closed')
  agent('worker', 'env: { TEAM: blue, OWN_KEY: value-of-the-manifest }\nsandbox: { hide: [../../secrets] }\n')
  agent('closed', 'sandbox: { network: none }\n')
  agent('narrow', 'sandbox: { network: { hosts: [example.org] } }\n')
  agent('free', 'sandbox: off\n')
  await stand.startInside()
  await stand.settled()
}, 90_000)
afterAll(() => stand.close())

const sandbox = (words: string[], more: object = {}) => stand.agent(['sandbox', ...words], more)
const shell = (agent: string, script: string, more: object = {}) => sandbox([agent, '--', 'sh', '-c', script], more)

test('prints one mount per line, grouped by what it allows', async () => {
  const { code, stdout, stderr } = await sandbox(['worker'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /^sandbox of agent worker, of its running process: arguments of \/.*bwrap, in their order with -o json\n/,
  )
  const groups = Object.fromEntries(
    stdout
      .trim()
      .split('\n\n')
      .slice(1)
      .map((group) => [group.split('\n')[0], group.split('\n').slice(1)]),
  )
  expect(Object.keys(groups)).toEqual([
    'namespaces and rights',
    'system',
    'may be changed',
    'read-only',
    'hidden',
    'directory',
  ])
  expect(groups['may be changed']).toContain(`  --bind ${stand.project} ${stand.project}`)
  expect(groups['read-only']).toContain(`  --ro-bind ${stand.manifests} ${stand.manifests}`)
  expect(groups['hidden']).toContain(`  --perms 0000 --tmpfs ${join(stand.project, 'secrets')}`)
  expect(groups['directory']).toEqual([`  --chdir ${stand.project}`])
})

test('prints the arguments in their order as JSON, without values of env', async () => {
  const { code, stdout } = await sandbox(['worker', '-o', 'json'])
  const made = JSON.parse(stdout) as SandboxTrial & { bwrap: string; arguments: string[] }
  expect([code, made]).toMatchObject([
    0,
    { agent_name: 'worker', start: 'current', variables: ['OWN_KEY', 'TEAM'], directory: stand.project },
  ])
  expect(made.arguments.slice(0, 2)).toEqual(['--unshare-user', '--unshare-pid'])
  expect(made.arguments.slice(-2)).toEqual(['--chdir', stand.project])
  expect(made.arguments).toContain(made.sandbox!.tmp)
  expect(stdout).not.toMatch(/trial-|value-of-the-manifest/)
})

test('runs a command with the terminal and exit code of the caller', async () => {
  const script = 'cat; echo out; echo err >&2; exit 7'
  expect(await shell('worker', script, { input: 'in\n' })).toEqual({ code: 7, stdout: 'in\nout\n', stderr: 'err\n' })
})

test('confines the command as the agent', async () => {
  const script = [
    'echo new > made-inside',
    'cat secrets/key',
    `ls ${stand.dataDir}`,
    'echo x > manifests/agents/worker.yml',
    'echo x > /etc/made-inside',
  ].join('; ')
  const { code, stdout, stderr } = await shell('worker', script)
  expect([code === 0, stdout]).toEqual([false, ''])
  expect(readFileSync(join(stand.project, 'made-inside'), 'utf8')).toBe('new\n')
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringContaining('secrets/key'),
    expect.stringContaining(stand.dataDir),
    expect.stringMatching(/worker\.yml: .*[Rr]ead-only/),
    expect.stringMatching(/made-inside: .*[Rr]ead-only/),
  ])
})

test('gives it a folder of its own for /tmp, and removes that', async () => {
  const { id } = await stand.agentNamed('worker')
  const own = join(stand.dataDir, 'sandbox', id)
  writeFileSync(join(own, 'tmp', 'of-the-agent'), '')
  const { code, stdout } = await shell('worker', 'ls -A /tmp/of-the-agent; mkdir /tmp/locked; chmod 500 /tmp/locked')
  expect([code, stdout]).toEqual([0, ''])
  expect(existsSync(join(own, 'tmp', 'of-the-agent'))).toBe(true)
  expect(readdirSync(own).filter((name) => name.startsWith('trial-'))).toEqual([])
})

test('takes variables of the manifest from the shell of the caller, and redacts others', async () => {
  const env = { OWN_KEY: 'of-the-shell', SSH_AUTH_SOCK: '/nowhere' }
  const { stdout } = await shell('worker', 'echo "$OWN_KEY $TEAM [$SSH_AUTH_SOCK]"', { env })
  expect(stdout).toBe('of-the-shell *** []\n')
})

test('leads neither to the daemon nor to other hosts', async () => {
  const script = 'echo "$SVC_ORCHESTRATOR_URL $SVC_TOOLS_TOKEN"; cat /proc/net/tcp | wc -l'
  expect((await shell('closed', script)).stdout).toBe('http://daemon.invalid \n1\n')
  const connect =
    "require('http').get({ port: 3128, path: 'http://other.example.org/' }, (r) => console.log(r.statusCode))"
  const { stdout, stderr } = await sandbox(['narrow', '--', process.execPath, '-e', connect])
  expect([stdout, stderr]).toEqual([
    '403\n',
    'svc sandbox: other.example.org:80 is not reachable (1): add it to sandbox.network.hosts\n',
  ])
})

test('ends with the program of a command that a signal ends', async () => {
  expect((await shell('worker', 'kill -TERM $$')).code).toBe(128 + 15)
})

test('names a missing program', async () => {
  const { code, stderr } = await sandbox(['worker', '--', 'no-such-program'])
  expect([code, stderr]).toEqual([
    127,
    expect.stringContaining('error: program "no-such-program" is not installed, or not on PATH\nhint: install it'),
  ])
})

test('runs a command in the sandbox of the next start of a stopped agent', async () => {
  expect(
    (
      await stand.agent([
        'orchestrator',
        'create-agent',
        '--name',
        'idle',
        '--sandbox',
        'on',
        '--runtime',
        'scripted',
        '--shell',
        'bash',
        '--working-dir',
        stand.project,
      ])
    ).code,
  ).toBe(0)
  expect((await stand.agent(['orchestrator', 'delete-agent', 'idle'])).code).toBe(0)
  expect((await sandbox(['idle'])).stdout).toMatch(/^sandbox of agent idle, of its next start: /)
  expect(await shell('idle', 'pwd')).toEqual({ code: 0, stdout: `${stand.project}\n`, stderr: '' })
})

test('runs nothing if the agent has no sandbox', async () => {
  const { code, stdout, stderr } = await sandbox(['free', '--', 'touch', join(stand.project, 'outside')])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'error: agent free has no sandbox: its manifest, policy or configuration says sandbox: off (sandbox-off)\n' +
      'hint: it runs as your other programs do; write sandbox: auto in its manifest to change that\n',
  )
  expect(existsSync(join(stand.project, 'outside'))).toBe(false)
})
