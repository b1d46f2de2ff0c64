// The controller's tables.
import { isPostgres, type Knex, type Migrations } from '../platform/database.ts'
import { auditTable } from '../platform/store/audit.ts'
import { pageIndex } from '../platform/store/page.ts'

export const controllerMigrations: Migrations = {
  prefix: 'controller',
  steps: [
    {
      name: '001-inventory-runs-drift',
      up: async (db: Knex) => {
        await createInventory(db)
        await createRuns(db)
        await createDrift(db)
      },
    },
    auditTable('controller', '002-audit'),
    { name: '003-page-indexes', up: indexPages },
    { name: '004-run-diagnostics', up: runDiagnostics },
  ],
}

async function createInventory(db: Knex): Promise<void> {
  await db.schema.createTable('controller_sources', (table) => {
    table.string('name', 4096).primary()
    table.string('location', 4096).notNullable()
    table.string('revision')
    table.boolean('suspended').notNullable()
    table.string('observed_at')
  })
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
}

async function createDrift(db: Knex): Promise<void> {
  await db.schema.createTable('controller_drift', (table) => {
    table.string('id').primary()
    table.string('kind').notNullable()
    table.string('name').notNullable()
    table.string('path', 1024).notNullable()
    table.text('desired').notNullable()
    table.text('live').notNullable()
    table.text('last_applied').notNullable()
    table.string('actor')
    table.string('request_id')
    table.string('endpoint', 1024)
    table.string('first_seen').notNullable()
    table.string('last_seen').notNullable().index()
    table.string('resolution').index()
    table.index(['kind', 'name'])
  })
}

async function indexPages(db: Knex): Promise<void> {
  await pageIndex(db, 'controller_runs', ['started_at', 'id'])
  await pageIndex(db, 'controller_drift', ['last_seen', 'id'])
  await pageIndex(db, 'controller_drift', ['resolution', 'last_seen', 'id'])
  await pageIndex(db, 'controller_drift', ['kind', 'name', 'last_seen', 'id'])
}

/** What was wrong with the manifests of a run. The first databases, moreover, hold shorter names of sources. */
async function runDiagnostics(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_runs', (table) => {
    table.text('diagnostics').notNullable().defaultTo('[]')
  })
  if (!isPostgres(db)) return // SQLite heeds no length
  await db.raw('ALTER TABLE controller_sources ALTER COLUMN name TYPE varchar(4096)')
  for (const table of ['controller_inventory', 'controller_runs'])
    await db.raw('ALTER TABLE ?? ALTER COLUMN source TYPE varchar(4096)', [table])
}
