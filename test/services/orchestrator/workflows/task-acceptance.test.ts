import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { DispatchRecord } from '../../../../schemas/workflow.ts'
import type { TriggerDefinition } from '../../../../services/orchestrator/workflows/triggers/contract.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { failing } from '../../../support/faults/failing-writes.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, refusal, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'
import { CONFIGS, watched, type Opening } from './triggers/contract.ts'

const silent: TriggerDefinition = {
  type: 'cron',
  fires: 'polled',
  open: () => ({ start: async () => undefined, stop: async () => undefined }),
}

onEachDatabase((database) => {
  const openings: Opening[] = []
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock: new TestClock(), url: database.url, triggers: [watched(silent, openings)] })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const workflows = () => daemon.orchestrator.workflows
  const make = (agentId: string, more: Record<string, unknown> = {}) =>
    workflows().create(workflow(agentId, { trigger_config: CONFIGS.cron, ...more }), alice)
  const trigger = (id: string) =>
    eventually(() => openings.findLast((one) => one.workflow.id === id && one.state === 'running')?.world)
  const history = async (id: string) => (await workflows().history(id)).items.toReversed()
  const statuses = async (id: string) => (await history(id)).map(({ status }) => status)
  const become = (id: string, wanted: DispatchRecord['status'][]) =>
    eventually(async () => expect(await statuses(id)).toEqual(wanted) ?? true)
  const task = (name: string) => ({ sourceId: `cron:${name}`, title: name })
  const accept = async (id: string, ...names: string[]) => (await trigger(id)).accept(names.map(task))
  const work = async (agent: HandAgent, from: number, count: number) => {
    for (let at = from; at <= count; at++) {
      await agent.prompt(at)
      expect(agent.prompts().length).toBe(at)
      agent.result()
    }
    return agent.prompts().slice(from - 1)
  }

  test('gives an agent the tasks of all workflows and messages in order', async () => {
    const { id, agent } = await daemon.createConnected()
    const [one, two] = [await make(id), await make(id, { prompt_template: 'Two: {{title}}' })]
    await daemon.orchestrator.agents.message(id, 'first', alice)
    await agent.prompt(1)
    await accept(one.id, 'a', 'b')
    await accept(two.id, 'c')
    expect((await daemon.orchestrator.agents.message(id, 'last', alice)).status).toBe('queued')
    expect([...(await statuses(one.id)), ...(await statuses(two.id))]).toEqual(['pending', 'pending', 'pending'])
    expect(await refusal(workflows().trigger(one.id, {}, alice))).toMatchObject({ status: 409, code: 'agent-busy' })
    expect(await work(agent, 1, 5)).toEqual(['first', 'Do a: ', 'Do b: ', 'Two: c', 'last'])
    await become(one.id, ['completed', 'completed'])
    await become(two.id, ['completed'])
  })

  test('keeps tasks pending for a disconnected or ended agent', async () => {
    const { id } = await daemon.create()
    const flow = await make(id)
    await accept(flow.id, 'a')
    expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({ status: 503 })
    await daemon.orchestrator.agents.terminate(id, alice)
    await accept(flow.id, 'b')
    expect(await statuses(flow.id)).toEqual(['pending', 'pending'])
    await daemon.orchestrator.agents.restart(id, alice)
    const agent = await daemon.connect(id)
    expect(await work(agent, 1, 2)).toEqual(['Do a: ', 'Do b: '])
  })

  test('delivers accepted tasks once after a crash of the daemon', async () => {
    const { id, agent } = await daemon.createConnected()
    const flow = await make(id)
    const world = await trigger(flow.id)
    await world.accept([task('a'), task('b')], { cursor: 'at b' })
    await agent.prompt(1)
    agent.result()
    await agent.prompt(2)
    await daemon.crash()
    daemon = await machine.open()
    await become(flow.id, ['completed', 'failed'])
    expect(await (await trigger(flow.id)).cursor()).toBe('at b')
    await accept(flow.id, 'c')
    await daemon.crash()
    daemon = await machine.open()
    const back = await daemon.connect(id)
    expect(await work(back, 1, 1)).toEqual(['Do c: '])
    await become(flow.id, ['completed', 'failed', 'completed'])
  })

  test('records neither tasks nor cursor when a write fails', async () => {
    const { id } = await daemon.create()
    const flow = await make(id)
    const world = await trigger(flow.id)
    await world.accept([task('a')], { cursor: '1' })
    const tries = await failing(
      daemon.db,
      () => world.accept([task('b'), task('c')], { cursor: '2' }),
      async () => {
        expect([await world.cursor(), await statuses(flow.id)]).toEqual(['1', ['pending']])
      },
    )
    expect(tries).toBeGreaterThan(5)
    expect([await world.cursor(), (await statuses(flow.id)).length]).toEqual(['2', 3])
  })

  test('accepts no task for a deleted or disabled workflow', async () => {
    const { id } = await daemon.create()
    const flow = await make(id)
    const world = await trigger(flow.id)
    await workflows().patch(flow.id, { enabled: false }, alice)
    expect(await refusal(world.accept([task('a')], { cursor: '1' }))).toMatchObject({ code: 'workflow-disabled' })
    expect([await world.cursor(), await statuses(flow.id)]).toEqual([null, []])
    await workflows().delete(flow.id, alice)
    expect(await refusal(world.accept([task('a')]))).toMatchObject({ status: 404 })
  })

  test('sends a pending task with the workflow’s current template and agent', async () => {
    const { id } = await daemon.create()
    const flow = await make(id)
    await accept(flow.id, 'a')
    const { id: other, agent } = await daemon.createConnected()
    const tool_policy = { mode: 'deny_all' as const }
    await workflows().patch(flow.id, { prompt_template: 'Now {{source_id}}', agent_id: other, tool_policy }, alice)
    expect(await agent.prompt(1)).toBe('Now cron:a')
    expect(await history(flow.id)).toMatchObject([{ agent_id: other, prompt_sent: 'Now cron:a' }])
    expect((await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior).toBe('deny')
  })

  test('exposes each field of a task as variable and records the firing', async () => {
    const { id } = await daemon.create()
    const flow = await make(id, { prompt_template: '{{url}}|{{labels}}|{{assignee}}|{{metadata}}|{{area}}' })
    expect(flow).toMatchObject({ next_fire_at: null, last_fired_at: null, last_error: null })
    const more = { url: 'http://x', labels: ['a', 'b'], assignee: 'mia', metadata: { area: 'auth' } }
    const [dispatch] = await (await trigger(flow.id)).accept([{ ...task('a'), ...more }])
    expect(dispatch!.prompt_sent).toBe('http://x|a, b|mia|area: auth|auth')
    const fired = { last_fired_at: new Date(daemon.clock.now()).toISOString() }
    expect(await workflows().get(flow.id)).toMatchObject(fired)
    expect((await workflows().list()).find((one) => one.id === flow.id)).toMatchObject(fired)
    ;(await trigger(flow.id)).report(new Error('no answer'))
    await daemon.stop()
    daemon = await machine.open()
    expect(await workflows().get(flow.id)).toMatchObject({ ...fired, last_error: 'no answer' })
    await accept(flow.id, 'b')
    expect(await workflows().get(flow.id)).toMatchObject({ last_error: null })
  })

  test('completes a retried task by a late result of the first attempt', async () => {
    const { id, agent } = await daemon.createConnected()
    const flow = await make(id, { on_restart: 'retry' })
    await accept(flow.id, 'a', 'b')
    await agent.prompt(1)
    await daemon.crash()
    daemon = await machine.open()
    expect(await history(flow.id)).toMatchObject([{ status: 'pending', attempt: 2 }, { status: 'pending' }])
    const back = await daemon.connect(id, { state: 'running' })
    back.result({ result: 'late' })
    back.send({ type: 'system', subtype: 'session_state_changed', state: 'idle' })
    expect(await back.prompt(1)).toBe('Do b: ')
    expect(await history(flow.id)).toMatchObject([
      { status: 'completed', attempt: 1, result: 'late' },
      { status: 'dispatched' },
    ])
  })

  test('makes a retried task available again when its first attempt fails', async () => {
    const { id, agent } = await daemon.createConnected()
    const flow = await make(id, { on_restart: 'retry' })
    await accept(flow.id, 'a')
    await agent.prompt(1)
    await daemon.crash()
    daemon = await machine.open()
    const back = await daemon.connect(id, { state: 'running' })
    back.result({ is_error: true, result: 'broken' })
    expect(await back.prompt(1)).toBe('Do a: ')
    back.result()
    await eventually(async () => (await statuses(flow.id))[0] === 'completed')
    expect(await history(flow.id)).toMatchObject([{ attempt: 2, error: null }])
  })
})
