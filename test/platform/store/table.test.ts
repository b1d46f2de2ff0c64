import { beforeAll, beforeEach, expect, expectTypeOf, test } from 'vitest'
import { migrate, write } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { Secret } from '../../../schemas/secret.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { migrations, note, notesOf, type NoteRow as Row, type Notes } from './notes.ts'

onEachDatabase((database) => {
  let notes: Notes
  beforeAll(() => migrate(database.db, migrations))
  beforeEach(async () => {
    notes = notesOf(database.db)
    await database.db('notes_notes').delete()
  })

  test('reads a row as it was written, with every field shape', async () => {
    const given = note({
      muted: false,
      urgent: true,
      extra: { deep: [1, null, { a: 'b' }] },
      anything: [1, 'two', null],
      closed_at: '2030-01-02T00:00:00.000Z',
      comment: 'fine',
      password: new Secret('pw'),
    })
    const inserted = await notes.insert(given)
    const { channel, password, ...plain } = await notes.get(given.id)
    const { channel: _channel, password: _password, ...wanted } = given
    expect(plain).toEqual({ ...wanted, attempt: 1 })
    expect([channel.url, channel.token.reveal(), password?.reveal()]).toEqual(['https://x', 'hunter2', 'pw'])
    expect(inserted.channel.token.reveal()).toBe('hunter2')
    expect({ ...inserted, channel: null, password: null }).toEqual({ ...plain, channel: null, password: null })
  })

  test('stores omitted fields as null, absent or default', async () => {
    const { id } = await notes.insert(note())
    const row = await notes.get(id)
    expect(row).toMatchObject({ muted: null, extra: null, closed_at: null, password: null, attempt: 1, urgent: false })
    expect('comment' in row).toBe(false)
  })

  test('stores null as JSON, or as NULL in a nullable field', async () => {
    const { id } = await notes.insert(note())
    expect(await database.db('notes_notes').where({ id }).first()).toMatchObject({ anything: 'null', extra: null })
  })

  test('seals a secret in the table and masks it in the record', async () => {
    const row = await notes.insert(note({ password: new Secret('hunter2') }))
    expect(JSON.stringify(await database.db('notes_notes').first())).not.toContain('hunter2')
    const record = notes.record(row)
    expect(record).toMatchObject({ id: row.id, channel: { url: 'https://x', token: '***' } })
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['password']))
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['attempt']))
    expectTypeOf(record).not.toHaveProperty('age')
    expectTypeOf(record).not.toHaveProperty('password')
  })

  test('rejects a secret in an unsealed column', async () => {
    await expect(notes.insert(note({ anything: { deep: new Secret('x') } }))).rejects.toThrow(
      /anything contains a Secret/,
    )
    expect(await notes.count()).toBe(0)
  })

  test('stores user text verbatim even if it looks sealed', async () => {
    const anything = { $sealed: 'sealed:v1:AAAA' }
    const { id } = await notes.insert(note({ anything }))
    expect((await notes.get(id)).anything).toEqual(anything)
  })

  test('replaces NUL and lone surrogates in rows, changes and conditions', async () => {
    const { id } = await notes.insert(note({ title: 'a\0b', anything: 'a\0b', comment: '\ud800 🦊' }))
    expect(await notes.get(id)).toMatchObject({ title: 'a\uFFFDb', anything: 'a\0b', comment: '\uFFFD 🦊' })
    expect(await notes.list({ where: { comment: '\ud800 🦊' } })).toHaveLength(1)
    expect(await notes.update(id, { comment: '\0' })).toBe(1)
    expect(await notes.list({ where: { title: 'a\0b' } })).toHaveLength(1)
  })

  test('throws a 404 that names a missing row', async () => {
    const missing = await notes.get('nobody').catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(Problem)
    expect(missing).toMatchObject({ status: 404, message: 'note nobody does not exist' })
    await expect(notes.get({ id: 'nobody', status: 'open' })).rejects.toThrow('note nobody/open does not exist')
    expect(await notes.find('nobody')).toBeNull()
  })

  test('lists newest first, filtered by values or a function', async () => {
    await notes.insertAll(['a', 'b', 'c', 'd'].map((title, at) => note({ title, urgent: at % 2 === 0 })))
    const titles = async (options: Parameters<Notes['list']>[0]) => (await notes.list(options)).map((row) => row.title)
    expect(await titles({})).toEqual(['d', 'c', 'b', 'a'])
    expect(await titles({ where: { urgent: true } })).toEqual(['c', 'a'])
    expect(await titles({ where: { title: ['a', 'd'], urgent: undefined } })).toEqual(['d', 'a'])
    expect(await titles({ where: (query) => void query.where('title', '>', 'b') })).toEqual(['d', 'c'])
    expect(await titles({ where: { closed_at: null }, order: [{ column: 'title', order: 'asc' }] })).toHaveLength(4)
    expect(await notes.count({ urgent: false })).toBe(2)
    expect((await notes.find({ urgent: true }, undefined, { order: ['title'] }))?.title).toBe('c')
  })

  test('inserts many rows, all or none', async () => {
    await notes.insertAll(Array.from({ length: 120 }, () => note()))
    expect(await notes.count()).toBe(120)
    const twice = note()
    await expect(notes.insertAll([...Array.from({ length: 60 }, () => note()), twice, twice])).rejects.toThrow()
    expect(await notes.count()).toBe(120)
  })

  test('updates the given fields, and counts rows and versions', async () => {
    const { id } = await notes.insert(note({ comment: 'old' }))
    await notes.insert(note())
    expect(await notes.update(id, { status: 'closed', closed_at: '2031-01-01T00:00:00.000Z', title: undefined })).toBe(
      1,
    )
    expect(await notes.update({ id, status: 'open' }, { comment: 'never' })).toBe(0)
    expect(await notes.update(id, { attempt: database.db.raw('attempt + 1') })).toBe(1)
    expect(await notes.get(id)).toMatchObject({ status: 'closed', attempt: 2, title: 'one', comment: 'old' })
    expect(await database.db('notes_notes').orderBy('seq').pluck('version')).toEqual([3, 1])
    expect(await notes.update({ status: ['open', 'closed'] }, { urgent: true })).toBe(2)
    expect(await notes.update(id, {})).toBe(0)
  })

  test('inserts new rows and replaces existing ones with put', async () => {
    const first = note({ comment: 'old' })
    await notes.put([first])
    await notes.put([{ ...first, title: 'two', comment: undefined }, note()])
    expect(await notes.get(first.id)).toMatchObject({ title: 'two' })
    expect(await notes.get(first.id)).not.toHaveProperty('comment')
    expect(await database.db('notes_notes').orderBy('seq').pluck('version')).toEqual([2, 1])
  })

  test('rejects a write with an undefined condition', async () => {
    await notes.insert(note())
    const id = undefined as unknown as string
    await expect(notes.delete({ id })).rejects.toThrow(/condition on id is undefined/)
    await expect(notes.update({ id }, { title: 'x' })).rejects.toThrow(/condition on id is undefined/)
    await expect(notes.delete({})).rejects.toThrow(/the condition is undefined/)
    expect(await notes.count({ title: 'one' })).toBe(1)
  })

  test('rejects an unknown field and lists the known ones', async () => {
    await expect(notes.update('x', { colour: 'red' } as object)).rejects.toThrow(
      /notes_notes has no field colour.*title/,
    )
  })

  test('uses the given transaction', async () => {
    const { id } = await notes.insert(note())
    const undone = write(database.db, async (transaction) => {
      await notes.insert(note(), transaction)
      await notes.update(id, { title: 'inside' }, transaction)
      expect((await notes.get(id, transaction)).title).toBe('inside')
      expect((await notes.page({ limit: 10, offset: 0 }, transaction)).total).toBe(2)
      await notes.delete(id, transaction)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await notes.list()).toMatchObject([{ id, title: 'one' }])
  })

  test('locks a row read in a transaction', async () => {
    const { id } = await notes.insert(note())
    const add = () =>
      write(database.db, async (transaction) => {
        const { bytes } = await notes.get(id, transaction)
        await notes.update(id, { bytes: bytes + 1 }, transaction)
      })
    await Promise.all(Array.from({ length: 10 }, add))
    expect((await notes.get(id)).bytes).toBe(2 ** 40 + 10)
  })

  test('returns a page with the total of matching rows', async () => {
    await notes.insertAll(Array.from({ length: 7 }, (_, at) => note({ title: `n${at}`, urgent: at !== 3 })))
    const { items, total } = await notes.page({ where: { urgent: true }, limit: 2, offset: 2 })
    expect(items.map((row) => row.title)).toEqual(['n4', 'n2'])
    expect(total).toBe(6)
  })

  test('claims the first free rows', async () => {
    await notes.insertAll([note({ title: 'a' }), note({ title: 'b' }), note({ title: 'c' })])
    const wanted = { where: { status: 'open' }, set: { status: 'closed' }, order: ['title'] } as const
    const take = (most: number) => notes.claim({ ...wanted, most })
    expect(await take(2)).toMatchObject([
      { title: 'c', status: 'closed' },
      { title: 'b', status: 'closed' },
    ])
    expect(await take(2)).toMatchObject([{ title: 'a' }])
    expect(await take(1)).toEqual([])
    await notes.insertAll([note({ title: 'd' }), note({ title: 'e' })])
    expect(await notes.claim({ ...wanted, each: { title: ['f', 'g\0', 'h'] }, most: 3 })).toMatchObject([
      { title: 'g\uFFFD' },
      { title: 'f' },
    ])
  })

  test('returns the changed row, or null if none matches', async () => {
    const { id } = await notes.insert(note({ title: 'a' }))
    expect(await notes.change({ id, status: 'open' }, { status: 'closed' })).toMatchObject({ id, status: 'closed' })
    expect(await notes.change({ id, status: 'open' }, { status: 'closed' })).toBeNull()
  })
})

test('types inserts and records', () => {
  type Insert = Parameters<Notes['insert']>[0]
  expectTypeOf<Insert>().toHaveProperty('title').toEqualTypeOf<string>()
  expectTypeOf<Insert['attempt']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Insert['closed_at']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<Row['channel']['token']>().toEqualTypeOf<Secret>()
  expectTypeOf<Row>().not.toHaveProperty('age')
})
