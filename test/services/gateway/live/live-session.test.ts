import { beforeEach, afterEach, expect, test } from 'vitest'
import { LIVE_CLOSE, MOST_TOPICS } from '../../../../schemas/gateway/live.ts'
import { forbidden, unavailable } from '../../../../platform/core/problem.ts'
import { openDatabase } from '../../../../platform/database/database.ts'
import { createThings, LiveStand, MIRA } from './stand.ts'

let stand: LiveStand

beforeEach(async () => {
  const db = openDatabase('sqlite::memory:')
  await createThings(db)
  stand = new LiveStand(db)
  await stand.record()
})
afterEach(async () => {
  await stand.feed.stop()
  await stand.db.destroy()
})

test.each([
  ['binary data', Buffer.from('{}'), LIVE_CLOSE.binary],
  ['more than 4096 bytes', `{"topic": "${'x'.repeat(5000)}"}`, LIVE_CLOSE.tooLarge],
  ['text that is not JSON', '{', LIVE_CLOSE.malformed],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), LIVE_CLOSE.malformed],
  ['a list', [], LIVE_CLOSE.malformed],
  ['null', null, LIVE_CLOSE.malformed],
  ['an empty object', {}, LIVE_CLOSE.malformed],
  ['an unknown field', { subscribe: true, topic: 'things', since: 1 }, LIVE_CLOSE.malformed],
  ['a topic that is too long', { subscribe: true, topic: 'x'.repeat(201) }, LIVE_CLOSE.malformed],
  ['a topic with NUL', '{"subscribe": true, "topic": "a\\u0000"}', LIVE_CLOSE.malformed],
  ['an invalid position', { subscribe: true, topic: 'things', after: '12' }, LIVE_CLOSE.malformed],
  ['a key that is not needed', { key: 'x' }, LIVE_CLOSE.malformed],
  ['a reserved field name', '{"__proto__": {}, "subscribe": true, "topic": "things"}', LIVE_CLOSE.malformed],
])('closes the socket on %s', async (name, frame, code) => {
  const client = stand.connect()
  client.say(frame, name === 'binary data')
  await stand.until(() => client.closed)
  expect(client.closed!.code).toBe(code)
  expect(Buffer.byteLength(client.closed!.reason)).toBeLessThan(124)
  expect(stand.feed.readers).toBe(0)
})

test('closes the socket of a client that sends too many frames at once', async () => {
  const client = stand.connect()
  for (let at = 0; at < 300; at++) client.say({ subscribe: true, topic: 'things' })
  expect(client.closed).toMatchObject({ code: LIVE_CLOSE.tooManyFrames })
})

test('refuses an unknown topic and names the known ones', async () => {
  const client = stand.connect()
  const { error } = await client.subscribe('thing')
  expect(error).toEqual({ code: 'not-found', message: expect.stringContaining('"things"') })
  for (const topic of ['room', 'things/a', 'figures/a', 'screen', '/'])
    expect(await client.subscribe(topic)).toMatchObject({ topic, error: { code: 'not-found' } })
  expect(client.closed).toBeNull()
})

test('limits the topics of a socket', async () => {
  const client = stand.connect()
  for (let at = 0; at < MOST_TOPICS; at++) await client.subscribe(`room/${at}`)
  expect(await client.subscribe('things')).toMatchObject({ error: { code: 'limit-reached' } })
  client.say({ subscribe: false, topic: 'room/1' })
  expect(await client.subscribe('things')).toMatchObject({ seq: expect.any(String) })
})

test('sends nothing of a topic that the client has left', async () => {
  const client = stand.connect()
  await client.subscribe('things')
  await client.subscribe('room/hall')
  client.say({ subscribe: false, topic: 'things' })
  client.say({ subscribe: false, topic: 'never' })
  await stand.settle()
  await stand.change('a', 'one')
  await stand.until(() => client.items('room/hall').length === 1)
  expect(client.items()).toEqual([])
})

test('starts again when the client subscribes again', async () => {
  const client = stand.connect()
  const { seq } = await client.subscribe('things')
  await stand.change('a', 'one')
  await stand.until(() => client.ids.length === 1)
  await client.subscribe('things', seq)
  await stand.until(() => client.ids.length === 2)
  await stand.settle()
  expect(client.ids).toEqual(['a', 'a'])
})

test('needs the key of the session first', async () => {
  const locked = { actor: null, admit: (key: string) => (key === 'right' ? MIRA : null) }
  for (const [frame, code] of [
    [{ key: 'wrong' }, LIVE_CLOSE.unauthorized],
    [{ subscribe: true, topic: 'things' }, LIVE_CLOSE.unauthorized],
    [{ key: 5 }, LIVE_CLOSE.unauthorized],
    ['{', LIVE_CLOSE.malformed],
  ] as const) {
    const client = stand.connect(locked)
    client.say(frame)
    await stand.until(() => client.closed)
    expect([client.closed!.code, client.frames]).toEqual([code, []])
  }
  const client = stand.connect(locked)
  client.say({ key: 'right' })
  expect(await client.subscribe('things')).toMatchObject({ seq: expect.any(String) })
})

test('closes a socket that sends no key, and sends it no tick', async () => {
  const client = stand.connect({ actor: null })
  await stand.until(() => client.closed, 1000)
  expect(client).toMatchObject({ closed: { code: LIVE_CLOSE.unauthorized }, frames: [] })
})

test('closes the socket when the token or the session ends', async () => {
  let isOver = false
  const client = stand.connect({ renew: async (actor) => (isOver ? null : actor) })
  await stand.until(() => client.ticks.length > 0, 1000)
  isOver = true
  await stand.until(() => client.closed, 1000)
  expect(client.closed).toMatchObject({ code: LIVE_CLOSE.unauthorized })
})

test('ends a topic that the caller may no longer read', async () => {
  const client = stand.connect()
  await client.subscribe('room/hall')
  await client.subscribe('room/attic')
  stand.closed.set('hall', forbidden('room hall is closed'))
  await stand.until(() => client.frames.some(({ error }) => error), 1000)
  expect(client.frames.find(({ error }) => error)).toMatchObject({ topic: 'room/hall', error: { code: 'forbidden' } })
  await stand.change('a', 'one')
  await stand.settle()
  expect(client.items('room/hall')).toEqual([])
  expect(await client.subscribe('room/hall')).toMatchObject({ error: { code: 'forbidden' } })
})

test('keeps a socket whose rights could not be read', async () => {
  let failures = 0
  const client = stand.connect({
    renew: async (actor) => {
      if (failures++ === 0) throw new Error('the database is away')
      return actor
    },
  })
  await stand.until(() => client.ticks.length > 1, 1000)
  expect(client.closed).toBeNull()
})

test.each([unavailable('the database is away'), new Error('timed out')])(
  'keeps a topic whose access could not be read: %s',
  async (error) => {
    const client = stand.connect()
    await client.subscribe('room/hall')
    stand.closed.set('hall', error)
    await stand.until(() => client.ticks.length > 2, 1000)
    await stand.change('a', 'one')
    await stand.until(() => client.items('room/hall').length === 1)
    expect(client.frames.filter((frame) => frame.error)).toEqual([])
  },
)

test('ticks while rights are being read', async () => {
  let answer = () => undefined as void
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const client = stand.connect({ renew: async (actor) => answered.then(() => actor) })
  await stand.until(() => client.ticks.length > 2, 1000)
  answer()
})

test('ticks without a position while a frame is not answered', async () => {
  const client = stand.connect()
  await client.subscribe('things')
  await stand.until(() => client.ticks.at(-1)?.seq, 1000)
  let open = () => undefined as void
  stand.opening = new Promise((resolve) => (open = resolve))
  client.say({ subscribe: true, topic: 'room/hall' })
  const from = client.ticks.length
  await stand.until(() => client.ticks.length > from + 1, 1000)
  expect(client.ticks.at(-1)).toMatchObject({ seq: null })
  open()
  await stand.until(() => client.ticks.at(-1).seq, 1000)
})
