import * as Type from 'typebox'
import { AnswerInput, AnswerReply, Question, QUESTION_STATUSES, TriggerReply } from '../ask/question.ts'
import { list, one, operation, operations } from './operation.ts'
import { Id } from './parameters.ts'

export const trigger = operation('ask.trigger', 'POST /trigger', {
  summary: 'Run every check and ask the questions that they raise',
  guard: 'none',
  reply: { 200: TriggerReply },
  errors: [500],
})

export const answerQuestion = operation('ask.answerQuestion', 'POST /answer', {
  summary: 'Answer a question; yes runs the proposed action',
  guard: 'approve',
  body: AnswerInput,
  reply: { 200: AnswerReply },
  errors: [404, 410, 500],
})

export const listQuestions = list('ask.listQuestions', '/questions', {
  identity: 'none',
  summary: 'List questions, newest first',
  query: Type.Object({ status: Type.Optional(Type.Enum([...QUESTION_STATUSES])) }),
  item: Question,
  cursors: {},
})

export const getQuestion = one('ask.getQuestion', '/questions/:id', {
  identity: 'none',
  summary: 'Show a question',
  params: Id,
  item: Question,
})

export const askOperations = operations(
  { service: 'ask', port: 17001 },
  { trigger, answerQuestion, listQuestions, getQuestion },
)
