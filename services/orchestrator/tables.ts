// The orchestrator's tables as typed rows. Their columns follow from the schemas; `migrations.ts` makes them.
import Type from 'typebox'
import { table, type RowIn, type TableWorld } from '../../platform/store/table.ts'
import { AGENT_STATUSES, type AgentSpec } from '../../schemas/agent.ts'
import { Approval } from '../../schemas/approval.ts'
import { PolicyRecord } from '../../schemas/policy.ts'
import type { ToolPolicy } from '../../schemas/tools/policy.ts'
import { Usage } from '../../schemas/agent/usage.ts'
import { DispatchRecord, WorkflowRecord } from '../../schemas/workflow.ts'
import type { StoredTrigger } from './workflows/trigger-input.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])
const nullableObject = Type.Union([Type.Object({}), Type.Null()])

const LostMessage = Type.Object({ sent_at: Type.String(), reason: Type.String() })

const Agent = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.Enum([...AGENT_STATUSES]),
  spec: Type.Unsafe<AgentSpec>(Type.Object({})),
  /**
   * What the present or last process was started with: on record before it is started. Null: an earlier version did
   * not say.
   */
  launched: Type.Unsafe<AgentSpec | null>(nullableObject),
  token_hash: nullableText,
  launch_file: nullableText,
  worktree: nullableText,
  launches: Type.Integer(),
  restarts: Type.Integer(),
  /** A restart was begun and its new process does not run yet: whoever finds it so starts one. */
  restart_due: Type.Boolean(),
  last_error: nullableText,
  warnings: Type.Array(Type.String()),
  prompt_due: Type.Boolean(),
  /** The agent program's own conversation, to go on with after a restart. */
  program_session: nullableText,
  program_version: nullableText,
  /** Messages that were with the agent when it ended, until one sent later has its result. */
  lost_messages: Type.Array(LostMessage),
  session_number: Type.Integer(),
  cost_seen: Type.Number(),
  api_ms_seen: Type.Number(),
  /** uuids of the latest frames that were counted: a repeat is not counted again, even by the next daemon. */
  seen_frames: Type.Array(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const PromptColumns = Type.Object({
  /** Also the uuid of the frame. */
  id: Type.String(),
  agent_id: Type.String(),
  kind: Type.Enum(['initial', 'message', 'dispatch', 'clear']),
  rank: Type.Integer(),
  content: Type.String(),
  /** The dispatch that the prompt belongs to. */
  dispatch_id: nullableText,
  /** In force from just before the prompt is sent until its result; null = the agent's own. */
  policy: Type.Unsafe<ToolPolicy | null>(nullableObject),
  status: Type.Enum(['queued', 'sent', 'done', 'failed']),
  error: nullableText,
  created_at: Type.String(),
  sent_at: nullableText,
  done_at: nullableText,
})

const TriggerCursor = Type.Object({ workflow_id: Type.String(), cursor: Type.String(), updated_at: Type.String() })

/** Columns of an approval that the API does not show. */
const approvalPrivate = {
  /**
   * Why a request ended without a person, or what a person decided is void: nobody decided in time; nobody asks any
   * more; a policy that came into force later forbids it.
   */
  cause: Type.Union([Type.Enum(['expired', 'abandoned', 'policy']), Type.Null()]),
  scope: Type.Union([Type.Enum(['once', 'session']), Type.Null()]),
  updated_input: Type.Unsafe<Record<string, unknown> | null>(nullableObject),
  input_digest: Type.String(),
  /** Which start of the agent asked. */
  launch: Type.Integer(),
  session_number: Type.Integer(),
  /** The program's own conversation that asked; null when it has named none. */
  conversation: nullableText,
  /** When the agent was told. */
  delivered_at: nullableText,
}

const NOTHING_USED = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  total_cost_usd: 0,
  num_turns: 0,
  duration_ms: 0,
  duration_api_ms: 0,
  result_count: 0,
}

export function openTables(world: TableWorld) {
  return {
    agents: table(world, 'orchestrator_agents', Agent, {
      what: 'agent',
      columns: { spec: 'config', launched: 'launched_config' },
      sealed: ['spec', 'launched'],
      defaults: {
        launches: 1,
        restarts: 0,
        restart_due: false,
        warnings: [],
        prompt_due: false,
        session_number: 1,
        cost_seen: 0,
        api_ms_seen: 0,
        seen_frames: [],
        lost_messages: [],
      },
    }),
    sessions: table(world, 'orchestrator_sessions', Usage, {
      what: 'session',
      private: { agent_id: Type.String(), number: Type.Integer() },
      key: ['agent_id', 'number'],
      defaults: NOTHING_USED,
      order: [{ column: 'number', order: 'asc' }],
    }),
    policies: table(world, 'orchestrator_policies', PolicyRecord, {
      what: 'policy',
      key: ['name'],
      versioned: true,
    }),
    workflows: table(world, 'orchestrator_workflows', WorkflowRecord, {
      what: 'workflow',
      private: { trigger_config: Type.Unsafe<StoredTrigger>(Type.Object({})) },
      computed: ['warnings'],
      sealed: ['trigger_config'],
      versioned: true,
    }),
    dispatches: table(world, 'orchestrator_dispatches', DispatchRecord, { what: 'dispatch' }),
    prompts: table(world, 'orchestrator_prompts', PromptColumns, { what: 'prompt' }),
    approvals: table(world, 'orchestrator_approvals', Approval, { what: 'approval', private: approvalPrivate }),
    cursors: table(world, 'orchestrator_trigger_cursors', TriggerCursor, { what: 'cursor', key: ['workflow_id'] }),
  }
}

type AllTables = ReturnType<typeof openTables>
/** Agents are written through their store alone, which keeps what it has read. */
export type Tables = Omit<AllTables, 'agents'>
export type AgentsTable = AllTables['agents']

export type AgentRow = RowIn<AgentsTable>
export type UsageRow = RowIn<Tables['sessions']>
export type WorkflowRow = RowIn<Tables['workflows']>
/** Something an agent is given to work on, or is to be given. */
export type Prompt = Pick<RowIn<Tables['prompts']>, 'id' | 'agent_id' | 'kind' | 'content' | 'dispatch_id' | 'policy'>
export type PromptKind = Prompt['kind']
export type ApprovalRow = RowIn<Tables['approvals']>
