// The orchestrator's tables as typed rows. Their columns follow from the schemas; `migrations.ts` makes them.
import * as Type from 'typebox'
import { table, type RowIn, type TableWorld } from '../../../platform/store/table.ts'
import { AGENT_STATUSES, type AgentSpec } from '../../../schemas/agent.ts'
import { Approval } from '../../../schemas/tools/approval.ts'
import { QueueTask } from '../../../schemas/queue.ts'
import { PolicyRecord } from '../../../schemas/policy.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { Usage } from '../../../schemas/agent/usage.ts'
import type { Secret } from '../../../schemas/secret.ts'
import type { TriggerType } from '../../../schemas/trigger.ts'
import { DispatchRecord, WorkflowRecord } from '../../../schemas/workflow.ts'
import type { TriggeredTask } from './triggered-task.ts'

/** A trigger in its canonical form; `secret`, where a type has one, is a Secret. */
export type StoredTrigger = Record<string, unknown> & { type: TriggerType; secret?: Secret }

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
  /** Its removal was begun: whoever finds it so goes on with it. */
  purge_due: Type.Boolean(),
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
  /** Counts every write of the row. */
  version: Type.Integer(),
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
  /** What the agent answered; null until then, and where none came. */
  result: nullableText,
  created_at: Type.String(),
  sent_at: nullableText,
  done_at: nullableText,
})

/** Columns of a workflow that the API does not show, or shows otherwise. */
const workflowPrivate = {
  trigger_config: Type.Unsafe<StoredTrigger>(Type.Object({})),
  /** Its trigger has yielded all it ever will, and disabled it. */
  finished: Type.Boolean(),
  version: Type.Integer(),
}

/** Columns of a dispatch that the API does not show. */
const dispatchPrivate = {
  /** What the prompt was made of; null: an earlier version did not keep it. */
  task: Type.Unsafe<TriggeredTask | null>(nullableObject),
  /** Dispatches that it follows from, one from the other. */
  depth: Type.Integer(),
}

/** Columns of a queue's task that the API does not show. */
const queueTaskPrivate = {
  /** Its latest attempt. */
  dispatch_id: nullableText,
  /** Until then nobody gets it: it is with an agent, or waits after a failure. */
  visible_at: Type.String(),
  ended_at: nullableText,
}

const Firing = Type.Object({ workflow_id: Type.String(), last_fired_at: nullableText, last_error: nullableText })

const SeenTask = Type.Object({ workflow_id: Type.String(), name: Type.String() })

const ChainEnd = Type.Object({ workflow_id: Type.String(), dispatch_id: Type.String() })

const TriggerCursor = Type.Object({ workflow_id: Type.String(), cursor: Type.String(), updated_at: Type.String() })

const RoomMember = Type.Object({ agent_id: Type.String(), room: Type.String(), role: Type.String() })

const RoomCursor = Type.Object({ room_id: Type.String(), message_id: Type.String() })

/** A message of a room that an agent was given, and what is to be said to it. */
const RoomPrompt = Type.Object({
  /** Also the id of the answer: said twice, it is kept once. */
  id: Type.String(),
  /** Null for what the room is told without asking the agent. */
  prompt_id: nullableText,
  agent_id: Type.String(),
  /** What the agent is called in the room. */
  sender_id: Type.String(),
  room_id: Type.String(),
  message_id: Type.String(),
  kind: Type.Enum(['reply', 'notice']),
  /** Of the answer: how many agents answered one another before, this one included. */
  hops: Type.Integer(),
  /** waiting for its agent → due → done. */
  status: Type.Enum(['waiting', 'due', 'done']),
  content: nullableText,
  error: nullableText,
  created_at: Type.String(),
})

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

/** Tokens that a turn has used. */
export const TOKENS = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const
const FIGURES = [...TOKENS, 'total_cost_usd', 'num_turns', 'duration_ms', 'duration_api_ms', 'result_count'] as const
/** Figures of a turn, or of a session. */
export type Figures = Record<(typeof FIGURES)[number], number>

export const figures = (value: (name: keyof Figures) => number): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, value(name)])) as Figures

/** The order of rows by their number. */
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
    sessions: table(world, 'orchestrator_sessions', Usage, {
      what: 'session',
      private: { agent_id: Type.String(), number: Type.Integer() },
      key: ['agent_id', 'number'],
      defaults: figures(() => 0),
      order: [{ column: 'number', order: 'asc' }],
    }),
    policies: table(world, 'orchestrator_policies', PolicyRecord, {
      what: 'policy',
      key: ['name'],
      private: { version: Type.Integer() },
      defaults: { version: 1 },
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
    prompts: table(world, 'orchestrator_prompts', PromptColumns, { what: 'prompt' }),
    approvals: table(world, 'orchestrator_approvals', Approval, { what: 'approval', private: approvalPrivate }),
    queueTasks: table(world, 'orchestrator_queue_tasks', QueueTask, { what: 'task', private: queueTaskPrivate }),
    ...triggerTables(world),
  }
}

/** Where the triggers of workflows have come to. */
function triggerTables(world: TableWorld) {
  return {
    firings: table(world, 'orchestrator_firings', Firing, { what: 'firing', key: ['workflow_id'] }),
    seenTasks: table(world, 'orchestrator_seen_tasks', SeenTask, {
      what: 'task that was seen',
      key: ['workflow_id', 'name'],
      order: ['name'],
    }),
    chainEnds: table(world, 'orchestrator_chain_ends', ChainEnd, {
      what: 'end of a chain',
      key: ['workflow_id', 'dispatch_id'],
      order: OLDEST_FIRST,
    }),
    cursors: table(world, 'orchestrator_trigger_cursors', TriggerCursor, { what: 'cursor', key: ['workflow_id'] }),
  }
}

type AllTables = ReturnType<typeof openTables>
/** Agents are written through their store alone, which keeps what it has read. */
export type Tables = Omit<AllTables, 'agents'>
export type AgentsTable = AllTables['agents']

export type AgentRow = RowIn<AgentsTable>
export type UsageRow = RowIn<Tables['sessions']>
export type PolicyRow = RowIn<Tables['policies']>
export type WorkflowRow = RowIn<Tables['workflows']>
export type DispatchRow = RowIn<Tables['dispatches']>
export type QueueTaskRow = RowIn<Tables['queueTasks']>
export type FiringRow = RowIn<Tables['firings']>
/** Something an agent is given to work on, or is to be given. */
export type Prompt = Pick<RowIn<Tables['prompts']>, 'id' | 'agent_id' | 'kind' | 'content' | 'dispatch_id' | 'policy'>
/** The same with what became of it. */
export type PromptRow = RowIn<Tables['prompts']>
export type PromptKind = Prompt['kind']
export type ApprovalRow = RowIn<Tables['approvals']>
export type RoomPromptRow = RowIn<ReturnType<typeof openTables>['roomPrompts']>
