// Operations on an agent that runs: what is said to it, and asked of it.
import * as Type from 'typebox'
import { MessageInput, MessageReply } from '../../agent/record.ts'
import { Message, MOST_LOG_LINES } from '../../agent/message.ts'
import { AgentUsage, ContextCleared } from '../../agent/usage.ts'
import { Id } from '../parameters.ts'
import { list, one, operation } from '../operation.ts'

export const sendMessage = operation('orchestrator.sendMessage', 'POST /agents/:id/message', {
  summary: 'Send a prompt; a busy agent gets it in turn',
  guard: 'none',
  params: Id,
  body: MessageInput,
  reply: { 200: MessageReply },
  errors: [404, 409],
})

export const listMessages = list('orchestrator.listMessages', '/agents/:id/messages', {
  summary: 'What an agent was given, newest first, and what became of it',
  params: Id,
  item: Message,
  errors: [404],
})

export const getMessage = one('orchestrator.getMessage', '/agents/:id/messages/:message_id', {
  summary: 'One of them',
  params: Type.Object({ ...Id.properties, message_id: Type.String({ format: 'uuid' }) }),
  item: Message,
})

export const clearContext = operation('orchestrator.clearContext', 'POST /agents/:id/clear-context', {
  summary: 'Begin a new conversation',
  guard: 'none',
  params: Id,
  reply: { 200: ContextCleared },
  errors: [404, 409],
})

export const interruptAgent = operation('orchestrator.interruptAgent', 'POST /agents/:id/interrupt', {
  summary: 'Stop the turn in hand',
  guard: 'none',
  params: Id,
  reply: { 202: null },
  errors: [404],
})

export const getUsage = one('orchestrator.getUsage', '/agents/:id/usage', {
  summary: 'Tokens, cost and turns',
  params: Id,
  item: AgentUsage,
})

export const getLogs = operation('orchestrator.getLogs', 'GET /agents/:id/logs', {
  summary: 'The end of what its terminal shows',
  params: Id,
  query: Type.Object({
    lines: Type.Optional(Type.Integer({ description: `Default 200, clamped to 1 to ${MOST_LOG_LINES}` })),
  }),
  reply: { 200: Type.Object({ lines: Type.String() }) },
  errors: [404],
})
