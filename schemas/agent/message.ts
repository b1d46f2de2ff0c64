// What an agent was given to work on, and what became of it.
import * as Type from 'typebox'
import { namedObject } from '../shapes.ts'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

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
  result: nullableText('What the agent answered'),
  error: nullableText('Why it failed or is lost'),
  dispatch_id: nullableText('Of the task'),
  created_at: Type.String({ format: 'date-time' }),
  sent_at: nullableText('When the agent got it'),
  done_at: nullableText('When it ended'),
})
export type Message = Type.Static<typeof Message>
