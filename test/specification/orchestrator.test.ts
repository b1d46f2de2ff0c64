// Clauses of the orchestrator, checked over HTTP as a client sees them.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../platform/core/clock.ts'
import { TRIGGER_TYPES } from '../../schemas/trigger.ts'
import { triggers } from '../../services/orchestrator/workflows/triggers/index.ts'
import { TestMachine, workflow, type TestOrchestrator } from '../services/orchestrator/harness.ts'
import { eventually } from '../support/eventually.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const ask = async (request: string, body?: unknown): Promise<{ status: number; body: any }> => {
  const [method, path] = request.split(' ') as [string, string]
  const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(daemon.address + path, { method, ...json })
  return { status: response.status, body: await response.json() }
}
const agentBody = (more: object = {}) => ({
  name: `a-${randomUUID().slice(0, 8)}`,
  working_dir: machine.work,
  runtime: 'scripted',
  shell: 'bash',
  ...more,
})

test('lists all resource paths in the OpenAPI document', async () => {
  const { body } = await ask('GET /openapi.json')
  const methods = (path: string) => Object.keys(body.paths[path] ?? {}).toSorted((one, other) => (one < other ? -1 : 1))
  expect(
    ['/agents', '/agents/{id}', '/workflows', '/workflows/{id}', '/policies/{name}', '/queues/{name}'].map(methods),
  ).toEqual([
    ['get', 'post'],
    ['delete', 'get', 'patch'],
    ['get', 'post'],
    ['delete', 'get', 'patch', 'put'],
    ['delete', 'get', 'put'],
    ['delete'],
  ])
  const asked = ['/approvals/{id}/approve', '/approvals/{id}/deny', '/queues/{name}/push', '/webhooks/{workflow_id}']
  expect(asked.map(methods)).toEqual([['post'], ['post'], ['post'], ['post']])
})

test('creates an agent from name and folder, with the documented fields', async () => {
  const { body } = await ask('POST /agents', agentBody())
  expect(body).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: expect.any(String),
    status: expect.stringMatching(/^(pending|running)$/),
    config: { working_dir: machine.work },
    mux_session: expect.stringContaining(body.id),
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  })
  for (const missing of ['name', 'working_dir']) {
    const refused = await ask('POST /agents', agentBody({ [missing]: undefined }))
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(missing) } })
  }
})

test('accepts the five policy modes and no other', async () => {
  const { body } = await ask('POST /agents', agentBody())
  const modes = [
    { mode: 'allow_all' },
    { mode: 'deny_all' },
    { mode: 'allow_list', tools: ['Read'] },
    { mode: 'deny_list', tools: ['Bash'] },
    { mode: 'require_approval' },
  ]
  for (const policy of modes) {
    expect(await ask(`PUT /agents/${body.id}/policy`, policy)).toMatchObject({ status: 200 })
    expect((await ask(`GET /agents/${body.id}/policy`)).body).toMatchObject(policy)
  }
  expect(await ask(`PUT /agents/${body.id}/policy`, { mode: 'allow_some' })).toMatchObject({ status: 400 })
})

test('refuses messages to an unknown, disconnected or interactive agent', async () => {
  expect(await ask(`POST /agents/${randomUUID()}/message`, { content: 'x' })).toMatchObject({ status: 404 })
  const { body } = await ask('POST /agents', agentBody())
  const away = await ask(`POST /agents/${body.id}/message`, { content: 'x' })
  expect(away).toMatchObject({ status: 400, body: { detail: expect.stringContaining('not connected') } })
  const shown = await ask('POST /agents', agentBody({ interactive: true }))
  const typed = await ask(`POST /agents/${shown.body.id}/message`, { content: 'x' })
  expect(typed).toMatchObject({ status: 400, body: { detail: expect.stringContaining('interactive') } })
})

test('changes name, template, interval and enabled of a workflow', async () => {
  const { id } = await daemon.createConnected()
  const made = (await ask('POST /workflows', workflow(id))).body
  const patch = { name: `n-${made.id.slice(0, 8)}`, prompt_template: 'New', poll_interval_secs: 7, enabled: false }
  expect(await ask(`PATCH /workflows/${made.id}`, patch)).toMatchObject({ status: 200, body: patch })
  expect((await ask(`GET /workflows/${made.id}`)).body).toMatchObject({ ...patch, agent_id: id })
})

test('implements every trigger type that can be stored', () => {
  expect(new Set(triggers.map(({ type }) => type))).toEqual(new Set(TRIGGER_TYPES))
})

test('polls a queue every 5 s and hides tasks for 300 s', async () => {
  const { id, agent } = await daemon.createConnected()
  const trigger = { type: 'queue', queue_name: 'usual' }
  const { body } = await ask('POST /workflows', workflow(id, { trigger_config: trigger }))
  expect(body.trigger_config).toEqual({ ...trigger, poll_interval_secs: 5, visibility_timeout_secs: 300 })
  // The insert publishes no event, so only polling finds the task.
  const at = new Date(daemon.clock.now()).toISOString()
  const times = { created_at: at, visible_at: at }
  const row = { id: randomUUID(), queue_name: 'usual', status: 'pending', title: 'found', body: '', priority: 0 }
  await daemon.db('orchestrator_queue_tasks').insert({ ...row, retry_count: 0, max_retries: 3, ...times })
  daemon.tick(5000)
  expect(await agent.prompt(1)).toBe('Do found: ')
  daemon.tick(299_000)
  expect((await ask('GET /queues/usual/stats')).body).toMatchObject({ processing: 1, pending: 0 })
  daemon.tick(1000)
  expect((await ask('GET /queues/usual/stats')).body).toMatchObject({ processing: 0, pending: 1 })
})

test('validates queue names and applies the defaults of a task', async () => {
  const longest = `${'x'.repeat(60)}-A-9`
  expect(await ask(`POST /queues/${longest}/push`, { title: 'a' })).toMatchObject({ status: 201 })
  expect((await ask(`GET /queues/${longest}/peek`)).body).toMatchObject([{ title: 'a', body: '', priority: 0 }])
  for (const name of [`${longest}x`, 'a_b', 'a.b', '%20'])
    expect(await ask(`POST /queues/${name}/push`, { title: 'a' })).toMatchObject({ status: 400 })
})

test('peeks at 10 tasks by default, 100 at most, none in progress', async () => {
  const { id, agent } = await daemon.createConnected()
  const { body: flow } = await ask(
    'POST /workflows',
    workflow(id, { trigger_config: { type: 'queue', queue_name: 'p' } }),
  )
  await ask('POST /queues/p/push', { title: 'in progress' })
  await agent.prompt(1)
  await ask(`PATCH /workflows/${flow.id}`, { enabled: false })
  for (let at = 0; at < 102; at++) await ask('POST /queues/p/push', { title: `t${at}` })
  const usual = (await ask('GET /queues/p/peek')).body
  expect(usual.map(({ title }: { title: string }) => title)).toEqual(
    Array.from({ length: 10 }, (_each, at) => `t${at}`),
  )
  expect((await ask('GET /queues/p/peek?limit=500')).body).toMatchObject({ limit: 100, total: 102 })
})

test('fails a task with the error of its agent', async () => {
  const { id, agent } = await daemon.createConnected()
  const { body: flow } = await ask('POST /workflows', workflow(id))
  await ask(`POST /workflows/${flow.id}/trigger`)
  await agent.prompt(1)
  agent.result({ is_error: true, result: 'out of paper' })
  await eventually(async () => {
    const [dispatch] = (await ask(`GET /workflows/${flow.id}/history`)).body
    expect(dispatch).toMatchObject({ status: 'failed', error: 'out of paper' })
    return true
  })
})

test('triggers by hand with a default title and a unique source id', async () => {
  const { id, agent } = await daemon.createConnected()
  const template = '{{title}}|{{body}}|{{metadata}}|{{source_id}}'
  const { body: flow } = await ask('POST /workflows', workflow(id, { prompt_template: template }))
  await ask(`POST /workflows/${flow.id}/trigger`)
  expect(await agent.prompt(1)).toMatch(/^Manual trigger\|\|\|manual:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('lists, shows, approves and denies approvals', async () => {
  const { agent } = await daemon.createCautious()
  const [one, two] = [
    await daemon.held(agent, 'Bash', { command: 'a' }),
    await daemon.held(agent, 'Bash', { command: 'b' }),
  ]
  const ids = async (status: string) => {
    const { body } = await ask(`GET /approvals?status=${status}`)
    return body.map(({ id }: { id: string }) => id)
  }
  expect(await ids('pending')).toEqual([two.id, one.id])
  expect(await ask(`POST /approvals/${one.id}/approve`, {})).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  })
  expect(await ask(`POST /approvals/${two.id}/deny`, {})).toMatchObject({ status: 200, body: { status: 'denied' } })
  expect([await ids('pending'), await ids('approved'), await ids('denied')]).toEqual([[], [one.id], [two.id]])
  expect((await ask(`GET /approvals/${one.id}`)).body).toMatchObject({ id: one.id, tool_input: { command: 'a' } })
})

test('returns a created workflow with its defaults', async () => {
  const { id } = await daemon.createConnected()
  const given = workflow(id)
  const { status, body } = await ask('POST /workflows', given)
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({
      ...given,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      poll_interval_secs: 60,
      enabled: true,
      tool_policy: { mode: 'auto' },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    }),
  ])
  expect((await ask(`GET /workflows/${body.id}`)).body).toEqual(body)
})

test('rejects an unknown lifecycle event as Invalid Input', async () => {
  const { id } = await daemon.createConnected()
  const refused = workflow(id, { trigger_config: { type: 'agent_lifecycle', event: 'born' } })
  const problem = { title: 'Invalid Input', status: 400, errors: [{ path: 'trigger_config.event' }] }
  expect(await ask('POST /workflows', refused)).toMatchObject({ status: 400, body: problem })
  const { body: flows } = await ask('GET /workflows')
  expect(flows.filter(({ agent_id }: { agent_id: string }) => agent_id === id)).toEqual([])
})

test('listens on the loopback address only', async () => {
  expect((await ask('GET /health')).status).toBe(200)
  // A server that listens on all addresses would answer here too.
  const { port } = new URL(daemon.address)
  await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow('fetch failed')
})

test('prompts with a webhook body verbatim if it is not JSON', async () => {
  const { id, agent } = await daemon.createConnected()
  const hook = { trigger_config: { type: 'webhook' }, prompt_template: '{{body}}' }
  const { body: flow } = await ask('POST /workflows', workflow(id, hook))
  const body = 'no JSON: {"a": \n  and more'
  const url = `${daemon.address}/webhooks/${flow.id}`
  await eventually(async () => (await fetch(url, { method: 'POST', body })).status === 202)
  expect(await agent.prompt(1)).toBe(body)
})

test('streams every type of frame that an agent sends', async () => {
  const { id, agent } = await daemon.createConnected()
  const said = { role: 'assistant', content: [{ type: 'text', text: 'hello' }] }
  const frames = [
    { type: 'keep_alive' },
    { type: 'assistant', message: said },
    { type: 'user', message: { role: 'user', content: 'x' } },
    { type: 'system', subtype: 'status', status: null },
    { type: 'result', subtype: 'success', is_error: false, result: '' },
  ]
  for (const frame of frames) agent.send({ session_id: 's', uuid: randomUUID(), parent_tool_use_id: null, ...frame })
  for (const { type } of frames) await eventually(() => daemon.frame(type, id))
})
