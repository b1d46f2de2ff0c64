import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { FrameQueue } from '../../../../services/orchestrator/session/frame-queue.ts'

const full = new Error('the disk is full')
const refusal = (work: Promise<unknown>) => work.catch((error: unknown) => error)

/** A queue whose first work has stalled, and the end of that work. */
function stalledQueue() {
  const queue = new FrameQueue()
  const clock = new TestClock()
  const done = queue.run(() => queue.stall(full, clock, 1000)).finally(() => queue.recovered())
  return { queue, clock, done }
}

test('calls and frames take their turn in one queue', async () => {
  const queue = new FrameQueue()
  const seen: string[] = []
  const note = (word: string) => async () => void seen.push(word)
  await Promise.all([queue.run(note('frame')), queue.call(note('call')), queue.run(note('frame'))])
  expect(seen).toEqual(['frame', 'call', 'frame'])
})

test('a call gives what its work gives', async () => {
  const queue = new FrameQueue()
  expect(await queue.call(async () => 7)).toBe(7)
  expect(await refusal(queue.call(() => Promise.reject(full)))).toBe(full)
})

test('a stall refuses the calls that wait and those that come, and leaves their work undone', async () => {
  const queue = new FrameQueue()
  const clock = new TestClock()
  let worked = false
  const work = async () => void (worked = true)
  let stall!: () => void
  const begun = new Promise<void>((resolve) => (stall = resolve))
  const frame = queue
    .run(async () => {
      await begun
      await queue.stall(full, clock, 1000)
    })
    .finally(() => queue.recovered())
  const waits = refusal(queue.call(work))
  stall()
  expect(await waits).toBe(full)
  expect(await refusal(queue.call(work))).toBe(full)
  clock.tick(1000)
  await frame
  await queue.drained()
  expect(worked).toBe(false)
})

test('frames wait for the end of a stall', async () => {
  const { queue, clock, done } = stalledQueue()
  const frame = queue.run(async () => 'taken')
  await Promise.resolve()
  clock.tick(1000)
  await done
  expect(await frame).toBe('taken')
})

test('a retry ends a stall before its time, and calls are taken again', async () => {
  const { queue, clock, done } = stalledQueue()
  await Promise.resolve()
  queue.retry()
  await done
  expect(clock.pending).toBe(0)
  expect(await queue.call(async () => 'taken')).toBe('taken')
})
