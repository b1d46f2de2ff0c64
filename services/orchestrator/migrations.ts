// The orchestrator's tables.
import type { Knex, Migrations } from '../../platform/database/database.ts'
import { pageIndex } from '../../platform/store/page.ts'
import { chainEnds, finishedWorkflows } from './migrations/chains.ts'
import { queueTasks } from './migrations/queues.ts'
import { seenTasks } from './migrations/seen.ts'
import { roomWork } from './migrations/rooms.ts'
import { durableTasks } from './migrations/tasks.ts'
import { triggerNames } from './migrations/triggers.ts'
import { transcript } from './migrations/transcript.ts'

type Table = Knex.CreateTableBuilder

/** Times are RFC 3339 text; `seq` gives the order of creation where two have the same time. */
const numbered = (table: Table) => {
  table.increments('seq')
  table.string('id', 36).notNullable().unique()
}

async function agents(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_agents', (table) => {
    numbered(table)
    table.text('name').notNullable()
    table.string('status', 16).notNullable().index()
    table.text('config').notNullable()
    table.text('launched_config')
    table.string('token_hash', 64)
    table.text('launch_file')
    table.text('worktree')
    table.integer('launches').notNullable().defaultTo(0)
    table.integer('restarts').notNullable().defaultTo(0)
    table.text('last_error')
    table.text('warnings').notNullable().defaultTo('[]')
    table.boolean('prompt_due').notNullable().defaultTo(false)
    table.text('program_session')
    table.text('program_version')
    table.integer('session_number').notNullable().defaultTo(1)
    table.double('cost_seen').notNullable().defaultTo(0)
    table.double('api_ms_seen').notNullable().defaultTo(0)
    table.text('seen_frames').notNullable().defaultTo('[]')
    table.string('created_at', 30).notNullable()
    table.string('updated_at', 30).notNullable()
  })
  await db.schema.createTable('orchestrator_sessions', (table) => {
    table.string('agent_id', 36).notNullable()
    table.integer('number').notNullable()
    for (const figure of [
      'input_tokens',
      'output_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'total_cost_usd',
      'num_turns',
      'duration_ms',
      'duration_api_ms',
      'result_count',
    ]) {
      table.double(figure).notNullable().defaultTo(0)
    }
    table.string('started_at', 30)
    table.string('ended_at', 30)
    table.primary(['agent_id', 'number'])
  })
}

async function work(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_policies', (table) => {
    table.string('name', 256).primary()
    table.string('mode', 32).notNullable()
    table.text('tools').notNullable()
    table.text('description')
    table.integer('version').notNullable().defaultTo(1)
    table.string('created_at', 30).notNullable()
    table.string('updated_at', 30).notNullable()
  })
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
  })
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
  })
}

async function conversations(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_prompts', (table) => {
    numbered(table)
    table.string('agent_id', 36).notNullable()
    table.string('kind', 16).notNullable()
    table.integer('rank').notNullable()
    table.text('content').notNullable()
    table.string('dispatch_id', 36)
    table.text('policy')
    table.string('status', 16).notNullable()
    table.text('error')
    table.string('created_at', 30).notNullable()
    table.string('sent_at', 30)
    table.string('done_at', 30)
    table.index(['agent_id', 'status'])
  })
  await db.schema.createTable('orchestrator_approvals', (table) => {
    numbered(table)
    table.string('agent_id', 36).notNullable()
    table.text('request_id').notNullable()
    table.text('tool_name').notNullable()
    table.text('tool_input').notNullable()
    table.string('input_digest', 64).notNullable()
    table.integer('launch').notNullable()
    table.integer('session_number').notNullable()
    table.string('status', 16).notNullable().index()
    table.string('scope', 16)
    table.text('updated_input')
    table.string('decided_by', 256)
    table.text('reason')
    table.string('created_at', 30).notNullable()
    table.string('expires_at', 30).notNullable()
    table.string('decided_at', 30)
    table.string('delivered_at', 30)
    table.index(['agent_id', 'request_id'])
  })
  await db.schema.createTable('orchestrator_audit', (table) => {
    table.increments('seq')
    table.string('kind', 16).notNullable()
    table.string('resource_id', 256).notNullable()
    table.text('field').notNullable()
    table.text('actor').notNullable()
    table.text('request_id').notNullable()
    table.text('endpoint').notNullable()
    table.string('at', 30).notNullable()
    table.index(['kind', 'resource_id'])
  })
}

/** How far a trigger has read what it watches. */
async function triggerCursors(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_trigger_cursors', (table) => {
    table.string('workflow_id', 36).primary()
    table.text('cursor').notNullable()
    table.string('updated_at', 30).notNullable()
  })
}

/** Why a tool request timed out, which until then its reason said in words. */
async function approvalCauses(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_approvals', (table) => {
    table.string('cause', 16)
  })
  const timedOut = () => db('orchestrator_approvals').where({ status: 'timed_out' })
  await timedOut().update({ cause: 'abandoned' })
  await timedOut().where('reason', 'like', 'no human decision came within %').update({ cause: 'expired' })
}

/** Lists that grow are read in pages. */
async function pageIndexes(db: Knex): Promise<void> {
  await pageIndex(db, 'orchestrator_dispatches', ['workflow_id', 'seq'])
  await pageIndex(db, 'orchestrator_approvals', ['status', 'seq'])
  await pageIndex(db, 'orchestrator_approvals', ['agent_id', 'seq'])
  await pageIndex(db, 'orchestrator_approvals', ['agent_id', 'status', 'seq'])
}

/** What a decision is bound to beside the launch, and what became of messages whose agent died. */
async function boundDecisions(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_approvals', (table) => {
    table.text('conversation')
  })
  await db.schema.alterTable('orchestrator_agents', (table) => {
    table.text('lost_messages').notNullable().defaultTo('[]')
  })
}

/**
 * A restart is owed until its process is on record; a workflow says what becomes of its dispatches when the daemon
 * restarts.
 */
async function restarts(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_agents', (table) => {
    table.boolean('restart_due').notNullable().defaultTo(false)
  })
  await db.schema.alterTable('orchestrator_workflows', (table) => {
    table.string('on_restart', 16)
  })
  await pageIndex(db, 'orchestrator_prompts', ['status', 'seq'])
}

/** The first databases lack what was added to a step that had been taken already. */
async function versionColumns(db: Knex): Promise<void> {
  for (const name of ['orchestrator_policies', 'orchestrator_workflows']) {
    if (await db.schema.hasColumn(name, 'version')) continue
    await db.schema.alterTable(name, (table) => {
      table.integer('version').notNullable().defaultTo(1)
    })
  }
}

/** A plan says which version of an agent it saw; and a removal that was begun is made to its end. */
async function agentVersions(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_agents', (table) => {
    table.integer('version').notNullable().defaultTo(1)
    table.boolean('purge_due').notNullable().defaultTo(false)
  })
}

export const migrations: Migrations = {
  prefix: 'orchestrator',
  steps: [
    {
      name: '001-core',
      up: async (db) => {
        await agents(db)
        await work(db)
        await conversations(db)
      },
    },
    { name: '002-trigger-cursors', up: triggerCursors },
    { name: '003-approval-causes', up: approvalCauses },
    { name: '004-page-indexes', up: pageIndexes },
    { name: '005-bound-decisions', up: boundDecisions },
    { name: '006-restarts', up: restarts },
    { name: '007-version-columns', up: versionColumns },
    { name: '008-agent-versions', up: agentVersions },
    { name: '009-durable-tasks', up: durableTasks },
    { name: '010-queue-tasks', up: queueTasks },
    { name: '011-seen-tasks', up: seenTasks },
    { name: '012-chain-ends', up: chainEnds },
    { name: '013-finished-workflows', up: finishedWorkflows },
    { name: '014-trigger-names', up: triggerNames },
    { name: '015-transcript', up: transcript },
    { name: '016-rooms', up: roomWork },
  ],
}
