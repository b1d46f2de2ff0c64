// The face of the orchestrator: what its REST routes and the reconcilers may ask of it.
import type { WebSocket } from 'ws'
import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { LiveChange as LiveChangeOf, ToldChange as ToldChangeOf } from '../../platform/store/change-log.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type { Opened, StopOptions } from '../../platform/service/define.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { AgentPatch, AgentRecord, AgentSpec, DirectoryReply, MessageReply } from '../../schemas/agent.ts'
import type { Approval, ApprovalDecision } from '../../schemas/tools/approval.ts'
import type { DrainState, InFlight } from '../../schemas/agent/in-flight.ts'
import type { PolicyInput, PolicyRecord, PolicySpec } from '../../schemas/policy.ts'
import type { PushedTask, QueuePush, QueueStats, QueueTask } from '../../schemas/queue.ts'
import type { Secret } from '../../schemas/secret.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import type { ToolPolicy } from '../../schemas/tools/policy.ts'
import type { Message } from '../../schemas/agent/message.ts'
import type { AgentUsage, ContextCleared } from '../../schemas/agent/usage.ts'
import type {
  DispatchRecord,
  TriggerInput,
  WorkflowInput,
  WorkflowPatch,
  WorkflowRecord,
} from '../../schemas/workflow.ts'

type LiveKind = 'agents' | 'workflows' | 'policies'
export type LiveChange = LiveChangeOf<LiveKind>
export type ToldChange = ToldChangeOf<LiveKind>

/** A delivery to a webhook as it came, headers in lower case. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Byte for byte: a signature is over these. */
  body: Buffer
}

/** A record with what it leaves out. */
export interface InspectedAgent {
  record: AgentRecord
  /** Secrets unmasked. */
  spec: AgentSpec
  /**
   * The spec as the process has it, in what only a start takes up; null where it has what the spec says, or none
   * runs.
   */
  running: AgentSpec | null
  /** Connected, and its bridge has not reported yet whether the policy can be enforced. */
  awaitsProof: boolean
  /** Why the policy does not hold, though the agent runs: its program could run a tool unasked; null while it holds. */
  unguarded: string | null
  /** Of the row: it counts every write. */
  version: number
}

/** A workflow without what is known of its trigger's firings. */
export type UnfiredRecord = Omit<WorkflowRecord, 'next_fire_at' | 'last_fired_at' | 'last_error'>

/** A workflow with what its record leaves out: for the reconciler, never for output. */
export interface InspectedWorkflow {
  record: UnfiredRecord
  /** The webhook secret unmasked. */
  secret: Secret | null
  /** Its trigger has yielded all it ever will, and disabled it. */
  finished: boolean
  version: number
}

export interface InspectedPolicy {
  record: PolicyRecord
  version: number
}

/** Every write takes who asks, and is in the database before it returns. Unknown ids throw a 404 Problem. */
export interface Agents {
  /**
   * Records the agent (pending), launches it, returns it running; a launch that fails leaves it `failed`.
   * `id` is the controller's choice, else a new one. An id that exists already returns that agent unchanged.
   * Throws 422 when a directory or user does not exist, 400 when the config makes no sense.
   */
  create(spec: AgentSpec, by: Actor, id?: string): Promise<AgentRecord>
  get(id: string): Promise<AgentRecord>
  /** Newest first. */
  list(filter?: { status?: AgentRecord['status']; name?: string }): Promise<AgentRecord[]>
  /** The stored config with its secrets unmasked: for the reconciler, never for output. */
  spec(id: string): Promise<AgentSpec>
  /** One agent as it is at one moment: for the reconciler, never for output. */
  inspect(id: string): Promise<InspectedAgent>
  inspectAll(): Promise<InspectedAgent[]>
  /** Merge patch; `***` keeps a stored env value. `requires_restart` while the process runs with the old config. */
  patch(id: string, patch: AgentPatch, by: Actor): Promise<AgentRecord & { requires_restart: boolean }>
  /**
   * Gives whole members of the config other values in one write, and leaves the rest as it is; does not restart. 409
   * `moved` where one of them is not as it was seen.
   */
  assign(id: string, members: Partial<AgentSpec>, by: Actor, seen?: Seen<AgentSpec>): Promise<AgentRecord>
  terminate(id: string, by: Actor): Promise<AgentRecord>
  /** Terminates, removes the record and a clean worktree. A worktree with unsaved work is kept and logged. */
  purge(id: string, by: Actor): Promise<void>
  /** Same id, new process. */
  restart(id: string, by: Actor): Promise<AgentRecord>
  message(id: string, content: string, by: Actor): Promise<MessageReply>
  /** What it was given, newest first: a page, or all of it. */
  messages(id: string, limits?: PageLimits | null): Promise<Page<Message>>
  /** One of them; 404 where the agent was given no such. */
  messageOf(id: string, messageId: string): Promise<Message>
  setPolicy(id: string, policy: ToolPolicy, by: Actor): Promise<ToolPolicy>
  addDirectory(id: string, path: string, by: Actor): Promise<DirectoryReply>
  removeDirectory(id: string, path: string, by: Actor): Promise<DirectoryReply>
  clearContext(id: string, by: Actor): Promise<ContextCleared>
  interrupt(id: string, by: Actor): Promise<void>
  usage(id: string): Promise<AgentUsage>
  /** What the agent's terminal shows, for `logs`. */
  logs(id: string, lines: number): Promise<string>
  /** The work in hand, in words (`dispatch 1f3c of workflow build, since 2 min`), or null when idle. */
  work(id: string): Promise<string | null>
}

/** What of a workflow can be written, as it is stored. */
export interface WorkflowMembers extends Pick<
  WorkflowRecord,
  'name' | 'agent_id' | 'prompt_template' | 'poll_interval_secs' | 'enabled' | 'on_restart' | 'tool_policy'
> {
  /** Canonical, its secret unmasked. */
  trigger_config: Record<string, unknown>
}

export type PolicyMembers = Omit<PolicySpec, 'name'>

export interface Workflows {
  /**
   * 409 for a name that is taken, 400 for an agent that does not run, a bad template or trigger. `id` as for
   * agents.
   */
  create(input: WorkflowInput & { trigger_secret?: Secret }, by: Actor, id?: string): Promise<WorkflowRecord>
  get(id: string): Promise<WorkflowRecord>
  list(): Promise<WorkflowRecord[]>
  inspect(id: string): Promise<InspectedWorkflow>
  /** Newest first; the same object as long as the workflow has not changed. */
  inspectAll(): Promise<InspectedWorkflow[]>
  /** All or nothing; takes effect at once. 409 `moved` where what it touches is not as it was seen. */
  patch(id: string, patch: WorkflowPatch, by: Actor, seen?: Seen<WorkflowMembers>): Promise<WorkflowRecord>
  delete(id: string, by: Actor): Promise<void>
  /** Newest first: a page, or all of them. */
  history(id: string, limits?: PageLimits | null): Promise<Page<DispatchRecord>>
  /** One of them; 404 where the workflow has no such. */
  dispatch(id: string, dispatchId: string): Promise<DispatchRecord>
  /** 400 disabled, 404 unknown, 409 agent busy, 503 agent not connected. */
  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord>
}

export interface Webhooks {
  /**
   * 401 for a wrong or missing signature, 404 when there is no such workflow or it is disabled, 422 when it takes no
   * webhooks, 503 when its channel is full. Once it resolves the delivery is on record.
   */
  receive(workflowId: string, delivery: Delivery): Promise<void>
}

/** A queue is there as soon as something is pushed to it; one that is not there is empty. */
export interface Queues {
  /** Once it resolves the task is on record. */
  push(name: string, task: QueuePush, by: Actor): Promise<PushedTask>
  /** By name. */
  list(): Promise<QueueStats[]>
  stats(name: string): Promise<QueueStats>
  /** What waits, the next one first: a page of at most 100, or the first 10. */
  peek(name: string, limits: PageLimits | null): Promise<Page<QueueTask>>
  /** Removes all tasks, and says how many. */
  purge(name: string, by: Actor): Promise<number>
  /** Dead tasks wait again, as if they had never been tried; says how many. */
  redrive(name: string, by: Actor): Promise<number>
}

export interface Policies {
  list(): Promise<PolicyRecord[]>
  get(name: string): Promise<PolicyRecord>
  /** Null where there is none: to say what it may have been instead takes the names of all. */
  find(name: string): Promise<InspectedPolicy | null>
  /** The same object as long as the policy has not changed. */
  inspectAll(): Promise<InspectedPolicy[]>
  put(name: string, policy: PolicyInput, by: Actor): Promise<{ policy: PolicyRecord; created: boolean }>
  /** Gives some members other values. 409 `moved` where one of them is not as it was seen. */
  assign(name: string, members: Partial<PolicyMembers>, by: Actor, seen?: Seen<PolicyMembers>): Promise<PolicyRecord>
  delete(name: string, by: Actor): Promise<void>
}

export interface ApprovalFilter {
  status?: Approval['status']
  agentId?: string
}

export interface Approvals {
  /** Newest first: a page, or all of them. */
  list(filter?: ApprovalFilter, limits?: PageLimits | null): Promise<Page<Approval>>
  get(id: string): Promise<Approval>
  /** 409 when it is decided or timed out already. */
  approve(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval>
  deny(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval>
}

export interface Audit {
  /** The latest write to `field` (a dotted path; a parent's or a child's counts; empty: any) of a live resource. */
  latest(
    kind: LiveChange['kind'],
    id: string,
    field: string,
  ): Promise<{ actor: string; requestId: string; endpoint: string; at: string } | null>
}

/** The work in hand. */
export interface Work {
  /** What agents were given and have not answered yet, newest first: a page, or all of it. */
  inFlight(limits?: PageLimits | null): Promise<Page<InFlight>>
  /** Takes no more work for so many seconds; 0 takes it again. */
  drain(forSecs: number): Promise<DrainState>
}

/** Where agents dial in. */
export interface AgentSockets {
  /** True when `token` is the secret of that agent's current launch. */
  admit(agentId: string, token: string | null): Promise<boolean>
  /** Takes an upgraded socket over; a former one of the same agent is closed with 4000. */
  attach(agentId: string, socket: WebSocket): void
}

export interface Replay {
  /** RFC 3339. */
  since: string
  /** Default every agent. */
  agentId?: string
  /** Resolves when the listener has room for more. */
  room(): Promise<void>
}

/** Who watches. */
export interface Streams {
  /** Calls back with every frame of one agent, or of all, from now on. */
  subscribe(listener: (frame: StreamFrame) => void, agentId?: string): Unsubscribe
  /** The same, and before that what was said since a time, as far as it is kept. */
  replay(listener: (frame: StreamFrame) => void, asked: Replay): Unsubscribe
}

export interface Orchestrator extends Opened {
  readonly agents: Agents
  readonly workflows: Workflows
  readonly webhooks: Webhooks
  readonly queues: Queues
  readonly policies: Policies
  readonly approvals: Approvals
  readonly work: Work
  readonly audit: Audit
  readonly sockets: AgentSockets
  readonly streams: Streams
  /** Called after every committed change of a live resource; with a cursor, first for what was written after it. */
  changes(
    listener: (change: ToldChange) => void,
    asked?: { kind?: LiveChange['kind']; since?: number | null },
  ): Unsubscribe
  /** Startup reconciliation, then work. Call when the agent socket listens. */
  start(): Promise<void>
  /** Stops taking work and lets sessions live; `agents` ends them first. */
  stop(options?: StopOptions): Promise<void>
}
