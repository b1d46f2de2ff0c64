import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../../platform/core/clock.ts'
import { triggers } from '../../../../../services/orchestrator/workflows/triggers/index.ts'
import { eventually } from '../../../../support/eventually.ts'
import type { HandAgent } from '../../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../../harness.ts'
import { watched, type Opening } from './contract.ts'

const openings: Opening[] = []
const machine = new TestMachine({
  clock: new TestClock(),
  triggers: triggers.map((each) => watched(each, openings)),
})
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const workflows = () => daemon.orchestrator.workflows
const make = async (agentId: string, trigger: Record<string, unknown>, template = '{{title}}') => {
  const { id } = await workflows().create(
    workflow(agentId, { trigger_config: trigger, prompt_template: template }),
    alice,
  )
  await runs(id, String(trigger.type))
  return id
}
/** Waits until the trigger runs, because it ignores earlier events. */
const runs = (id: string, type: string) =>
  eventually(() =>
    openings.some(
      (opening) => opening.workflow.id === id && opening.workflow.trigger.type === type && opening.state === 'running',
    ),
  )
const history = async (id: string) => (await workflows().history(id)).items.toReversed()
const idle = (id: string) => eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle')
const chained = (source_workflow_id?: string, status?: string) => ({
  type: 'dispatch_result',
  ...(source_workflow_id ? { source_workflow_id } : {}),
  ...(status ? { status } : {}),
})

test('fires only workflows of the agent that connects, disconnects or clears', async () => {
  const { id, agent } = await daemon.createConnected()
  const flows = await Promise.all(
    ['session_start', 'session_end', 'context_clear'].map((event) => make(id, { type: 'agent_lifecycle', event })),
  )
  const counts = async () => Promise.all(flows.map(async (flow) => (await history(flow)).length))
  const become = (wanted: number[]) => eventually(async () => expect(await counts()).toEqual(wanted) ?? true)
  await daemon.createConnected()
  await daemon.orchestrator.agents.clearContext(id, alice)
  await become([0, 0, 1])
  agent.socket.terminate()
  await become([0, 1, 1])
  await daemon.connect(id)
  await become([1, 1, 1])
  await daemon.orchestrator.agents.terminate(id, alice)
  await become([1, 2, 1])
})

test('sets type, agent and time of a lifecycle event as variables', async () => {
  const { id, agent } = await daemon.createConnected()
  const template =
    '{{title}}|{{event_type}}|{{agent_id}}|{{timestamp}}|{{body}}{{url}}{{labels}}{{assignee}}|{{source_id}}'
  for (const event of ['context_clear', 'session_end', 'session_start']) {
    const flow = await make(id, { type: 'agent_lifecycle', event }, template)
    const at = new Date(daemon.clock.now()).toISOString()
    if (event === 'context_clear') await daemon.orchestrator.agents.clearContext(id, alice)
    else if (event === 'session_end') agent.socket.terminate()
    else await daemon.connect(id)
    const [dispatch] = await eventually(async () => {
      const fired = await history(flow)
      return fired.length > 0 && fired
    })
    const source_id = `event:${event}:${id}:${at}`
    expect(dispatch).toMatchObject({
      source_id,
      prompt_sent: `Agent lifecycle: ${event}|${event}|${id}|${at}||${source_id}`,
    })
  }
})

test('begins a session on a daemon restart and ends none', async () => {
  const { id } = await daemon.createConnected()
  const [start, end] = [
    await make(id, { type: 'agent_lifecycle', event: 'session_start' }),
    await make(id, { type: 'agent_lifecycle', event: 'session_end' }),
  ]
  await daemon.stop()
  daemon = await machine.open()
  await daemon.connect(id)
  await eventually(async () => (await history(start)).length === 1)
  expect(await history(end)).toEqual([])
})

async function answer(agent: HandAgent, result: Record<string, unknown> = {}): Promise<string> {
  const prompt = await agent.prompt(answered(agent) + 1)
  counts.set(agent, answered(agent) + 1)
  agent.result(result)
  return prompt
}
const counts = new Map<HandAgent, number>()
const answered = (agent: HandAgent) => counts.get(agent) ?? 0

test('passes the first source id along a chain and filters by status', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await make(id, { type: 'manual' })
  const second = await make(
    id,
    chained(first, 'completed'),
    '2 {{original_source_id}} {{status}} {{source_workflow_id}}',
  )
  const third = await make(id, chained(second), '3 {{original_source_id}}')
  const failed = await make(id, chained(first, 'failed'), 'F {{dispatch_id}}')
  const dispatch = await workflows().trigger(first, {}, alice)
  await answer(agent)
  expect(await answer(agent)).toBe(`2 ${dispatch.source_id} completed ${first}`)
  expect(await answer(agent)).toBe(`3 ${dispatch.source_id}`)
  await idle(id)
  expect(await history(failed)).toEqual([])
  const again = await workflows().trigger(first, {}, alice)
  await answer(agent, { is_error: true })
  expect(await answer(agent)).toBe(`F ${again.id}`)
  const [two] = await history(second)
  expect(two).toMatchObject({ status: 'completed', trigger_type: 'dispatch_result' })
  expect(two!.source_id).toMatch(new RegExp(`^event:dispatch:${dispatch.id}:`))
  expect(await history(third)).toHaveLength(1)
})

test('fires on the workflow’s own dispatches only if configured, until the limit', async () => {
  const { id, agent } = await daemon.createConnected()
  const own = await make(id, chained())
  const first = await make(id, { type: 'manual' })
  await workflows().trigger(first, {}, alice)
  await answer(agent)
  await answer(agent)
  await idle(id)
  expect(await history(own)).toHaveLength(1)
  await workflows().delete(own, alice)
  const loop = await make(id, { type: 'manual' })
  await workflows().patch(loop, { trigger_config: chained(loop) }, alice)
  await runs(loop, 'dispatch_result')
  const started = await workflows().trigger(loop, {}, alice)
  for (let at = 0; at <= 32; at++) await answer(agent)
  const ended = await eventually(async () => (await history(loop)).find(({ status }) => status === 'skipped'))
  expect(ended.error).toContain('reached 32 tasks')
  expect(await history(loop)).toHaveLength(34)
  expect((await history(loop))[0]!.id).toBe(started.id)
})

test('starts the next stage of a chain once after a crash', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await make(id, { type: 'manual' })
  const second = await make(id, chained(first, 'completed'), '{{original_source_id}}')
  const disabled = await make(id, chained(first))
  const { source_id } = await workflows().trigger(first, {}, alice)
  const refuse = ({ sql }: { sql: string }) => {
    if (/^insert into .orchestrator_dispatches/.test(sql)) throw new Error('disk full')
  }
  daemon.db.on('query', refuse)
  await answer(agent)
  await eventually(async () => (await workflows().get(second)).last_error?.includes('disk full'))
  expect((await history(first))[0]).toMatchObject({ status: 'completed' })
  await workflows().patch(disabled, { enabled: false }, alice)
  await daemon.crash()
  daemon = await machine.open()
  await eventually(async () => (await history(second)).length === 1)
  expect((await history(second))[0]).toMatchObject({ status: 'pending', prompt_sent: source_id })
  await daemon.crash()
  daemon = await machine.open()
  await workflows().patch(disabled, { enabled: true }, alice)
  const back = await daemon.connect(id)
  expect(await answer(back)).toBe(source_id)
  await idle(id)
  expect(await history(second)).toMatchObject([{ status: 'completed' }])
  expect((await history(disabled)).map(({ source_id: of }) => of.split(':')[2])).not.toContain(
    (await history(first))[0]!.id,
  )
})

test('starts the failure stage once for a dispatch failed by a restart', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await make(id, { type: 'manual' })
  const rescue = await make(id, chained(first, 'failed'), '{{original_source_id}} {{status}}')
  const other = await make(id, chained(first, 'completed'))
  const { source_id } = await workflows().trigger(first, {}, alice)
  await agent.prompt(1)
  for (const _restart of [1, 2]) {
    await daemon.crash()
    daemon = await machine.open()
  }
  expect(await history(first)).toMatchObject([{ status: 'failed', error: 'the orchestrator was restarted' }])
  await eventually(async () => (await history(rescue)).length > 0)
  expect(await history(rescue)).toMatchObject([{ status: 'pending', prompt_sent: `${source_id} failed` }])
  expect(await history(other)).toEqual([])
})

test('fires for a dispatch that ends while the trigger is reopened', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await make(id, { type: 'manual' })
  const second = await make(id, chained(first, 'failed'), '{{original_source_id}}')
  const refuse = ({ sql }: { sql: string }) => {
    if (/^select .*from .orchestrator_chain_ends/.test(sql)) throw new Error('disk gone')
  }
  daemon.db.on('query', refuse)
  await workflows().patch(second, { source: { status: 'completed' } }, alice)
  await eventually(async () => (await workflows().get(second)).last_error?.includes('disk gone'))
  const { source_id } = await workflows().trigger(first, {}, alice)
  await answer(agent)
  await eventually(async () => (await history(first))[0]!.status === 'completed')
  daemon.db.off('query', refuse)
  expect(await history(second)).toEqual([])
  daemon.tick(10_000)
  expect(await answer(agent)).toBe(source_id)
  await idle(id)
  expect(await workflows().get(second)).toMatchObject({ last_error: null })
})

test('stops two unfiltered chains that fire each other, with a reason', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await make(id, { type: 'manual' })
  const [one, two] = [await make(id, chained()), await make(id, chained())]
  await workflows().trigger(first, {}, alice)
  for (let at = 0; at < 1 + 2 * 32; at++) await answer(agent)
  const ends = async () =>
    [...(await history(one)), ...(await history(two))].filter(({ status }) => status === 'skipped')
  await eventually(async () => (await ends()).length === 2)
  for (const { error } of await ends()) expect(error).toContain('source_workflow_id')
  await idle(id)
  expect(agent.prompts()).toHaveLength(65)
})
