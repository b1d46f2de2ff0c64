import type { Knex } from '../../../platform/database/database.ts'
import { pageIndex } from '../../../platform/store/page.ts'
import { numbered } from './numbered.ts'

export async function createAgents(db: Knex): Promise<void> {
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
    table.text('lost_messages').notNullable().defaultTo('[]')
    table.boolean('restart_due').notNullable().defaultTo(false)
    table.integer('version').notNullable().defaultTo(1)
    table.boolean('purge_due').notNullable().defaultTo(false)
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

export async function createPrompts(db: Knex): Promise<void> {
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
    table.text('result')
    table.index(['agent_id', 'status'])
  })
  await pageIndex(db, 'orchestrator_prompts', ['status', 'seq'])
  await pageIndex(db, 'orchestrator_prompts', ['agent_id', 'seq'])
  await db.schema.createTable('orchestrator_transcript', (table) => {
    table.increments('seq')
    table.string('agent_id', 36).notNullable()
    table.string('type', 64).notNullable()
    table.text('content').notNullable()
    table.text('details')
    table.string('timestamp', 30).notNullable()
    table.index(['timestamp'])
    table.index(['agent_id', 'seq'])
  })
}

export async function createApprovals(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_policies', (table) => {
    table.string('name', 256).primary()
    table.string('mode', 32).notNullable()
    table.text('tools').notNullable()
    table.text('description')
    table.integer('version').notNullable().defaultTo(1)
    table.string('created_at', 30).notNullable()
    table.string('updated_at', 30).notNullable()
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
    table.string('cause', 16)
    table.text('conversation')
    table.index(['agent_id', 'request_id'])
  })
  await pageIndex(db, 'orchestrator_approvals', ['status', 'seq'])
  await pageIndex(db, 'orchestrator_approvals', ['agent_id', 'seq'])
  await pageIndex(db, 'orchestrator_approvals', ['agent_id', 'status', 'seq'])
}

export async function addPolicyAnswers(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_policies', (table) => {
    table.text('ask').notNullable().defaultTo('[]')
    table.text('deny').notNullable().defaultTo('[]')
    table.string('otherwise', 8)
  })
}

export async function addPolicySandboxes(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_policies', (table) => void table.text('sandbox'))
}

export async function addApprovalFindings(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_approvals', (table) => void table.text('finding'))
}

/** `sending_at` was `delivered_at`, which is now set after the send. */
export async function addApprovalFacts(db: Knex): Promise<void> {
  const approvals = 'orchestrator_approvals'
  await db.schema.alterTable(approvals, (table) => {
    table.text('agent_name')
    table.text('policy')
    table.string('policy_digest', 64)
    table.text('directory')
    table.string('dispatch_id', 36)
    table.text('workflow')
    table.string('turn_id', 36)
    table.text('programs')
    table.string('sending_at', 30)
  })
  const name = db('orchestrator_agents')
    .select('name')
    .whereRaw('orchestrator_agents.id = orchestrator_approvals.agent_id')
  await db(approvals).update({ sending_at: db.ref('delivered_at'), agent_name: name })
  await pageIndex(db, approvals, ['input_digest', 'seq'])
}

export async function addAlikeApprovals(db: Knex): Promise<void> {
  const approvals = 'orchestrator_approvals'
  await db.schema.alterTable(approvals, (table) => {
    table.string('alike', 16)
    table.text('effects')
    table.text('last_text')
  })
  for (const filter of [[], ['status'], ['agent_id']]) await pageIndex(db, approvals, [...filter, 'created_at', 'id'])
}

export async function addAgentAndApprovalPages(db: Knex): Promise<void> {
  for (const filter of ['name', 'status']) await pageIndex(db, 'orchestrator_agents', [filter, 'seq'])
  await pageIndex(db, 'orchestrator_approvals', ['agent_id', 'status', 'created_at', 'id'])
}

export async function createToolCalls(db: Knex): Promise<void> {
  await db.schema.createTable('orchestrator_tool_calls', (table) => {
    table.increments('seq')
    table.string('agent_id', 36).notNullable()
    table.text('tool').notNullable()
    table.text('about').notNullable()
    table.text('input')
    table.string('omitted', 8)
    table.string('decision', 8).notNullable()
    table.string('dispatch_id', 36)
    table.string('created_at', 30).notNullable()
    table.index(['agent_id', 'seq'])
    table.index(['created_at'])
  })
}

export async function addMessageOwners(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_prompts', (table) => {
    table.string('owner', 256)
    table.index(['owner', 'status'])
  })
}

export async function addAgentSandboxes(db: Knex): Promise<void> {
  await db.schema.alterTable('orchestrator_agents', (table) => {
    table.text('sandbox')
  })
}
