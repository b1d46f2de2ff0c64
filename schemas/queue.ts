// Queues of tasks: what is pushed, what waits, and how a queue is.
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
  description: 'Higher goes first; default 0',
})

/** Body of `POST /queues/{name}/push`. */
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
  retry_count: Type.Integer({ description: 'Attempts that failed' }),
  max_retries: Type.Integer({ description: 'Failed attempts after which it is dead' }),
  error: orNull(Type.String(), 'What the last attempt failed of'),
  created_at: Type.String({ format: 'date-time' }),
})
export type QueueTask = Type.Static<typeof QueueTask>

export const PushedTask = Type.Pick(QueueTask, ['id', 'queue_name', 'status', 'created_at'])
export type PushedTask = Type.Static<typeof PushedTask>

export const QueueStats = namedObject('QueueStats', {
  queue_name: QueueName,
  pending: Type.Integer(),
  processing: Type.Integer(),
  completed: Type.Integer({ description: 'Of the last seven days' }),
  dead: Type.Integer(),
  oldest_pending_secs: Type.Integer({ description: 'Age of the oldest task that waits; 0 when none does' }),
})
export type QueueStats = Type.Static<typeof QueueStats>
