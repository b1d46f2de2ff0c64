import type { Knex } from '../../../platform/database/database.ts'
import { pageIndex } from '../../../platform/store/page.ts'
import { numbered } from './numbered.ts'

export async function createWorkflows(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_workflows', (table) => {
    numbered(table)
    table.string('name', 256).notNullable().unique()
    table.string('agent_id', 36).notNullable().index()
    table.text('trigger_config').notNullable()
    table.text('prompt_template').notNullable()
    table.integer('poll_interval_secs').notNullable()
    table.boolean('enabled').notNullable()
    table.text('tool_policy').notNullable()
    table.integer('version').notNullable().defaultTo(1)
    table.string('created_at', 30).notNullable()
    table.string('updated_at', 30).notNullable()
    table.string('on_restart', 16)
    table.boolean('finished').notNullable().defaultTo(false)
  })
  await db.schema.createTable('orchestrator_trigger_cursors', (table) => {
    table.string('workflow_id', 36).primary()
    table.text('cursor').notNullable()
    table.string('updated_at', 30).notNullable()
  })
  await db.schema.createTable('orchestrator_firings', (table) => {
    table.string('workflow_id', 36).primary()
    table.string('last_fired_at', 30)
    table.text('last_error')
  })
  await db.schema.createTable('orchestrator_seen_tasks', (table) => {
    table.string('workflow_id', 36).notNullable()
    table.string('name', 255).notNullable()
    table.primary(['workflow_id', 'name'])
  })
}

export async function createDispatches(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_dispatches', (table) => {
    numbered(table)
    table.string('workflow_id', 36).notNullable().index()
    table.text('source_id').notNullable()
    table.string('agent_id', 36).notNullable()
    table.text('prompt_sent').notNullable()
    table.string('status', 16).notNullable().index()
    table.string('trigger_type', 32).notNullable()
    table.integer('attempt').notNullable()
    table.text('error')
    table.text('result')
    table.text('usage')
    table.string('created_at', 30).notNullable()
    table.string('dispatched_at', 30)
    table.string('completed_at', 30)
    table.text('task')
    table.integer('depth').notNullable().defaultTo(0)
  })
  await pageIndex(db, 'orchestrator_dispatches', ['workflow_id', 'seq'])
  await pageIndex(db, 'orchestrator_dispatches', ['workflow_id', 'status', 'seq'])
  await db.schema.createTable('orchestrator_chain_ends', (table) => {
    table.increments('seq')
    table.string('workflow_id', 36).notNullable()
    table.string('dispatch_id', 36).notNullable()
    table.unique(['workflow_id', 'dispatch_id'])
  })
}

export async function createQueueTasks(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_queue_tasks', (table) => {
    table.increments('seq')
    table.string('id', 36).notNullable().unique()
    table.string('queue_name', 64).notNullable()
    table.string('status', 16).notNullable()
    table.text('title').notNullable()
    table.text('body').notNullable()
    table.integer('priority').notNullable()
    table.integer('retry_count').notNullable()
    table.integer('max_retries').notNullable()
    table.string('dispatch_id', 36).index()
    table.text('error')
    table.string('created_at', 30).notNullable()
    table.string('visible_at', 30).notNullable()
    table.string('ended_at', 30)
    table.index(['queue_name', 'status', 'visible_at'])
    table.index(['status', 'ended_at'])
  })
  await db.raw('CREATE INDEX ?? ON ?? (queue_name, status, priority DESC, seq)', [
    'orchestrator_queue_tasks_claim',
    'orchestrator_queue_tasks',
  ])
}

export async function addQueuePages(db: Knex): Promise<void> {
  await pageIndex(db, 'orchestrator_queue_tasks', ['queue_name', 'seq'])
  await pageIndex(db, 'orchestrator_queue_tasks', ['queue_name', 'status', 'seq'])
}

export async function addTasksOfAgents(db: Knex): Promise<void> {
  for (const name of ['orchestrator_prompts', 'orchestrator_queue_tasks'])
    await db.schema.alterTable(name, (table) => void table.boolean('by_agent').notNullable().defaultTo(false))
}

export async function createFiringLog(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_firing_log', (table) => {
    numbered(table)
    table.string('workflow_id', 36).notNullable()
    table.string('trigger_type', 32).notNullable()
    table.string('outcome', 16).notNullable()
    table.string('dispatch_id', 36)
    table.text('source_id')
    table.string('code', 64)
    table.text('reason')
    table.text('delivery')
    table.integer('count').notNullable()
    table.string('created_at', 30).notNullable().index()
    table.string('last_at', 30).notNullable()
  })
  await pageIndex(db, 'orchestrator_firing_log', ['workflow_id', 'created_at', 'seq'])
  await pageIndex(db, 'orchestrator_firing_log', ['workflow_id', 'outcome', 'created_at', 'seq'])
}
