import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { outliveUnexpected } from '../../../daemon/uncaught-errors.ts'
import { guardedClock, unexpected, unexpectedErrors } from '../../../platform/async/unexpected-errors.ts'
import { ChangeFeed } from '../../../platform/async/change-feed.ts'
import { TestClock } from '../../../platform/core/clock.ts'

/** Keeps the logged facts. */
function keeping() {
  const facts: Record<string, any>[] = []
  return { facts, log: { error: (each: object) => void facts.push(each as Record<string, any>) } as never }
}

const boom = () => {
  throw new Error('boom')
}

test('logs and counts a throwing listener, and calls the others', () => {
  const { facts, log } = keeping()
  const before = unexpectedErrors().feed!
  const feed = new ChangeFeed<number>(log)
  const heard: number[] = []
  feed.subscribe(boom)
  feed.subscribe((change) => void heard.push(change))
  feed.publish(1)
  expect(heard).toEqual([1])
  expect(facts.map(({ place, err }) => [place, err.message])).toEqual([['feed', 'boom']])
  expect(unexpectedErrors().feed).toBe(before + 1)
})

test('logs and counts a throwing timer, and fires later ones', () => {
  const { facts, log } = keeping()
  const moved = new TestClock()
  const clock = guardedClock(moved, log)
  let fired = false
  clock.after(1, boom)
  clock.after(2, () => (fired = true))
  clock.after(3, boom).cancel()
  moved.tick(10)
  expect([fired, facts.length, facts[0]!.place, clock.now()]).toEqual([true, 1, 'timer', moved.now()])
})

test('logs and counts uncaught errors, except of a closed terminal', () => {
  const { facts, log } = keeping()
  const source = new EventEmitter()
  const before = unexpectedErrors().process!
  const off = outliveUnexpected(log, source)
  source.emit('uncaughtException', new Error('boom'), 'uncaughtException')
  source.emit('unhandledRejection', 'no error at all', Promise.resolve())
  source.emit('uncaughtException', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), 'uncaughtException')
  expect(facts.map(({ place, origin, err }) => [place, origin, err.message])).toEqual([
    ['process', 'uncaughtException', 'boom'],
    ['process', 'unhandledRejection', "'no error at all'"],
  ])
  expect(unexpectedErrors().process).toBe(before + 2)
  off()
  expect(source.eventNames()).toEqual([])
})

test('accepts a thrown value that is not an Error', () => {
  const { facts, log } = keeping()
  unexpected(log, 'frame', { toString: 1 }, { agent_id: 'a' })
  expect(facts[0]).toMatchObject({ agent_id: 'a', place: 'frame', err: { message: '{ toString: 1 }' } })
})

test('logs the next step if the file descriptors have run out', () => {
  const { facts, log } = keeping()
  unexpected(log, 'process', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  unexpected(log, 'process', new Error('boom'))
  expect(facts.map(({ hint }) => hint)).toEqual([
    expect.stringMatching(/^raise the limit of open files \(ulimit/),
    undefined,
  ])
})
