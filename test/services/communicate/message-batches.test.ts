// Concurrent messages share a transaction, but each sender gets its own result.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { startRooms, type RoomStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: RoomStand
  beforeAll(async () => void (stand = await startRooms(database.url)))
  afterAll(() => stand.close())

  const subscribed = async (who: string, room: string) => {
    const visit = await stand.visit(who)
    visit.send({ type: 'subscribe', room_id: room })
    await visit.next('subscribed')
    return visit
  }

  test('stores a batch without its refused messages and answers in order', async () => {
    const { id } = await stand.room('together', {}, { ben: 'member', zoe: 'observer' })
    await stand.room('elsewhere')
    const { id: first } = await stand.post('together', 'mira', 'First')
    const other = await stand.post('elsewhere', 'mira', 'Other')
    const [ben, zoe] = [await subscribed('ben', 'together'), await subscribed('zoe', 'together')]
    const message_id = randomUUID()
    const said: object[] = [
      { content: 'a', reply_to: first },
      { content: 'b', reply_to: other.id },
      { content: 'c', message_id },
      { content: 'c', message_id },
      { content: 'd', message_id: first },
      { content: '' },
      { content: '[LOCK] e' },
    ]
    for (const [at, more] of said.entries()) ben.send({ type: 'send', room_id: 'together', ref: String(at), ...more })
    zoe.send({ type: 'send', room_id: 'together', content: 'f', ref: 'z' })
    ben.send({ type: 'ping', ref: 'last' })
    await ben.next('pong')
    expect(await zoe.next('error')).toMatchObject({ code: 'forbidden', ref: 'z' })
    const answers = ben.frames.flatMap((frame) => {
      if (frame.type === 'sent') return [`${frame.ref} sent`]
      if (frame.type === 'error') return [`${frame.ref} ${frame.code}`]
      return frame.type === 'pong' ? ['pong'] : []
    })
    const refused = ['1 invalid-input', '4 conflict', '5 invalid-input']
    expect(answers).toEqual(['0 sent', refused[0], '2 sent', '3 sent', refused[1], refused[2], '6 sent', 'pong'])
    await zoe.next('message', ({ message }) => message.content === '[LOCK] e')
    expect(zoe.contents()).toEqual(['a', 'c', '[LOCK] e'])
    const rows = await stand.db('communicate_messages').where({ room_id: id }).orderBy('number')
    expect(rows.map(({ number, content }) => `${number} ${content}`)).toEqual(['1 First', '2 a', '3 c', '4 [LOCK] e'])
    const audited = await stand.db('communicate_audit').whereIn(
      'resource_id',
      rows.map((row) => row.id),
    )
    expect(audited).toHaveLength(4)
    expect((await stand.ask('GET /rooms/together/locks')).body).toMatchObject([{ holder: 'ben', purpose: 'e' }])
  })
})
