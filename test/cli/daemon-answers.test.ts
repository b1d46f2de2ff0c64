// How commands find the daemon and report its responses.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import { bareServer, problem } from '../support/bare-server.ts'
import { agent, svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
let planner: AgentRecord
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  planner = await newAgent('planner')
  await stand.connected()
})
afterAll(() => stand.close())

const newAgent = (name: string) =>
  request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name,
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
  })
const remove = ({ id }: AgentRecord, purge = false) =>
  request('DELETE', `${stand.orchestrator}/agents/${id}?purge=${purge}`)

test('names the address and how to start a daemon if none responds', async () => {
  const { code, stdout, stderr } = await svc(['status'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^error: no daemon is reachable at http:\/\/127\.0\.0\.1:1 \(address from the default port\)\nhint: start one with "svc serve --manifests DIR" \(or npm start\), or pass another address with --url; a daemon with another HOME or SVC_DATA_DIR is found only with the same values here: \S+runtime\.json does not exist\n$/,
  )
})

test('prefers --url, then the variable, the runtime file and the port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-runtime-'))
  mkdirSync(join(folder, 'data'))
  writeFileSync(
    join(folder, 'data', 'runtime.json'),
    JSON.stringify({ pid: 1, started_at: '', version: '', services: { orchestrator: stand.orchestrator } }),
  )
  const byFile = await agent(['orchestrator', 'list-agents'], { env: { SVC_DATA_DIR: join(folder, 'data') } })
  const byVariable = await agent(['orchestrator', 'list-agents'], {
    env: { SVC_DATA_DIR: join(folder, 'data'), SVC_ORCHESTRATOR_URL: 'http://127.0.0.1:2' },
  })
  const byOption = await agent(['orchestrator', 'list-agents', '--url', stand.orchestrator], {
    env: { SVC_ORCHESTRATOR_URL: 'http://127.0.0.1:2' },
  })
  rmSync(folder, { recursive: true })
  expect(byFile.stdout).toContain('planner')
  expect(byVariable.stderr).toContain('http://127.0.0.1:2 (address from SVC_ORCHESTRATOR_URL)')
  expect(byOption.stdout).toContain('planner')
})

test('sends the caller and the token', async () => {
  const { url, asked } = await bareServer(200, '[]')
  await agent(['orchestrator', 'list-agents', '--url', url], { env: { SVC_TOKEN: 's3cret' } })
  expect(asked[0]!.headers).toMatchObject({ 'x-svc-actor': 'tester', authorization: 'Bearer s3cret' })
})

test('shows the detail and the request of a refusal', async () => {
  const { code, stderr } = await stand.agent(['orchestrator', 'create-agent', '--name', ''])
  expect([code, stderr]).toEqual([1, 'error: name should be a text that is not empty (POST /agents: 400)\n'])
})

test('shows every field of a refusal', async () => {
  const faults = ['name', 'shell'].map((path) => ({ path, message: `${path} is wrong` }))
  const { url } = await bareServer(400, problem(400, 'the body is not as it should be', faults))
  const { stderr } = await agent(['orchestrator', 'create-agent', '--name', 'x', '--url', url])
  expect(stderr).toBe(
    'error: the body is not as it should be\n  name: name is wrong\n  shell: shell is wrong (POST /agents: 400)\n',
  )
})

test.each([
  [401, 'SVC_TOKEN'],
  [409, 'current state'],
  [503, 'try again'],
])('explains what to do on a %i', async (status, hint) => {
  const { url } = await bareServer(status, problem(status, 'no'))
  const { code, stderr } = await agent(['orchestrator', 'create-agent', '--name', 'x', '--url', url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('hint: ')])
  expect(stderr).toContain(hint)
})

test('names the request id of a 500', async () => {
  const { url } = await bareServer(500, problem(500, 'internal error'))
  expect((await agent(['orchestrator', 'list-agents', '--url', url])).stderr).toContain('request r-1')
})

test('reports a response that is not JSON', async () => {
  const { url } = await bareServer(200, '<html>')
  const { code, stderr } = await agent(['orchestrator', 'list-agents', '--url', url])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*\nhint: /)])
})

test('does not follow redirects, which would leak the token', async () => {
  const elsewhere = await bareServer(200, '[]')
  const { url } = await bareServer(302, '', { location: elsewhere.url })
  const { code, stderr } = await agent(['orchestrator', 'list-agents', '--url', url], { env: { SVC_TOKEN: 's3cret' } })
  expect([code, stderr]).toEqual([1, `error: it redirects to ${elsewhere.url} (GET /agents: 302)\n`])
  expect(elsewhere.asked).toEqual([])
})

test('reports an unresolvable host and a TLS error', async () => {
  const nowhere = await agent(['orchestrator', 'list-agents', '--url', 'http://no-such-host.invalid'])
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/no daemon is reachable at \S+: (ENOTFOUND|EAI_AGAIN) \(/),
  ])
  const { url } = await bareServer(200, '[]')
  const plain = await agent(['orchestrator', 'list-agents', '--url', url.replace('http:', 'https:')])
  expect([plain.code, plain.stderr]).toEqual([
    1,
    expect.stringMatching(/no daemon is reachable at https:\S+: EPROTO|ERR_SSL/),
  ])
})

test('rejects an ambiguous name with ids, an unknown one with the nearest', async () => {
  const [first, second] = [await newAgent('twin'), await newAgent('twin')]
  expect((await stand.agent(['orchestrator', 'get-agent', 'twin'])).stderr).toBe(
    `error: "twin" matches 2 agents: ${second.id}, ${first.id}\nhint: use the id\n`,
  )
  expect((await stand.agent(['orchestrator', 'get-agent', 'planer'])).stderr).toBe(
    'error: agent planer does not exist\nhint: did you mean "planner"?\n',
  )
  await Promise.all([remove(first, true), remove(second, true)])
})

test('resolves a name to the running agent', async () => {
  await remove(await newAgent('again'))
  const { id } = await newAgent('again')
  expect(JSON.parse((await stand.agent(['orchestrator', 'get-agent', 'again', '--json'])).stdout).id).toBe(id)
})

test('exits with 1 if a service is down or an agent failed', async () => {
  const well = await stand.agent(['status'])
  expect([well.code, well.stdout]).toEqual([0, expect.stringMatching(/planner\s+running\s+yes\s+idle/)])
  const half = await stand.agent(['status', '--json'], { env: { SVC_CONTROLLER_URL: 'http://127.0.0.1:1' } })
  expect(half.code).toBe(1)
  expect(
    JSON.parse(half.stdout)
      .services.slice(0, 2)
      .map((service: { status: string }) => service.status),
  ).toEqual(['down', 'ok'])
  const crasher = await newAgent('crasher')
  await stand.connected()
  await stand.send(crasher.id, 'EXIT 3')
  await eventually(async () => (await stand.agentNamed('crasher')).status === 'failed')
  const failed = await stand.agent(['status'])
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('exit code 3')])
  await remove(crasher, true)
})

test('uses colours on terminals or with FORCE_COLOR, never with NO_COLOR', async () => {
  const coloured = async (env: Record<string, string>) =>
    (await stand.agent(['orchestrator', 'list-agents'], { env })).stdout.includes('\u001b[')
  expect(
    await Promise.all([
      coloured({}),
      coloured({ FORCE_COLOR: '1' }),
      coloured({ FORCE_COLOR: '1', NO_COLOR: '1' }),
      coloured({ CI: '1' }),
    ]),
  ).toEqual([false, true, false, false])
})

test('keeps every table row on one line in a narrow terminal', async () => {
  const long = await newAgent('a'.repeat(15))
  const { stdout } = await stand.agent(['orchestrator', 'list-agents', '--status', 'running'], {
    env: { COLUMNS: '100' },
  })
  const running = (await stand.agents()).filter(({ status }) => status === 'running')
  await remove(long, true)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1 + running.length)
})

test('shows rows as paragraphs in a terminal that is too narrow for a name', async () => {
  const name = 'a'.repeat(120)
  const long = await newAgent(name)
  const { stdout } = await stand.agent(['orchestrator', 'list-agents', '--status', 'running'], {
    env: { COLUMNS: '100' },
  })
  await remove(long, true)
  expect(stdout.replace(/\s+/g, '')).toContain(name)
  expect(stdout.split('\n\n')).toHaveLength(
    (await stand.agents()).filter(({ status }) => status === 'running').length + 1,
  )
})

test('escapes control characters of foreign text', async () => {
  const hostile = await newAgent('x\u001b]0;owned\u0007')
  const { stdout } = await stand.agent(['orchestrator', 'list-agents'])
  await remove(hostile, true)
  expect(stdout).toContain('owned')
  expect(stdout).not.toMatch(/[\u001b\u0007]/)
})

test('finds the daemon of its data folder', async () => {
  const { stdout } = await agent(['orchestrator', 'get-agent', planner.id], { env: { SVC_DATA_DIR: stand.dataDir } })
  expect(stdout).toContain('name: planner')
})
