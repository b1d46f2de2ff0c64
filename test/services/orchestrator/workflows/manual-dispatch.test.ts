import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const workflows = () => daemon.orchestrator.workflows
const ended = (flowId: string, status: string) =>
  eventually(async () => (await workflows().history(flowId)).items.find((dispatch) => dispatch.status === status))

test('records a manual dispatch as pending, dispatched and completed with usage', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(
    workflow(id, {
      prompt_template:
        '{{title}}|{{body}}|{{url}}{{labels}}{{assignee}}|{{metadata}}|{{ where }}|{{unknown}}|{{source_id}}',
    }),
    alice,
  )
  const dispatch = await workflows().trigger(
    flow.id,
    { title: 'T {{body}}', body: 'B', metadata: { where: 'here', title: 'ignored' } },
    alice,
  )
  expect(dispatch).toMatchObject({
    workflow_id: flow.id,
    agent_id: id,
    status: 'pending',
    trigger_type: 'manual',
    attempt: 1,
    dispatched_at: null,
    completed_at: null,
    error: null,
    result: null,
    usage: null,
  })
  expect(dispatch.source_id).toMatch(/^manual:[0-9a-f-]{36}$/)
  expect(dispatch.prompt_sent).toBe(`T {{body}}|B||where: here\ntitle: ignored|here|{{unknown}}|${dispatch.source_id}`)
  expect(await agent.prompt(1)).toBe(dispatch.prompt_sent)
  await ended(flow.id, 'dispatched')
  expect(await daemon.orchestrator.agents.work(id)).toBe(
    `dispatch ${dispatch.id.slice(0, 4)} of workflow ${flow.name}, since 0 s`,
  )
  agent.result({ result: 'all done', usage: { input_tokens: 7, output_tokens: 3 }, total_cost_usd: 0.5 })
  expect(await ended(flow.id, 'completed')).toMatchObject({
    id: dispatch.id,
    result: 'all done',
    error: null,
    usage: { input_tokens: 7, output_tokens: 3, total_cost_usd: 0.5 },
    dispatched_at: expect.any(String),
    completed_at: expect.any(String),
  })
  const statuses = daemon.frames
    .filter((frame) => frame.type === 'dispatch' && frame.agent_id === id)
    .map((frame) => frame.dispatch!.status)
  expect(statuses).toEqual(['pending', 'dispatched', 'completed'])
})

test('uses the documented defaults for a trigger without a body', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(workflow(id), alice)
  await workflows().trigger(flow.id, {}, alice)
  expect(await agent.prompt(1)).toBe('Do Manual trigger: ')
})

test('triggers a workflow of another type directly', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(
    workflow(id, { trigger_config: { type: 'cron', expression: '0 2 * * *' } }),
    alice,
  )
  const dispatch = await workflows().trigger(flow.id, { title: 'now' }, alice)
  expect(dispatch).toMatchObject({ status: 'dispatched', trigger_type: 'cron', dispatched_at: expect.any(String) })
  expect(await agent.prompt(1)).toBe('Do now: ')
  agent.result({ is_error: true, subtype: 'error_during_execution', result: undefined, errors: ['interrupted'] })
  expect(await ended(flow.id, 'failed')).toMatchObject({ error: 'interrupted', result: null })
})

test('refuses a trigger by cause: unknown, disabled, not connected, busy', async () => {
  const { id, name } = await daemon.create()
  const flow = await workflows().create(workflow(id, { enabled: false }), alice)
  expect(await refusal(workflows().trigger(randomUUID(), {}, alice))).toMatchObject({ status: 404 })
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({
    status: 400,
    message: `workflow ${flow.name} is disabled: enable it first`,
  })
  await workflows().patch(flow.id, { enabled: true }, alice)
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({
    status: 503,
    message: expect.stringContaining(`agent ${name} of workflow ${flow.name} is not connected`),
  })
  const agent = await daemon.connect(id)
  await daemon.orchestrator.agents.message(id, 'work', alice)
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({
    status: 409,
    message: expect.stringContaining(`agent ${name} is busy`),
  })
  agent.result()
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle')
  const outcomes = await Promise.allSettled([
    workflows().trigger(flow.id, {}, alice),
    workflows().trigger(flow.id, {}, alice),
  ])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected'])
})

test('applies a workflow’s policy only between its prompt and its result', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(
    workflow(id, { trigger_config: { type: 'webhook' }, tool_policy: { mode: 'deny_all' } }),
    alice,
  )
  const ask = () => agent.askTool('Bash', { command: 'ls' })
  const behaviorOf = async (request: string) => (await agent.answer(request)).behavior
  await daemon.orchestrator.agents.message(id, 'before', alice)
  await agent.prompt(1)
  const hook = `${daemon.address}/webhooks/${flow.id}`
  await eventually(async () => (await fetch(hook, { method: 'POST' })).status === 202)
  // Until the prompt is sent, the agent's own policy applies.
  const before = ask()
  agent.result()
  await agent.prompt(2)
  const first = ask()
  await daemon.orchestrator.agents.message(id, 'after', alice)
  const last = ask()
  agent.result()
  const late = ask()
  expect(await Promise.all([before, first, last, late].map(behaviorOf))).toEqual(['allow', 'deny', 'deny', 'allow'])
  expect(await agent.prompt(3)).toBe('after')
  expect(await behaviorOf(ask())).toBe('allow')
})

test('holds a workflow’s policy until the result and stores it nowhere else', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(workflow(id, { tool_policy: { mode: 'deny_all' } }), alice)
  const bash = async () => (await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior
  expect(await bash()).toBe('allow')
  await workflows().trigger(flow.id, {}, alice)
  await agent.prompt(1)
  expect(await bash()).toBe('deny')
  expect((await daemon.orchestrator.agents.get(id)).config.tool_policy).toEqual({ mode: 'allow_all' })
  agent.result()
  await ended(flow.id, 'completed')
  expect(await bash()).toBe('allow')
})

test('refuses a task whose policy cannot be enforced', async () => {
  const { id } = await daemon.create()
  await daemon.connect(id, { guarded: false })
  const flow = await workflows().create(workflow(id, { tool_policy: { mode: 'deny_all' } }), alice)
  await eventually(async () => (await refusal(workflows().trigger(flow.id, {}, alice)))?.status === 409)
  expect((await workflows().history(flow.id)).items).toEqual([])
})

test('fails the dispatch of an agent that ends during its task', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(workflow(id, { enabled: true }), alice)
  await workflows().trigger(flow.id, {}, alice)
  await agent.prompt(1)
  await workflows().patch(flow.id, { enabled: false }, alice)
  await daemon.orchestrator.agents.terminate(id, alice)
  expect(await ended(flow.id, 'failed')).toMatchObject({ error: 'the agent was terminated' })
})

for (const [verb, act, reason] of [
  ['disabled', (id: string) => workflows().patch(id, { enabled: false }, alice), 'the workflow was disabled'],
  ['deleted', (id: string) => workflows().delete(id, alice), 'the workflow was deleted'],
] as const) {
  test(`skips a pending task when its workflow is ${verb}`, async () => {
    const { id } = await daemon.create({ tool_policy: { mode: 'deny_all' } })
    const agent = await daemon.connect(id)
    const flow = await workflows().create(workflow(id), alice)
    const dispatch = await workflows().trigger(flow.id, {}, alice)
    await agent.prompt(1)
    agent.result()
    await ended(flow.id, 'completed')
    agent.socket.terminate()
    await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
    // A daemon that crashes before sending leaves this state.
    await daemon.db('orchestrator_dispatches').where({ id: dispatch.id }).update({ status: 'pending' })
    await daemon.db('orchestrator_prompts').where({ dispatch_id: dispatch.id }).update({ status: 'queued' })
    await act(flow.id)
    expect(await daemon.db('orchestrator_dispatches').where({ id: dispatch.id }).first()).toMatchObject({
      status: 'skipped',
      error: reason,
    })
    expect(daemon.frame('dispatch', id)).toMatchObject({ dispatch: { status: 'skipped' } })
    const back = await daemon.connect(id)
    await daemon.orchestrator.agents.message(id, 'after', alice)
    expect(await back.prompt(1)).toBe('after')
  })
}
