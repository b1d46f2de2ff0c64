// Part of the service's interface: workflows, webhooks and queues.
import type { Actor } from '../../../platform/core/actor.ts'
import type { Problem } from '../../../platform/core/problem.ts'
import type { CursorAsked } from '../../../platform/store/keyset.ts'
import type { Listed, Page, PageLimits, Part } from '../../../platform/store/page.ts'
import type { Seen } from '../../../platform/store/write-preconditions.ts'
import type { InspectedWorkflow } from '../../../schemas/agent/inspected.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import type { PushedTask, QueuePush, QueueStats, QueueTask } from '../../../schemas/queue.ts'
import type { Secret } from '../../../schemas/secret.ts'
import type {
  DispatchRecord,
  TriggerInput,
  WorkflowInput,
  WorkflowPatch,
  WorkflowRecord,
} from '../../../schemas/workflow.ts'
import type { FiringRecord, WorkflowSchedule } from '../../../schemas/workflow/firing.ts'
import type { PromptPreview, PromptPreviewInput } from '../../../schemas/workflow/template.ts'

export interface WorkflowMembers extends Pick<
  WorkflowRecord,
  'name' | 'agent_id' | 'prompt_template' | 'poll_interval_secs' | 'enabled' | 'on_restart' | 'tool_policy'
> {
  /** Canonical, not redacted. */
  trigger_config: Record<string, unknown>
}

export interface FiringFilter {
  outcome?: FiringRecord['outcome']
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
  /** Newest first, at most 500 of each outcome. The latest firings without a task may be lost in a crash. */
  firings<P extends Part>(id: string, filter: FiringFilter, part: P): Promise<Listed<FiringRecord, P>>
  schedule(id: string): Promise<WorkflowSchedule>
  /** Throws 404 without a dispatch, 409 for one of an earlier version, whose task is unknown. */
  preview(id: string, input: PromptPreviewInput): Promise<PromptPreview>
  /** Throws 404, 400 if disabled, 409 if the agent is busy, 503 if it is not connected. */
  trigger(id: string, input: TriggerInput, by: Actor): Promise<DispatchRecord>
}

/** Header names are in lower case. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Raw bytes, as signed. */
  body: Buffer
  /** Sent by an agent's process. */
  byAgent?: boolean
  /** Redacts the stored headers. */
  redact?: (text: string) => Promise<string>
}

/** `body`: undefined if it was not read. */
export interface RefusedDelivery extends Pick<Delivery, 'headers' | 'redact'> {
  body?: Buffer
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
