import { expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import { Problem } from '../../../../platform/core/problem.ts'
import { FrameQueue } from '../../../../services/orchestrator/session/frame-queue.ts'

const full = new Problem(503, 'the disk is full')
const refusal = (work: Promise<unknown>) => work.catch((error: unknown) => error)

function openQueue() {
  const clock = new TestClock()
  const stopping = new AbortController()
  const log = { ...noLog, error: (...args: unknown[]) => void logged.push(args) }
  const logged: unknown[] = []
  return { queue: new FrameQueue('agent', { clock, log, stopping: stopping.signal }), clock, stopping, logged }
}

async function stalledQueue() {
  const opened = openQueue()
  let tries = 0
  const done = opened.queue.take(async () => {
    if (tries++ === 0) throw full
  })
  while (opened.clock.pending === 0) await Promise.resolve()
  return { ...opened, done, tries: () => tries }
}

test('processes calls and frames in one order', async () => {
  const { queue } = openQueue()
  const seen: string[] = []
  const note = (word: string) => async () => void seen.push(word)
  await Promise.all([queue.run(note('frame')), queue.call(note('call')), queue.take(note('frame'))])
  expect(seen).toEqual(['frame', 'call', 'frame'])
})

test('returns the result of a call', async () => {
  const { queue } = openQueue()
  expect(await queue.call(async () => 7)).toBe(7)
  expect(await refusal(queue.call(() => Promise.reject(full)))).toBe(full)
})

test('refuses pending and new calls during a stall without running them', async () => {
  const { queue, clock } = openQueue()
  let worked = false
  const work = async () => void (worked = true)
  let stall!: () => void
  const begun = new Promise<void>((resolve) => (stall = resolve))
  let tries = 0
  const frame = queue.take(async () => {
    await begun
    if (tries++ === 0) throw full
  })
  const waits = refusal(queue.call(work))
  stall()
  expect(await waits).toBe(full)
  expect(await refusal(queue.call(work))).toBe(full)
  clock.tick(1000)
  await frame
  await queue.drained()
  expect(worked).toBe(false)
})

test('keeps frames during a stall and retries the stalled work', async () => {
  const { queue, clock, done, tries } = await stalledQueue()
  const frame = queue.run(async () => 'taken')
  clock.tick(1000)
  await done
  expect([await frame, tries()]).toEqual(['taken', 2])
})

test('ends a stall early on retry and accepts calls again', async () => {
  const { queue, clock, done } = await stalledQueue()
  queue.retry()
  await done
  expect(clock.pending).toBe(0)
  expect(await queue.call(async () => 'taken')).toBe('taken')
})

test('logs a failure outside the database and continues with the next frame', async () => {
  const { queue, logged } = openQueue()
  await queue.take(() => Promise.reject(new Problem(404, 'no such agent')))
  expect(logged).toEqual([[{ agent_id: 'agent', error: 'no such agent' }, 'failed to process a frame']])
  expect(await queue.call(async () => 'taken')).toBe('taken')
})

test('does not stall once the orchestrator stops', async () => {
  const { queue, clock, stopping, logged } = openQueue()
  stopping.abort()
  await queue.take(() => Promise.reject(full))
  expect([clock.pending, logged.length]).toEqual([0, 1])
})
