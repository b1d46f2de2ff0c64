// Operations on queues. A queue is there as soon as something is pushed to it.
import * as Type from 'typebox'
import { PushedTask, QueueName, QueuePush, QueueStats, QueueTask } from '../../queue.ts'
import { list, operation } from '../operation.ts'

const Name = Type.Object({ name: QueueName })

export const listQueues = list('orchestrator.listQueues', '/queues', {
  summary: 'All queues with what is in them, by name',
  item: QueueStats,
})

export const pushTask = operation('orchestrator.pushTask', 'POST /queues/:name/push', {
  summary: 'Put a task into a queue',
  guard: 'none',
  params: Name,
  body: QueuePush,
  reply: { 201: PushedTask },
})

export const queueStats = operation('orchestrator.queueStats', 'GET /queues/:name/stats', {
  summary: 'How a queue is',
  params: Name,
  reply: { 200: QueueStats },
})

export const peekQueue = list('orchestrator.peekQueue', '/queues/:name/peek', {
  summary: 'The tasks that wait in a queue, the next one first; 10 unless said, 100 at most',
  params: Name,
  item: QueueTask,
  largest: 100,
})

export const purgeQueue = operation('orchestrator.purgeQueue', 'DELETE /queues/:name', {
  summary: 'Remove all tasks of a queue, whatever their status',
  guard: 'none',
  params: Name,
  reply: { 200: Type.Object({ deleted: Type.Integer() }) },
})

export const redriveQueue = operation('orchestrator.redriveQueue', 'POST /queues/:name/redrive', {
  summary: 'Let the dead tasks of a queue be tried again',
  guard: 'none',
  params: Name,
  reply: { 200: Type.Object({ redriven: Type.Integer() }) },
})
