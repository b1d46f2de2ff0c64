// Every write of a watched table has a change row, whichever code makes it.
import { expect, test } from 'vitest'
import { services } from '../../../../daemon/services.ts'
import type { Knex } from '../../../../platform/database/database.ts'
import { ChangeRows } from '../../../../platform/store/change-rows.ts'
import type { Opened } from '../../../../platform/service/define.ts'
import type { ChangeSource } from '../../../../platform/store/change-triggers.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { startServices } from '../../../support/services.ts'

const TEXT = 'x1'
const NUMBER = 7

async function recordedSources(url: string): Promise<ChangeSource[]> {
  const all = services({ sources: [] })
  const stand = await startServices(all, { url })
  const faces: Opened[] = all.flatMap(({ definition }) => stand.host.find<Opened>(definition) ?? [])
  await stand.close()
  const ofTopics = faces.flatMap(({ topics = [] }) =>
    topics.flatMap((topic) => ('sources' in topic ? topic.sources : [])),
  )
  return [...ofTopics, ...faces.flatMap(({ inboxSources = [] }) => inboxSources)]
}

/** A row with a value for each column that needs one. */
async function rowOf(db: Knex, { table, id, of = id[0]! }: Pick<ChangeSource, 'table' | 'id' | 'of'>): Promise<object> {
  const columns = Object.entries(await db(table).columnInfo())
  const needed = columns.filter(([name, { nullable }]) => !nullable || [...id, of, 'id'].includes(name))
  return Object.fromEntries(needed.map(([name, { type }]) => [name, /char|text/.test(type) ? TEXT : numberOf(type)]))
}

const numberOf = (type: string): number | boolean => (type === 'boolean' ? true : NUMBER)

async function fieldOf(db: Knex, { table, id, of, columns }: ChangeSource): Promise<string> {
  if (columns !== undefined) return columns[0]!
  const all = Object.entries(await db(table).columnInfo())
  return all.find(([name, { type }]) => name !== of && !id.includes(name) && /char|text/.test(type))![0]
}

onEachDatabase((database) => {
  test('records every write of every table of every topic', async () => {
    const sources = await recordedSources(database.url)
    expect([...new Set(sources.map(({ topic }) => topic))].toSorted()).toEqual(
      ['agent', 'agents', 'drift', 'inbox', 'room', 'runs', 'sources', 'state', 'workflows'].toSorted(),
    )
    const { db } = database
    const rows = new ChangeRows(db)
    // Steps refer to their run.
    const run = { table: 'controller_runs', id: ['id'] }
    for (const source of sources) {
      const { table, id, of, kind, topic, events = ['INSERT', 'UPDATE', 'DELETE'] } = source
      await db(table).delete()
      if (table === 'controller_steps') await db(run.table).insert(await rowOf(db, run))
      const { last } = await rows.state()
      await db(table).insert(await rowOf(db, source))
      await db(table).update({ [await fieldOf(db, source)]: 'x2' })
      await db(table).delete()
      const shown = [...(kind === undefined ? [] : [kind]), ...id.map((name) => (/seq/.test(name) ? NUMBER : TEXT))]
      const expected = { topic: of === undefined ? topic : `${topic}/${TEXT}`, id: shown.join('/') }
      const found = (await rows.after(last.seq, { limit: 100 }))!.filter(
        (row) => row.topic === expected.topic && row.id === expected.id,
      )
      expect(found.length, `${table} in ${topic}`).toBe(events.length)
      if (table === 'controller_steps') await db(run.table).delete()
    }
  })

  test('records two changes of a record in one millisecond', async () => {
    const sources = await recordedSources(database.url)
    const { db } = database
    const rows = new ChangeRows(db)
    for (const [table, field] of [
      ['orchestrator_agents', 'status'],
      ['communicate_rooms', 'topic'],
    ] as const) {
      await db(table).delete()
      await db(table).insert(
        await rowOf(
          db,
          sources.find((source) => source.table === table)!,
        ),
      )
      const { last } = await rows.state()
      // The time of the change is that of the one before.
      await db(table).update({ [field]: 'x2' })
      expect(await rows.after(last.seq, { limit: 10 }), table).toHaveLength(1)
      await db(table).delete()
    }
  })
})
