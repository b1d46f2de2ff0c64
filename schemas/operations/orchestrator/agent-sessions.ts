// Operations on an agent that runs: what is said to it, and asked of it.
import Type from 'typebox'
import { MessageInput, MessageReply } from '../../agent.ts'
import { Message } from '../../agent/message.ts'
import { AgentUsage, ContextCleared } from '../../agent/usage.ts'
import { Id } from '../parameters.ts'
import { list, operation } from '../operation.ts'

export const MOST_LOG_LINES = 10_000

export const sendMessage = operation({
  id: 'orchestrator.sendMessage',
  summary: 'Send a prompt; a busy agent gets it in turn',
  method: 'POST',
  path: '/agents/:id/message',
  guard: 'none',
  params: Id,
  body: MessageInput,
  reply: { 200: MessageReply },
  errors: [404, 409],
})

export const listMessages = list({
  id: 'orchestrator.listMessages',
  summary: 'What an agent was given, newest first, and what became of it',
  path: '/agents/:id/messages',
  params: Id,
  item: Message,
  errors: [404],
})

export const getMessage = operation({
  id: 'orchestrator.getMessage',
  summary: 'One of them',
  method: 'GET',
  path: '/agents/:id/messages/:message_id',
  params: Type.Object({ ...Id.properties, message_id: Type.String({ format: 'uuid' }) }),
  reply: { 200: Message },
  errors: [404],
})

export const clearContext = operation({
  id: 'orchestrator.clearContext',
  summary: 'Begin a new conversation',
  method: 'POST',
  path: '/agents/:id/clear-context',
  guard: 'none',
  params: Id,
  reply: { 200: ContextCleared },
  errors: [404, 409],
})

export const interruptAgent = operation({
  id: 'orchestrator.interruptAgent',
  summary: 'Stop the turn in hand',
  method: 'POST',
  path: '/agents/:id/interrupt',
  guard: 'none',
  params: Id,
  reply: { 202: null },
  errors: [404],
})

export const getUsage = operation({
  id: 'orchestrator.getUsage',
  summary: 'Tokens, cost and turns',
  method: 'GET',
  path: '/agents/:id/usage',
  params: Id,
  reply: { 200: AgentUsage },
  errors: [404],
})

export const getLogs = operation({
  id: 'orchestrator.getLogs',
  summary: 'The end of what its terminal shows',
  method: 'GET',
  path: '/agents/:id/logs',
  params: Id,
  query: Type.Object({
    lines: Type.Optional(Type.Integer({ description: `Default 200, clamped to 1 to ${MOST_LOG_LINES}` })),
  }),
  reply: { 200: Type.Object({ lines: Type.String() }) },
  errors: [404],
})
