// Tens of thousands of keys that wait for their time, next to timers of Node's own for as many; and how many are added,
// taken and done a second, next to calls alone.
import { Workqueue } from '../../controller/watching/workqueue.ts'
import { systemClock } from '../../platform/core/clock.ts'
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

const WORKED = 200_000
const keys = Array.from({ length: WORKED }, (_, index) => `kind/${index}`)

/** Milliseconds until all are done, each by `handle`. */
async function throughQueue(): Promise<number> {
  let left = WORKED
  let last: () => void = () => undefined
  const handle = async () => void (--left === 0 && last())
  const queue = new Workqueue({ clock: systemClock, handle, onError: () => undefined })
  const took = await timed(async () => {
    const all = new Promise<void>((resolve) => (last = resolve))
    for (const key of keys) queue.add(key)
    await all
  })
  await queue.stop()
  return took
}

async function throughCalls(): Promise<number> {
  const done = new Set<string>()
  const handle = async (key: string) => void done.add(key)
  return timed(async () => {
    for (const key of keys) await handle(key)
  })
}

const worked = { ours: [] as number[], floor: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  worked.floor.push(await throughCalls())
  worked.ours.push(await throughQueue())
}
const MILLION = 1_000_000
const operations = (3 * WORKED * 1000) / median(worked.ours)
within(`keys added, taken and done, operations a second (at least ${MILLION})`, MILLION, operations, '/s')
compare({
  what: `${WORKED} keys added, taken and done, next to calls alone`,
  ours: median(worked.ours),
  floor: median(worked.floor),
  unit: 'ms',
  bound: null,
})
conclude()
