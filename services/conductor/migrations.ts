import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'

export const RUNS = 'conductor_runs'
export const INTENTS = 'conductor_intents'
export const JOURNAL = 'conductor_journal'

export const migrations: Migrations = {
  prefix: 'conductor',
  steps: [
    { name: '0.1.0', up: createTables },
    { name: 'reported-merges', up: keepReportedMerges },
    { name: 'merge-times', up: keepMergeTimes },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'conductor') },
  ],
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable(RUNS, (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    columns.string('repository', 150).notNullable()
    columns.string('repository_key', 150).notNullable()
    columns.boolean('dry_run').notNullable()
    columns.string('status', 16).notNullable()
    columns.string('health', 16).notNullable()
    columns.string('forge_time', 30)
    for (const name of ['started_at', 'ended_at']) columns.string(name, 30).notNullable()
    columns.integer('requests').notNullable()
    for (const name of ['stopped', 'waiting_for']) columns.text(name)
    for (const name of ['actions', 'items', 'counts', 'problems']) columns.text(name).notNullable()
    columns.index(['repository_key', 'seq'])
    columns.index(['ended_at'])
  })
  await db.schema.createTable(INTENTS, (columns) => {
    columns.increments('seq')
    columns.string('repository_key', 150).notNullable()
    columns.string('kind', 16).notNullable()
    columns.integer('number').notNullable()
    columns.string('head', 64).notNullable()
    columns.boolean('is_conflicted').notNullable()
    columns.unique(['repository_key', 'kind', 'number'])
  })
  await db.schema.createTable(JOURNAL, (columns) => {
    columns.increments('seq')
    columns.string('repository_key', 150).notNullable()
    columns.string('kind', 16).notNullable()
    columns.string('text', 300).notNullable()
    columns.bigInteger('at').notNullable()
    columns.unique(['repository_key', 'kind', 'text'])
  })
  await createAuditTable(db, 'conductor')
}

/** Intents are of merges only, with whether the merge was reported. */
async function keepReportedMerges(db: Knex): Promise<void> {
  await db(INTENTS).whereNot({ kind: 'merge' }).delete()
  await db.schema.alterTable(INTENTS, (columns) => void columns.renameColumn('is_conflicted', 'is_reported'))
}

async function keepMergeTimes(db: Knex): Promise<void> {
  await db.schema.alterTable(INTENTS, (columns) => void columns.bigInteger('at').notNullable().defaultTo(0))
}
