import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startRooms, type RoomStand } from './stand.ts'

const AGENT = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'

onEachDatabase((database) => {
  let stand: RoomStand
  beforeAll(async () => void (stand = await startRooms(database.url)))
  afterAll(() => stand.close())

  const ask: RoomStand['ask'] = (...asked) => stand.ask(...asked)

  test('creates a room with the documented fields and its creator as admin', async () => {
    const made = await stand.room('lobby', { topic: 'Hello' })
    expect(made).toEqual({
      id: expect.any(String),
      name: 'lobby',
      topic: 'Hello',
      description: null,
      room_type: 'group',
      created_by: 'mira',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await ask('GET /rooms/lobby')).body).toEqual(made)
    expect((await ask(`GET /rooms/${made.id}/participants`)).body).toMatchObject([
      { room_id: made.id, identifier: 'mira', kind: 'human', display_name: 'mira', role: 'admin' },
    ])
    expect((await ask('GET /participants/mira/rooms')).body).toContainEqual({ ...made, unread: 0 })
  })

  test('makes an agent admin of the room it creates', async () => {
    await stand.room('of-agent', { created_by: AGENT })
    expect((await ask(`GET /rooms/of-agent/participants/${AGENT}`)).body).toMatchObject({
      kind: 'agent',
      role: 'admin',
    })
  })

  test('rejects a duplicate name on create and rename', async () => {
    await stand.room('once')
    await stand.room('other')
    const again = await ask('POST /rooms', { name: 'once', created_by: 'ben' })
    expect([again.status, again.body.code]).toEqual([409, 'name-taken'])
    expect((await ask('PATCH /rooms/other', { name: 'once' })).status).toBe(409)
  })

  test.each([
    ['no name', { name: '' }],
    ['an id as name', { name: AGENT }],
    ['a name that begins with a dot', { name: '.lobby' }],
    ['a name with a slash', { name: 'a/b' }],
    ['an unknown type', { room_type: 'secret' }],
    ['a topic above the limit', { topic: 'x'.repeat(257) }],
  ])('rejects %s', async (_what, wrong) => {
    expect((await ask('POST /rooms', { name: 'fine', created_by: 'mira', ...wrong })).status).toBe(400)
  })

  test('lists rooms by type', async () => {
    await stand.room('news', { room_type: 'broadcast' })
    const { body } = await ask<{ name: string }[]>('GET /rooms?room_type=broadcast')
    expect(body.map(({ name }) => name)).toEqual(['news'])
  })

  test('refuses a third participant of a direct room', async () => {
    await stand.room('talk', { room_type: 'direct' }, { ben: 'member' })
    const third = await ask('POST /rooms/talk/participants', { identifier: 'zoe', kind: 'human' })
    expect([third.status, third.body.detail]).toEqual([409, expect.stringContaining('already has 2 participants')])
    expect((await ask('GET /rooms/talk/participants')).body).toHaveLength(2)
  })

  test('refuses to make a room with three participants direct', async () => {
    await stand.room('three', {}, { ben: 'member', zoe: 'member' })
    expect((await ask('PATCH /rooms/three', { room_type: 'direct' })).status).toBe(409)
    await ask('DELETE /rooms/three/participants/zoe')
    expect((await ask('PATCH /rooms/three', { room_type: 'direct' })).body).toMatchObject({ room_type: 'direct' })
  })

  test('admits one of several concurrent joins to a direct room', async () => {
    await stand.room('race', { room_type: 'direct' })
    const join = (identifier: string) => ask('POST /rooms/race/participants', { identifier, kind: 'human' })
    const answers = await Promise.all(['ben', 'zoe', 'kim'].map(join))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  test('rejects a participant who is already in the room', async () => {
    await stand.room('twice', {}, { ben: 'member' })
    const again = await ask('POST /rooms/twice/participants', { identifier: 'ben', kind: 'human', role: 'admin' })
    expect(again.status).toBe(409)
    expect((await ask('GET /rooms/twice/participants/ben')).body).toMatchObject({ role: 'member' })
  })

  describe('a caller who is not admin', () => {
    beforeAll(async () => void (await stand.room('guarded', {}, { ben: 'member', zoe: 'observer' })))

    test.each(['ben', 'zoe', 'stranger', 'anonymous'])(
      'gets 403 for changes of the room or its participants: %s',
      async (who) => {
        const asked = [
          ask('POST /rooms/guarded/participants', { identifier: 'kim', kind: 'human' }, who),
          ask('PATCH /rooms/guarded/participants/ben', { role: 'admin' }, who),
          ask('DELETE /rooms/guarded/participants/mira', undefined, who),
          ask('PATCH /rooms/guarded', { topic: 'mine' }, who),
          ask('DELETE /rooms/guarded', undefined, who),
        ]
        expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
        expect((await ask('GET /rooms/guarded/participants')).body).toHaveLength(3)
      },
    )

    test('leaves the room', async () => {
      expect((await ask('DELETE /rooms/guarded/participants/zoe', undefined, 'zoe')).status).toBe(204)
    })
  })

  test('lets an admin manage only their own room', async () => {
    await stand.room('mine')
    await stand.room('theirs', { created_by: 'ben' })
    const kim = { identifier: 'kim', kind: 'human' }
    expect((await ask('POST /rooms/mine/participants', kim, 'mira')).status).toBe(201)
    expect((await ask('PATCH /rooms/mine/participants/kim', { role: 'admin' }, 'mira')).body).toMatchObject({
      role: 'admin',
    })
    expect((await ask('POST /rooms/theirs/participants', kim, 'mira')).status).toBe(403)
  })

  test('deletes a room with its participants and messages', async () => {
    const { id } = await stand.room('brief', {}, { ben: 'member' })
    const messages = await Promise.all(Array.from({ length: 12 }, (_each, at) => stand.post('brief', 'ben', `m${at}`)))
    expect((await ask('DELETE /rooms/brief', undefined, 'mira')).status).toBe(204)
    const asked = [`GET /rooms/${id}`, `GET /rooms/${id}/messages`, `GET /messages/${messages[0]!.id}`]
    expect(await Promise.all(asked.map(async (each) => (await ask(each)).status))).toEqual([404, 404, 404])
    expect((await ask('GET /participants/ben/rooms')).body).not.toContainEqual(expect.objectContaining({ id }))
    await eventually(async () => (await stand.db('communicate_messages').where({ room_id: id })).length === 0)
    expect(await stand.db('communicate_participants').where({ room_id: id })).toEqual([])
  })

  test('audits every change with field and actor', async () => {
    const { id } = await stand.room('audited')
    await ask('PATCH /rooms/audited', { topic: 'New' }, 'mira')
    await ask('POST /rooms/audited/participants', { identifier: 'ben', kind: 'human' }, 'mira')
    await ask('PATCH /rooms/audited/participants/ben', { role: 'observer' }, 'mira')
    const rows = await stand.db('communicate_audit').where({ resource_id: id, actor: 'mira' }).orderBy('seq')
    expect(rows.map(({ field }) => field)).toEqual(['topic', 'participants[ben]', 'participants[ben].role'])
  })
})
