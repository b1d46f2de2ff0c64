import { beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { noLog, type Log } from '../../../../platform/core/log/log.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { createThings, LiveStand } from './stand.ts'

const numberOf = (seq: string | null): number => Number(seq!.split(':')[1])

onEachDatabase((database) => {
  let stand: LiveStand
  let errors: string[]

  beforeAll(() => createThings(database.db))
  beforeEach(async () => {
    await database.db('sample_things').delete()
    errors = []
    const error = (...[facts]: unknown[]) => void errors.push((facts as { err: Error }).err.message)
    const log: Log = { ...noLog, error, child: () => log } as Log
    stand = new LiveStand(database.db, log)
    await stand.record()
  })
  afterEach(() => stand.feed.stop())

  test('sends each change once, in order, with the current record', async () => {
    const client = stand.connect()
    expect(await client.subscribe('things')).toEqual({
      topic: 'things',
      seq: expect.stringMatching(/^[0-9a-f]{12}:\d+:\d+$/),
    })
    await stand.change('a', 'one')
    await stand.change('b', 'two')
    await stand.until(() => client.items().length === 2)
    await stand.change('a', 'three')
    await database.db('sample_things').where({ id: 'b' }).delete()
    await stand.until(() => client.items().length === 4)
    expect(client.items().map(({ id, item }) => [id, item])).toEqual([
      ['a', { id: 'a', name: 'one' }],
      ['b', { id: 'b', name: 'two' }],
      ['a', { id: 'a', name: 'three' }],
      ['b', null],
    ])
    const numbers = client.items().map(({ seq }) => numberOf(seq))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    expect(new Set(numbers).size).toBe(4)
  })

  test('joins changes within 50 ms, and reads a record once', async () => {
    const [one, other] = [stand.connect(), stand.connect()]
    await one.subscribe('things')
    await other.subscribe('things')
    await stand.settle()
    for (const name of ['one', 'two', 'three']) await stand.change('a', name)
    await stand.until(() => other.items().length === 3)
    expect(one.frames.filter(({ items }) => items)).toHaveLength(1)
    expect(one.items().map(({ item }) => item)).toEqual(Array.from({ length: 3 }, () => ({ id: 'a', name: 'three' })))
    expect(stand.reads).toBe(1)
  })

  test('sends a topic with an id only its own changes', async () => {
    const client = stand.connect()
    await client.subscribe('room/hall')
    await client.subscribe('room/attic')
    await stand.change('a', 'one')
    await stand.until(() => client.items('room/hall').length === 1)
    expect(client.items('room/attic')).toEqual([])
  })

  test('cuts large items into several frames', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    for (const id of ['a', 'b', 'c', 'd', 'e']) await stand.change(id, id.repeat(100_000))
    await stand.until(() => client.items().length === 5)
    const frames = client.frames.filter(({ items }) => items)
    expect(frames.length).toBeGreaterThan(2)
    expect(Math.max(...frames.map((frame) => JSON.stringify(frame).length))).toBeLessThan(300_000)
  })

  const many = async (from: number, upTo: number) => {
    for (let at = from; at < upTo; at += 100) {
      const rows = Array.from({ length: 100 }, (_, index) => ({ id: `t${at + index}` }))
      await database.db('sample_things').insert(rows)
    }
  }
  const ids = (upTo: number) => Array.from({ length: upTo }, (_, at) => `t${at}`)

  test('resumes after a position while changes go on', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await many(0, 200)
    await stand.until(() => client.ids.length === 200)
    client.session.end()
    await many(200, 1300)
    const next = stand.connect()
    await next.subscribe('things', client.last())
    const others = many(1300, 1600)
    await stand.until(() => next.ids.length >= 1400)
    await others
    expect([...client.ids, ...next.ids]).toEqual(ids(1600))
  })

  test('resumes at another daemon on the database', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await many(0, 100)
    await stand.until(() => client.ids.length > 0)
    await stand.restart()
    await many(100, 300)
    const next = stand.connect()
    await next.subscribe('things', client.last())
    await stand.until(() => client.ids.length + next.ids.length >= 300)
    expect([...client.ids, ...next.ids]).toEqual(ids(300))
  })

  test('sends the position of all topics with a tick', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await many(0, 100)
    await stand.until(() => client.ids.length === 100)
    await stand.settle()
    const from = client.ticks.length
    await stand.until(() => client.ticks.length > from, 1000)
    const { epoch, last } = await stand.rows.state()
    expect(client.ticks.at(-1)).toMatchObject({ tick: from + 1, seq: `${epoch}:${last.seq}:${last.at}` })
  })

  test('reports a position that it cannot continue as gone', async () => {
    const client = stand.connect()
    const { seq } = await client.subscribe('things')
    const [epoch] = seq.split(':')
    await stand.change('a', 'one')
    await stand.until(() => client.ids.length === 1)
    const { seq: number, at } = (await stand.rows.state()).last
    await database.db('gateway_change_log').update({ trimmed: number })
    const gone = { topic: 'things', gone: true }
    for (const position of [seq, `${epoch}:${number + 1}:${at}`, `000000000000:${number}:${at}`, '000000000000:0:0'])
      expect(await stand.connect().subscribe('things', position)).toEqual(gone)
    const last = `${epoch}:${number}:${at}`
    expect(await stand.connect().subscribe('things', last)).toEqual({ topic: 'things', seq: last })
  })

  test('continues no position whose change a restored backup lacks', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await stand.change('a', 'one')
    await stand.change('b', 'lost')
    await stand.until(() => client.ids.length === 2)
    const [before, lost] = client.items().map(({ seq }) => seq)
    // The backup was made between the two changes; its next change has the number of the lost one.
    await database
      .db('gateway_changes')
      .where({ seq: numberOf(lost!) })
      .update({ id: 'c', at: database.db.raw('at + 60') })
    expect(await stand.connect().subscribe('things', lost)).toEqual({ topic: 'things', gone: true })
    const next = stand.connect()
    expect(await next.subscribe('things', before)).toEqual({ topic: 'things', seq: before })
    await stand.until(() => next.ids.length === 1)
    expect(next.ids).toEqual(['c'])
  })

  test('reports changes that were deleted before they were sent as gone', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await stand.settle()
    await stand.change('a', 'one')
    const { last } = (await database.db('gateway_changes').max('seq as last').first())!
    await database.db('gateway_changes').delete()
    await database.db('gateway_change_log').update({ trimmed: last })
    await stand.change('b', 'two')
    await stand.until(() => client.frames.some(({ gone }) => gone))
    expect(client.ids).toEqual([])
  })

  test('loses only the topic whose records cannot be read', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await client.subscribe('room/hall')
    await stand.settle()
    stand.broken.set('things', new Error('things is broken'))
    await stand.change('a', 'one')
    await stand.until(() => client.items('room/hall').length === 1)
    expect(client.frames).toContainEqual({ topic: 'things', gone: true })
    expect(errors).toEqual(['things is broken'])
    stand.broken.clear()
    await client.subscribe('things')
    await stand.change('b', 'two')
    await stand.until(() => client.ids.length === 1)
  })

  test('sends changes outside the database without a number', async () => {
    const client = stand.connect()
    await stand.change('a', 'one')
    await client.subscribe('things')
    await stand.settle()
    stand.touch('a')
    await stand.until(() => client.items().length === 1)
    expect(client.items()).toEqual([{ seq: null, id: 'a', item: { id: 'a', name: 'one' } }])
  })

  test('sends changes outside the database again to a client that resumes', async () => {
    const { epoch } = await stand.rows.state()
    await database.db('sample_things').insert({ id: 'a', name: 'one' })
    stand.touch('a')
    await database.db('gateway_change_log').update({ trimmed: 0 })
    const client = stand.connect()
    expect(await client.subscribe('things', `${epoch}:0:0`)).toMatchObject({ seq: `${epoch}:0:0` })
    await stand.until(() => client.items().some(({ seq }) => seq === null))
    expect(client.items().filter(({ seq }) => seq === null)).toEqual([
      { seq: null, id: 'a', item: { id: 'a', name: 'one' } },
    ])
  })

  test('sends figures when they are new', async () => {
    const client = stand.connect()
    stand.figures = { load: 1 }
    await client.subscribe('figures')
    const sent = () => client.items('figures').map(({ seq, item }) => [seq, item])
    expect(sent()).toEqual([[null, { load: 1 }]])
    const tick = async () => {
      const from = client.ticks.length
      await stand.until(() => client.ticks.length > from, 1000)
    }
    await tick()
    expect(sent()).toHaveLength(1)
    stand.figures = { load: 2 }
    await tick()
    expect(sent()).toEqual([
      [null, { load: 1 }],
      [null, { load: 2 }],
    ])
  })

  test('ticks while figures cannot be read', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    client.say({ subscribe: true, topic: 'figures' })
    stand.broken.set('figures', new Error('no figures'))
    await stand.until(() => client.ticks.length > 1, 1000)
    expect(new Set(errors)).toEqual(new Set(['no figures']))
    stand.broken.clear()
    stand.figures = { load: 1 }
    await stand.until(() => client.items('figures').length === 1)
  })

  test('stops reading the database when nobody subscribes', async () => {
    const client = stand.connect()
    await client.subscribe('things')
    await stand.settle()
    client.session.end()
    await stand.settle()
    await stand.change('a', 'one')
    const timers = stand.clock.pending
    await stand.settle()
    expect([stand.reads, stand.clock.pending, stand.feed.readers]).toEqual([0, timers, 0])
    expect(client.items()).toEqual([])
  })
})
