import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import type { Message, RoomLock } from '../../../schemas/communicate/message.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { startRooms, type RoomStand } from './stand.ts'

onEachDatabase((database) => {
  const clock = new TestClock()
  let stand: RoomStand
  beforeAll(async () => {
    stand = await startRooms(database.url, { clock, env: { SVC_COMMUNICATE_SENDS_PER_SEC: '20' } })
  })
  afterAll(() => stand.close())
  const ask: RoomStand['ask'] = (...asked) => stand.ask(...asked)
  const contents = async (path: string, who?: string) =>
    (await ask<Message[]>(`GET ${path}`, undefined, who)).body.map(({ content }) => content)

  test('returns a message with the documented fields', async () => {
    const room = await stand.room('said')
    const message = await stand.post('said', 'mira', 'Hello', { metadata: { mood: { good: true } } })
    expect(message).toEqual({
      id: expect.any(String),
      room_id: room.id,
      sender_id: 'mira',
      sender_name: 'mira',
      sender_kind: 'human',
      content: 'Hello',
      metadata: { mood: { good: true } },
      reply_to: null,
      status: 'sent',
      created_at: expect.stringMatching(/Z$/),
    })
    expect((await ask(`GET /messages/${message.id}`)).body).toEqual(message)
  })

  describe('permission to post', () => {
    beforeAll(async () => {
      await stand.room('open', {}, { ben: 'member', zoe: 'observer' })
      await stand.room('channel', { room_type: 'broadcast' }, { ben: 'member' })
      await stand.room('pair', { room_type: 'direct' }, { ben: 'member' })
    })

    test.each([
      ['an observer', 'open', 'zoe'],
      ['a stranger', 'open', 'stranger'],
      ['a member of a broadcast room', 'channel', 'ben'],
      ['a third party of a direct room', 'pair', 'zoe'],
    ])('is denied to %s', async (_who, room, sender_id) => {
      const before = await contents(`/rooms/${room}/messages`)
      const { status, body } = await ask(`POST /rooms/${room}/messages`, { sender_id, content: 'Me too' }, sender_id)
      expect([status, body.code]).toEqual([403, 'forbidden'])
      expect(await contents(`/rooms/${room}/messages`)).toEqual(before)
    })

    test.each([
      ['a member', 'open', 'ben'],
      ['an admin of a broadcast room', 'channel', 'mira'],
      ['one of the two of a direct room', 'pair', 'ben'],
    ])('is granted to %s', async (_who, room, sender) => {
      expect((await stand.post(room, sender, 'Yes')).sender_id).toBe(sender)
    })

    test('is lost when a member becomes an observer', async () => {
      await ask('PATCH /rooms/open/participants/ben', { role: 'observer' })
      expect((await ask('POST /rooms/open/messages', { sender_id: 'ben', content: 'x' })).status).toBe(403)
      await ask('PATCH /rooms/open/participants/ben', { role: 'member' })
    })
  })

  test('denies a stranger every way to read a room', async () => {
    await stand.room('closed', {}, { zoe: 'observer' })
    const { id } = await stand.post('closed', 'mira', 'Between us')
    const asked = ['/rooms/closed/messages', '/rooms/closed/messages/latest', `/messages/${id}`, '/rooms/closed/locks']
    for (const who of ['stranger', 'anonymous'])
      expect(await Promise.all(asked.map(async (path) => (await ask(`GET ${path}`, undefined, who)).status))).toEqual([
        403, 403, 403, 403,
      ])
    for (const path of asked) expect((await ask(`GET ${path}`, undefined, 'zoe')).status).toBe(200)
  })

  test.each([
    ['nothing', ''],
    ['whitespace', ' \n\t '],
    ['a number', 7],
    ['a text beyond the limit', 'x'.repeat(65_537)],
    ['NUL', 'a\0b'],
  ])('rejects %s as content', async (_what, content) => {
    await stand.room(`content-${randomUUID()}`)
    expect((await ask('POST /rooms/said/messages', { sender_id: 'mira', content })).status).toBe(400)
  })

  test('rejects metadata above the size limit and names the field', async () => {
    const { status, body } = await ask('POST /rooms/said/messages', {
      sender_id: 'mira',
      content: 'x',
      metadata: { long: 'x'.repeat(20_000) },
    })
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'metadata'])
  })

  test('accepts replies only to messages of the same room', async () => {
    await stand.room('thread')
    const first = await stand.post('thread', 'mira', 'Question')
    const elsewhere = await stand.post('said', 'mira', 'Elsewhere')
    expect((await stand.post('thread', 'mira', 'Answer', { reply_to: first.id })).reply_to).toBe(first.id)
    for (const reply_to of [elsewhere.id, randomUUID()]) {
      const { status, body } = await ask('POST /rooms/thread/messages', { sender_id: 'mira', content: 'x', reply_to })
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'reply_to'])
    }
  })

  test('stores a message once if resent under the same id', async () => {
    await stand.room('idempotent', {}, { ben: 'member' })
    const message_id = randomUUID()
    const said = await Promise.all(
      Array.from({ length: 4 }, () => stand.post('idempotent', 'mira', 'Once', { message_id })),
    )
    expect(new Set(said.map(({ id }) => id))).toEqual(new Set([message_id]))
    expect(await contents('/rooms/idempotent/messages')).toEqual(['Once'])
    const other = { sender_id: 'ben', content: 'Mine', message_id }
    expect((await ask('POST /rooms/idempotent/messages', other)).status).toBe(409)
  })

  describe('a long room', () => {
    let all: Message[]
    beforeAll(async () => {
      await stand.room('long')
      all = []
      for (let at = 0; at < 30; at++) {
        clock.tick(1000)
        all.push(await stand.post('long', 'mira', `m${at}`))
      }
    })
    const texts = (from: number, to: number) => Array.from({ length: to - from }, (_each, at) => `m${from + at}`)

    test('lists messages oldest first, all at once or in pages', async () => {
      expect(await contents('/rooms/long/messages')).toEqual(texts(0, 30))
      const { body } = await ask('GET /rooms/long/messages?limit=10&offset=25')
      expect([body.total, body.items.map(({ content }: Message) => content)]).toEqual([30, texts(25, 30)])
    })

    test('lists the messages between two ids', async () => {
      const span = `after=${all[9]!.id}&before=${all[20]!.id}`
      expect(await contents(`/rooms/long/messages?${span}`)).toEqual(texts(10, 20))
      const { body } = await ask(`GET /rooms/long/messages?${span}&limit=3&offset=2`)
      expect([body.total, body.items.map(({ content }: Message) => content)]).toEqual([10, texts(12, 15)])
    })

    test('lists the latest messages', async () => {
      expect(await contents('/rooms/long/messages/latest?count=3')).toEqual(texts(27, 30))
      expect(await contents('/rooms/long/messages/latest?count=0')).toEqual(['m29'])
    })

    test('rejects a position in another room', async () => {
      const { id } = await stand.post('said', 'mira', 'Elsewhere')
      for (const end of ['before', 'after'])
        expect((await ask(`GET /rooms/long/messages?${end}=${id}`)).status).toBe(400)
    })

    test('skips a deleted message, whose text is erased', async () => {
      expect((await ask(`DELETE /messages/${all[5]!.id}`, undefined, 'mira')).status).toBe(204)
      expect((await ask(`GET /messages/${all[5]!.id}`)).status).toBe(404)
      expect(await contents(`/rooms/long/messages?after=${all[5]!.id}&limit=200`).catch(() => null)).toBeNull()
      const { body } = await ask(`GET /rooms/long/messages?after=${all[3]!.id}&limit=3`)
      expect([body.total, body.items.map(({ content }: Message) => content)]).toEqual([25, ['m4', 'm6', 'm7']])
      const [row] = await stand.db('communicate_messages').where({ id: all[5]!.id })
      expect(row.content).toBe('')
    })
  })

  test('lets only the sender and admins delete a message', async () => {
    await stand.room('taken', {}, { ben: 'member', kim: 'member' })
    const [one, two] = [await stand.post('taken', 'ben', 'One'), await stand.post('taken', 'ben', 'Two')]
    expect((await ask(`DELETE /messages/${one.id}`, undefined, 'kim')).status).toBe(403)
    expect((await ask(`DELETE /messages/${one.id}`, undefined, 'ben')).status).toBe(204)
    expect((await ask(`DELETE /messages/${two.id}`, undefined, 'mira')).status).toBe(204)
  })

  test('marks a message read when another participant reads it', async () => {
    await stand.room('receipts', {}, { ben: 'member' })
    const { id } = await stand.post('receipts', 'mira', 'Read me')
    const read = (who: string) => ask('POST /rooms/receipts/read', { message_id: id }, who)
    expect((await read('mira')).body).toMatchObject({ status: 'sent' })
    expect((await read('stranger')).status).toBe(403)
    expect((await read('ben')).body).toMatchObject({ status: 'read' })
    const elsewhere = await stand.post('said', 'mira', 'Elsewhere')
    expect((await ask('POST /rooms/receipts/read', { message_id: elsewhere.id }, 'ben')).status).toBe(404)
  })

  describe('a lock', () => {
    const locks = async (room: string) => (await ask<RoomLock[]>(`GET /rooms/${room}/locks`)).body

    test('lasts from [LOCK] to the [UNLOCK] of its holder', async () => {
      await stand.room('locked', {}, { ben: 'member' })
      const { id } = await stand.post('locked', 'mira', '[LOCK] relabelling 12 issues')
      expect(await locks('locked')).toEqual([
        {
          holder: 'mira',
          holder_name: 'mira',
          purpose: 'relabelling 12 issues',
          message_id: id,
          since: expect.any(String),
          expires_at: expect.any(String),
        },
      ])
      await stand.post('locked', 'ben', '[UNLOCK] not mine')
      expect(await locks('locked')).toHaveLength(1)
      await stand.post('locked', 'mira', '[UNLOCK] done')
      expect(await locks('locked')).toEqual([])
    })

    test('is listed by age and keeps its start when renewed', async () => {
      await stand.room('two-locks', {}, { ben: 'member' })
      await stand.post('two-locks', 'mira', '[LOCK] first')
      clock.tick(1000)
      await stand.post('two-locks', 'ben', '[LOCK] second')
      const [before] = await locks('two-locks')
      clock.tick(1000)
      await stand.post('two-locks', 'mira', '[LOCK] still first')
      const [first, second] = await locks('two-locks')
      expect([first!.purpose, first!.since, second!.holder]).toEqual(['still first', before!.since, 'ben'])
      expect(first!.expires_at > before!.expires_at).toBe(true)
    })

    test('expires, and ends when its holder leaves', async () => {
      await stand.room('gone-locks', {}, { ben: 'member', kim: 'member' })
      await stand.post('gone-locks', 'ben', '[LOCK] a')
      await ask('DELETE /rooms/gone-locks/participants/ben')
      expect(await locks('gone-locks')).toEqual([])
      await stand.post('gone-locks', 'kim', '[LOCK] b')
      clock.tick(899_000)
      expect(await locks('gone-locks')).toHaveLength(1)
      clock.tick(1000)
      expect(await locks('gone-locks')).toEqual([])
    })

    test('is ignored inside a message and from senders without permission to post', async () => {
      await stand.room('no-locks', {}, { zoe: 'observer' })
      await stand.post('no-locks', 'mira', 'who has the [LOCK]?')
      await ask('POST /rooms/no-locks/messages', { sender_id: 'zoe', content: '[LOCK] x' })
      expect(await locks('no-locks')).toEqual([])
    })
  })

  test('refuses the flood of one sender without affecting others', async () => {
    await stand.room('flooded', {}, { ben: 'member', kim: 'member' })
    clock.tick(60_000)
    const flood = await Promise.all(
      Array.from({ length: 60 }, (_each, at) =>
        ask('POST /rooms/flooded/messages', { sender_id: 'ben', content: `f${at}` }),
      ),
    )
    const refused = flood.filter(({ status }) => status === 429)
    expect([flood.filter(({ status }) => status === 201).length, refused.length]).toEqual([40, 20])
    expect(refused[0]!.body).toMatchObject({ code: 'limit-reached' })
    await stand.post('flooded', 'kim', 'I am heard')
    expect((await ask('GET /rooms/flooded/messages?limit=1')).body.total).toBe(41)
    clock.tick(1000)
    await stand.post('flooded', 'ben', 'So am I, again')
  })

  test('refuses a socket flood frame by frame without delaying others', async () => {
    await stand.room('flooded-live', {}, { pat: 'member', kim: 'member' })
    clock.tick(60_000)
    const [pat, kim] = [await stand.visit('pat'), await stand.visit('kim')]
    for (let at = 0; at < 60; at++)
      pat.send({ type: 'send', room_id: 'flooded-live', content: `f${at}`, ref: String(at) })
    kim.send({ type: 'send', room_id: 'flooded-live', content: 'I am heard', ref: 'k' })
    await kim.next('sent', ({ ref }) => ref === 'k')
    expect(await pat.next('error', ({ ref }) => ref === '59')).toMatchObject({ code: 'limit-reached' })
    expect(pat.frames.filter(({ type }) => type === 'sent')).toHaveLength(40)
    expect(pat.frames.filter(({ type }) => type === 'error')).toHaveLength(20)
    pat.send({ type: 'ping', ref: 'p' })
    await pat.next('pong')
  })

  test('numbers concurrent messages without gaps', async () => {
    const senders = Array.from({ length: 8 }, (_each, at) => `s${at}`)
    const { id } = await stand.room('many', {}, Object.fromEntries(senders.map((name) => [name, 'member' as const])))
    await Promise.all(
      senders.map(async (name) => {
        for (let at = 0; at < 5; at++) await stand.post('many', name, `${name} ${at}`)
      }),
    )
    const rows = await stand.db('communicate_messages').where({ room_id: id }).orderBy('number')
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_each, at) => at + 1))
    for (const name of senders) {
      const own = rows.filter(({ sender_id }) => sender_id === name).map(({ content }) => content)
      expect(own).toEqual(Array.from({ length: 5 }, (_each, at) => `${name} ${at}`))
    }
  })
})
