// Pushing to a queue creates it.
import * as Type from 'typebox'
import { PushedTask, QUEUE_STATUSES, QueueName, QueuePush, QueueStats, QueueTask } from '../../queue.ts'
import { list, operation } from '../operation.ts'
import { Id } from '../parameters.ts'

const Name = Type.Object({ name: QueueName })

export const listQueues = list('orchestrator.listQueues', '/queues', {
  identity: 'none',
  summary: 'List queues and their task counts, by name',
  item: QueueStats,
})

export const pushTask = operation('orchestrator.pushTask', 'POST /queues/:name/push', {
  summary: 'Push a task to a queue',
  guard: 'none',
  storesPath: true,
  params: Name,
  body: QueuePush,
  reply: { 201: PushedTask },
  errors: [429],
})

export const queueStats = operation('orchestrator.queueStats', 'GET /queues/:name/stats', {
  identity: 'none',
  summary: 'Show the task counts of a queue',
  params: Name,
  reply: { 200: QueueStats },
})

export const peekQueue = list('orchestrator.peekQueue', '/queues/:name/peek', {
  identity: 'none',
  summary: 'List the next pending tasks (default 10, at most 100)',
  params: Name,
  item: QueueTask,
  largest: 100,
})

export const listQueueTasks = list('orchestrator.listQueueTasks', '/queues/:name/tasks', {
  identity: 'none',
  summary: 'List the tasks of a queue, dead ones included, newest first',
  params: Name,
  query: Type.Object({ status: Type.Optional(Type.Enum([...QUEUE_STATUSES])) }),
  item: QueueTask,
  cursors: {},
})

export const purgeQueue = operation('orchestrator.purgeQueue', 'DELETE /queues/:name', {
  summary: 'Delete all tasks of a queue, in any status',
  guard: 'none',
  storesPath: true,
  params: Name,
  reply: { 200: Type.Object({ deleted: Type.Integer() }) },
})

export const redriveQueue = operation('orchestrator.redriveQueue', 'POST /queues/:name/redrive', {
  summary: 'Retry the dead tasks of a queue',
  guard: 'none',
  storesPath: true,
  params: Name,
  reply: { 200: Type.Object({ redriven: Type.Integer() }) },
})

export const redriveTask = operation('orchestrator.redriveTask', 'POST /queues/:name/tasks/:id/redrive', {
  summary: 'Retry a dead task of a queue',
  guard: 'none',
  params: Type.Object({ ...Name.properties, ...Id.properties }),
  reply: { 200: QueueTask },
  errors: [404, 409],
})
