import * as Type from 'typebox'
import { namedObject, orNull } from '../shapes.ts'

/** Maximum terminal lines in one response. */
export const MOST_LOG_LINES = 10_000
export const USUAL_LOG_LINES = 200

export const MESSAGE_KINDS = ['initial', 'message', 'dispatch', 'clear'] as const

export const MESSAGE_STATUSES = ['queued', 'sent', 'done', 'failed', 'lost'] as const

export const Message = namedObject('Message', {
  id: Type.String({ format: 'uuid' }),
  agent_id: Type.String(),
  kind: Type.Enum([...MESSAGE_KINDS], {
    description: 'initial: first prompt after a start; dispatch: task of a workflow; clear: end of a conversation',
  }),
  status: Type.Enum([...MESSAGE_STATUSES], {
    description: 'failed: the agent answered with an error; lost: no answer will arrive',
  }),
  content: Type.String(),
  result: orNull(Type.String(), 'Answer of the agent'),
  error: orNull(Type.String(), 'Why it failed or was lost'),
  dispatch_id: orNull(Type.String(), 'Id of the dispatch'),
  created_at: Type.String({ format: 'date-time' }),
  sent_at: orNull(Type.String(), 'Time it was sent to the agent'),
  done_at: orNull(Type.String(), 'Time it ended'),
})
export type Message = Type.Static<typeof Message>
