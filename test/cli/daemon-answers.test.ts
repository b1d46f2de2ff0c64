// What a command makes of the daemon's answers: none, a refusal, nonsense, and where it looks for one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problem, startApi, type Api } from './api.ts'
import { agent, svc } from './commands.ts'
import { AGENT_ID, agentRecord, planOf, planStep, OTHER_ID, resourceRecord, runOf, sourceRecord } from './records.ts'

let api: Api
beforeEach(
  async () =>
    void (api = await startApi({
      'GET /agents': { json: [agentRecord()] },
      'GET /health': { json: { status: 'ok', service: 'svc-orchestrator', version: '0.1.0', uptime_secs: 3 } },
    })),
)
afterEach(() => api.close())

test('without a daemon an error names where it looked and how to start one', async () => {
  const { code, stdout, stderr } = await svc(['status'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'error: no daemon answers at http://127.0.0.1:1 (address from the default port)\nhint: start one with "svc serve --manifests DIR" (or npm start), or name another with --url\n',
  )
})

test('--url wins over the variable, the variable over the runtime file, the runtime file over the port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-runtime-'))
  mkdirSync(join(folder, 'data'))
  writeFileSync(
    join(folder, 'data', 'runtime.json'),
    JSON.stringify({ pid: 1, started_at: '', version: '', services: { orchestrator: api.url } }),
  )
  const byFile = await agent(['orchestrator', 'list-agents'], { env: { SVC_DATA_DIR: join(folder, 'data') } })
  const byVariable = await agent(['orchestrator', 'list-agents'], {
    env: { SVC_DATA_DIR: join(folder, 'data'), SVC_ORCHESTRATOR_URL: 'http://127.0.0.1:2' },
  })
  const byOption = await agent(['orchestrator', 'list-agents', '--url', api.url], {
    env: { SVC_ORCHESTRATOR_URL: 'http://127.0.0.1:2' },
  })
  rmSync(folder, { recursive: true })
  expect(byFile.stdout).toContain('planner')
  expect(byVariable.stderr).toContain('http://127.0.0.1:2 (address from SVC_ORCHESTRATOR_URL)')
  expect(byOption.stdout).toContain('planner')
})

test('a request says who asks, with the token when there is one', async () => {
  await agent(['orchestrator', 'list-agents'], { env: { ...api.env, SVC_TOKEN: 's3cret' } })
  expect(api.asked[0]!.headers).toMatchObject({ 'x-svc-actor': 'tester', authorization: 'Bearer s3cret' })
})

test('a refusal shows the detail, every field at fault, the request and a next step', async () => {
  api.routes['POST /agents'] = {
    status: 400,
    body: problem(400, 'the body is not as it should be', [{ path: 'name', message: 'must not be empty' }]),
  }
  const { code, stderr } = await agent(['orchestrator', 'create-agent', '--name', ''], { env: api.env })
  expect(code).toBe(1)
  expect(stderr).toBe('error: the body is not as it should be\n  name: must not be empty (POST /agents: 400)\n')
})

test.each([
  [401, 'SVC_TOKEN'],
  [409, 'present state'],
  [503, 'try again'],
])('a %i comes with what to do', async (status, hint) => {
  api.routes['POST /agents'] = { status, body: problem(status, 'no') }
  const { code, stderr } = await agent(['orchestrator', 'create-agent', '--name', 'x'], { env: api.env })
  expect(code).toBe(1)
  expect(stderr).toContain(`hint: `)
  expect(stderr).toContain(hint)
})

test('a 500 names the request for the log', async () => {
  api.routes['GET /agents'] = { status: 500, body: problem(500, 'internal error') }
  expect((await agent(['orchestrator', 'list-agents'], { env: api.env })).stderr).toContain('request r-1')
})

test('an answer that is not JSON is no crash', async () => {
  const { code, stderr } = await agent(['orchestrator', 'list-agents', '--url', `${api.url}/nothing-of-ours`])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: .*\nhint: /)
})

test('a name that several agents carry is refused with their ids, one that none carries with the nearest', async () => {
  api.routes['GET /agents'] = { json: [agentRecord(), agentRecord({ id: OTHER_ID })] }
  const twice = await agent(['orchestrator', 'get-agent', 'planner'], { env: api.env })
  expect(twice.stderr).toBe(`error: 2 agents answer to "planner": ${AGENT_ID}, ${OTHER_ID}\nhint: name one by its id\n`)
  const near = await agent(['orchestrator', 'get-agent', 'planer'], { env: api.env })
  expect(near.stderr).toBe('error: agent planer does not exist\nhint: did you mean "planner"?\n')
})

test('a name means the agent that lives, when another of that name has stopped', async () => {
  api.routes['GET /agents'] = { json: [agentRecord({ id: OTHER_ID, status: 'stopped' }), agentRecord()] }
  expect((await agent(['orchestrator', 'get-agent', 'planner', '--json'], { env: api.env })).stdout).toContain(AGENT_ID)
})

test('status ends with 1 when a service is down or an agent failed, and with 0 when all is well', async () => {
  const well = await agent(['status'], { env: api.env })
  expect(well.stdout).toMatch(/planner\s+running\s+yes\s+idle/)
  expect(well.code).toBe(0)
  api.routes['GET /agents'] = { json: [agentRecord({ status: 'failed', last_error: 'exit code 3' })] }
  const failed = await agent(['status'], { env: api.env })
  expect([failed.code, failed.stdout.includes('exit code 3')]).toEqual([1, true])
  const half = await agent(['status', '--json'], { env: { ...api.env, SVC_CONTROLLER_URL: 'http://127.0.0.1:1' } })
  expect(half.code).toBe(1)
  expect(JSON.parse(half.stdout).services.map((service: { status: string }) => service.status)).toEqual(['down', 'ok'])
})

test('colours are for terminals: none in a pipe, some by FORCE_COLOR, none by NO_COLOR whatever else is said', async () => {
  const coloured = async (env: Record<string, string>) =>
    (await agent(['orchestrator', 'list-agents'], { env: { ...api.env, ...env } })).stdout.includes('\u001b[')
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
  api.routes['GET /agents'] = {
    json: [
      agentRecord({
        name: 'a'.repeat(60),
        managed_by: { source: 'default', file: 'agents/very/long/path/of/a/manifest.yml', line: 3 },
      }),
    ],
  }
  const { stdout } = await agent(['orchestrator', 'list-agents'], { env: { ...api.env, COLUMNS: '100' } })
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  expect(stdout.trimEnd().split('\n')).toHaveLength(2)
})

test('text of others cannot drive the terminal', async () => {
  api.routes['GET /agents'] = { json: [agentRecord({ name: 'x\u001b]0;owned\u0007' })] }
  expect((await agent(['orchestrator', 'list-agents'], { env: api.env })).stdout).not.toMatch(/[\u001b\u0007]/)
})

test('a reader that stops reading is no error', async () => {
  api.routes['GET /sources'] = { json: [sourceRecord()] }
  api.routes['GET /resources'] = { json: [resourceRecord()] }
  api.routes['GET /drift'] = { json: [] }
  const { code, stdout } = await svc(['status'], { env: api.env })
  expect([code, stdout.includes('1 of 1 resources Ready, no drift')]).toEqual([0, true])
})

test('reading a plan and a run back gives what the daemon sent', async () => {
  const [plan, run] = [planOf({ steps: [planStep()] }), runOf()]
  Object.assign(api.routes, {
    'GET /sources': { json: [sourceRecord()] },
    'POST /plan': { json: plan },
    'GET /runs': { json: { items: [run], total: 1, limit: 20, offset: 0 } },
    [`GET /runs/${run.id}`]: { json: run },
  })
  expect(JSON.parse((await svc(['reconcile', '--dry-run', '--json'], { env: api.env })).stdout)).toEqual(plan)
  expect(JSON.parse((await svc(['history', '-o', 'json'], { env: api.env })).stdout)).toEqual([run])
  expect(JSON.parse((await svc(['history', run.id.slice(0, 8), '--json'], { env: api.env })).stdout)).toEqual(run)
})
