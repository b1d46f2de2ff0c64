// Released migrations must never change: existing databases have run them. migrations.json contains a digest of the
// schema after each step. Add a line for a new step with:
//
//   UPDATE=1 npx vitest run test/upgrade/migrations.test.ts
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { services } from '../../daemon/services.ts'
import { migrate, openDatabase, type Knex, type Migrations } from '../../platform/database/database.ts'
import { hostMigrations } from '../../platform/service/migrations.ts'
import { DATABASES, postgresDatabase, sqliteDatabase } from '../support/databases.ts'
import { root } from '../support/root.ts'

/** Digests of the schema after the step. */
interface Step {
  name: string
  sqlite: string
  postgres: string
}

const file = join(root, 'test', 'upgrade', 'migrations.json')
const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Step[]>
const all = [hostMigrations, ...services({ sources: [] }).map(({ definition }) => definition.migrations)]

const ON = {
  sqlite: {
    open: sqliteDatabase,
    schema: (db: Knex) =>
      db('sqlite_master').whereNot('name', 'like', 'knex_%').orderBy(['type', 'name']).select('type', 'name', 'sql'),
  },
  postgres: {
    open: postgresDatabase,
    schema: async (db: Knex) => [
      await db('information_schema.columns')
        .where({ table_schema: 'public' })
        .orderBy(['table_name', 'ordinal_position'])
        .select('table_name', 'column_name', 'data_type', 'character_maximum_length', 'is_nullable', 'column_default'),
      await db('pg_indexes').where({ schemaname: 'public' }).orderBy('indexname').select('indexdef'),
    ],
  },
}

async function digests(migrations: Migrations, kind: keyof typeof ON): Promise<string[]> {
  const opened = await ON[kind].open()
  const db = openDatabase(opened.url)
  const after: string[] = []
  try {
    for (const count of migrations.steps.keys()) {
      await migrate(db, { ...migrations, steps: migrations.steps.slice(0, count + 1) })
      after.push(
        createHash('sha256')
          .update(JSON.stringify(await ON[kind].schema(db)))
          .digest('hex'),
      )
    }
  } finally {
    await db.destroy()
    await opened.remove()
  }
  return after
}

async function stepsOf(migrations: Migrations): Promise<Partial<Step>[]> {
  const made = await Promise.all(DATABASES.map(async (kind) => [kind, await digests(migrations, kind)] as const))
  return migrations.steps.map(({ name }, index) => ({
    name,
    ...Object.fromEntries(made.map(([kind, after]) => [kind, after[index]!])),
  }))
}

const ofThisRun = (step: Step): Partial<Step> => ({
  name: step.name,
  ...Object.fromEntries(DATABASES.map((kind) => [kind, step[kind]])),
})

/** Keeps existing lines unchanged. */
function addLines(service: string, steps: Partial<Step>[]): void {
  if (DATABASES.length < Object.keys(ON).length)
    throw new Error('a line needs both databases: unset SVC_TEST_DATABASES')
  const lines = (kept[service] ??= [])
  const added = steps.filter(({ name }) => !lines.some((line) => line.name === name))
  lines.push(...(added as Step[]))
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}

describe.each(all)('the migrations of $prefix', (migrations) => {
  test('keeps released steps unchanged and in order, and records new ones', async () => {
    const steps = await stepsOf(migrations)
    if (process.env.UPDATE === '1') addLines(migrations.prefix, steps)
    const lines = (kept[migrations.prefix] ?? []).map(ofThisRun)
    const released = steps.filter(({ name }) => lines.some((line) => line.name === name))
    expect(released, 'a released step was edited, renamed or moved: restore it and add a step at the end').toEqual(
      lines,
    )
    expect(
      steps.filter((step) => !released.includes(step)).map(({ name }) => name),
      'no line in test/upgrade/migrations.json: run UPDATE=1 npx vitest run test/upgrade/migrations.test.ts',
    ).toEqual([])
    expect(steps.slice(0, lines.length), 'new steps must follow the released ones').toEqual(lines)
  })
})

test('finds the migrations of every recorded service', () => {
  expect(Object.keys(kept).filter((prefix) => !all.some((migrations) => migrations.prefix === prefix))).toEqual([])
})
