import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../../../platform/core/clock.ts'
import { eventually } from '../../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../../harness.ts'

const HOUR = 60 * 60_000
let machine: TestMachine
let daemon: TestOrchestrator
let clock: TestClock
afterEach(() => machine.close())

async function at(time: string, members: Record<string, unknown>): Promise<string> {
  clock = new TestClock(Date.parse(time))
  machine = new TestMachine({ clock })
  daemon = await machine.open()
  const { id: agentId } = await daemon.createConnected()
  const { id } = await daemon.orchestrator.workflows.create(
    workflow(agentId, { trigger_config: { type: 'cron', ...members } }),
    alice,
  )
  await eventually(async () => (await flow(id)).next_fire_at !== null)
  return id
}
const flow = (id: string) => daemon.orchestrator.workflows.get(id)
const fired = async (id: string) =>
  (await daemon.orchestrator.workflows.history(id)).items.map(({ source_id }) => source_id.slice(5)).toReversed()

async function pass(id: string, hours: number): Promise<string[]> {
  for (let passed = 0; passed < hours * 2; passed++) {
    clock.tick(HOUR / 2)
    await eventually(async () => Date.parse((await flow(id)).next_fire_at!) > clock.now())
  }
  return fired(id)
}

test('fires at local time before and after daylight saving changes', async () => {
  const id = await at('2030-03-29T12:00:00Z', { expression: '30 2 * * *', timezone: 'Europe/Vienna' })
  expect(await pass(id, 72)).toEqual([
    '2030-03-30T01:30:00.000Z',
    // 02:30 does not exist that night; it fires after the clock change.
    '2030-03-31T01:00:00.000Z',
    '2030-04-01T00:30:00.000Z',
  ])
})

test('fires a repeated local time once, and half-hourly ones throughout', async () => {
  const id = await at('2030-10-26T12:00:00Z', { expression: '30 2 * * *', timezone: 'Europe/Vienna' })
  expect(await pass(id, 24)).toEqual(['2030-10-27T00:30:00.000Z'])
  await machine.close()
  const often = await at('2030-10-26T23:45:00Z', { expression: '0,30 * * * *', timezone: 'Europe/Vienna' })
  expect(await pass(often, 1)).toEqual(['2030-10-27T00:00:00.000Z', '2030-10-27T00:30:00.000Z'])
})

test('skips times missed without a daemon, or catches up with the last', async () => {
  for (const [catch_up, missed] of [
    ['none', []],
    ['last', ['2030-01-03T02:00:00.000Z']],
  ] as const) {
    const id = await at('2030-01-01T00:00:00Z', { expression: '0 2 * * *', catch_up })
    await daemon.stop()
    clock.tick(60 * HOUR)
    daemon = await machine.open()
    await eventually(async () => (await fired(id)).length === missed.length)
    expect(await fired(id)).toEqual(missed)
    await eventually(async () => (await flow(id)).next_fire_at === '2030-01-04T02:00:00.000Z')
    await daemon.stop()
    daemon = await machine.open()
    await eventually(async () => (await flow(id)).next_fire_at === '2030-01-04T02:00:00.000Z')
    expect(await fired(id)).toEqual(missed)
    if (catch_up === 'none') await machine.close()
  }
})

test('does not catch up after a change of the expression', async () => {
  const id = await at('2030-01-01T00:00:00Z', { expression: '0 9 * * *', catch_up: 'last' })
  await daemon.stop()
  clock.tick(6 * HOUR)
  daemon = await machine.open()
  await daemon.orchestrator.workflows.patch(id, { trigger_config: { expression: '0 3 * * *' } }, alice)
  await eventually(async () => (await flow(id)).next_fire_at === '2030-01-02T03:00:00.000Z')
  expect(await fired(id)).toEqual([])
})

test('reports a firing that cannot be recorded and retries after ten seconds', async () => {
  const id = await at('2030-01-01T01:59:59Z', { expression: '0 2 * * *' })
  const refuse = ({ sql }: { sql: string }) => {
    if (sql.startsWith('insert into `orchestrator_dispatches`')) throw new Error('disk full')
  }
  daemon.db.on('query', refuse)
  clock.tick(1000)
  await eventually(async () => (await flow(id)).last_error?.includes('disk full'))
  daemon.db.removeListener('query', refuse)
  clock.tick(10_000)
  await eventually(async () => (await fired(id)).length === 1)
  expect(await flow(id)).toMatchObject({ last_error: null, next_fire_at: '2030-01-02T02:00:00.000Z' })
})
