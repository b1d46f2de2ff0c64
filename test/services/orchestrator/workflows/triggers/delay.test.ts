import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../../platform/core/clock.ts'
import { eventually } from '../../../../support/eventually.ts'
import { alice, TestMachine, workflow, type TestOrchestrator } from '../../harness.ts'

const clock = new TestClock()
const machine = new TestMachine({ clock })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

test('does not fire a delay again until it is changed or disabled', async () => {
  const { workflows } = daemon.orchestrator
  const { id: agentId } = await daemon.createConnected()
  const flow = await workflows.create(workflow(agentId, { trigger_config: { type: 'delay', delay_secs: 60 } }), alice)
  const now = () => workflows.get(flow.id)
  await eventually(async () => (await now()).next_fire_at)
  daemon.tick(60_000)
  await eventually(async () => !(await now()).enabled)
  expect(await now()).toMatchObject({ last_error: null })
  await workflows.patch(flow.id, { enabled: true }, alice)
  const said = await eventually(async () => (await now()).last_error)
  expect(said).toMatch(/^the delay fired at .*Z and fires only once: change run_at or delay_secs to fire it again/)
  expect(await daemon.figure('triggers_failing')).toBe(1)
  await workflows.patch(flow.id, { enabled: false }, alice)
  await eventually(async () => (await now()).last_error === null)
  await workflows.patch(flow.id, { enabled: true }, alice)
  await eventually(async () => (await now()).last_error)
  await workflows.patch(flow.id, { trigger_config: { type: 'delay', delay_secs: 120 } }, alice)
  await eventually(async () => (await now()).next_fire_at)
  await eventually(async () => (await now()).last_error === null)
  daemon.tick(120_000)
  await eventually(async () => !(await now()).enabled)
  expect((await workflows.history(flow.id)).items).toHaveLength(2)
})
