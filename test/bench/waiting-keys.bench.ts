// Tens of thousands of keys that wait for their time, next to timers of Node's own for as many.
import { Workqueue } from '../../controller/watching/workqueue.ts'
import { systemClock } from '../../platform/clock.ts'
import { compare, conclude, median, timed, within } from './report.ts'

const COUNT = 40_000
const ROUNDS = 7
const LONGEST_MS = 3_600_000
/** Spread over an hour, in no order. */
const delays = Array.from({ length: COUNT }, (_, index) => 1000 + ((index * 7919) % LONGEST_MS))

async function ours(): Promise<number> {
  const queue = new Workqueue({ clock: systemClock, handle: async () => undefined, onError: () => undefined })
  const took = await timed(() => {
    for (const [key, delay] of delays.entries()) queue.addAfter(`kind/${key}`, delay)
  })
  await queue.stop()
  return took
}

async function floor(): Promise<number> {
  const timers = new Map<string, NodeJS.Timeout>()
  const took = await timed(() => {
    for (const [key, delay] of delays.entries()) timers.set(`kind/${key}`, setTimeout(() => undefined, delay).unref())
  })
  for (const timer of timers.values()) clearTimeout(timer)
  return took
}

const rounds = { ours: [] as number[], floor: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  rounds.floor.push(await floor())
  rounds.ours.push(await ours())
}
within(`${COUNT} delayed keys added`, median(rounds.ours), 100, 'ms')
compare({
  what: `${COUNT} delayed keys, next to as many timers`,
  ours: median(rounds.ours),
  floor: median(rounds.floor),
  unit: 'ms',
  bound: 2,
})
conclude()
