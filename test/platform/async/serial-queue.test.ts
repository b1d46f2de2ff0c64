import { expect, test } from 'vitest'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'

/** Work that the test completes. */
function held() {
  let end!: () => void
  let fail!: (error: Error) => void
  const done = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { done, end, fail }
}

test('runs work in order, one piece at a time', async () => {
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

test('settles as the work does', async () => {
  const queue = new SerialQueue()
  expect(await queue.run(async () => 7)).toBe(7)
  await expect(queue.run(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room')
})

test('continues after failed work', async () => {
  const queue = new SerialQueue()
  const first = held()
  const failed = queue.run(() => first.done)
  const next = queue.run(async () => 'next')
  first.fail(new Error('no room'))
  await expect(failed).rejects.toThrow('no room')
  expect(await next).toBe('next')
})

test('drains the work queued before the call, and no later work', async () => {
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

test('is idle before the first work and after the last', async () => {
  const queue = new SerialQueue()
  expect(queue.idle).toBe(true)
  const work = held()
  const failed = queue.run(() => work.done)
  expect(queue.idle).toBe(false)
  work.fail(new Error('no room'))
  await expect(failed).rejects.toThrow('no room')
  expect(queue.idle).toBe(true)
})
