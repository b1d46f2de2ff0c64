// The face of the orchestrator: what its REST routes and the reconcilers may ask of it.
import type { WebSocket } from 'ws'
import type { Actor } from '../../platform/actor.ts'
import type { Unsubscribe } from '../../platform/change-feed.ts'
import type { Opened, StopOptions } from '../../platform/service/define.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { AgentPatch, AgentRecord, AgentSpec, DirectoryReply, MessageReply } from '../../schemas/agent.ts'
import type { Approval, ApprovalDecision } from '../../schemas/approval.ts'
import type { DrainState, InFlight } from '../../schemas/agent/in-flight.ts'
import type { PolicyInput, PolicyRecord } from '../../schemas/policy.ts'
import type { Secret } from '../../schemas/secret.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import type { ToolPolicy } from '../../schemas/tools/policy.ts'
import type { AgentUsage, ContextCleared } from '../../schemas/agent/usage.ts'
import type {
  DispatchRecord,
  TriggerInput,
  WorkflowInput,
  WorkflowPatch,
  WorkflowRecord,
} from '../../schemas/workflow.ts'

/** A live resource moved: what is read anew is left to the listener. */
export interface LiveChange {
  kind: 'agents' | 'workflows' | 'policies'
  id: string
  name: string
  /** Nothing of its record changed: its work has ended, and what waits for that may go on. */
  idle?: true
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
  /** Connected, and its bridge has not said yet whether the policy can be enforced. */
  awaitsProof: boolean
  /** Why the policy does not hold, though the agent runs: its program could run a tool unasked; null while it holds. */
  unguarded: string | null
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
  /** Replaces the whole config in one write; does not restart. */
  replace(id: string, spec: AgentSpec, by: Actor): Promise<AgentRecord>
  terminate(id: string, by: Actor): Promise<AgentRecord>
  /** Terminates, removes the record and a clean worktree. A worktree with unsaved work is kept and logged. */
  purge(id: string, by: Actor): Promise<void>
  /** Same id, new process. */
  restart(id: string, by: Actor): Promise<AgentRecord>
  message(id: string, content: string, by: Actor): Promise<MessageReply>
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

export interface Workflows {
  /**
   * 409 for a name that is taken, 400 for an agent that does not run, a bad template or trigger. `id` as for
   * agents.
   */
  create(input: WorkflowInput & { trigger_secret?: Secret }, by: Actor, id?: string): Promise<WorkflowRecord>
  get(id: string): Promise<WorkflowRecord>
  list(): Promise<WorkflowRecord[]>
  /** The webhook secret unmasked: for the reconciler. */
  secret(id: string): Promise<Secret | null>
  /** All or nothing; takes effect at once. */
  patch(id: string, patch: WorkflowPatch, by: Actor): Promise<WorkflowRecord>
  delete(id: string, by: Actor): Promise<void>
  /** Newest first: a page, or all of them. */
  history(id: string, limits?: PageLimits | null): Promise<Page<DispatchRecord>>
  /** 400 disabled, 404 unknown, 409 agent busy, 503 agent not connected. */
  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord>
}

export interface Policies {
  list(): Promise<PolicyRecord[]>
  get(name: string): Promise<PolicyRecord>
  put(name: string, policy: PolicyInput, by: Actor): Promise<{ policy: PolicyRecord; created: boolean }>
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

/** Who watches. */
export interface Streams {
  /** Calls back with every frame of one agent, or of all. No replay. */
  subscribe(listener: (frame: StreamFrame) => void, agentId?: string): Unsubscribe
}

export interface Orchestrator extends Opened {
  readonly agents: Agents
  readonly workflows: Workflows
  readonly policies: Policies
  readonly approvals: Approvals
  readonly work: Work
  readonly audit: Audit
  readonly sockets: AgentSockets
  readonly streams: Streams
  /** Called at once after every committed change of a live resource. */
  changes(listener: (change: LiveChange) => void): Unsubscribe
  /** Startup reconciliation, then work. Call when the agent socket listens. */
  start(): Promise<void>
  /** Stops taking work and lets sessions live; `agents` ends them first. */
  stop(options?: StopOptions): Promise<void>
}
