import { beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../../platform/database/database.ts'
import { Secret } from '../../../schemas/secret.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { migrations, note, notesOf, type Notes } from './notes.ts'

onEachDatabase((database) => {
  let notes: Notes
  beforeAll(() => migrate(database.db, migrations))
  beforeEach(async () => {
    notes = notesOf(database.db)
    await database.db('notes_notes').delete()
  })

  test('updates several matching rows, each with its own patch', async () => {
    const rows = await notes.insertAll(Array.from({ length: 60 }, (_, at) => note({ title: `n${at}`, ratio: at })))
    await notes.update(rows[7]!.id, { status: 'closed' })
    const patches = new Map(
      rows.map(({ id }, at) => [
        id,
        {
          title: `m${at}`,
          ratio: at / 8,
          bytes: 2 ** 40 + at,
          urgent: at % 2 === 0,
          muted: at % 3 === 0 ? null : at % 3 === 1,
          extra: at % 5 === 0 ? null : { at },
          password: at % 7 === 0 ? null : new Secret(`p${at}`),
          tags: [`${at}`],
          ...(at < 55 ? {} : { closed_at: '2030-01-01T00:00:00.000Z' }),
        },
      ]),
    )
    const changed = await notes.changeEach(patches, { status: 'open' })
    expect(changed).toHaveLength(59)
    const now = new Map((await notes.list()).map((row) => [row.id, row]))
    for (const [at, row] of rows.entries())
      expect(now.get(row.id)).toEqual(at === 7 ? { ...row, status: 'closed' } : { ...row, ...patches.get(row.id) })
    expect(new Map(changed.map((row) => [row.id, row])).get(rows[58]!.id)).toEqual(now.get(rows[58]!.id))
    expect(now.get(rows[57]!.id)?.password?.reveal()).toBe('p57')
    const versions = await database.db('notes_notes').distinct('version').pluck('version')
    expect(versions).toEqual([2])
  })

  test('updates no rows, one row, and rows with expressions', async () => {
    const [one, other] = await notes.insertAll([note({ title: 'a' }), note({ title: 'b' })])
    expect(await notes.changeEach(new Map(), {})).toEqual([])
    expect(await notes.changeEach(new Map([[one!.id, { attempt: 3 }]]), {})).toEqual([{ ...one, attempt: 3 }])
    const added = database.db.raw('?? + ?', ['attempt', 5])
    await notes.changeEach(
      new Map([
        [one!.id, { attempt: added }],
        [other!.id, { title: 'c' }],
      ]),
      {},
    )
    expect(await notes.get(one!.id)).toMatchObject({ title: 'a', attempt: 8 })
    expect(await notes.get(other!.id)).toMatchObject({ title: 'c', attempt: 1 })
  })
})
