import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { turnFigures } from '../../../../services/orchestrator/record/usage.ts'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, refusal, TestOrchestrator, workflow, TestMachine } from '../harness.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const agents = () => daemon.orchestrator.agents

async function turn(id: string, agent: HandAgent, figures: Record<string, unknown>): Promise<void> {
  const before = (await agents().usage(id)).cumulative.result_count
  const prompts = agent.prompts().length
  await agents().message(id, 'work', alice)
  await agent.prompt(prompts + 1)
  agent.result(figures)
  await eventually(async () => (await agents().usage(id)).cumulative.result_count === before + 1)
}

for (const [title, total, seen, want] of [
  ['counts the first total in full', 0.5, 0, 0.5],
  ['counts a larger total by its difference', 0.7, 0.5, 0.2],
  ['counts nothing for an unchanged total', 0.5, 0.5, 0],
  ['counts a smaller total in full, as of a new process', 0.1, 0.5, 0.1],
  ['counts nothing for a missing total', undefined, 0.5, 0],
  ['counts nothing for a total that is not a number', 'x', 0, 0],
] as const) {
  test(title, () => expect(turnFigures({ total_cost_usd: total }, { cost: seen, apiMs: 0 }).total_cost_usd).toBe(want))
}

test('adds tokens and turns per turn, cost and API time by difference', async () => {
  const { id, agent } = await daemon.createConnected()
  expect(await agents().usage(id)).toMatchObject({
    agent_id: id,
    session_count: 1,
    current_session: { input_tokens: 0, result_count: 0, started_at: expect.any(String), ended_at: null },
  })
  await turn(id, agent, {
    total_cost_usd: 0.1,
    duration_ms: 10,
    duration_api_ms: 100,
    num_turns: 2,
    usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
  })
  await turn(id, agent, {
    total_cost_usd: 0.3,
    duration_ms: 20,
    duration_api_ms: 150,
    num_turns: 1,
    usage: { input_tokens: 20, output_tokens: 2 },
  })
  const usage = await agents().usage(id)
  expect(usage.current_session).toMatchObject({
    input_tokens: 30,
    output_tokens: 3,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 4,
    num_turns: 3,
    total_cost_usd: 0.3,
    duration_ms: 30,
    duration_api_ms: 150,
    result_count: 2,
  })
  expect(usage.cumulative).toMatchObject({ input_tokens: 30, total_cost_usd: 0.3 })
})

test('begins a new session for a cleared context and publishes it', async () => {
  const { id, agent } = await daemon.createConnected()
  await turn(id, agent, { total_cost_usd: 0.1 })
  expect(await agents().clearContext(id, alice)).toMatchObject({
    agent_id: id,
    new_session_number: 2,
    session_usage: { input_tokens: 100, total_cost_usd: 0.1, ended_at: expect.any(String) },
  })
  expect(daemon.frame('context_cleared', id)).toBeDefined()
  expect(await agent.prompt(2)).toBe('/clear')
  expect(await refusal(agents().clearContext(id, alice))).toMatchObject({ status: 409 })
  agent.send({ type: 'conversation_reset', uuid: 'reset-of-ours' })
  agent.result({ num_turns: 0, total_cost_usd: 0, usage: { input_tokens: 0, output_tokens: 0 } })
  await eventually(async () => (await agents().get(id)).activity === 'idle')
  await turn(id, agent, { total_cost_usd: 0.2 })
  const usage = await agents().usage(id)
  expect(usage).toMatchObject({
    session_count: 2,
    current_session: { input_tokens: 100, total_cost_usd: 0.2 },
    cumulative: { input_tokens: 200, total_cost_usd: 0.3 },
  })
})

test('begins a new session when the agent clears its own context', async () => {
  const { id, agent } = await daemon.createConnected()
  await turn(id, agent, {})
  const reset = { type: 'conversation_reset', uuid: 'reset-of-its-own' }
  agent.send(reset, reset)
  await eventually(async () => (await agents().usage(id)).session_count === 2)
  expect(daemon.frame('context_cleared', id)).toBeDefined()
})

for (const [title, options] of [
  ['whose bridge reports that /clear keeps the conversation', { clears: false }],
  ['whose bridge does not report what /clear does', {}],
] as const) {
  test(`restarts a claude-code ${title} with a new conversation`, async () => {
    const { id } = await daemon.create({ runtime: 'claude-code' })
    const agent = await daemon.connect(id, options)
    agent.send({
      type: 'system',
      subtype: 'init',
      session_id: 'old-conversation',
      claude_code_version: '2.1.120',
      uuid: 'init-of-the-old',
    })
    await eventually(
      async () => (await daemon.db('orchestrator_agents').where({ id }).first()).program_version === '2.1.120',
    )
    expect(await agents().clearContext(id, alice)).toMatchObject({ new_session_number: 2 })
    expect(agent.prompts()).toEqual([])
    expect(await agents().get(id)).toMatchObject({ status: 'running', restarts: 1 })
    expect((await machine.launchFile(id)).resume_session).toBeNull()
  })
}

test('sends /clear to any claude-code whose bridge supports it', async () => {
  const { id } = await daemon.create({ runtime: 'claude-code' })
  const agent = await daemon.connect(id, { clears: true })
  agent.send({
    type: 'system',
    subtype: 'init',
    session_id: 's',
    claude_code_version: '0.0.1',
    uuid: 'init-of-the-new',
  })
  await eventually(
    async () => (await daemon.db('orchestrator_agents').where({ id }).first()).program_version === '0.0.1',
  )
  await agents().clearContext(id, alice)
  expect(await agent.prompt(1)).toBe('/clear')
})

test('clears a context above its threshold when the agent is idle', async () => {
  const { id, agent } = await daemon.createConnected({ auto_clear_threshold: 150 })
  await turn(id, agent, {})
  expect(agent.prompts()).toEqual(['work'])
  await turn(id, agent, {})
  expect(await agent.prompt(3)).toBe('/clear')
  expect(await agents().message(id, 'after', alice)).toMatchObject({ status: 'queued' })
  agent.result({ num_turns: 0, usage: {} })
  expect(await agent.prompt(4)).toBe('after')
})

test('refuses prompts to an agent that has reached its cost limit', async () => {
  const { id, agent } = await daemon.createConnected({ max_cost_usd: 0.25 })
  await turn(id, agent, { total_cost_usd: 0.2 })
  await agents().message(id, 'second', alice)
  await agents().message(id, 'third', alice)
  agent.result({ total_cost_usd: 0.3 })
  await eventually(async () => (await agents().get(id)).last_error?.includes('max_cost_usd 0.25'))
  expect(agent.prompts()).toEqual(['work', 'second'])
  const flow = await daemon.orchestrator.workflows.create(workflow(id), alice)
  expect(await refusal(agents().message(id, 'more', alice))).toMatchObject({
    status: 409,
    message: expect.stringContaining('max_cost_usd'),
  })
  expect(await refusal(daemon.orchestrator.workflows.trigger(flow.id, {}, alice))).toMatchObject({ status: 409 })
  await agents().patch(id, { max_cost_usd: 1 }, alice)
  expect(await agent.prompt(3)).toBe('third')
})
