import * as Type from 'typebox'
import { namedObject, nullableText, orNull, mapOf } from '../shapes.ts'

export const QUESTION_STATUSES = ['Pending', 'Answered', 'Expired'] as const
const MOST_TEXT = 65_536

const id = Type.String({ format: 'uuid' })

export const Question = namedObject('Question', {
  question_id: id,
  notification_id: orNull(id),
  check_type: Type.String(),
  question: Type.String(),
  status: Type.Enum([...QUESTION_STATUSES]),
  asked_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  answer: nullableText,
})
export type Question = Type.Static<typeof Question>

export const TriggerReply = namedObject('TriggerReply', {
  checks_run: Type.Array(Type.String()),
  notifications_sent: Type.Array(id),
  results: mapOf(Type.Unknown()),
})
export type TriggerReply = Type.Static<typeof TriggerReply>

export const AnswerInput = namedObject('AnswerInput', {
  question_id: id,
  answer: Type.String({ minLength: 1, maxLength: MOST_TEXT, description: 'Answer; yes runs the proposed action' }),
})
export type AnswerInput = Type.Static<typeof AnswerInput>

export const AnswerReply = namedObject('AnswerReply', {
  success: Type.Boolean(),
  message: Type.String(),
  question_id: id,
})
export type AnswerReply = Type.Static<typeof AnswerReply>
