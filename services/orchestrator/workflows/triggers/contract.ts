// What a trigger is: one value a type. It yields tasks for a workflow from the time it is started until it is stopped.
import type { TSchema } from 'typebox'
import type { Clock } from '../../../../platform/clock.ts'
import type { Log } from '../../../../platform/log.ts'
import type { TriggerType } from '../../../../schemas/trigger.ts'
import type { DispatchRecord } from '../../../../schemas/workflow.ts'

export interface TriggerDefinition {
  type: TriggerType
  /** Of its configuration, as it is stored. */
  schema: TSchema
  /** Variables that its tasks add to the standard ones of a template. */
  variables: readonly string[]
  /** `polled` looks for tasks time and again, `pushed` is told of them, `by-hand` yields none by itself. */
  fires: 'polled' | 'pushed' | 'by-hand'
  /** Builds what runs for one workflow; nothing runs before its `start`. */
  open(world: TriggerWorld, workflow: TriggeredWorkflow): RunningTrigger
}

export interface RunningTrigger {
  /** Called once. What it throws is logged, and the trigger is opened again later. */
  start(): Promise<void>
  /** Called once after `start`, also when that failed; nothing is fired once it has resolved. */
  stop(): Promise<void>
}

/** What a trigger is opened for. When any of it changes, the trigger is stopped and another one opened. */
export interface TriggeredWorkflow {
  id: string
  /** The configuration in its canonical form, secrets as `Secret`. */
  trigger: Readonly<Record<string, unknown>> & { type: TriggerType }
  pollIntervalSecs: number
}

export interface TriggerWorld {
  clock: Clock
  log: Log
  cursor: Cursor
  /** Gives the agent a task; refused as one by hand is: 409 while the agent is busy, 503 while it is away. */
  fire(task: TriggeredTask): Promise<DispatchRecord>
}

/**
 * Where in what it watches the trigger is. Kept over a restart of the daemon; forgotten with the workflow or its
 * type.
 */
export interface Cursor {
  /** Null before the first `write`. */
  read(): Promise<string | null>
  write(cursor: string): Promise<void>
}

export interface TriggeredTask {
  /** Names the task within its source: `manual:<id>`. */
  sourceId: string
  title: string
  body?: string
  /** Further variables of the template. */
  metadata?: Record<string, string>
}
