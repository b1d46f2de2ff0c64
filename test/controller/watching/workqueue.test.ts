import { expect, test } from 'vitest'
import { Workqueue, type WorkqueueOptions } from '../../../controller/watching/workqueue.ts'
import { asActor, currentActor, ownActor } from '../../../platform/core/actor.ts'
import { systemClock, TestClock, type Clock } from '../../../platform/core/clock.ts'

import { eventually } from '../../support/eventually.ts'

function queueOn(clock: Clock, handle: (key: string) => Promise<void>, more: Partial<WorkqueueOptions> = {}) {
  const failures: [string, number][] = []
  const queue = new Workqueue({
    clock,
    handle,
    onError: (key, _error, retryInMs) => failures.push([key, retryInMs]),
    random: () => 0,
    ...more,
  })
  return { queue, failures }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('processes a key once if it was added several times', async () => {
  const clock = new TestClock()
  const worked: string[] = []
  const { queue } = queueOn(clock, async (key) => void worked.push(key), { concurrency: 1 })
  queue.addAfter('a', 10)
  queue.addAfter('a', 5)
  queue.addAfter('a', 20)
  clock.tick(5)
  expect(worked).toEqual(['a'])
  await settled()
  clock.tick(100)
  expect(worked).toEqual(['a'])
})

test('never processes a key concurrently and repeats one added meanwhile', async () => {
  const clock = new TestClock()
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const { queue } = queueOn(clock, async () => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => ends.push(resolve))
    running--
  })
  queue.add('a')
  queue.add('a')
  queue.add('a')
  expect(ends).toHaveLength(1)
  ends[0]!()
  await settled()
  expect(ends).toHaveLength(2)
  ends[1]!()
  await settled()
  expect([most, queue.depth]).toEqual([1, 0])
})

test('processes two keys concurrently', async () => {
  const clock = new TestClock()
  const running: string[] = []
  const { queue } = queueOn(clock, (key) => (running.push(key), new Promise(() => undefined)))
  queue.add('a')
  queue.add('b')
  expect(running).toEqual(['a', 'b'])
})

test('processes keys by priority, then in order of arrival', async () => {
  const clock = new TestClock()
  const worked: string[] = []
  let release = () => {}
  const { queue } = queueOn(
    clock,
    async (key) => {
      worked.push(key)
      if (key === 'first') await new Promise<void>((resolve) => (release = resolve))
    },
    { concurrency: 1 },
  )
  queue.add('first')
  queue.add('low')
  queue.add('low too')
  queue.add('high', 5)
  release()
  await settled()
  expect(worked).toEqual(['first', 'high', 'low', 'low too'])
})

test('doubles the back-off up to a maximum and resets on success', async () => {
  const clock = new TestClock()
  let failing = true
  const { queue, failures } = queueOn(
    clock,
    async () => {
      if (failing) throw new Error('no')
    },
    { baseDelayMs: 100, maxDelayMs: 350 },
  )
  queue.add('a')
  for (let i = 0; i < 4; i++) {
    await settled()
    clock.tick(350)
  }
  await settled()
  expect(failures.map(([, delay]) => delay)).toEqual([100, 200, 350, 350, 350])
  failing = false
  clock.tick(350)
  await settled()
  failing = true
  queue.add('a')
  await settled()
  expect(failures.at(-1)![1]).toBe(100)
})

test('varies retry delays by up to a quarter', async () => {
  const clock = new TestClock()
  const { queue, failures } = queueOn(clock, () => Promise.reject(new Error('no')), {
    baseDelayMs: 1000,
    random: () => 0.999,
  })
  queue.add('a')
  await settled()
  expect(failures[0]![1]).toBeGreaterThanOrEqual(750)
  expect(failures[0]![1]).toBeLessThan(760)
})

test('processes a key at once if it is added before its retry', async () => {
  const clock = new TestClock()
  let tries = 0
  const { queue } = queueOn(clock, () => (tries++, Promise.reject(new Error('no'))))
  queue.add('a')
  await settled()
  queue.add('a')
  await settled()
  expect(tries).toBe(2)
})

test('stops after running work and accepts no new keys', async () => {
  const clock = new TestClock()
  let release = () => {}
  const worked: string[] = []
  const { queue } = queueOn(
    clock,
    async (key) => {
      worked.push(key)
      await new Promise<void>((resolve) => (release = resolve))
    },
    { concurrency: 1 },
  )
  queue.add('a')
  queue.add('b')
  const stopped = queue.stop()
  queue.add('c')
  release()
  await stopped
  expect(worked).toEqual(['a'])
  expect(clock.pending).toBe(0)
})

test('ignores a clock that is set back', async () => {
  const clock = new TestClock()
  const worked: string[] = []
  const { queue } = queueOn(clock, async (key) => void worked.push(key))
  queue.addAfter('before', 100)
  clock.set(-3_600_000)
  queue.addAfter('after', 50)
  clock.tick(50)
  expect(worked).toEqual(['after'])
  clock.tick(50)
  expect(worked).toEqual(['after', 'before'])
})

test('uses one timer for thousands of keys and processes them when due', async () => {
  const clock = new TestClock()
  const worked: number[] = []
  const { queue } = queueOn(clock, async (key) => void worked.push(Number(key)))
  for (let key = 0; key < 5000; key++) queue.addAfter(String(key), 1 + ((key * 7919) % 5000))
  expect([queue.depth, clock.pending]).toEqual([5000, 1])
  for (let left = 5000; left > 0; left--) {
    clock.tick(1)
    await settled()
  }
  const due = (key: number) => 1 + ((key * 7919) % 5000)
  expect(worked).toEqual([...worked].sort((a, b) => due(a) - due(b)))
  expect([worked.length, queue.depth, clock.pending]).toEqual([5000, 0, 0])
})

test('processes a key added again for an earlier time once', async () => {
  const clock = new TestClock()
  const worked: string[] = []
  const { queue } = queueOn(clock, async (key) => void worked.push(key))
  queue.addAfter('a', 100)
  queue.addAfter('a', 10)
  queue.addAfter('b', 50)
  clock.tick(10)
  await settled()
  expect([worked, queue.depth]).toEqual([['a'], 1])
  clock.tick(90)
  await settled()
  expect(worked).toEqual(['a', 'b'])
})

test('processes keys of one priority in order of arrival', async () => {
  const worked: string[] = []
  const { queue } = queueOn(new TestClock(), async (key) => void worked.push(key), { concurrency: 1 })
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
  queue.add('d', 5)
  queue.add('b')
  await settled()
  for (const key of ['e', 'a', 'f']) queue.add(key)
  await settled()
  expect(worked).toEqual(['a', 'd', 'b', 'c', 'e', 'a', 'f'])
})

test('processes keys without a caller, also after failures', async () => {
  const names: (string | null)[] = []
  const handle = async () => {
    names.push(currentActor()?.actor ?? null)
    if (names.length < 3) throw new Error('not yet')
  }
  const { queue } = queueOn(systemClock, handle, { baseDelayMs: 1 })
  await asActor(ownActor('tester', 'r1'), async () => queue.add('a'))
  await eventually(() => names.length === 3)
  expect(names).toEqual([null, null, null])
  await queue.stop()
})
