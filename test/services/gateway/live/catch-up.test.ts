// Subscriptions that are behind: after a position, with a full buffer, or because records are unavailable.
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { unavailable } from '../../../../platform/core/problem.ts'
import { PartlyUnread } from '../../../../platform/store/live-topic.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { createThings, LiveStand } from './stand.ts'

onEachDatabase((database) => {
  let stand: LiveStand

  beforeAll(() => createThings(database.db))
  beforeEach(async () => {
    await database.db('sample_things').delete()
    stand = new LiveStand(database.db)
    await stand.record()
  })
  afterEach(() => stand.feed.stop())

  test('sends changes later whose records are unavailable at first', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await client.subscribe('room/hall')
    await stand.settle()
    stand.broken.set('things', unavailable('the service is down'))
    await stand.change('a', 'one')
    await stand.until(() => client.items('room/hall').length === 1)
    const late = stand.connect()
    await late.subscribe('things', client.last())
    await stand.change('b', 'two')
    await stand.until(() => client.ticks.at(-1)?.tick > 2, 1000)
    expect([client.ticks.at(-1).seq, client.ids]).toEqual([null, []])
    stand.broken.clear()
    await stand.until(() => client.ids.length === 2 && late.ids.length === 2)
    await stand.change('c', 'three')
    await stand.until(() => client.ids.length === 3 && late.ids.length === 3)
    expect([client.ids, late.ids]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
    expect([...client.frames, ...late.frames].filter(({ gone }) => gone)).toEqual([])
  })

  test('sends the records of a topic that can be read, and all of them later', async () => {
    const clients = [stand.connect(), stand.connect()]
    for (const client of clients) await client.subscribe('things')
    await stand.settle()
    stand.broken.set('things', new PartlyUnread('the service is down', new Map([['b', { id: 'b', name: 'two' }]])))
    await stand.change('a', 'one')
    await stand.change('b', 'two')
    const b = { seq: null, id: 'b', item: { id: 'b', name: 'two' } }
    for (const client of clients) {
      await stand.until(() => client.items().length > 0)
      expect(new Set(client.items().map((item) => JSON.stringify(item)))).toEqual(new Set([JSON.stringify(b)]))
    }
    stand.broken.clear()
    for (const client of clients) {
      const numbered = () => client.items().filter(({ seq }) => seq !== null)
      await stand.until(() => numbered().length === 2)
      expect(numbered().map(({ id }) => id)).toEqual(['a', 'b'])
    }
  })

  test('sends other topics while the records of one are not answered', async () => {
    stand.readWithinMs = 300
    await stand.restart()
    const client = stand.connect()
    await client.subscribe('things')
    await client.subscribe('room/hall')
    await stand.settle()
    stand.hanging.add('things')
    for (const id of ['a', 'b']) {
      await stand.change(id, 'one')
      await stand.until(() => client.items('room/hall').some((item) => item.id === id))
    }
    expect(client.ids).toEqual([])
    stand.hanging.clear()
    await stand.until(() => client.ids.length === 2)
    expect(client.ids).toEqual(['a', 'b'])
  })

  test('sends a client that buffers much no more of the past', async () => {
    const { seq } = await stand.connect().subscribe('things')
    const ids = Array.from({ length: 200 }, (_, at) => ({ id: `t${at}` }))
    await database.db('sample_things').insert(ids)
    const client = stand.connect()
    client.bufferedBytes = 2 * 1024 * 1024
    await client.subscribe('things', seq)
    await stand.settle()
    expect(client.ids).toEqual([])
    client.bufferedBytes = 0
    await stand.until(() => client.ids.length === 200)
  })

  test('stops to catch up when the buffer of the client is full', async () => {
    const { seq } = await stand.connect().subscribe('things')
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']
    for (const id of letters) await stand.change(id, id.repeat(200_000))
    const client = stand.connect()
    client.isSlow = true
    await client.subscribe('things', seq)
    await stand.until(() => client.session.isBusy)
    await stand.settle()
    expect(client.bufferedBytes).toBeLessThan(1_500_000)
    client.isSlow = false
    client.bufferedBytes = 0
    await stand.until(() => client.ids.length === letters.length)
    expect(client.ids).toEqual(letters)
  })

  test('sends changes outside the database once a subscription has caught up', async () => {
    await stand.change('a', 'one')
    const client = stand.connect()
    client.bufferedBytes = 2 * 1024 * 1024
    await client.subscribe('things')
    stand.touch('a')
    await stand.settle()
    expect(client.ids).toEqual([])
    client.bufferedBytes = 0
    await stand.until(() => client.ids.length === 1)
    await database.db('gateway_changes').insert({ topic: 'others', id: 'b' })
    await stand.settle()
    await database.db('gateway_change_log').update({ trimmed: (await stand.rows.state()).last.seq })
    stand.broken.set('things', unavailable('the service is down'))
    stand.touch('a')
    await stand.settle()
    stand.broken.clear()
    await stand.until(() => client.ids.length === 2)
    expect(client.items().map(({ seq }) => seq)).toEqual([null, null])
  })
})
