import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { background, type Background, type BackgroundOptions } from '../../../platform/async/background.ts'
import { asActor, currentActor, ownActor } from '../../../platform/core/actor.ts'
import { systemClock, TestClock } from '../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import { eventually } from '../../support/eventually.ts'

let clock: TestClock
let runs: number
let logged: { level: string; facts: Record<string, unknown> }[]
let loop: Background | undefined
const log = {
  ...noLog,
  error: (facts: object) => void logged.push({ level: 'error', facts: { ...facts } }),
  info: (facts: object) => void logged.push({ level: 'info', facts: { ...facts } }),
} as Log

beforeEach(() => {
  clock = new TestClock()
  runs = 0
  logged = []
})
afterEach(async () => {
  await loop?.stop()
  loop = undefined
})

function start(work: BackgroundOptions['work'], over: Partial<BackgroundOptions> = {}): Background {
  const counted: BackgroundOptions['work'] = (signal) => {
    runs++
    return work(signal)
  }
  return (loop = background({ clock, log, name: 'sweep', everyMs: 1000, work: counted, ...over }))
}

/** Advances time until `count` more runs have ended. */
async function pass(ms: number, count: number): Promise<void> {
  const before = runs
  clock.tick(ms)
  await eventually(() => runs === before + count && clock.pending === 1)
}

test('runs the work once per interval', async () => {
  start(async () => undefined)
  clock.tick(999)
  expect(runs).toBe(0)
  await pass(1, 1)
  clock.tick(999)
  expect(runs).toBe(1)
  await pass(1, 1)
})

test('can start the first run immediately', async () => {
  start(async () => undefined, { atOnce: true })
  expect(runs).toBe(1)
  await eventually(() => clock.pending === 1)
  await pass(1000, 1)
})

test('measures the interval from the end of a run', async () => {
  let finish!: () => void
  start(() => new Promise<void>((resolve) => (finish = resolve)))
  clock.tick(1000)
  clock.tick(10_000)
  expect([runs, clock.pending]).toEqual([1, 0])
  finish()
  await eventually(() => clock.pending === 1)
  clock.tick(999)
  expect(runs).toBe(1)
  clock.tick(1)
  expect(runs).toBe(2)
  finish()
})

test('logs failures and backs off up to a limit, until a success', async () => {
  let failing = true
  start(
    async () => {
      if (failing) throw new Error('no luck')
    },
    { longestMs: 5000 },
  )
  await pass(1000, 1)
  for (const wait of [2000, 4000, 5000, 5000]) {
    expect(logged.at(-1)).toMatchObject({ level: 'error', facts: { task: 'sweep', wait_ms: wait, error: 'no luck' } })
    clock.tick(wait - 1)
    expect(clock.pending).toBe(1)
    await pass(1, 1)
  }
  failing = false
  await pass(5000, 1)
  expect(logged.at(-1)).toEqual({ level: 'info', facts: { task: 'sweep', failures: 5 } })
  await pass(1000, 1)
})

test('handles work that throws synchronously', async () => {
  start(() => {
    throw new Error('at once')
  })
  await pass(1000, 1)
  expect(logged).toMatchObject([{ level: 'error', facts: { error: 'at once' } }])
})

test('runs immediately when woken, or again after the current run', async () => {
  const finish: (() => void)[] = []
  start(() => new Promise<void>((resolve) => finish.push(resolve)))
  loop!.wake()
  expect([runs, clock.pending]).toEqual([1, 0])
  loop!.wake()
  loop!.wake()
  expect(runs).toBe(1)
  finish[0]!()
  await eventually(() => runs === 2)
  finish[1]!()
  await eventually(() => clock.pending === 1)
  expect(runs).toBe(2)
})

test('aborts and awaits the current run when stopped', async () => {
  let ended = false
  start(async (signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await turn()
    ended = true
    throw new Error('stopped in the middle')
  })
  clock.tick(1000)
  loop!.wake()
  await loop!.stop()
  expect([ended, runs, clock.pending, logged]).toEqual([true, 1, 0, []])
  loop!.wake()
  clock.tick(10_000)
  expect(runs).toBe(1)
})

test('runs outside the context of a request that wakes it', async () => {
  const names: (string | null)[] = []
  const work = async () => void names.push(currentActor()?.actor ?? null)
  const woken = start(work, { clock: systemClock, everyMs: 5 })
  await asActor(ownActor('tester', 'r1'), async () => woken.wake())
  await eventually(() => names.length >= 3)
  expect(new Set(names)).toEqual(new Set([null]))
})
