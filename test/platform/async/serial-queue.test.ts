import { expect, test } from 'vitest'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'

/** Work that ends when the test says so. */
function held() {
  let end!: () => void
  let fail!: (error: Error) => void
  const done = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { done, end, fail }
}

test('work runs in the order it was asked for, never two pieces at once', async () => {
  const queue = new SerialQueue()
  const [first, second] = [held(), held()]
  const seen: string[] = []
  const one = queue.run(async () => {
    seen.push('one begins')
    await first.done
    seen.push('one ends')
  })
  const two = queue.run(async () => {
    seen.push('two begins')
    await second.done
  })
  await Promise.resolve()
  expect(seen).toEqual(['one begins'])
  first.end()
  await one
  second.end()
  await two
  expect(seen).toEqual(['one begins', 'one ends', 'two begins'])
})

test('whoever asks gets what the work gives, or why it failed', async () => {
  const queue = new SerialQueue()
  expect(await queue.run(async () => 7)).toBe(7)
  await expect(queue.run(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
})

test('work that fails does not hold up what comes after it', async () => {
  const queue = new SerialQueue()
  const first = held()
  const failed = queue.run(() => first.done)
  const next = queue.run(async () => 'next')
  first.fail(new Error('no room'))
  await expect(failed).rejects.toThrow('no room')
  expect(await next).toBe('next')
})

test('drained waits for all that was asked for so far, and no longer', async () => {
  const queue = new SerialQueue()
  const [first, later] = [held(), held()]
  let drained = false
  void queue.run(() => first.done)
  const waiting = queue.drained().then(() => (drained = true))
  const last = queue.run(() => later.done)
  await Promise.resolve()
  expect(drained).toBe(false)
  first.end()
  await waiting
  later.end()
  await last
})

test('a queue is idle before its first work and once its last has ended, however that went', async () => {
  const queue = new SerialQueue()
  expect(queue.idle).toBe(true)
  const work = held()
  const failed = queue.run(() => work.done)
  expect(queue.idle).toBe(false)
  work.fail(new Error('no room'))
  await expect(failed).rejects.toThrow('no room')
  expect(queue.idle).toBe(true)
})
