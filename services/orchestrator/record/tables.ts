import * as Type from 'typebox'
import { table, type RowIn, type TableWorld } from '../../../platform/store/table.ts'
import { AGENT_STATUSES, type AgentSpec } from '../../../schemas/agent.ts'
import { Approval } from '../../../schemas/tools/approval.ts'
import { QueueTask } from '../../../schemas/queue.ts'
import { PolicyRecord } from '../../../schemas/policy.ts'
import { PolicySandboxRecord } from '../../../schemas/sandbox/sandbox.ts'
import { orNull } from '../../../schemas/shapes.ts'
import { answerTypes, type ToolPolicy } from '../../../schemas/tools/policy.ts'
import type { Secret } from '../../../schemas/secret.ts'
import type { TriggerType } from '../../../schemas/trigger.ts'
import { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow.ts'
import { FiringRecord } from '../../../schemas/workflow/firing.ts'
import type { StartedSandbox } from './started-sandbox.ts'
import { ToolCall } from './tool-call.ts'
import type { TriggeredTask } from './triggered-task.ts'
import { usageTables } from './usage-tables.ts'

/** Canonical form. */
export type StoredTrigger = Record<string, unknown> & { type: TriggerType; secret?: Secret }

const nullableText = Type.Union([Type.String(), Type.Null()])
const nullableObject = Type.Union([Type.Object({}), Type.Null()])

const LostMessage = Type.Object({ sent_at: Type.String(), reason: Type.String() })

const Agent = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.Enum([...AGENT_STATUSES]),
  spec: Type.Unsafe<AgentSpec>(Type.Object({})),
  /** Spec of the process, recorded before it starts. Null on rows of an earlier version. */
  launched: Type.Unsafe<AgentSpec | null>(nullableObject),
  token_hash: nullableText,
  launch_file: nullableText,
  worktree: nullableText,
  launches: Type.Integer(),
  restarts: Type.Integer(),
  /** A restart has begun; the new process is not running yet. */
  restart_due: Type.Boolean(),
  /** A purge has begun and is not finished. */
  purge_due: Type.Boolean(),
  last_error: nullableText,
  warnings: Type.Array(Type.String()),
  prompt_due: Type.Boolean(),
  /** The agent program's conversation id. */
  program_session: nullableText,
  program_version: nullableText,
  /** Null on rows of an earlier version. */
  sandbox: Type.Unsafe<StartedSandbox | null>(nullableObject),
  /** Messages unanswered when the agent ended; kept until a later one is answered. */
  lost_messages: Type.Array(LostMessage),
  session_number: Type.Integer(),
  cost_seen: Type.Number(),
  api_ms_seen: Type.Number(),
  /** uuids of counted frames: a repeat is not counted again, even by a later daemon. */
  seen_frames: Type.Array(Type.String()),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const PromptColumns = Type.Object({
  /** Also the uuid of its frame. */
  id: Type.String(),
  agent_id: Type.String(),
  kind: Type.Enum(['initial', 'message', 'dispatch', 'clear']),
  rank: Type.Integer(),
  content: Type.String(),
  dispatch_id: nullableText,
  /** Caller whose limit it counts towards. */
  owner: nullableText,
  /** Applies while the prompt runs. Null: the agent's own policy. */
  policy: Type.Unsafe<ToolPolicy | null>(nullableObject),
  /** An agent caused the task: the policy of the agent that runs it applies as well. */
  by_agent: Type.Boolean(),
  status: Type.Enum(['queued', 'sent', 'done', 'failed']),
  error: nullableText,
  result: nullableText,
  created_at: Type.String(),
  sent_at: nullableText,
  done_at: nullableText,
})

/** The record omits them at their default. */
const policyPrivate = {
  ask: answerTypes.ask,
  deny: answerTypes.deny,
  otherwise: orNull(answerTypes.otherwise),
  sandbox: orNull(PolicySandboxRecord),
  version: Type.Integer(),
}

const workflowPrivate = {
  trigger_config: Type.Unsafe<StoredTrigger>(Type.Object({})),
  finished: Type.Boolean(),
  version: Type.Integer(),
}

const dispatchPrivate = {
  /** Null on rows of an earlier version. */
  task: Type.Unsafe<TriggeredTask | null>(nullableObject),
  /** Number of earlier dispatches in the chain. */
  depth: Type.Integer(),
}

const queueTaskPrivate = {
  /** Dispatch of the latest attempt. */
  dispatch_id: nullableText,
  /** The task cannot be claimed before this time. */
  visible_at: Type.String(),
  ended_at: nullableText,
  /** Pushed by an agent. */
  by_agent: Type.Boolean(),
}

const Firing = Type.Object({ workflow_id: Type.String(), last_fired_at: nullableText, last_error: nullableText })

const SeenTask = Type.Object({ workflow_id: Type.String(), name: Type.String() })

const ChainEnd = Type.Object({ workflow_id: Type.String(), dispatch_id: Type.String() })

const TriggerCursor = Type.Object({ workflow_id: Type.String(), cursor: Type.String(), updated_at: Type.String() })

const RoomMember = Type.Object({ agent_id: Type.String(), room: Type.String(), role: Type.String() })

const RoomCursor = Type.Object({ room_id: Type.String(), message_id: Type.String() })

/** A room message given to an agent, and its answer. */
const RoomPrompt = Type.Object({
  /** Also the answer's id, so that posting is idempotent. */
  id: Type.String(),
  /** Null for a notice. */
  prompt_id: nullableText,
  agent_id: Type.String(),
  /** The agent's name in the room. */
  sender_id: Type.String(),
  room_id: Type.String(),
  message_id: Type.String(),
  kind: Type.Enum(['reply', 'notice']),
  /** Consecutive answers between agents, including this one. */
  hops: Type.Integer(),
  /** waiting (for the agent) → due (to be posted) → done. */
  status: Type.Enum(['waiting', 'due', 'done']),
  content: nullableText,
  error: nullableText,
  created_at: Type.String(),
})

const approvalPrivate = {
  /**
   * Why no decision applies: it expired, the agent no longer asks (`abandoned`), or a newer `policy` forbids the call.
   */
  cause: Type.Union([Type.Enum(['expired', 'abandoned', 'policy']), Type.Null()]),
  scope: Type.Union([Type.Enum(['once', 'session']), Type.Null()]),
  updated_input: Type.Unsafe<Record<string, unknown> | null>(nullableObject),
  input_digest: Type.String(),
  launch: Type.Integer(),
  session_number: Type.Integer(),
  conversation: nullableText,
  /** Of the policy that left the decision to a person. Null on rows of an earlier version. */
  policy_digest: nullableText,
  /** Recorded before the decision is sent: from then on the agent may have it. */
  sending_at: nullableText,
}

export const OLDEST_FIRST = [{ column: 'seq', order: 'asc' }] as const

const roomTables = (world: TableWorld) => ({
  roomMembers: table(world, 'orchestrator_room_members', RoomMember, {
    what: 'room member',
    key: ['agent_id', 'room'],
    order: ['room'],
  }),
  roomCursors: table(world, 'orchestrator_room_cursors', RoomCursor, {
    what: 'room cursor',
    key: ['room_id'],
    order: ['room_id'],
  }),
  roomPrompts: table(world, 'orchestrator_room_prompts', RoomPrompt, {
    what: 'room prompt',
    order: OLDEST_FIRST,
  }),
})

export function openTables(world: TableWorld) {
  return {
    ...roomTables(world),
    ...usageTables(world),
    agents: table(world, 'orchestrator_agents', Agent, {
      what: 'agent',
      columns: { spec: 'config', launched: 'launched_config' },
      sealed: ['spec', 'launched'],
      defaults: {
        launches: 1,
        restarts: 0,
        restart_due: false,
        purge_due: false,
        warnings: [],
        prompt_due: false,
        session_number: 1,
        cost_seen: 0,
        api_ms_seen: 0,
        seen_frames: [],
        lost_messages: [],
        version: 1,
      },
      versioned: true,
    }),
    policies: table(world, 'orchestrator_policies', PolicyRecord, {
      what: 'policy',
      key: ['name'],
      private: policyPrivate,
      defaults: { version: 1, ask: [], deny: [] },
      versioned: true,
    }),
    workflows: table(world, 'orchestrator_workflows', WorkflowRecord, {
      what: 'workflow',
      private: workflowPrivate,
      computed: ['warnings', 'next_fire_at', 'last_fired_at', 'last_error'],
      sealed: ['trigger_config'],
      defaults: { version: 1, finished: false },
      versioned: true,
    }),
    dispatches: table(world, 'orchestrator_dispatches', DispatchRecord, {
      what: 'dispatch',
      private: dispatchPrivate,
      defaults: { depth: 0 },
    }),
    prompts: table(world, 'orchestrator_prompts', PromptColumns, { what: 'prompt', defaults: { by_agent: false } }),
    approvals: table(world, 'orchestrator_approvals', Approval, { what: 'approval', private: approvalPrivate }),
    toolCalls: table(world, 'orchestrator_tool_calls', ToolCall, { what: 'tool call', key: ['agent_id'] }),
    queueTasks: table(world, 'orchestrator_queue_tasks', QueueTask, { what: 'task', private: queueTaskPrivate }),
    ...triggerTables(world),
  }
}

function triggerTables(world: TableWorld) {
  return {
    firings: table(world, 'orchestrator_firings', Firing, { what: 'firing', key: ['workflow_id'] }),
    firingLog: table(world, 'orchestrator_firing_log', FiringRecord, {
      what: 'firing',
      order: ['created_at', 'seq'],
    }),
    seenTasks: table(world, 'orchestrator_seen_tasks', SeenTask, {
      what: 'seen task',
      key: ['workflow_id', 'name'],
      order: ['name'],
    }),
    chainEnds: table(world, 'orchestrator_chain_ends', ChainEnd, {
      what: 'chain end',
      key: ['workflow_id', 'dispatch_id'],
      order: OLDEST_FIRST,
    }),
    cursors: table(world, 'orchestrator_trigger_cursors', TriggerCursor, { what: 'cursor', key: ['workflow_id'] }),
  }
}

type AllTables = ReturnType<typeof openTables>
/** Agents are written through the AgentStore cache only. */
export type Tables = Omit<AllTables, 'agents'>
export type AgentsTable = AllTables['agents']

export type AgentRow = RowIn<AgentsTable>
export type PolicyRow = RowIn<Tables['policies']>
export type WorkflowRow = RowIn<Tables['workflows']>
export type DispatchRow = RowIn<Tables['dispatches']>
export type QueueTaskRow = RowIn<Tables['queueTasks']>
export type FiringRow = RowIn<Tables['firings']>
export type Prompt = Pick<
  RowIn<Tables['prompts']>,
  'id' | 'agent_id' | 'kind' | 'content' | 'dispatch_id' | 'policy' | 'by_agent'
>
export type PromptRow = RowIn<Tables['prompts']>
export type PromptKind = Prompt['kind']
export type ApprovalRow = RowIn<Tables['approvals']>
export type ToolCallRow = RowIn<Tables['toolCalls']>
export type RoomPromptRow = RowIn<ReturnType<typeof openTables>['roomPrompts']>
