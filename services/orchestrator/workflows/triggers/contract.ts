// What a trigger is: one value a type. It yields tasks for a workflow from the time it is started until it is stopped.
import type { Clock } from '../../../../platform/core/clock.ts'
import type { Forge } from '../../../../platform/forge/forge.ts'
import type { Log } from '../../../../platform/core/log/log.ts'
import type { TriggerType } from '../../../../schemas/trigger.ts'
import type { DispatchRecord } from '../../../../schemas/workflow.ts'
import type { QueueConsumer } from '../../queues/queue-consumers.ts'
import type { Listening, Published } from '../../events/event-bus.ts'
import type { DispatchRow } from '../../record/tables.ts'
import type { Delivery } from '../../face.ts'
import type { Follows } from '../../record/chains.ts'
import type { TriggeredTask } from '../../record/triggered-task.ts'

export interface TriggerDefinition {
  type: TriggerType
  /** `polled` looks for tasks time and again, `pushed` is told of them, `by-hand` yields none by itself. */
  fires: 'polled' | 'pushed' | 'by-hand'
  /**
   * Which ends of dispatches it follows on, where it does: they are kept for it, also while it does not run yet, or
   * not any more, until `accept` takes them on.
   */
  follows?(workflow: TriggeredWorkflow): Follows
  /** Builds what runs for one workflow; nothing runs before its `start`. */
  open(world: TriggerWorld, workflow: TriggeredWorkflow): RunningTrigger
}

export interface RunningTrigger {
  /**
   * Called once. What it throws is logged, and the trigger is opened again later. What takes long goes on beside it: no
   * agent connects to a daemon before its triggers have started.
   */
  start(): Promise<void>
  /** Called once after `start`, also when that failed; nothing is fired once it has resolved. */
  stop(): Promise<void>
  /** Takes a delivery on, where the type is told of its tasks by webhooks; throws what the sender is to know. */
  receive?(delivery: Delivery): Promise<void>
  /** When it fires next by the clock, in milliseconds since 1970; null, and left out, where nobody can know. */
  next?(): number | null
}

/** What a trigger is opened for. When any of it changes, the trigger is stopped and another one opened. */
export interface TriggeredWorkflow {
  id: string
  agentId: string
  /** The configuration in its canonical form, secrets as `Secret`. */
  trigger: Readonly<Record<string, unknown>> & { type: TriggerType }
  pollIntervalSecs: number
}

export interface TriggerWorld {
  clock: Clock
  log: Log
  /**
   * Where in what it watches the trigger is: a text of its own, null before the first. Kept over a restart of the
   * daemon; forgotten with the workflow or its type.
   */
  cursor(): Promise<string | null>
  /**
   * Takes tasks on for the workflow, in their order, and notes how far the trigger has come: all of it in one
   * transaction, or nothing when it throws; what was seen before is left out. They wait in the database until the agent is free, also for the next
   * daemon. Throws 404 or 400 when the workflow is gone or disabled.
   */
  accept(tasks: readonly TriggeredTask[], progress?: Progress): Promise<DispatchRecord[]>
  /** Calls back with every event of the bus from now on, one after the other; close it at the end. */
  listen(handle: (event: Published) => Promise<void>): Listening
  /** The ends that it follows on and has yet to take on, in their order. */
  ends(): Promise<DispatchRow[]>
  /** Where issues and pull requests are listed; what is known of its limits is shared by all triggers. */
  forge: Forge
  queue: QueueConsumer
  /** Notes what keeps the trigger from firing, for those who look at the workflow; null: nothing any more. */
  report(error: Error | null): void
}

/** For triggers that remember how far they have come, and report what keeps them from firing. */
export type PolledWorld = Pick<TriggerWorld, 'clock' | 'cursor' | 'accept' | 'report'>

export interface Progress {
  /** The new place in what the trigger watches; left out: the one there is. */
  cursor?: string
  /** Tasks of the workflow that may wait, these included: beyond it none is taken on (503). Left out: any number. */
  most?: number
  /** The dispatch whose end the tasks follow from; where it was taken on before, they are left out. */
  follows?: string
  /** There is nothing more to come: the workflow is disabled, its tasks go on. */
  finished?: true
}
