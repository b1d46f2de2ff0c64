import type { WebSocket } from 'ws'
import type { Actor } from '../../platform/core/actor.ts'
import type { Problem } from '../../platform/core/problem.ts'
import type { Delivery, RefusedDelivery } from '../../platform/forge/webhook-signature.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { LiveChange as LiveChangeOf, ChangeNotice as ChangeNoticeOf } from '../../platform/store/change-log.ts'
import type {
  InspectedAgent,
  InspectedPolicy,
  InspectedWorkflow,
  PolicyMembers,
  WorkflowMembers,
} from '../../schemas/agent/inspected.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type { Opened, StopOptions } from '../../platform/service/define.ts'
import type { ChangedFile } from '../../platform/files/desired-files.ts'
import type { CursorAsked } from '../../platform/store/keyset.ts'
import type { Listed, Page, PageLimits, Part } from '../../platform/store/page.ts'
import type {
  AgentFilter,
  AgentPatch,
  AgentRecord,
  AgentSpec,
  DirectoryReply,
  MessageReply,
} from '../../schemas/agent.ts'
import type {
  AlikeDecision,
  AlikeResult,
  Approval,
  ApprovalCounts,
  ApprovalDecision,
  ApprovalFilter,
  SimilarDecision,
} from '../../schemas/tools/approval.ts'
import type { DrainState, InFlight } from '../../schemas/agent/in-flight.ts'
import type { RoomMessagePreview, RoomWakes } from '../../schemas/agent/room-wakes.ts'
import type { PolicyInput, PolicyRecord } from '../../schemas/policy.ts'
import type { PushedTask, QueuePush, QueueStats, QueueTask } from '../../schemas/queue.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import type { SandboxTrial } from '../../schemas/agent/sandbox-trial.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import type { Secret } from '../../schemas/secret.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import type { TranscriptEntry, TranscriptPage } from '../../schemas/agent/transcript.ts'
import type { ToolPolicy } from '../../schemas/tools/policy.ts'
import type { PolicyTest, PolicyTestReply } from '../../schemas/tools/policy-test.ts'
import type { Message } from '../../schemas/agent/message.ts'
import type { FiringFilter, FiringRecord, WorkflowSchedule } from '../../schemas/workflow/firing.ts'
import type { AgentUsage, ContextCleared, UsageAsked, UsageHistory } from '../../schemas/agent/usage.ts'
import type { PromptPreview, PromptPreviewInput } from '../../schemas/workflow/template.ts'
import type {
  DispatchRecord,
  TriggerInput,
  WorkflowInput,
  WorkflowPatch,
  WorkflowRecord,
} from '../../schemas/workflow.ts'

export type * from '../../schemas/agent/inspected.ts'

type LiveKind = 'agents' | 'workflows' | 'policies'
export type LiveChange = LiveChangeOf<LiveKind>
export type ChangeNotice = ChangeNoticeOf<LiveKind>

/** Writes are committed before they return. Unknown ids throw a 404 Problem. */
export interface Agents {
  /**
   * A failed launch leaves the agent `failed`. An existing `id` returns that agent unchanged. Throws 422 for a missing
   * directory or user, 400 for an invalid spec.
   */
  create(spec: AgentSpec, by: Actor, id?: string): Promise<AgentRecord>
  get(id: string): Promise<AgentRecord>
  /** Newest first. */
  list(filter?: AgentFilter): Promise<AgentRecord[]>
  slice(filter: AgentFilter, cursor: CursorAsked): Promise<Slice<AgentRecord>>
  /** Not redacted: for the reconciler, never for output. */
  spec(id: string): Promise<AgentSpec>
  /** Directories that its tools may use, with links resolved; null for an unknown agent. */
  directories(id: string): Promise<string[] | null>
  inspect(id: string): Promise<InspectedAgent>
  inspectAll(): Promise<InspectedAgent[]>
  /** `***` keeps a stored env value. `requires_restart`: the process runs with the old config. */
  patch(id: string, patch: AgentPatch, by: Actor): Promise<AgentRecord & { requires_restart: boolean }>
  /** Does not restart. Throws 409 `moved` if a field differs from `seen`. */
  assign(id: string, members: Partial<AgentSpec>, by: Actor, seen?: Seen<AgentSpec>): Promise<AgentRecord>
  terminate(id: string, by: Actor): Promise<AgentRecord>
  /** Also removes a clean worktree; one with unsaved work is kept and logged. */
  purge(id: string, by: Actor): Promise<void>
  /** Same id, new process. */
  restart(id: string, by: Actor): Promise<AgentRecord>
  message(id: string, content: string, by: Actor): Promise<MessageReply>
  /** Newest first. */
  messages<P extends Part = {}>(id: string, part?: P): Promise<Listed<Message, P>>
  messageOf(id: string, messageId: string): Promise<Message>
  setPolicy(id: string, policy: ToolPolicy, by: Actor): Promise<ToolPolicy>
  addDirectory(id: string, path: string, by: Actor): Promise<DirectoryReply>
  removeDirectory(id: string, path: string, by: Actor): Promise<DirectoryReply>
  clearContext(id: string, by: Actor): Promise<ContextCleared>
  interrupt(id: string, by: Actor): Promise<void>
  usage(id: string): Promise<AgentUsage>
  logs(id: string, lines: number): Promise<string>
  /** `dispatch 1f3c of workflow build, since 2 min`; null when idle. */
  work(id: string): Promise<string | null>
}

export interface Workflows {
  /** Throws 409 if the name is taken, 400 for an agent that is not running or an invalid template or trigger. */
  create(input: WorkflowInput & { trigger_secret?: Secret }, by: Actor, id?: string): Promise<WorkflowRecord>
  get(id: string): Promise<WorkflowRecord>
  list(): Promise<WorkflowRecord[]>
  /** Newest first. */
  slice(cursor: CursorAsked): Promise<Slice<WorkflowRecord>>
  inspect(id: string): Promise<InspectedWorkflow>
  /** Newest first; unchanged workflows keep object identity. */
  inspectAll(): Promise<InspectedWorkflow[]>
  /** Atomic. Throws 409 `moved` if a touched field differs from `seen`. */
  patch(id: string, patch: WorkflowPatch, by: Actor, seen?: Seen<WorkflowMembers>): Promise<WorkflowRecord>
  delete(id: string, by: Actor): Promise<void>
  /** Newest first. */
  history<P extends Part = {}>(id: string, part?: P): Promise<Listed<DispatchRecord, P>>
  dispatch(id: string, dispatchId: string): Promise<DispatchRecord>
  /** Newest first, at most 500 of each outcome. A crash may lose the last ones without a task. */
  firings<P extends Part>(id: string, filter: FiringFilter, part: P): Promise<Listed<FiringRecord, P>>
  schedule(id: string): Promise<WorkflowSchedule>
  /** Throws 404 without a dispatch, 409 for one of an earlier version, whose task is unknown. */
  preview(id: string, input: PromptPreviewInput): Promise<PromptPreview>
  /** Throws 404, 400 if disabled, 409 if the agent is busy, 503 if it is not connected. */
  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord>
}

export interface Webhooks {
  /**
   * Resolves when stored. Returns the reason if the delivery does not match and creates no task, else null. Throws 401
   * for a wrong or missing signature, 404 if the workflow is unknown or disabled, 422 if it accepts no webhooks, 503 if
   * its channel is full.
   */
  receive(workflowId: string, delivery: Delivery): Promise<string | null>
  /** Records a delivery that was refused, by `receive` or before. Never rejects. */
  refused(workflowId: string, delivery: RefusedDelivery, problem: Problem): Promise<void>
}

/** An unknown queue is empty. */
export interface Queues {
  /** Resolves when stored. */
  push(name: string, task: QueuePush, by: Actor): Promise<PushedTask>
  /** Sorted by name. */
  list(): Promise<QueueStats[]>
  stats(name: string): Promise<QueueStats>
  /** At most 100 pending tasks; default 10. */
  peek(name: string, limits: PageLimits | null): Promise<Page<QueueTask>>
  /** Newest first. */
  tasks<P extends Part>(name: string, filter: { status?: QueueTask['status'] }, part: P): Promise<Listed<QueueTask, P>>
  /** Returns the number of tasks. */
  purge(name: string, by: Actor): Promise<number>
  /** Makes dead tasks pending again; returns their number. */
  redrive(name: string, by: Actor): Promise<number>
  /** Makes a dead task pending again. Throws 404 for a task that is not in the queue, 409 if it is not dead. */
  redriveTask(name: string, id: string, by: Actor): Promise<QueueTask>
}

export interface Policies {
  list(): Promise<PolicyRecord[]>
  get(name: string): Promise<PolicyRecord>
  /** Returns null if unknown; cheaper than the error of `get`, which lists all names. */
  find(name: string): Promise<InspectedPolicy | null>
  /** Unchanged policies keep object identity. */
  inspectAll(): Promise<InspectedPolicy[]>
  put(name: string, policy: PolicyInput, by: Actor): Promise<{ policy: PolicyRecord; created: boolean }>
  /** Throws 409 `moved` if a field differs from `seen`. */
  assign(name: string, members: Partial<PolicyMembers>, by: Actor, seen?: Seen<PolicyMembers>): Promise<PolicyRecord>
  delete(name: string, by: Actor): Promise<void>
}

export interface PolicyTests {
  /**
   * Throws 403 to an agent for calls that are not its own, 404 for an unknown policy or agent, 429 while a test of the
   * same agent is running.
   */
  run(asked: PolicyTest, by: Actor): Promise<PolicyTestReply>
}

export interface SandboxTrials {
  /**
   * Of the running process, else of the next start. Throws 404, and 422 if the next start would fail for a reason that
   * is no sandbox.
   */
  of(agentId: string): Promise<SandboxTrial>
}

export interface Approvals {
  /** Newest first. */
  list(filter?: ApprovalFilter, limits?: PageLimits | null): Promise<Page<Approval>>
  /** By `created_at`, newest first, with counts that ignore the status of the filter. Throws 400 for a bad cursor. */
  slice(filter: ApprovalFilter, cursor: CursorAsked): Promise<Slice<Approval, ApprovalCounts>>
  get(id: string): Promise<Approval>
  /** Throws 409 if already decided or timed out. */
  approve(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval>
  deny(id: string, decision: ApprovalDecision, by: Actor): Promise<Approval>
  /** Decides each request separately, in order. Throws 409 `not-alike`, and then decides none. */
  decideAlike(asked: AlikeDecision, by: Actor): Promise<AlikeResult[]>
  /**
   * Makes it pending again, with the time that was left. Throws 409 `delivered` once the decision has been sent,
   * `not-decided` if no person has decided it or the agent no longer asks.
   */
  withdraw(id: string, by: Actor): Promise<Approval>
  /** Earlier decisions of people, newest request first; default and at most 50. */
  similar(id: string, limits?: PageLimits | null): Promise<Page<SimilarDecision>>
}

export interface Transcripts {
  /** Without the latest entries while the database cannot store them. Throws 404 for an unknown agent. */
  page(agentId: string, asked: CursorAsked): Promise<TranscriptPage>
  /** In no order; unknown ids are left out. */
  entries(agentId: string, ids: readonly string[]): Promise<TranscriptEntry[]>
  /** Whole text of an entry; of a tool call, the JSON of its input. Throws 404. */
  content(agentId: string, entryId: string): Promise<string>
}

export interface Audit {
  /** Also matches writes of fields above and below the dotted path `field`; empty matches any. */
  latest(
    kind: LiveChange['kind'],
    id: string,
    field: string,
  ): Promise<{ actor: string; requestId: string; endpoint: string; at: string } | null>
}

export interface Work {
  /** Newest first. */
  inFlight(limits?: PageLimits | null): Promise<Page<InFlight>>
  /** Accepts no new work for `forSecs` seconds; 0 resumes. Running work continues. */
  drain(forSecs: number): Promise<DrainState>
}

export interface RoomPreviews {
  /** Throws 404 for an unknown room, 503 without the room service. */
  wakes(room: string, message: RoomMessagePreview): Promise<RoomWakes>
}

export interface AgentSockets {
  /** True if `token` is the secret of the agent's current launch. */
  admit(agentId: string, token: string | null): Promise<boolean>
  /** Closes an earlier socket of the agent with 4000. */
  attach(agentId: string, socket: WebSocket): void
}

export interface Replay {
  /** RFC 3339. */
  since: string
  /** Default: all agents. */
  agentId?: string
  /** Resolves when the listener can accept more. */
  room(): Promise<void>
}

export interface Streams {
  subscribe(listener: (frame: StreamFrame) => void, agentId?: string): Unsubscribe
  /** Sends stored frames, then live ones. */
  replay(listener: (frame: StreamFrame) => void, asked: Replay): Unsubscribe
}

export interface Orchestrator extends Opened {
  /** Of an agent whose creation names none. */
  readonly defaultSandbox: SandboxSpec
  readonly agents: Agents
  readonly workflows: Workflows
  readonly webhooks: Webhooks
  readonly queues: Queues
  readonly policies: Policies
  readonly policyTests: PolicyTests
  readonly sandboxTrials: SandboxTrials
  readonly approvals: Approvals
  readonly transcripts: Transcripts
  /** Of hours in UTC up to the current one. Usage counts when its turn ends. An unknown agent has none. */
  readonly usage: { history(asked: UsageAsked): Promise<UsageHistory> }
  readonly work: Work
  readonly rooms: RoomPreviews
  readonly audit: Audit
  readonly sockets: AgentSockets
  readonly streams: Streams
  /** Names by path: agents that could have written the file without a person, when it changed. */
  writersOf(files: readonly ChangedFile[]): Promise<Map<string, string[]>>
  /** Publishes committed changes. With `since`, starts after that cursor. */
  changes(
    listener: (change: ChangeNotice) => void,
    asked?: { kind?: LiveChange['kind']; since?: number | null },
  ): Unsubscribe
  /** Call once the agent socket is listening. */
  start(): Promise<void>
  /** Leaves sessions running unless `agents` is true. */
  stop(options?: StopOptions): Promise<void>
}
