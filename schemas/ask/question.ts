// A question that a check asked the user, and what became of it.
import * as Type from 'typebox'

export const QUESTION_STATUSES = ['Pending', 'Answered', 'Expired'] as const
const MOST_TEXT = 65_536

const id = Type.String({ format: 'uuid' })
const nullableText = Type.Union([Type.String(), Type.Null()])

export const Question = Type.Object(
  {
    question_id: id,
    notification_id: Type.Union([id, Type.Null()]),
    check_type: Type.String(),
    question: Type.String(),
    status: Type.Enum([...QUESTION_STATUSES]),
    asked_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
    answer: nullableText,
  },
  { $id: 'Question', additionalProperties: false },
)
export type Question = Type.Static<typeof Question>

export const TriggerReply = Type.Object(
  {
    checks_run: Type.Array(Type.String()),
    notifications_sent: Type.Array(id),
    results: Type.Record(Type.String(), Type.Unknown()),
  },
  { $id: 'TriggerReply', additionalProperties: false },
)
export type TriggerReply = Type.Static<typeof TriggerReply>

export const AnswerInput = Type.Object(
  {
    question_id: id,
    answer: Type.String({ minLength: 1, maxLength: MOST_TEXT, description: 'yes lets it be done' }),
  },
  { $id: 'AnswerInput', additionalProperties: false },
)
export type AnswerInput = Type.Static<typeof AnswerInput>

export const AnswerReply = Type.Object(
  { success: Type.Boolean(), message: Type.String(), question_id: id },
  { $id: 'AnswerReply', additionalProperties: false },
)
export type AnswerReply = Type.Static<typeof AnswerReply>
