import { isPostgres, type Knex, type Migrations } from '../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../platform/store/audit.ts'
import { pageIndex } from '../platform/store/page.ts'

export const controllerMigrations: Migrations = {
  prefix: 'controller',
  replaces: [
    '001-inventory-runs-drift',
    '002-audit',
    '003-page-indexes',
    '004-run-diagnostics',
    '005-intents',
    '006-records',
    '007-owed-and-sent',
    '008-revisions-of-sources',
    '009-holds',
    '010-contests',
    '011-suspended-resources',
  ],
  steps: [
    {
      name: '0.1.0',
      up: async (db) => {
        await createSources(db)
        await createInventory(db)
        await createRuns(db)
        await createDrift(db)
        await createAuditTable(db, 'controller')
      },
    },
    { name: 'labels-and-drift-pages', up: addLabelsAndDriftPages },
    { name: 'drift-counts-and-applied-times', up: addDriftCountsAndAppliedTimes },
    { name: 'drift-name-pages', up: (db) => pageIndex(db, 'controller_drift', ['name', 'first_seen', 'id']) },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'controller') },
  ],
}

async function createSources(db: Knex): Promise<void> {
  await db.schema.createTable('controller_sources', (table) => {
    table.string('name', 4096).primary()
    table.string('location', 4096).notNullable()
    table.string('revision')
    table.boolean('suspended').notNullable()
    table.string('observed_at')
    table.string('attempted')
    table.string('applied')
    table.text('hold')
  })
  await db.schema.createTable('controller_sent', (table) => {
    table.increments('seq')
    table.string('source', 4096).notNullable().index()
    table.text('input').notNullable()
  })
  await db.schema.createTable('controller_cursors', (table) => {
    table.string('kind').primary()
    table.bigInteger('cursor').notNullable()
  })
}

async function createInventory(db: Knex): Promise<void> {
  await db.schema.createTable('controller_inventory', (table) => {
    table.string('kind').notNullable()
    table.string('name').notNullable()
    table.string('source', 4096).notNullable().index()
    table.string('file', 4096).notNullable()
    table.integer('line').notNullable()
    table.integer('column').notNullable()
    table.string('live_id')
    table.string('revision')
    table.text('sync').notNullable()
    table.text('depends_on').notNullable()
    table.text('desired').notNullable()
    table.text('applied')
    table.text('conditions').notNullable()
    table.string('deferred_since')
    table.string('owed')
    table.text('contested')
    table.text('suspended')
    table.primary(['kind', 'name'])
  })
  // Written before an effect, deleted with its record.
  await db.schema.createTable('controller_intents', (table) => {
    table.string('kind').notNullable()
    table.string('name').notNullable()
    table.string('action').notNullable()
    table.text('paths').notNullable()
    table.text('entry')
    table.primary(['kind', 'name'])
  })
}

async function createRuns(db: Knex): Promise<void> {
  await db.schema.createTable('controller_runs', (table) => {
    table.string('id').primary()
    table.string('source', 4096).notNullable()
    table.string('revision')
    table.string('status').notNullable().index()
    table.string('actor').notNullable()
    table.string('started_at').notNullable().index()
    table.string('ended_at')
    table.text('summary').notNullable()
    table.text('error')
    table.text('diagnostics').notNullable().defaultTo('[]')
    table.boolean('has_steps').notNullable().defaultTo(false)
  })
  await db.schema.createTable('controller_steps', (table) => {
    table.string('run_id').notNullable().references('id').inTable('controller_runs').onDelete('CASCADE')
    table.integer('seq').notNullable()
    table.string('kind').notNullable()
    table.string('name').notNullable()
    table.string('action').notNullable()
    table.string('status').notNullable()
    table.string('live_id')
    table.text('error')
    table.string('started_at')
    table.string('ended_at')
    table.primary(['run_id', 'seq'])
    table.index(['kind', 'name'])
  })
  await pageIndex(db, 'controller_runs', ['started_at', 'id'])
  await pageIndex(db, 'controller_runs', ['has_steps', 'started_at', 'id'])
}

async function createDrift(db: Knex): Promise<void> {
  await db.schema.createTable('controller_drift', (table) => {
    table.string('id').primary()
    table.string('kind').notNullable()
    table.string('name').notNullable()
    // SQLite ignores the length.
    table.specificType('path', isPostgres(db) ? 'text' : 'varchar(1024)').notNullable()
    table.text('desired').notNullable()
    table.text('live').notNullable()
    table.text('last_applied').notNullable()
    table.string('actor')
    table.string('request_id')
    table.string('endpoint', 1024)
    table.string('first_seen').notNullable()
    table.string('last_seen').notNullable().index()
    table.string('resolution').index()
    table.text('writers').notNullable().defaultTo('[]')
    table.string('applied_digest')
    table.string('live_digest')
    table.index(['kind', 'name'])
  })
  await pageIndex(db, 'controller_drift', ['last_seen', 'id'])
  await pageIndex(db, 'controller_drift', ['resolution', 'last_seen', 'id'])
  await pageIndex(db, 'controller_drift', ['kind', 'name', 'last_seen', 'id'])
}

/** Pages of drift by cursor, newest first, of all records and by each filter that leaves many. */
const DRIFT_FILTERS = [[], ['resolution'], ['kind', 'name'], ['actor']]

/** The index covers the counts by author. */
async function addDriftCountsAndAppliedTimes(db: Knex): Promise<void> {
  await pageIndex(db, 'controller_drift', ['actor', 'resolution'])
  await db.schema.alterTable('controller_inventory', (table) => {
    table.string('applied_at', 30)
    table.string('applied_revision')
  })
}

async function addLabelsAndDriftPages(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_inventory', (table) => void table.text('labels'))
  for (const columns of DRIFT_FILTERS) await pageIndex(db, 'controller_drift', [...columns, 'first_seen', 'id'])
}
