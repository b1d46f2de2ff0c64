// What each firing of a trigger led to, and when a schedule fires next.
import * as Type from 'typebox'
import { closedObject, namedObject, orNull } from '../shapes.ts'

export const FIRING_OUTCOMES = ['dispatched', 'filtered', 'refused', 'missed', 'failed'] as const

const Time = (description: string) => Type.String({ format: 'date-time', description })

/** Maximum characters of what a sender names. */
export const LONGEST_NAME = 100

/** Of a webhook: without its body and signature. */
export const WebhookFacts = closedObject(
  {
    id: orNull(Type.String(), 'Id of the delivery in the headers of the forge, shortened; null without one'),
    event: orNull(Type.String(), 'Event in the headers of the forge, shortened; null without one'),
    bytes: orNull(Type.Integer(), 'Size of the body as sent; null if it was refused before its size was known'),
    status: Type.Integer({ description: 'HTTP status of the answer' }),
  },
  { description: 'Delivery of a webhook' },
)
export type WebhookFacts = Type.Static<typeof WebhookFacts>

export const FiringRecord = namedObject('Firing', {
  id: Type.String({ format: 'uuid' }),
  workflow_id: Type.String({ format: 'uuid' }),
  trigger_type: Type.String({ description: 'Type of the trigger; manual for a run by hand of any workflow' }),
  outcome: Type.Enum([...FIRING_OUTCOMES], {
    description:
      'dispatched: it created a task; filtered: the delivery does not match the trigger; refused: the sender got an error; missed: the trigger was not running; failed: the trigger could not fire',
  }),
  dispatch_id: orNull(Type.String({ format: 'uuid' }), 'Dispatch of the task; null without a task'),
  source_id: orNull(Type.String(), 'Source of the task, such as queue:jobs:<task>:0; null without a task'),
  code: orNull(Type.String(), 'Code of the error that the sender got, such as signature-wrong'),
  reason: orNull(Type.String(), 'Why it created no task'),
  delivery: orNull(WebhookFacts, 'Latest delivery; null for other triggers'),
  count: Type.Integer({ description: 'Number of firings: those of a minute with the same reason are one record' }),
  created_at: Time('Time of the first one; of a missed one, the time in the schedule'),
  last_at: Time('Time of the last one'),
})
export type FiringRecord = Type.Static<typeof FiringRecord>

export type FiringFilter = Partial<Pick<FiringRecord, 'outcome'>>

/** Number of times in a schedule. */
export const NEXT_FIRINGS = 5

export const WorkflowSchedule = namedObject('WorkflowSchedule', {
  timezone: orNull(Type.String(), 'Time zone of a cron trigger; null for other triggers'),
  next: Type.Array(Type.String({ format: 'date-time' }), {
    description: `Next ${NEXT_FIRINGS} times of a cron trigger, with the offset of its time zone, or the time of a delay; empty for other triggers and while the workflow is disabled`,
  }),
})
export type WorkflowSchedule = Type.Static<typeof WorkflowSchedule>
