// The controller's tables.
import { isPostgres, type Knex, type Migrations } from '../platform/database/database.ts'
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
    { name: '005-intents', up: createIntents },
    { name: '006-records', up: indexRecords },
    { name: '007-owed-and-sent', up: owedAndSent },
    { name: '008-revisions-of-sources', up: revisionsOfSources },
    { name: '009-holds', up: holdsOfSources },
    { name: '010-contests', up: contests },
    { name: '011-suspended-resources', up: suspendedResources },
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

/** What runs are about to do: a row from before an effect until its record. */
async function createIntents(db: Knex): Promise<void> {
  await db.schema.createTable('controller_intents', (table) => {
    table.string('kind').notNullable()
    table.string('name').notNullable()
    table.string('action').notNullable()
    table.text('paths').notNullable()
    table.text('entry')
    table.primary(['kind', 'name'])
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

/** Whose hands drift was in, what closed it was compared with, and which runs did something. */
async function indexRecords(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_drift', (table) => {
    table.text('writers').notNullable().defaultTo('[]')
    table.string('applied_digest')
    table.string('live_digest')
  })
  if (isPostgres(db)) await db.raw('ALTER TABLE controller_drift ALTER COLUMN path TYPE text')
  const known = await db('controller_drift').select('id', 'actor', 'request_id', 'endpoint', 'first_seen')
  for (const { id, first_seen: at, ...writer } of known)
    await db('controller_drift')
      .where({ id })
      .update({ writers: JSON.stringify([{ ...writer, at }]) })
  await db.schema.alterTable('controller_runs', (table) => {
    table.boolean('has_steps').notNullable().defaultTo(false)
  })
  const withSteps = db('controller_steps').distinct('run_id')
  await db('controller_runs').whereIn('id', withSteps).update({ has_steps: true })
  await pageIndex(db, 'controller_runs', ['has_steps', 'started_at', 'id'])
}

/** What somebody asked for and had to wait, manifests that were applied by hand, and how far the kinds were heard. */
async function owedAndSent(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_inventory', (table) => {
    table.string('owed')
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

/** What was tried last and what was last converged to, beside what was last read whole. */
async function revisionsOfSources(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_sources', (table) => {
    table.string('attempted')
    table.string('applied')
  })
}

/** An earlier revision that is in force by a rollback, with who asked for it. */
async function holdsOfSources(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_sources', (table) => {
    table.text('hold')
  })
}

/** What two writers kept undoing each other at. */
async function contests(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_inventory', (table) => {
    table.text('contested')
  })
}

/** Who set a resource aside, and since when. */
async function suspendedResources(db: Knex): Promise<void> {
  await db.schema.alterTable('controller_inventory', (table) => {
    table.text('suspended')
  })
}
