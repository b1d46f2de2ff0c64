import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { TriggerDefinition } from '../../../../services/orchestrator/workflows/triggers/contract.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestOrchestrator, workflow, TestMachine } from '../harness.ts'
import { CONFIGS, watched, type Opening } from './triggers/contract.ts'

const does = { start: async () => undefined as void, stop: async () => undefined as void }
const scratch = (type: 'cron' | 'delay'): TriggerDefinition => ({
  type,
  fires: 'polled',
  open: () => ({ start: () => does.start(), stop: () => does.stop() }),
})

const openings: Opening[] = []
const machine = new TestMachine({
  clock: new TestClock(),
  triggers: [watched(scratch('cron'), openings), watched(scratch('delay'), openings)],
})
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())
beforeEach(() => {
  does.start = does.stop = async () => undefined
})

const workflows = () => daemon.orchestrator.workflows
const make = (agentId: string, more: Record<string, unknown> = {}) =>
  workflows().create(workflow(agentId, { trigger_config: CONFIGS.cron, ...more }), alice)
const of = (id: string) => openings.filter((opening) => opening.workflow.id === id)
const running = (id: string) => eventually(() => of(id).find(({ state }) => state === 'running'))

test('sends the tasks of a trigger to the agent of its workflow', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await make(id)
  const { world: trigger } = await running(flow.id)
  const accepted = await trigger.accept([{ sourceId: 'cron:1', title: 'nightly', body: 'clean up' }])
  expect(accepted).toMatchObject([{ source_id: 'cron:1', status: 'pending', trigger_type: 'cron' }])
  expect(await agent.prompt(1)).toBe('Do nightly: clean up')
})

test('reopens a trigger ten seconds after it failed to start', async () => {
  const { id } = await daemon.create()
  does.start = () => Promise.reject(new Error('no answer'))
  const flow = await make(id)
  await eventually(() => of(flow.id)[0]?.state === 'stopped')
  does.start = async () => undefined
  await eventually(() => {
    daemon.tick(10_000)
    return of(flow.id)[1]?.state === 'running'
  })
  expect(of(flow.id)).toHaveLength(2)
})

test('cancels the reopening of a trigger when its workflow is deleted', async () => {
  const { id } = await daemon.create()
  does.start = () => Promise.reject(new Error('no answer'))
  const flow = await make(id)
  await eventually(() => of(flow.id)[0]?.state === 'stopped')
  await workflows().delete(flow.id, alice)
  const other = await make(id)
  await eventually(() => {
    daemon.tick(10_000)
    return of(other.id).length > 1
  })
  expect(of(flow.id)).toHaveLength(1)
})

test('does not delay a trigger while another starts slowly', async () => {
  const { id } = await daemon.create()
  let go!: () => void
  does.start = () => new Promise((resolve) => (go = resolve))
  const slow = await make(id)
  await eventually(() => of(slow.id).length === 1)
  does.start = async () => undefined
  const quick = await make(id)
  await running(quick.id)
  expect(of(slow.id)[0]!.state).toBe('open')
  go()
  await running(slow.id)
})

test('replaces a trigger that fails to stop', async () => {
  const { id } = await daemon.create()
  const flow = await make(id)
  await running(flow.id)
  does.stop = () => Promise.reject(new Error('still busy'))
  await workflows().patch(flow.id, { poll_interval_secs: 9 }, alice)
  await eventually(() => of(flow.id)[1]?.state === 'running')
})

test('keeps a cursor until the trigger type changes', async () => {
  const { id } = await daemon.create()
  const flow = await make(id)
  await (await running(flow.id)).world.accept([], { cursor: 'here' })
  await workflows().patch(flow.id, { trigger_config: { expression: '0 3 * * *' } }, alice)
  const changed = await eventually(() => of(flow.id)[1])
  expect(await changed.world.cursor()).toBe('here')
  await workflows().patch(flow.id, { trigger_config: CONFIGS.delay }, alice)
  const other = await eventually(() => of(flow.id)[2])
  expect(other.workflow.trigger.type).toBe('delay')
  expect(await other.world.cursor()).toBeNull()
})

test('reports an enabled workflow whose trigger type does not run', async () => {
  const { id } = await daemon.create()
  const flow = await make(id, { trigger_config: CONFIGS.queue })
  const said = async () => (await workflows().get(flow.id)).last_error
  await eventually(async () => (await said())?.includes('of type queue does not fire here'))
  await workflows().patch(flow.id, { enabled: false }, alice)
  await eventually(async () => (await said()) === null)
  await workflows().patch(flow.id, { enabled: true }, alice)
  await eventually(async () => (await said()) !== null)
  await workflows().patch(flow.id, { trigger_config: CONFIGS.cron }, alice)
  await eventually(async () => (await said()) === null)
})

test('stores a workflow whose trigger type does not run', async () => {
  const { id } = await daemon.create()
  const flow = await make(id, { trigger_config: CONFIGS.manual })
  expect(of(flow.id)).toEqual([])
})
