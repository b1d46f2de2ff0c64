import { beforeEach, afterEach, expect, test } from 'vitest'
import { noLog, type Log } from '../../../../platform/core/log/log.ts'
import { notFound, unavailable } from '../../../../platform/core/problem.ts'
import { openDatabase } from '../../../../platform/database/database.ts'
import { createThings, LiveStand, type LiveClient } from './stand.ts'

const TOPIC = 'screen/a'
let stand: LiveStand
let errors: string[]

beforeEach(async () => {
  const db = openDatabase('sqlite::memory:')
  await createThings(db)
  errors = []
  const error = (...[facts]: unknown[]) => void errors.push((facts as { error: string }).error)
  const log: Log = { ...noLog, error, child: () => log } as Log
  stand = new LiveStand(db, log)
  stand.screens.set('a', 'one')
})
afterEach(async () => {
  await stand.feed.stop()
  await stand.db.destroy()
})

const texts = (client: LiveClient, topic = TOPIC) => client.items(topic).map(({ item }) => (item as any).text)
/** Advances time by one second, and waits for the read. */
const second = async () => {
  stand.clock.tick(1000)
  await stand.settle()
}

test('sends the record at once, and again when it changes', async () => {
  const client = stand.connect()
  expect(await client.subscribe(TOPIC)).toEqual({
    topic: TOPIC,
    items: [{ seq: null, id: 'a', item: { text: 'one' } }],
  })
  await second()
  stand.screens.set('a', 'two')
  await second()
  await second()
  expect(texts(client)).toEqual(['one', 'two'])
})

test('reads at most once a second for all subscribers', async () => {
  const [one, other] = [stand.connect(), stand.connect()]
  await one.subscribe(TOPIC)
  await other.subscribe(TOPIC)
  stand.screens.set('a', 'two')
  for (let at = 0; at < 3; at++) {
    one.say({ subscribe: false, topic: TOPIC })
    await one.subscribe(TOPIC)
  }
  expect(stand.polls).toEqual(['a'])
  await second()
  expect(stand.polls).toEqual(['a', 'a'])
  expect(texts(one)).toEqual(['one', 'one', 'one', 'one', 'two'])
  expect(texts(other)).toEqual(['one', 'two'])
})

test('reads nothing without subscribers', async () => {
  await stand.settle()
  const timers = stand.clock.pending
  const [one, other] = [stand.connect(), stand.connect()]
  await one.subscribe(TOPIC)
  await other.subscribe('screen/b')
  expect(stand.polls).toEqual(['a', 'b'])
  one.say({ subscribe: false, topic: TOPIC })
  other.session.end()
  await stand.settle()
  await second()
  await second()
  expect([stand.polls.length, stand.clock.pending]).toEqual([2, timers])
  await one.subscribe(TOPIC)
  expect(stand.polls).toEqual(['a', 'b', 'a'])
})

test('retries a read that fails or takes too long, and sends what has changed', async () => {
  await stand.feed.stop()
  stand.readWithinMs = 20
  await stand.restart()
  const [one, other] = [stand.connect(), stand.connect()]
  await one.subscribe(TOPIC)
  stand.broken.set('screen', unavailable('no terminal'))
  await stand.until(() => errors.includes('no terminal'), 500)
  stand.broken.clear()
  stand.hanging.add('screen')
  await stand.until(() => errors.includes('no answer within 20 ms'), 500)
  // What was read before may be wrong by now.
  other.say({ subscribe: true, topic: TOPIC })
  await stand.settle()
  expect(texts(other)).toEqual([])
  stand.screens.set('a', 'two')
  stand.hanging.clear()
  await stand.until(() => texts(other).length > 0, 500)
  expect([texts(one), texts(other)]).toEqual([['one', 'two'], ['two']])
})

test('ends the topic of a record that no longer exists', async () => {
  const client = stand.connect()
  await client.subscribe(TOPIC)
  stand.broken.set('screen', notFound('screen', 'a'))
  stand.closed.set('a', notFound('screen', 'a'))
  await stand.until(() => client.frames.some((frame) => frame.error), 500)
  expect(client.frames.at(-1)).toMatchObject({ topic: TOPIC, error: { code: 'not-found' } })
  expect(errors).toEqual([])
  expect(await client.subscribe(TOPIC)).toMatchObject({ error: { code: 'not-found' } })
})

test('sends a slow reader only the newest record', async () => {
  const client = stand.connect()
  await client.subscribe(TOPIC)
  client.bufferedBytes = 2 * 1024 * 1024
  for (const text of ['two', 'three']) {
    stand.screens.set('a', text)
    await second()
  }
  expect(texts(client)).toEqual(['one'])
  client.bufferedBytes = 0
  await second()
  expect(texts(client)).toEqual(['one', 'three'])
})
