// Common failures and where users see them.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { portsAt } from '../support/ports.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/helper.yml', 'name: helper\nruntime: scripted\nworking_dir: .\nshell: bash\n')
  await stand.startInside()
  await stand.settled()
})
afterAll(() => stand.close())

/** An agent in a home directory has no sandbox, so that it could write manifests, which then wait for a person. */
const create = (name: string, ...more: string[]) =>
  stand.agent([
    'orchestrator',
    'create-agent',
    '--name',
    name,
    '--working-dir',
    stand.project,
    '--shell',
    'bash',
    ...more,
  ])

test('reports a missing program and the fix', async () => {
  const { code, stdout, stderr } = await create('missing', '--runtime', 'command', '--command', '/nowhere/prog')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^error: agent missing failed: it ended with exit code 127: program "\/nowhere\/prog" is not installed, or not on PATH; to fix it: install it, or name its full path in the agent’s command\nhint: see its output with: agent logs missing; /,
  )
  const status = await stand.agent(['status'])
  expect([status.code, status.stdout]).toEqual([
    1,
    expect.stringMatching(/missing .*not installed, or not on PATH; to fix it: install it/),
  ])
})

test('reports a program that is not logged in, also as JSON', async () => {
  const program = join(stand.project, 'not-logged-in')
  writeFileSync(
    program,
    '#!/bin/sh\n[ "$1" = --version ] && echo "2.1.0 (Claude Code)" && exit\necho "Invalid API key · Please run /login" >&2\nexit 1\n',
  )
  chmodSync(program, 0o755)
  const human = await create('stranger', '--runtime', 'claude-code', '--command', program)
  expect([human.code, human.stderr]).toEqual([1, expect.stringMatching(/Invalid API key.*to fix it: log in/)])
  const json = await create('other', '--runtime', 'claude-code', '--command', program, '--json')
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { status: 'failed' }])
})

test('waits for the connection, or returns at once with --no-wait', async () => {
  const { code, stdout } = await create('well', '--runtime', 'scripted')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^agent well is running \(/)])
  expect((await stand.agentNamed('well')).connected).toBe(true)
  const hasty = await create('hasty', '--runtime', 'command', '--command', '/nowhere/prog', '--no-wait')
  expect([hasty.code, hasty.stdout]).toEqual([0, expect.stringMatching(/^agent hasty is (running|pending)/)])
})

test('says that an agent has not connected after ten seconds, and names its output', async () => {
  const { code, stdout } = await create('silent', '--runtime', 'socket', '--command', 'sleep', '60')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^agent silent is running .*\nit has not connected yet; see its output with: agent logs silent/,
    ),
  ])
})

test('mentions HOME if no daemon is found', async () => {
  const { code, stderr } = await stand.svc(['status'], {
    env: { SVC_DATA_DIR: join(stand.home, 'elsewhere'), SVC_CONTROLLER_PORT: '1' },
  })
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${join(stand.home, 'elsewhere', 'runtime.json')} does not exist`),
  ])
})

test('names the fix for an unknown model in status, condition and reply', async () => {
  // A sandbox has a /tmp of its own: the program must be in the agent's directory.
  const program = join(stand.project, 'wrong-model')
  const words =
    "There's an issue with the selected model (nonesuch). It may not exist or you may not have access to it."
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = --version ] && echo "2.1.0 (Claude Code)" && exit\necho "${words}" >&2\nexit 1\n`,
  )
  chmodSync(program, 0o755)
  const fix = /to fix it: set another "model", or none/
  const { code, stderr } = await create(
    'dated',
    '--runtime',
    'claude-code',
    '--model',
    'nonesuch',
    '--command',
    program,
  )
  expect([code, stderr]).toEqual([1, expect.stringMatching(fix)])
  stand.write(
    'agents/model.yml',
    `name: model\nruntime: claude-code\nmodel: nonesuch\nworking_dir: .\nshell: bash\nrestart: never\ncommand: [${program}]\n`,
  )
  await eventually(async () => fix.test((await stand.svc(['status'])).stdout), 20_000, 200)
  expect((await stand.svc(['get', 'agents/model'])).stdout.replace(/\s+/g, ' ')).toMatch(/Ready=False .*to fix it: set/)
  expect((await stand.agent(['status'])).stdout).toMatch(/model +failed .*to fix it/)
})

test('names the fix for a program in a folder that a sandbox replaces', async () => {
  const program = join(stand.home, 'hidden')
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o755)
  const { code, stderr } = await create('hidden', '--runtime', 'command', '--command', program)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /hidden cannot be run in the sandbox: .*to fix it: put it in a directory of the agent: a sandbox has a \/tmp/,
    ),
  ])
})

test('names a port in use and how to investigate', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await eventually(() => holder.listening)
  const { port } = holder.address() as AddressInfo
  const { code, stderr } = await svc(['serve', '--manifests', stand.manifests], {
    env: { ...portsAt(0), SVC_NOTIFY_PORT: String(port), SVC_MUX_SOCKET: stand.muxSocket },
  })
  holder.close()
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `error: port ${port} of the notify service is in use on 127\\.0\\.0\\.1: .*set SVC_NOTIFY_PORT to another port.*\nhint: .*with "svc down"; "svc doctor" checks every port\n$`,
      ),
    ),
  ])
})

test('explains how to install a missing tmux', async () => {
  const tools = join(stand.home, 'tools')
  mkdirSync(tools)
  symlinkSync(process.execPath, join(tools, 'node'))
  const { code, stderr } = await svc(['serve', '--manifests', stand.manifests], {
    env: { ...portsAt(0), PATH: tools, SVC_MUX_SOCKET: stand.muxSocket },
  })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /error: tmux is not installed: install it \(.*\), then try again\nhint: run "svc doctor" to check/,
    ),
  ])
})

test('counts and ends agents in a shell with TMUX_TMPDIR', async () => {
  const other = await DaemonStand.create({ env: { TMUX_TMPDIR: stand.home } })
  other.write('agents/helper.yml', 'name: helper\nruntime: scripted\nworking_dir: .\nshell: bash\n')
  await other.startReady()
  const printed = await other.agent(['attach', 'helper', '--print'])
  expect(printed.stdout).toMatch(/^env -u TMUX_TMPDIR tmux -L /)
  expect(await other.stopBy('SIGINT')).toBe(0)
  const told = /1 agent keeps running in tmux[\s\S]*Stop them too with: (.*)\n/.exec(other.output)?.[1]
  expect(Object.keys(await other.panes())).toHaveLength(1)
  await promisify(execFile)('sh', ['-c', told!], { env: other.env })
  expect(await other.panes()).toEqual({})
  await other.close()
})
