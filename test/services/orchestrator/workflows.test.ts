import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/clock.ts'
import { Secret } from '../../../schemas/secret.ts'
import { eventually } from '../../support/eventually.ts'
import { alice, House, workflow, World } from './harness.ts'

const world = new World({ clock: new TestClock() })
let house: House
beforeAll(async () => {
  house = await world.open()
})
afterAll(() => world.close())

const workflows = () => house.orchestrator.workflows
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as { status: number; message: string; errors?: unknown },
  )
const ended = (flowId: string, status: string) =>
  eventually(async () => (await workflows().history(flowId)).find((dispatch) => dispatch.status === status))

test('a workflow is stored with its defaults and shown as stored', async () => {
  const { id } = await house.create()
  const body = workflow(id, { name: 'build' })
  const flow = await workflows().create(body, alice)
  expect(flow).toMatchObject({
    name: 'build',
    agent_id: id,
    trigger_config: { type: 'manual' },
    poll_interval_secs: 60,
    enabled: true,
    tool_policy: { mode: 'auto' },
    warnings: [],
  })
  expect(await workflows().get(flow.id)).toEqual(flow)
  expect(await workflows().list()).toContainEqual(flow)
  expect(house.changes).toContainEqual({ kind: 'workflows', id: flow.id, name: 'build' })
  expect(await workflows().create(body, alice, flow.id)).toEqual(flow)
  expect(await refusal(workflows().create(body, alice))).toMatchObject({
    status: 409,
    message: expect.stringContaining('"build"'),
  })
})

for (const [title, more, words] of [
  ['an empty template', { prompt_template: ' ' }, 'template is empty'],
  ['an unclosed placeholder', { prompt_template: 'Do {{title' }, 'not closed'],
  ['an unknown trigger type', { trigger_config: { type: 'crom' } }, 'did you mean "cron"'],
  ['a trigger without a type', { trigger_config: {} }, 'needs a type'],
  [
    'an unknown member of a trigger',
    { trigger_config: { type: 'queue', queue_name: 'a', queu: 1 } },
    'queu: is not a member',
  ],
  ['a bad queue name', { trigger_config: { type: 'queue', queue_name: 'a b' } }, 'queue_name'],
  ['an unknown lifecycle event', { trigger_config: { type: 'agent_lifecycle', event: 'birth' } }, 'event'],
  ['an impossible cron expression', { trigger_config: { type: 'cron', expression: '61 * * * *' } }, 'not possible'],
  ['a delay without a time', { trigger_config: { type: 'delay' } }, 'run_at or delay_secs'],
  ['no trigger at all', { trigger_config: undefined }, 'trigger_config is missing'],
  ['two triggers', { source_config: { type: 'manual' } }, 'the same member'],
  ['a list policy without tools', { tool_policy: { mode: 'allow_list' } }, 'needs "tools"'],
  ['an unknown agent', { agent_id: randomUUID() }, 'does not exist'],
  ['a masked secret where none is stored', { trigger_config: { type: 'webhook', secret: '***' } }, 'none is stored'],
] as const) {
  test(`${title} is refused with 400`, async () => {
    const { id } = await house.create()
    const before = (await workflows().list()).length
    expect(await refusal(workflows().create(workflow(id, more), alice))).toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    })
    expect((await workflows().list()).length).toBe(before)
  })
}

test('an agent that does not run can get no workflow', async () => {
  const { id } = await house.create()
  await house.orchestrator.agents.terminate(id, alice)
  expect(await refusal(workflows().create(workflow(id), alice))).toMatchObject({
    status: 400,
    message: expect.stringContaining('stopped'),
  })
})

test('every trigger type is stored; those that do not fire by themselves say so', async () => {
  const { id } = await house.create()
  for (const trigger of [
    { type: 'cron', expression: '0 2 * * *' },
    { type: 'delay', delay_secs: 5 },
    { type: 'webhook', secret: 's3cret-of-the-hook' },
    { type: 'queue', queue_name: 'jobs' },
    { type: 'agent_lifecycle', event: 'session_start' },
    { type: 'dispatch_result' },
    { type: 'forge_pull_requests', owner: 'o', repo: 'r' },
  ]) {
    const flow = await workflows().create(workflow(id, { trigger_config: trigger }), alice)
    expect(flow.warnings).toContain(
      `trigger type ${trigger.type} does not fire by itself in this version: trigger it by hand`,
    )
  }
  expect(
    (
      await workflows().create(
        workflow(id, { trigger_config: undefined, source_config: { type: 'github_issues', owner: 'o', repo: 'r' } }),
        alice,
      )
    ).trigger_config,
  ).toEqual({ type: 'forge_issues', labels: [], state: 'open', owner: 'o', repo: 'r' })
})

test('a webhook secret is sealed, masked, kept by writing the mask, and known to the reconciler', async () => {
  const { id } = await house.create()
  const flow = await workflows().create(
    workflow(id, { trigger_config: { type: 'webhook', secret: 'hook-secret-1' } }),
    alice,
  )
  expect(flow.trigger_config).toEqual({ type: 'webhook', secret: '***' })
  expect((await workflows().patch(flow.id, { trigger_config: { secret: '***' } }, alice)).trigger_config).toEqual({
    type: 'webhook',
    secret: '***',
  })
  expect((await workflows().secret(flow.id))!.reveal()).toBe('hook-secret-1')
  await workflows().patch(flow.id, { source: { type: 'webhook', secret: 'hook-secret-2' } }, alice)
  expect((await workflows().secret(flow.id))!.reveal()).toBe('hook-secret-2')
  expect((await workflows().patch(flow.id, { trigger_config: { secret: null } }, alice)).trigger_config).toEqual({
    type: 'webhook',
  })
  expect(await workflows().secret(flow.id)).toBeNull()
  const own = await workflows().create(
    { ...workflow(id, { trigger_config: { type: 'webhook' } }), trigger_secret: new Secret('hook-secret-3') },
    alice,
  )
  expect((await workflows().secret(own.id))!.reveal()).toBe('hook-secret-3')
  for (const file of ['svc.db', 'svc.db-wal'])
    expect(readFileSync(join(world.folder, file), 'latin1')).not.toContain('hook-secret')
})

test('a patch merges a trigger without type, replaces one with, and changes nothing when refused', async () => {
  const { id } = await house.create()
  const flow = await workflows().create(
    workflow(id, { trigger_config: { type: 'dispatch_result', status: 'completed' } }),
    alice,
  )
  const source = randomUUID()
  expect((await workflows().patch(flow.id, { source: { source_workflow_id: source } }, alice)).trigger_config).toEqual({
    type: 'dispatch_result',
    status: 'completed',
    source_workflow_id: source,
  })
  const before = await workflows().get(flow.id)
  for (const patch of [
    { name: 'x', source: { status: 'sometimes' } },
    { name: 'x', prompt_template: '{{' },
    { name: 'x', agent_id: randomUUID() },
    { name: 'x', tool_policy: { mode: 'deny_list' as const } },
    { name: 'x', source: {}, trigger_config: {} },
  ]) {
    expect(await refusal(workflows().patch(flow.id, patch, alice))).toMatchObject({ status: 400 })
  }
  expect(await workflows().get(flow.id)).toEqual(before)
  const changed = await workflows().patch(
    flow.id,
    {
      trigger_config: { type: 'manual' },
      tool_policy: { mode: 'deny_list', tools: ['Write', 'Bash'] },
      poll_interval_secs: 5,
    },
    { ...alice, actor: 'bob' },
  )
  expect(changed).toMatchObject({
    trigger_config: { type: 'manual' },
    tool_policy: { mode: 'deny_list', tools: ['Bash', 'Write'] },
    poll_interval_secs: 5,
  })
  const { audit } = house.orchestrator
  expect(await audit.latest('workflows', flow.id, 'trigger.type')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('workflows', flow.id, 'agent')).toMatchObject({ actor: 'alice' })
  const other = await workflows().create(workflow(id), alice)
  expect(await refusal(workflows().patch(other.id, { name: changed.name }, alice))).toMatchObject({ status: 409 })
})

test('a manual trigger is on record as pending, then dispatched, then completed with result and usage', async () => {
  const { id, agent } = await house.createConnected()
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
  expect(await house.orchestrator.agents.work(id)).toBe(
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
  const told = house.frames
    .filter((frame) => frame.type === 'dispatch' && frame.agent_id === id)
    .map((frame) => frame.dispatch!.status)
  expect(told).toEqual(['pending', 'dispatched', 'completed'])
})

test('a trigger without a body uses the documented defaults', async () => {
  const { id, agent } = await house.createConnected()
  const flow = await workflows().create(workflow(id), alice)
  await workflows().trigger(flow.id, {}, alice)
  expect(await agent.prompt(1)).toBe('Do Manual trigger: ')
})

test('a workflow of another type is triggered straight to the agent', async () => {
  const { id, agent } = await house.createConnected()
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

test('a trigger says what is in its way: unknown, disabled, not connected, busy, in that order', async () => {
  const { id } = await house.create()
  const flow = await workflows().create(workflow(id, { enabled: false }), alice)
  expect(await refusal(workflows().trigger(randomUUID(), {}, alice))).toMatchObject({ status: 404 })
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({
    status: 400,
    message: expect.stringContaining('disabled'),
  })
  await workflows().patch(flow.id, { enabled: true }, alice)
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({ status: 503 })
  const agent = await house.connect(id)
  await house.orchestrator.agents.message(id, 'work', alice)
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({
    status: 409,
    message: expect.stringContaining('busy'),
  })
  agent.result()
  await eventually(async () => (await house.orchestrator.agents.get(id)).activity === 'idle')
  const outcomes = await Promise.allSettled([
    workflows().trigger(flow.id, {}, alice),
    workflows().trigger(flow.id, {}, alice),
  ])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected'])
})

test('the policy of a workflow holds from its prompt to its result, and is stored nowhere else', async () => {
  const { id, agent } = await house.createConnected()
  const flow = await workflows().create(workflow(id, { tool_policy: { mode: 'deny_all' } }), alice)
  const bash = async () => (await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior
  expect(await bash()).toBe('allow')
  await workflows().trigger(flow.id, {}, alice)
  await agent.prompt(1)
  expect(await bash()).toBe('deny')
  expect((await house.orchestrator.agents.get(id)).config.tool_policy).toEqual({ mode: 'allow_all' })
  agent.result()
  await ended(flow.id, 'completed')
  expect(await bash()).toBe('allow')
})

test('a task whose policy cannot be enforced is refused', async () => {
  const { id } = await house.create()
  await house.connect(id, { guarded: false })
  const flow = await workflows().create(workflow(id, { tool_policy: { mode: 'deny_all' } }), alice)
  await eventually(async () => (await refusal(workflows().trigger(flow.id, {}, alice)))?.status === 409)
  expect(await workflows().history(flow.id)).toEqual([])
})

test('an agent that ends with a task in hand fails the dispatch', async () => {
  const { id, agent } = await house.createConnected()
  const flow = await workflows().create(workflow(id, { enabled: true }), alice)
  await workflows().trigger(flow.id, {}, alice)
  await agent.prompt(1)
  await workflows().patch(flow.id, { enabled: false }, alice)
  await house.orchestrator.agents.terminate(id, alice)
  expect(await ended(flow.id, 'failed')).toMatchObject({ error: expect.stringContaining('stopped') })
})

for (const [verb, act, reason] of [
  ['disabled', (id: string) => workflows().patch(id, { enabled: false }, alice), 'the workflow was disabled'],
  ['deleted', (id: string) => workflows().delete(id, alice), 'the workflow was deleted'],
] as const) {
  test(`a task that still waits when its workflow is ${verb} is skipped and never sent`, async () => {
    const { id } = await house.create({ tool_policy: { mode: 'deny_all' } })
    const agent = await house.connect(id)
    const flow = await workflows().create(workflow(id), alice)
    const dispatch = await workflows().trigger(flow.id, {}, alice)
    await agent.prompt(1)
    agent.result()
    await ended(flow.id, 'completed')
    agent.socket.terminate()
    await eventually(async () => !(await house.orchestrator.agents.get(id)).connected)
    // Put back as a daemon that crashed before sending leaves it.
    await house.db('orchestrator_dispatches').where({ id: dispatch.id }).update({ status: 'pending' })
    await house.db('orchestrator_prompts').where({ dispatch_id: dispatch.id }).update({ status: 'queued' })
    await act(flow.id)
    expect(await house.db('orchestrator_dispatches').where({ id: dispatch.id }).first()).toMatchObject({
      status: 'skipped',
      error: reason,
    })
    expect(house.frame('dispatch', id)).toMatchObject({ dispatch: { status: 'skipped' } })
    const back = await house.connect(id)
    await house.orchestrator.agents.message(id, 'after', alice)
    expect(await back.prompt(1)).toBe('after')
  })
}

test('a deleted workflow is gone', async () => {
  const { id } = await house.create()
  const flow = await workflows().create(workflow(id), alice)
  await workflows().delete(flow.id, alice)
  for (const call of [
    workflows().get(flow.id),
    workflows().delete(flow.id, alice),
    workflows().history(flow.id),
    workflows().patch(flow.id, {}, alice),
    workflows().secret(flow.id),
  ])
    expect(await refusal(call)).toMatchObject({ status: 404 })
  expect(house.changes.filter((change) => change.id === flow.id).length).toBe(2)
})
