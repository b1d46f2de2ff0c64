// What an agent was given to work on, and what became of it.
import * as Type from 'typebox'
import { namedObject, orNull } from '../shapes.ts'

/** Lines of an agent's terminal that one answer may hold. */
export const MOST_LOG_LINES = 10_000

export const MESSAGE_STATUSES = ['queued', 'sent', 'done', 'failed', 'lost'] as const

export const Message = namedObject('Message', {
  id: Type.String({ format: 'uuid' }),
  agent_id: Type.String(),
  kind: Type.Enum(['initial', 'message', 'dispatch', 'clear'], {
    description: 'The first prompt of a start, a message, a task of a workflow, the end of a conversation',
  }),
  status: Type.Enum([...MESSAGE_STATUSES], {
    description: 'failed: the agent answered with an error; lost: no answer comes any more',
  }),
  content: Type.String(),
  result: orNull(Type.String(), 'What the agent answered'),
  error: orNull(Type.String(), 'Why it failed or is lost'),
  dispatch_id: orNull(Type.String(), 'Of the task'),
  created_at: Type.String({ format: 'date-time' }),
  sent_at: orNull(Type.String(), 'When the agent got it'),
  done_at: orNull(Type.String(), 'When it ended'),
})
export type Message = Type.Static<typeof Message>
