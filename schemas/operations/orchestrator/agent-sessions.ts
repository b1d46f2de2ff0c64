import * as Type from 'typebox'
import { MessageInput, MessageReply } from '../../agent/record.ts'
import { Message, MOST_LOG_LINES, USUAL_LOG_LINES } from '../../agent/message.ts'
import { AgentUsage, ContextCleared, USAGE_DAYS, USAGE_HOURS, UsageHistory } from '../../agent/usage.ts'
import { Id } from '../parameters.ts'
import { list, one, operation } from '../operation.ts'

export const sendMessage = operation('orchestrator.sendMessage', 'POST /agents/:id/message', {
  summary: 'Send a prompt; it is queued if the agent is busy',
  guard: 'none',
  params: Id,
  body: MessageInput,
  reply: { 200: MessageReply },
  adds: true,
  errors: [404, 409, 429],
})

export const listMessages = list('orchestrator.listMessages', '/agents/:id/messages', {
  identity: 'none',
  summary: 'List the messages of an agent, newest first',
  params: Id,
  item: Message,
  cursors: {},
  errors: [404],
})

export const getMessage = one('orchestrator.getMessage', '/agents/:id/messages/:message_id', {
  identity: 'none',
  summary: 'Show a message of an agent',
  params: Type.Object({ ...Id.properties, message_id: Type.String({ format: 'uuid' }) }),
  item: Message,
})

export const clearContext = operation('orchestrator.clearContext', 'POST /agents/:id/clear-context', {
  summary: 'Start a new conversation',
  guard: 'none',
  params: Id,
  reply: { 200: ContextCleared },
  errors: [404, 409],
})

export const interruptAgent = operation('orchestrator.interruptAgent', 'POST /agents/:id/interrupt', {
  summary: 'Interrupt the current turn',
  guard: 'none',
  params: Id,
  reply: { 202: null },
  errors: [404],
})

export const getUsage = one('orchestrator.getUsage', '/agents/:id/usage', {
  identity: 'none',
  summary: 'Show tokens, cost and turns of an agent',
  params: Id,
  item: AgentUsage,
})

export const getUsageHistory = operation('orchestrator.getUsageHistory', 'GET /usage', {
  identity: 'none',
  summary: 'Show tokens and cost per hour, and of the current day',
  query: Type.Object({
    hours: Type.Optional(
      Type.Integer({
        minimum: USAGE_HOURS.least,
        maximum: USAGE_HOURS.most,
        description: `Number of hours; default ${USAGE_HOURS.default}, at most ${USAGE_HOURS.most} (${USAGE_DAYS} days)`,
      }),
    ),
    agent: Type.Optional(Type.String({ format: 'uuid', description: 'Id of an agent; default all agents' })),
  }),
  reply: { 200: UsageHistory },
  tagged: true,
})

export const getLogs = operation('orchestrator.getLogs', 'GET /agents/:id/logs', {
  identity: 'none',
  summary: 'Show the last lines of the terminal of an agent',
  params: Id,
  query: Type.Object({
    lines: Type.Optional(
      Type.Integer({ description: `Number of lines; default ${USUAL_LOG_LINES}, clamped to 1 to ${MOST_LOG_LINES}` }),
    ),
  }),
  reply: { 200: Type.Object({ lines: Type.String() }) },
  errors: [404],
})
