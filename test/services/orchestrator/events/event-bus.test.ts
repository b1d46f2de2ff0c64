import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { invalid } from '../../../../platform/core/problem.ts'
import { BUS_CAPACITY, EventBus, type Published } from '../../../../services/orchestrator/events/event-bus.ts'
import { eventually } from '../../../support/eventually.ts'

function stand() {
  const clock = new TestClock()
  const warnings: [object, string][] = []
  const bus = new EventBus({
    clock,
    log: { warn: (facts: object, text: string) => warnings.push([facts, text]) } as never,
  })
  const publish = (...ids: (string | number)[]) => {
    for (const id of ids) bus.publish({ type: 'AgentConnected', agent_id: String(id) })
  }
  const heard: string[] = []
  const hear = async (event: Published) => void heard.push((event as { agent_id: string }).agent_id)
  return { clock, warnings, bus, publish, heard, hear }
}
const ignore = () => undefined

test('delivers every event in order to a listener until it is closed', async () => {
  const { bus, publish, heard, hear } = stand()
  publish('before')
  const one = bus.listen('one', hear, ignore)
  const slow: string[] = []
  const two = bus.listen('two', async ({ timestamp }) => void slow.push(timestamp), ignore)
  publish('a', 'b')
  await one.close()
  publish('c')
  await two.close()
  publish('d')
  expect(heard).toEqual(['a', 'b'])
  expect(slow).toEqual(Array(3).fill('2030-01-01T00:00:00.000Z'))
})

test('drops the oldest events of a slow listener and warns once', async () => {
  const { bus, publish, heard, hear, warnings } = stand()
  let go!: () => void
  const gate = new Promise<void>((resolve) => (go = resolve))
  const listening = bus.listen(
    'slow',
    async (event) => {
      await gate
      await hear(event)
    },
    ignore,
  )
  const ids = Array.from({ length: BUS_CAPACITY + 11 }, (_each, index) => index)
  publish(...ids)
  expect(warnings).toEqual([[{ listener: 'slow', capacity: 256 }, 'slow subscriber: dropping events']])
  go()
  await eventually(() => heard.length === BUS_CAPACITY + 1)
  // The first event was already being handled.
  expect(heard).toEqual([0, ...ids.slice(11)].map(String))
  await eventually(() => warnings.length === 2)
  expect(warnings[1]).toEqual([{ listener: 'slow', lost: 10 }, 'slow subscriber caught up: events were dropped'])
  publish('later')
  await listening.close()
  expect(heard.at(-1)).toBe('later')
})

test('retries a failure every second and drops permanently refused events', async () => {
  const { bus, publish, heard, hear, clock } = stand()
  const faults: string[] = []
  let failures = 2
  const listening = bus.listen(
    'one',
    async (event) => {
      if ((event as { agent_id: string }).agent_id === 'bad') throw invalid('the workflow is disabled')
      if (failures-- > 0) throw new Error('disk full')
      await hear(event)
    },
    (error) => faults.push(error.message),
  )
  publish('bad', 'a', 'b')
  await eventually(() => {
    clock.tick(1000)
    return heard.length === 2
  })
  expect([faults, heard]).toEqual([
    ['disk full', 'disk full'],
    ['a', 'b'],
  ])
  failures = 99
  publish('c')
  await eventually(() => faults.length === 3)
  await listening.close()
  expect(heard).toEqual(['a', 'b'])
  expect(clock.pending).toBe(0)
})
