import { expect, test } from 'vitest'
import { Refusals, type Refusal } from '../../../bridge/sandbox/refusals.ts'
import type { Timers } from '../../../bridge/timers.ts'

function stand() {
  let callbacks: (() => void)[] = []
  const timers: Timers = {
    now: () => 0,
    after: (_ms, callback) => {
      callbacks.push(callback)
      return { cancel: () => {} }
    },
  }
  const reported: Refusal[] = []
  const refusals = new Refusals(timers)
  refusals.onReport = (refusal) => reported.push({ ...refusal })
  const minute = () => {
    const due = callbacks
    callbacks = []
    for (const callback of due) callback()
  }
  return { refusals, reported, minute }
}

test('reports a refused host at once, and its repeats once a minute', () => {
  const { refusals, reported, minute } = stand()
  for (let count = 0; count < 5; count++) refusals.note('a.test', 443)
  refusals.note('a.test', 22)
  expect(reported).toEqual([
    { host: 'a.test', port: 443, count: 1 },
    { host: 'a.test', port: 22, count: 1 },
  ])
  minute()
  expect(reported.slice(2)).toEqual([{ host: 'a.test', port: 443, count: 4 }])
  minute()
  refusals.note('a.test', 443)
  expect(reported.slice(3)).toEqual([{ host: 'a.test', port: 443, count: 1 }])
})

test('reports at most a hundred hosts a minute', () => {
  const { refusals, reported, minute } = stand()
  for (let number = 0; number < 500; number++) refusals.note(`${number}.test`, 443)
  expect(reported).toHaveLength(100)
  minute()
  refusals.note('499.test', 443)
  expect(reported).toHaveLength(101)
})
