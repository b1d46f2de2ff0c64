import type { Clock } from '../../../../platform/core/clock.ts'
import type { Forge } from '../../../../platform/forge/forge.ts'
import type { Log } from '../../../../platform/core/log/log.ts'
import type { TriggerType } from '../../../../schemas/trigger.ts'
import type { DispatchRecord } from '../../../../schemas/workflow.ts'
import type { WebhookFacts } from '../../../../schemas/workflow/firing.ts'
import type { QueueConsumer } from '../../queues/queue-consumers.ts'
import type { Listening, Published } from '../../events/event-bus.ts'
import type { Untasked } from '../../record/firing-log.ts'
import type { DispatchRow } from '../../record/tables.ts'
import type { Delivery } from '../../../../platform/forge/webhook-signature.ts'
import type { Follows } from '../../record/chains.ts'
import type { TriggeredTask } from '../../record/triggered-task.ts'

export interface TriggerDefinition {
  type: TriggerType
  /** `polled` checks for tasks, `pushed` is notified, `by-hand` yields none automatically. */
  fires: 'polled' | 'pushed' | 'by-hand'
  /** Selects dispatch ends, which are kept until `accept` takes them, even while the trigger is not running. */
  follows?(workflow: TriggeredWorkflow): Follows
  open(world: TriggerWorld, workflow: TriggeredWorkflow): RunningTrigger
}

export interface RunningTrigger {
  /**
   * An error is logged and the trigger reopened later. Must be quick: no agent connects before the triggers have
   * started.
   */
  start(): Promise<void>
  /** Called even if `start` failed. Fires nothing once resolved. */
  stop(): Promise<void>
  /**
   * Accepts a webhook delivery; the sender gets the error. Returns the reason if it does not match and creates no task,
   * else null.
   */
  receive?(delivery: Delivery): Promise<string | null>
  /** Milliseconds since 1970; null if unknown. */
  next?(): number | null
}

/** A change of any field reopens the trigger. */
export interface TriggeredWorkflow {
  id: string
  agentId: string
  /** Canonical form; secrets are `Secret`. */
  trigger: Readonly<Record<string, unknown>> & { type: TriggerType }
  pollIntervalSecs: number
}

export interface TriggerWorld {
  clock: Clock
  log: Log
  /** Accepts webhook deliveries without a secret. */
  openWebhooks: boolean
  /** Opaque; deleted with the workflow or when its type changes. */
  cursor(): Promise<string | null>
  /** Deduplication keys of the tasks accepted so far, without those that were forgotten. */
  seen(): Promise<string[]>
  /**
   * Stores new tasks and progress in one transaction, so that a restart neither loses nor duplicates tasks, which wait
   * until the agent is free. Throws 404 or 400 if the workflow is deleted or disabled.
   */
  accept(tasks: readonly TriggeredTask[], progress?: Progress): Promise<DispatchRecord[]>
  /** Handles events one at a time. */
  listen(handle: (event: Published) => Promise<void>): Listening
  /** Dispatch ends not yet taken, oldest first. */
  ends(): Promise<DispatchRow[]>
  /** Shared by all triggers because of its rate limit. */
  forge: Forge
  queue: QueueConsumer
  /** Records a firing that creates no task. */
  unfired(firing: Untasked): void
  /** Sets the error shown on the workflow; null clears it. */
  report(error: Error | null): void
}

export type PolledWorld = Pick<TriggerWorld, 'clock' | 'cursor' | 'accept' | 'report'>

export interface Progress {
  /** Default: unchanged. */
  cursor?: string
  /** Deduplication keys that may be accepted again. */
  forget?: readonly string[]
  /** Maximum pending tasks including these; above it, throws 503. Default: unlimited. */
  most?: number
  /** Takes the end of this dispatch; drops the tasks if it was already taken. */
  follows?: string
  /** Disables the workflow; its pending tasks remain. */
  finished?: true
  /** Webhook that carries the tasks. */
  delivery?: WebhookFacts
}
