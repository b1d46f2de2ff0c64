import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startRooms, type RoomStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: RoomStand
  beforeAll(async () => void (stand = await startRooms(database.url)))
  afterAll(() => stand.close())

  const subscribed = async (who: string, room: string, more: object = {}) => {
    const visit = await stand.visit(who)
    visit.send({ type: 'subscribe', room_id: room, ...more })
    await visit.next('subscribed')
    return visit
  }

  test('delivers a message to all subscribers and acknowledges it once stored', async () => {
    const { id } = await stand.room('live', {}, { ben: 'member', zoe: 'observer' })
    const [mira, ben, zoe] = [
      await subscribed('mira', 'live'),
      await subscribed('ben', 'live'),
      await subscribed('zoe', 'live'),
    ]
    ben.send({ type: 'send', room_id: 'live', content: 'Hello', metadata: { a: 1 }, ref: 'r1' })
    const { message, ref } = await ben.next('sent')
    expect([ref, message]).toEqual(['r1', expect.objectContaining({ sender_id: 'ben', metadata: { a: 1 } })])
    for (const each of [mira, ben, zoe])
      expect(await each.next('message')).toEqual({ type: 'message', room_id: id, message })
    expect(await stand.db('communicate_messages').where({ id: message.id })).toHaveLength(1)
  })

  test('delivers each message once despite repeated subscriptions', async () => {
    await stand.room('often')
    const mira = await subscribed('mira', 'often')
    for (let at = 0; at < 20; at++) mira.send({ type: 'subscribe', room_id: 'often' })
    await eventually(() => mira.frames.filter(({ type }) => type === 'subscribed').length === 21)
    await stand.post('often', 'mira', 'Once')
    await stand.post('often', 'mira', 'Last')
    await mira.next('message', ({ message }) => message.content === 'Last')
    expect(mira.contents()).toEqual(['Once', 'Last'])
  })

  test('delivers concurrent messages in the same order to all', async () => {
    const senders = Array.from({ length: 6 }, (_each, at) => `s${at}`)
    await stand.room('order', {}, Object.fromEntries(senders.map((name) => [name, 'member' as const])))
    const visits = await Promise.all(senders.map((name) => subscribed(name, 'order')))
    for (const [at, visit] of visits.entries())
      for (let each = 0; each < 20; each++) visit.send({ type: 'send', room_id: 'order', content: `s${at} ${each}` })
    await eventually(() => visits.every((visit) => visit.contents().length === 120))
    const [first, ...others] = visits.map((visit) => visit.contents())
    for (const other of others) expect(other).toEqual(first)
    const { body } = await stand.ask('GET /rooms/order/messages')
    expect(first).toEqual(body.map(({ content }: { content: string }) => content))
  })

  test('sends missed messages first, each once, to a subscriber with after', async () => {
    await stand.room('back', {}, { ben: 'member' })
    const first = await stand.post('back', 'mira', 'm0')
    const mira = await stand.visit('mira')
    for (let at = 1; at <= 450; at++) mira.send({ type: 'send', room_id: 'back', content: `m${at}` })
    await mira.next('sent', ({ message }) => message.content === 'm450')
    const ben = await stand.visit('ben')
    ben.send({ type: 'subscribe', room_id: 'back', after: first.id })
    for (let at = 451; at <= 470; at++) await stand.post('back', 'mira', `m${at}`)
    await eventually(() => ben.contents().includes('m470'))
    expect(ben.contents()).toEqual(Array.from({ length: 470 }, (_each, at) => `m${at + 1}`))
  }, 30_000)

  test('misses no message sent during a reconnect', async () => {
    await stand.room('meanwhile', {}, { ben: 'member' })
    let { id: after } = await stand.post('meanwhile', 'mira', 'first')
    for (let round = 0; round < 60; round++) {
      const ben = await stand.visit('ben')
      ben.send({ type: 'subscribe', room_id: 'meanwhile', after })
      await sleep(round % 6)
      const { id } = await stand.post('meanwhile', 'mira', `m${round}`)
      await eventually(() => ben.contents().includes(`m${round}`))
      ben.socket.terminate()
      after = id
    }
  })

  describe('permissions', () => {
    beforeAll(async () => {
      await stand.room('ruled', {}, { ben: 'member', zoe: 'observer' })
      await stand.room('news', { room_type: 'broadcast' }, { ben: 'member' })
      await stand.room('two', { room_type: 'direct' }, { ben: 'member' })
    })

    test.each([
      ['an observer', 'zoe', 'ruled'],
      ['a member of a broadcast room', 'ben', 'news'],
      ['a stranger', 'stranger', 'ruled'],
      ['a third party of a direct room', 'zoe', 'two'],
    ])('refuses a message from %s', async (_who, name, room) => {
      const visit = await stand.visit(name)
      visit.send({ type: 'send', room_id: room, content: 'Me too', ref: 'x' })
      expect(await visit.next('error')).toMatchObject({ code: 'forbidden', ref: 'x' })
      expect((await stand.ask(`GET /rooms/${room}/messages`)).body).toEqual([])
    })

    test.each([
      ['a stranger', 'stranger', 'ruled'],
      ['a third party of a direct room', 'zoe', 'two'],
    ])('refuses a subscription and typing notices of %s', async (_who, name, room) => {
      const visit = await stand.visit(name)
      for (const type of ['subscribe', 'typing']) visit.send({ type, room_id: room, ref: type })
      await visit.next('error', ({ ref }) => ref === 'subscribe')
      await visit.next('error', ({ ref }) => ref === 'typing')
      expect(visit.frames.map(({ type }) => type)).toEqual(['error', 'error'])
    })

    test('unsubscribes a participant who is removed', async () => {
      await stand.room('left', {}, { ben: 'member' })
      const [mira, ben] = [await subscribed('mira', 'left'), await subscribed('ben', 'left')]
      await stand.ask('DELETE /rooms/left/participants/ben', undefined, 'mira')
      expect(await ben.next('unsubscribed')).toMatchObject({ reason: 'you are no longer in the room' })
      expect(await mira.next('participant_event')).toMatchObject({
        event: 'left',
        by: 'mira',
        participant: { identifier: 'ben' },
      })
      await stand.post('left', 'mira', 'Now that he is gone')
      await mira.next('message')
      expect(ben.contents()).toEqual([])
    })

    test('unsubscribes everyone from a deleted room', async () => {
      await stand.room('ended', {}, { ben: 'member' })
      const ben = await subscribed('ben', 'ended')
      await stand.ask('DELETE /rooms/ended')
      expect(await ben.next('unsubscribed')).toMatchObject({ reason: 'the room was deleted' })
    })

    test('refuses a socket of an agent under another name', async () => {
      const other = stand.visit('mira', { 'x-svc-agent': randomUUID() })
      await expect(other).rejects.toThrow('403')
    })
  })

  test('reports delivered and read status to the sender', async () => {
    const { id } = await stand.room('status', {}, { ben: 'member' })
    const mira = await subscribed('mira', 'status')
    const { id: message_id } = await stand.post('status', 'mira', 'There?')
    const ben = await subscribed('ben', 'status', { after: undefined })
    const { id: second } = await stand.post('status', 'mira', 'Now?')
    const expected = { type: 'message_status', room_id: id, message_id: second, by: 'ben' }
    expect(await mira.next('message_status')).toEqual({ ...expected, status: 'delivered' })
    expect((await stand.ask(`GET /messages/${message_id}`)).body).toMatchObject({ status: 'sent' })
    ben.send({ type: 'read', room_id: 'status', message_id: second })
    expect(await mira.next('message_status', ({ status }) => status === 'read')).toEqual({
      ...expected,
      status: 'read',
    })
    expect((await stand.ask(`GET /messages/${second}`)).body).toMatchObject({ status: 'read' })
  })

  test('sends typing to others without storing it', async () => {
    const { id } = await stand.room('typed', {}, { ben: 'member' })
    const [mira, ben] = [await subscribed('mira', 'typed'), await subscribed('ben', 'typed')]
    ben.send({ type: 'typing', room_id: 'typed' })
    expect(await mira.next('typing')).toEqual({ type: 'typing', room_id: id, identifier: 'ben', display_name: 'ben' })
    ben.send({ type: 'ping', ref: 'p' })
    expect(await ben.next('pong')).toEqual({ type: 'pong', ref: 'p' })
    expect(ben.frames.some(({ type }) => type === 'typing')).toBe(false)
  })

  test('lets the operator subscribe to any room', async () => {
    await stand.room('watched', { created_by: 'ben' })
    const operator = await subscribed('operator', 'watched')
    await stand.post('watched', 'ben', 'Seen')
    expect((await operator.next('message')).message).toMatchObject({ content: 'Seen', status: 'sent' })
    operator.send({ type: 'send', room_id: 'watched', content: 'Hi' })
    expect(await operator.next('error')).toMatchObject({ code: 'forbidden' })
  })

  describe('a hostile frame', () => {
    test.each([
      ['no JSON', '{"type":'],
      ['null', 'null'],
      ['a list', '[]'],
      ['no type', '{}'],
      ['an unknown type', '{"type": "subscrib"}'],
      ['a name from Object.prototype', '{"type": "constructor"}'],
      ['an unknown field', '{"type": "ping", "more": 1}'],
      ['__proto__', '{"type": "ping", "__proto__": {"polluted": true}}'],
      ['a missing field', '{"type": "send", "room_id": "hostile"}'],
      ['no content', '{"type": "send", "room_id": "hostile", "content": ""}'],
      ['too much content', JSON.stringify({ type: 'send', room_id: 'hostile', content: 'x'.repeat(100_000) })],
      [
        'a frame beyond the limit',
        JSON.stringify({ type: 'send', room_id: 'hostile', content: 'x'.repeat(1_100_000) }),
      ],
      ['NUL', '{"type": "send", "room_id": "hostile", "content": "a\\u0000b"}'],
      [
        'depth',
        `{"type": "send", "room_id": "hostile", "content": "x", "metadata": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      ],
      ['an unknown room', '{"type": "subscribe", "room_id": "nowhere"}'],
      ['a reply to nothing', `{"type": "send", "room_id": "hostile", "content": "x", "reply_to": "${randomUUID()}"}`],
    ])('gets an error and leaves the socket open: %s', async (_what, text) => {
      if ((await stand.ask('GET /rooms/hostile')).status === 404) await stand.room('hostile')
      const mira = await stand.visit('mira')
      mira.socket.send(text)
      expect(await mira.next('error')).toMatchObject({ code: expect.any(String), message: expect.any(String) })
      mira.send({ type: 'ping' })
      await mira.next('pong')
      expect({}).not.toHaveProperty('polluted')
      expect((await stand.ask('GET /rooms/hostile/messages')).body).toEqual([])
    })

    test('gets an error if it is binary', async () => {
      const mira = await stand.visit('mira')
      mira.socket.send(Buffer.from([0, 255, 1]))
      expect(await mira.next('error')).toMatchObject({ code: 'invalid-input' })
    })

    test('gets a suggestion for a misspelt type', async () => {
      const mira = await stand.visit('mira')
      mira.send({ type: 'subscrib', room_id: 'x', ref: 'r' })
      expect(await mira.next('error')).toMatchObject({ ref: 'r', message: expect.stringContaining('subscribe') })
    })
  })

  test('limits the subscriptions of one socket', async () => {
    const rows = Array.from({ length: 1001 }, (_each, at) => ({
      id: randomUUID(),
      name: `bulk-${at}`,
      room_type: 'group',
      created_by: 'mira',
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.000Z',
    }))
    for (let at = 0; at < rows.length; at += 50) await stand.db('communicate_rooms').insert(rows.slice(at, at + 50))
    const operator = await stand.visit('operator')
    for (const { id } of rows) operator.send({ type: 'subscribe', room_id: id })
    expect(await operator.next('error')).toMatchObject({ code: 'too-many-requests' })
    expect(operator.frames.filter(({ type }) => type === 'subscribed')).toHaveLength(1000)
    operator.send({ type: 'unsubscribe', room_id: rows[0]!.id })
    operator.send({ type: 'subscribe', room_id: rows[1000]!.id, ref: 'last' })
    await operator.next('subscribed', ({ ref }) => ref === 'last')
    operator.socket.terminate()
    await stand.db('communicate_rooms').where('name', 'like', 'bulk-%').delete()
  }, 60_000)

  test('refuses a socket without a valid identity', async () => {
    const at = stand.host.urls.communicate!.replace('http', 'ws')
    for (const query of ['', '?identifier=mira', '?identifier=mira&kind=robot&display_name=M']) {
      const socket = new WebSocket(`${at}/ws${query}`)
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(400)
      socket.on('error', () => undefined).terminate()
    }
  })

  test('closes a slow reader without affecting others', async () => {
    await stand.room('slow', {}, { ben: 'member', kim: 'member' })
    const [slow, quick] = [await subscribed('ben', 'slow'), await subscribed('kim', 'slow')]
    const raw = (slow.socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
    raw.pause()
    const content = 'x'.repeat(60_000)
    for (let at = 0; at < 400; at++) {
      await stand.post('slow', at % 2 ? 'mira' : 'kim', content)
      if (/reads too slowly/.test(JSON.stringify(slow.frames))) break
    }
    await eventually(() => quick.contents().length === 400)
    raw.resume()
    const [code] = slow.socket.readyState === slow.socket.CLOSED ? [1013] : await once(slow.socket, 'close')
    expect([1013, 1006]).toContain(code)
    expect(slow.contents().length).toBeLessThan(400)
    const last = slow.frames.findLast((frame) => frame.type === 'message')
    const after = last?.type === 'message' ? last.message.id : undefined
    const again = await subscribed('ben', 'slow', { after })
    await eventually(() => slow.contents().length + again.contents().length === 400)
  }, 120_000)
})
