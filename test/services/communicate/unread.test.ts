import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../../../services/communicate/migrations.ts'
import type { RoomOfParticipant } from '../../../schemas/communicate/room.ts'
import { agent } from '../../support/command.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { startRooms, type RoomStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: RoomStand
  beforeAll(
    async () => void (stand = await startRooms(database.url, { env: { SVC_COMMUNICATE_SENDS_PER_SEC: '10000' } })),
  )
  afterAll(() => stand.close())

  const unread = async (identifier: string, room: string) => {
    const { body } = await stand.ask<RoomOfParticipant[]>(`GET /participants/${identifier}/rooms`)
    return body.find(({ name }) => name === room)?.unread
  }
  const read = (room: string, id: string, who: string) => stand.ask(`POST /rooms/${room}/read`, { message_id: id }, who)

  test('counts messages of others after the last one that was read', async () => {
    await stand.room('counted', {}, { ben: 'member', zoe: 'observer' })
    const [first, second] = [await stand.post('counted', 'mira', 'one'), await stand.post('counted', 'mira', 'two')]
    await stand.post('counted', 'ben', 'three')
    expect([await unread('mira', 'counted'), await unread('ben', 'counted'), await unread('zoe', 'counted')]).toEqual([
      1, 2, 3,
    ])
    expect((await read('counted', second.id, 'zoe')).status).toBe(200)
    expect(await unread('zoe', 'counted')).toBe(1)
    await read('counted', first.id, 'zoe')
    expect([await unread('zoe', 'counted'), await unread('ben', 'counted')]).toEqual([1, 2])
  })

  test('counts what a socket marks as read', async () => {
    await stand.room('socket', {}, { ben: 'member' })
    const message = await stand.post('socket', 'mira', 'hello')
    const visit = await stand.visit('ben')
    visit.send({ type: 'read', room_id: message.room_id, message_id: message.id })
    visit.send({ type: 'ping' })
    await visit.next('pong')
    expect(await unread('ben', 'socket')).toBe(0)
  })

  test('leaves out deleted messages, and those from before a participant joined', async () => {
    await stand.room('joined')
    await stand.post('joined', 'mira', 'before')
    await stand.ask('POST /rooms/joined/participants', { identifier: 'ben', kind: 'human' })
    expect(await unread('ben', 'joined')).toBe(0)
    const { id } = await stand.post('joined', 'mira', 'after')
    expect(await unread('ben', 'joined')).toBe(1)
    await stand.ask(`DELETE /messages/${id}`, undefined, 'mira')
    expect(await unread('ben', 'joined')).toBe(0)
    await stand.ask('DELETE /rooms/joined/participants/ben')
    await stand.post('joined', 'mira', 'while away')
    await stand.ask('POST /rooms/joined/participants', { identifier: 'ben', kind: 'human' })
    expect(await unread('ben', 'joined')).toBe(0)
  })

  test('stops counting at 100, which stands for more than 99', async () => {
    await stand.room('busy', {}, { ben: 'member' })
    for (let at = 0; at < 99; at++) await stand.post('busy', 'mira', `m${at}`)
    expect(await unread('ben', 'busy')).toBe(99)
    for (let at = 0; at < 3; at++) await stand.post('busy', 'mira', `n${at}`)
    expect(await unread('ben', 'busy')).toBe(100)
    const listed = await agent(['communicate', 'rooms-of', 'ben'], {
      env: { SVC_COMMUNICATE_URL: stand.host.urls.communicate!, NO_COLOR: '1' },
    })
    expect(listed.stdout).toMatch(/busy +99\+/)
  })

  test('reads at most the latest thousand messages of a room', async () => {
    const { id } = await stand.room('long', {}, { ben: 'member' })
    const { seq: _seq, ...first } = (await stand.db('communicate_messages').first('*'))!
    const rows = Array.from({ length: 1500 }, (_each, at) => ({
      ...first,
      id: `${at}`.padStart(36, '0'),
      room_id: id,
      number: at + 1,
      taken_back: 0,
      sender_id: at < 400 ? 'mira' : 'ben',
    }))
    await stand.db.batchInsert('communicate_messages', rows, 50)
    await stand.db('communicate_rooms').where({ id }).update({ posted: 1500 })
    expect([await unread('ben', 'long'), await unread('mira', 'long')]).toEqual([0, 100])
  })

  test('removes read positions with the room', async () => {
    const { id } = await stand.room('short', {}, { ben: 'member' })
    expect(await stand.db('communicate_reads').where({ room_id: id })).toHaveLength(2)
    await stand.ask('DELETE /rooms/short')
    expect(await stand.db('communicate_reads').where({ room_id: id })).toEqual([])
  })

  test('an update marks the messages of existing rooms as read', async () => {
    await stand.room('old', {}, { ben: 'member' })
    await stand.post('old', 'mira', 'before the update')
    await stand.db.schema.dropTable('communicate_reads')
    await migrations.steps.find(({ name }) => name === 'reads')!.up(stand.db)
    expect(await unread('ben', 'old')).toBe(0)
    await stand.post('old', 'mira', 'after the update')
    expect(await unread('ben', 'old')).toBe(1)
  })
})
