// What a command makes of the daemon's answers: none, a refusal, nonsense, and where it looks for one.
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

test('without a daemon an error names where it looked and how to start one', async () => {
  const { code, stdout, stderr } = await svc(['status'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^error: no daemon answers at http:\/\/127\.0\.0\.1:1 \(address from the default port\)\nhint: start one with "svc serve --manifests DIR" \(or npm start\), or name another with --url; one that runs with another HOME or SVC_DATA_DIR is found with the same here: \S+runtime\.json is not there\n$/,
  )
})

test('--url wins over the variable, the variable over the runtime file, the runtime file over the port', async () => {
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

test('a request says who asks, with the token when there is one', async () => {
  const { url, asked } = await bareServer(200, '[]')
  await agent(['orchestrator', 'list-agents', '--url', url], { env: { SVC_TOKEN: 's3cret' } })
  expect(asked[0]!.headers).toMatchObject({ 'x-svc-actor': 'tester', authorization: 'Bearer s3cret' })
})

test('a refusal shows the detail and the request', async () => {
  const { code, stderr } = await stand.agent(['orchestrator', 'create-agent', '--name', ''])
  expect([code, stderr]).toEqual([1, 'error: name should be a text that is not empty (POST /agents: 400)\n'])
})

test('a refusal of several fields shows each', async () => {
  const faults = ['name', 'shell'].map((path) => ({ path, message: `${path} is wrong` }))
  const { url } = await bareServer(400, problem(400, 'the body is not as it should be', faults))
  const { stderr } = await agent(['orchestrator', 'create-agent', '--name', 'x', '--url', url])
  expect(stderr).toBe(
    'error: the body is not as it should be\n  name: name is wrong\n  shell: shell is wrong (POST /agents: 400)\n',
  )
})

test.each([
  [401, 'SVC_TOKEN'],
  [409, 'present state'],
  [503, 'try again'],
])('a %i comes with what to do', async (status, hint) => {
  const { url } = await bareServer(status, problem(status, 'no'))
  const { code, stderr } = await agent(['orchestrator', 'create-agent', '--name', 'x', '--url', url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('hint: ')])
  expect(stderr).toContain(hint)
})

test('a 500 names the request for the log', async () => {
  const { url } = await bareServer(500, problem(500, 'internal error'))
  expect((await agent(['orchestrator', 'list-agents', '--url', url])).stderr).toContain('request r-1')
})

test('an answer that is not JSON is no crash', async () => {
  const { url } = await bareServer(200, '<html>')
  const { code, stderr } = await agent(['orchestrator', 'list-agents', '--url', url])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*\nhint: /)])
})

test('a redirect is not followed, for a token would go along: it says where it leads', async () => {
  const elsewhere = await bareServer(200, '[]')
  const { url } = await bareServer(302, '', { location: elsewhere.url })
  const { code, stderr } = await agent(['orchestrator', 'list-agents', '--url', url], { env: { SVC_TOKEN: 's3cret' } })
  expect([code, stderr]).toEqual([1, `error: it answers somewhere else: ${elsewhere.url} (GET /agents: 302)\n`])
  expect(elsewhere.asked).toEqual([])
})

test('a host that has no address, and a server that takes what no TLS is, are named', async () => {
  const nowhere = await agent(['orchestrator', 'list-agents', '--url', 'http://no-such-host.invalid'])
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/no daemon answers at \S+: (ENOTFOUND|EAI_AGAIN) \(/),
  ])
  const { url } = await bareServer(200, '[]')
  const plain = await agent(['orchestrator', 'list-agents', '--url', url.replace('http:', 'https:')])
  expect([plain.code, plain.stderr]).toEqual([
    1,
    expect.stringMatching(/no daemon answers at https:\S+: EPROTO|ERR_SSL/),
  ])
})

test('a name that several agents carry is refused with their ids, one that none carries with the nearest', async () => {
  const [first, second] = [await newAgent('twin'), await newAgent('twin')]
  expect((await stand.agent(['orchestrator', 'get-agent', 'twin'])).stderr).toBe(
    `error: 2 agents answer to "twin": ${second.id}, ${first.id}\nhint: name one by its id\n`,
  )
  expect((await stand.agent(['orchestrator', 'get-agent', 'planer'])).stderr).toBe(
    'error: agent planer does not exist\nhint: did you mean "planner"?\n',
  )
  await Promise.all([remove(first, true), remove(second, true)])
})

test('a name means the agent that lives, when another of that name has stopped', async () => {
  await remove(await newAgent('again'))
  const { id } = await newAgent('again')
  expect(JSON.parse((await stand.agent(['orchestrator', 'get-agent', 'again', '--json'])).stdout).id).toBe(id)
})

test('status ends with 1 when a service is down or an agent failed, and with 0 when all is well', async () => {
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

test('colours are for terminals: none in a pipe, some by FORCE_COLOR, none by NO_COLOR whatever else is said', async () => {
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

test('a table gives way to a narrow terminal and keeps every row on a line', async () => {
  const long = await newAgent('a'.repeat(120))
  const { stdout } = await stand.agent(['orchestrator', 'list-agents', '--status', 'running'], {
    env: { COLUMNS: '100' },
  })
  const running = (await stand.agents()).filter(({ status }) => status === 'running')
  await remove(long, true)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1 + running.length)
})

test('text of others cannot drive the terminal', async () => {
  const hostile = await newAgent('x\u001b]0;owned\u0007')
  const { stdout } = await stand.agent(['orchestrator', 'list-agents'])
  await remove(hostile, true)
  expect(stdout).toContain('owned')
  expect(stdout).not.toMatch(/[\u001b\u0007]/)
})

test('a command finds the daemon of its data folder without being told', async () => {
  const { stdout } = await agent(['orchestrator', 'get-agent', planner.id], { env: { SVC_DATA_DIR: stand.dataDir } })
  expect(stdout).toContain('name: planner')
})
