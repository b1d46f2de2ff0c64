import * as Type from 'typebox'
import { namedObject, orNull } from './shapes.ts'

export const QueueName = Type.String({
  pattern: '^[A-Za-z0-9-]{1,64}$',
  description: '1 to 64 letters, digits and hyphens',
})

export const QUEUE_STATUSES = ['pending', 'processing', 'completed', 'dead'] as const

const Priority = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description: 'Priority, higher first; default 0',
})

export const QueuePush = namedObject('QueuePush', {
  title: Type.String({ minLength: 1 }),
  body: Type.Optional(Type.String()),
  priority: Type.Optional(Priority),
})
export type QueuePush = Type.Static<typeof QueuePush>

export const QueueTask = namedObject('QueueTask', {
  id: Type.String({ format: 'uuid' }),
  queue_name: QueueName,
  status: Type.Enum([...QUEUE_STATUSES]),
  title: Type.String(),
  body: Type.String(),
  priority: Priority,
  retry_count: Type.Integer({ description: 'Failed attempts' }),
  max_retries: Type.Integer({ description: 'Failed attempts after which the task is dead' }),
  error: orNull(Type.String(), 'Error of the last attempt'),
  created_at: Type.String({ format: 'date-time' }),
})
export type QueueTask = Type.Static<typeof QueueTask>

const { id, queue_name, status, created_at } = QueueTask.properties
export const PushedTask = Type.Object({ id, queue_name, status, created_at })
export type PushedTask = Type.Static<typeof PushedTask>

export const QueueStats = namedObject('QueueStats', {
  queue_name: QueueName,
  pending: Type.Integer(),
  processing: Type.Integer(),
  completed: Type.Integer({ description: 'Completed tasks of the last seven days' }),
  dead: Type.Integer(),
  oldest_pending_secs: Type.Integer({ description: 'Age of the oldest pending task; 0 if none is pending' }),
})
export type QueueStats = Type.Static<typeof QueueStats>
