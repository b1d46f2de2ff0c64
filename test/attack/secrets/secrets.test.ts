import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DIAGNOSTIC_FORMATS } from '../../../controller/rendering/diagnostics/index.ts'
import { Canaries } from './canaries.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'
import { misplacedSecrets } from './misplaced-secrets.ts'

const canaries = new Canaries()
const emitted: [where: string, content: string | Buffer][] = []
const leaker = join(root, 'test', 'attack', 'secrets', 'fixtures', 'leaker.mjs')
let stand: DaemonStand
let frames: object[]

const plant = (door: string) => canaries.plant(door)

async function asked<T = any>(method: string, url: string, body?: unknown, headers?: Record<string, string>) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  emitted.push([`${method} ${new URL(url).pathname}`, text])
  // Some answers are streams of lines.
  const isOne = text !== '' && !text.trim().includes('\n')
  return { status: response.status, body: (isOne ? JSON.parse(text) : null) as T }
}

async function read(url: string): Promise<void> {
  emitted.push([url, await (await fetch(url)).text()])
}

async function ran(program: 'svc' | 'agent', args: string[], options: { env?: Record<string, string> } = {}) {
  const { stdout, stderr } = await stand[program](args, options)
  emitted.push([`${program} ${args.join(' ')}`, stdout + stderr])
  return stdout
}

const leakerManifest = (name: string, env: Record<string, string>, more = '') =>
  `name: ${name}\nworking_dir: ${stand.home}\nshell: bash\nruntime: command\ncommand: [node, ${leaker}]\n` +
  `tool_policy: { mode: require_approval }\n${more}env:\n` +
  Object.entries(env)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`)
    .join('')

beforeAll(async () => {
  stand = await DaemonStand.create({
    env: {
      SVC_LOG_LEVEL: 'debug',
      SVC_LOG_FORMAT: 'json',
      SVC_TOKEN: plant('SVC_TOKEN'),
      SVC_FORGE_TOKEN: plant('SVC_FORGE_TOKEN'),
      GITHUB_TOKEN: plant('GITHUB_TOKEN'),
      ANTHROPIC_API_KEY: plant('ANTHROPIC_API_KEY'),
      DATABASE_URL: `postgres://svc:${plant('password of an address')}@db.invalid/x`,
      FROM_DAEMON: plant('variable of the daemon in env'),
      FROM_DAEMON_PART: plant('variable of the daemon in a part of env'),
      HOOK: plant('variable of the daemon as webhook secret'),
    },
  })
  const outside = join(stand.home, 'outside.txt')
  writeFileSync(outside, plant('template file outside the tree'))
  stand.write(
    'agents/leaker.yml',
    leakerManifest('leaker', {
      CANARY_LITERAL: plant('env of a manifest'),
      CANARY_VARIABLE: '${FROM_DAEMON}',
      CANARY_PART: 'x ${FROM_DAEMON_PART} y',
      CANARY_DEFAULT: `\${NOT_SET:-${plant('default of a variable')}}`,
      CANARY_LINES: `first\n${plant('second line of a value')}\nthird`,
    }),
  )
  stand.write(
    'agents/dying.yml',
    leakerManifest('dying', { CANARY_DYING: plant('env of an agent that dies') }, 'prompt: DIE\n'),
  )
  stand.write(
    'workflows/hook.yml',
    'name: hook\nagent: leaker\nsource: { type: webhook, secret: "${HOOK}" }\nprompt_template: "{{title}}"\n',
  )
  await stand.start()
  await eventually(async () => (await stand.agentNamed('leaker'))?.connected, 60_000)
  frames = await stand.listen()
}, 120_000)
afterAll(() => stand?.close())

async function leakBy(id: string): Promise<void> {
  await asked('POST', `${stand.orchestrator}/agents/${id}/message`, { content: 'leak' })
  const approval = await eventually(async () => {
    const { body } = await stand.ask('GET', `${stand.orchestrator}/agents/${id}/approvals?status=pending`)
    return (body.items ?? body).find((each: { request_id: string }) => each.request_id === 'ask')
  }, 30_000)
  await asked('GET', `${stand.orchestrator}/approvals/${approval.id}`)
  await asked('POST', `${stand.orchestrator}/approvals/${approval.id}/approve`, {})
  await eventually(() => frames.some((frame) => JSON.stringify(frame).includes('tool allow as asked')), 30_000)
  frames.splice(0, frames.length, ...keptFrames(frames))
  await asked('POST', `${stand.orchestrator}/agents/${id}/message`, { content: 'FAIL' })
  await eventually(() => frames.some((frame) => JSON.stringify(frame).includes('error_during_execution')), 30_000)
  await asked('GET', `${stand.orchestrator}/agents/${id}/logs?lines=1000`)
}

/** Moves the frames of an earlier agent to `emitted`, so that waits match only later ones. */
function keptFrames(all: object[]): object[] {
  emitted.push(['the stream', JSON.stringify(all)])
  return []
}

test('shows no secret of a leaking agent, whose tool runs unchanged', { timeout: 120_000 }, async () => {
  await leakBy((await stand.agentNamed('leaker')).id)
  const created = await asked<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name: 'by-api',
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'command',
    command: ['node', leaker],
    tool_policy: { mode: 'require_approval' },
    env: { CANARY_API: plant('env of a create body') },
  })
  const { id } = created.body
  await asked('PATCH', `${stand.orchestrator}/agents/${id}`, { env: { CANARY_PATCH: plant('env of a patch') } })
  await asked('POST', `${stand.orchestrator}/agents/${id}/restart`)
  await eventually(async () => (await stand.agentNamed('by-api')).connected, 30_000)
  await leakBy(id)
  const dying = await eventually(async () => {
    const agent = await stand.agentNamed('dying')
    return agent.last_error?.includes('exit code 3') || agent.restarts > 0 ? agent : null
  }, 60_000)
  expect(JSON.stringify(dying)).toContain('***')
  const terminal = { name: 'terminal', working_dir: stand.home, shell: 'bash', interactive: true, runtime: 'command' }
  const shown = await asked<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    ...terminal,
    command: ['sh', '-c', 'env | grep CANARY; printf "%s\\033[1m\\n" "$CANARY_TERMINAL" | fold -w 7; sleep 1000'],
    env: { CANARY_TERMINAL: plant('env shown on a terminal') },
  })
  const logs = `${stand.orchestrator}/agents/${shown.body.id}/logs`
  await eventually(async () => JSON.stringify((await asked('GET', logs)).body).includes('***'), 20_000)
})

test('shows no secret in drift, plans, runs and errors', { timeout: 120_000 }, async () => {
  const { id } = await stand.agentNamed('leaker')
  await asked('PATCH', `${stand.orchestrator}/agents/${id}`, { env: { CANARY_DRIFT: plant('env changed by hand') } })
  const hook = (await asked('GET', `${stand.orchestrator}/workflows`)).body.items?.[0]
  if (hook)
    await asked('PATCH', `${stand.orchestrator}/workflows/${hook.id}`, {
      trigger_config: { type: 'webhook', secret: plant('webhook secret changed by hand') },
    })
  await asked('POST', `${stand.orchestrator}/workflows`, {
    name: 'by-api',
    agent_id: id,
    trigger_config: { type: 'webhook', secret: plant('webhook secret of a create body') },
    prompt_template: 'x',
  })
  const body = { name: 'x', working_dir: stand.home }
  const bad: unknown[] = [
    { ...body, env: plant('env as a text') },
    { ...body, env: [plant('env as a list')] },
    { ...body, env: { [`A=${plant('name of a variable')}`]: 'x' } },
    { ...body, env: { A: { b: plant('mapping in env') } } },
    { ...body, envv: { A: plant('env that is misspelt') } },
    { ...body, env: { A: `\u0000${plant('value with NUL')}` } },
  ]
  for (const each of bad) expect((await asked('POST', `${stand.orchestrator}/agents`, each)).status).toBeLessThan(500)
  for (const trigger of [
    { type: 'webhok', secret: plant('secret of an unknown trigger') },
    { type: 'webhook', secret: [plant('secret that is a list')] },
    { type: 'webhook', secrets: plant('secret that is misspelt') },
  ])
    await asked('POST', `${stand.orchestrator}/workflows`, {
      name: 'y',
      agent_id: id,
      trigger_config: trigger,
      prompt_template: 'x',
    })
  const malformed = await fetch(`${stand.orchestrator}/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"env": {"A": ${plant('value in malformed JSON')}}}`,
  })
  emitted.push(['malformed JSON', await malformed.text()])
  await asked('GET', `${stand.orchestrator}/agents?token=${plant('token of a query')}`)
  await asked('GET', `${stand.orchestrator}/nothing`, undefined, { authorization: `Bearer ${plant('bearer token')}` })
  for (const args of [['-o', 'json'], ['-o', 'markdown'], []])
    await ran('svc', ['plan', stand.manifests, '--source', 'default', ...args])
  await ran('svc', ['plan', stand.manifests, '--out', join(stand.dataDir, 'kept.plan')])
})

test('refuses manifests with misplaced secrets without showing them', { timeout: 180_000 }, async () => {
  const broken = join(stand.home, 'broken', 'agents')
  mkdirSync(broken, { recursive: true })
  const shapes = misplacedSecrets(plant)
  shapes.forEach((text, index) => writeFileSync(join(broken, `shape-${index}.yml`), text))
  for (const format of DIAGNOSTIC_FORMATS) {
    const report = await ran('svc', ['validate', join(stand.home, 'broken'), '-o', format])
    expect([...shapes.keys()].filter((index) => !report.includes(`shape-${index}.yml`)).length).toBeLessThan(3)
  }
  const manifests = shapes.map((content, index) => ({ path: `agents/shape-${index}.yml`, content }))
  await asked('POST', `${stand.controller}/plan`, { manifests })
  await asked('POST', `${stand.controller}/apply`, { manifests })
  shapes.forEach((text, index) => stand.write(`agents/shape-${index}.yml`, text))
  const tricks = ['../../outside.txt', join(stand.home, 'outside.txt'), 'link.md', 'folder/outside.txt']
  mkdirSync(join(stand.manifests, 'workflows'), { recursive: true })
  symlinkSync(join(stand.home, 'outside.txt'), join(stand.manifests, 'workflows', 'link.md'))
  symlinkSync(stand.home, join(stand.manifests, 'workflows', 'folder'))
  tricks.forEach((file, index) =>
    stand.write(
      `workflows/outside-${index}.yml`,
      `name: outside-${index}\nagent: leaker\nsource: { type: manual }\nprompt_template_file: ${file}\n`,
    ),
  )
  const report = JSON.parse(await ran('svc', ['validate', stand.manifests, '-o', 'json']))
  const outside = report.diagnostics.filter((each: { code: string }) => each.code === 'file-outside')
  // The link of a folder is a separate fault.
  expect(outside.map(({ line }: { line: number }) => line)).toEqual([1, ...tricks.map(() => 4)])
  await asked('POST', `${stand.controller}/plan`, { source: 'default' })
  await ran('svc', ['reconcile'])
})

test('shows nothing of the daemon’s environment in commands and failed starts', { timeout: 60_000 }, async () => {
  const password = plant('password of the database')
  const env = {
    SVC_DATABASE_URL: `postgres://svc:${password}@127.0.0.1:1/svc`,
    SVC_DATA_DIR: join(stand.home, 'other'),
  }
  await ran('svc', ['doctor'], { env })
  await ran('svc', ['serve', '--manifests', stand.manifests], { env })
  await ran('svc', ['serve'], {
    env: { ...env, SVC_DATABASE_URL: `postgres://svc:${plant('password with signs')}/#?@:x@[/svc` },
  })
})

const READS = ['/health', '/metrics', '/openapi.json']

test('emits no planted secret', { timeout: 120_000 }, async () => {
  const agents = (await stand.agents()).map(({ id }) => id)
  const workflows = (await asked('GET', `${stand.orchestrator}/workflows`)).body
  const ids = [workflows.items ?? workflows].flat().map(({ id }: { id: string }) => id)
  const paths = [
    ...READS.flatMap((path) => [stand.controller + path, stand.orchestrator + path]),
    ...['/sources', '/sources/default', '/runs', '/resources', '/drift', '/schemas'].map(
      (path) => stand.controller + path,
    ),
    ...['/agents', '/approvals', '/policies', '/workflows'].map((path) => stand.orchestrator + path),
    ...agents.flatMap((id) =>
      ['', '/usage', '/logs', '/policy', '/approvals'].map((path) => `${stand.orchestrator}/agents/${id}${path}`),
    ),
    ...ids.flatMap((id) => ['', '/history'].map((path) => `${stand.orchestrator}/workflows/${id}${path}`)),
  ]
  for (const path of paths) await read(path)
  const runs = (await asked('GET', `${stand.controller}/runs`)).body
  for (const { id } of [runs.items ?? runs].flat()) await asked('GET', `${stand.controller}/runs/${id}`)
  for (const args of [
    ['status'],
    ['history'],
    ['drift'],
    ['get', 'agents', '-o', 'yaml'],
    ['get', 'agents', '-o', 'json'],
  ])
    await ran('svc', args)
  await ran('agent', ['status', '--json'])
  emitted.push(['the stream', JSON.stringify(frames)])
  emitted.push(['arguments of processes', (await execa('ps', ['-eo', 'args'])).stdout])
  // The dying agent is restarted repeatedly; its bridge removes the file.
  await eventually(() => readdirSync(join(stand.dataDir, 'launch')).length === 0)
  keepFiles('while it runs')
  await stand.stopBy('SIGTERM')
  keepFiles('when it has stopped')
  emitted.push(['the log', stand.output])
  expect(stand.output).toContain('"level":20')
  expect(emitted.flatMap(([where, content]) => canaries.seenIn(where, content))).toEqual([])
  expect(canaries.count).toBeGreaterThanOrEqual(40)
  counted('secrets: canaries planted', canaries.count)
  counted('secrets: outputs searched', emitted.length)
  counted('secrets: bytes searched', canaries.searched)
})

function keepFiles(when: string): void {
  for (const file of readdirSync(stand.dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(stand.dataDir, file)
    if (statSync(path).isFile()) emitted.push([`${file} ${when}`, readFileSync(path)])
    if (statSync(path).isFile()) expect(statSync(path).mode & 0o077, file).toBe(0)
  }
}
