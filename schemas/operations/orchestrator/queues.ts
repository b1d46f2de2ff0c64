// Operations on queues. A queue is there as soon as something is pushed to it.
import Type from 'typebox'
import { PushedTask, QueueName, QueuePush, QueueStats, QueueTask } from '../../queue.ts'
import { list, operation } from '../operation.ts'

const Name = Type.Object({ name: QueueName })

export const listQueues = list({
  id: 'orchestrator.listQueues',
  summary: 'All queues with what is in them, by name',
  path: '/queues',
  item: QueueStats,
})

export const pushTask = operation({
  id: 'orchestrator.pushTask',
  summary: 'Put a task into a queue',
  method: 'POST',
  path: '/queues/:name/push',
  guard: 'none',
  params: Name,
  body: QueuePush,
  reply: { 201: PushedTask },
})

export const queueStats = operation({
  id: 'orchestrator.queueStats',
  summary: 'How a queue is',
  method: 'GET',
  path: '/queues/:name/stats',
  params: Name,
  reply: { 200: QueueStats },
})

export const peekQueue = list({
  id: 'orchestrator.peekQueue',
  summary: 'The tasks that wait in a queue, the next one first; 10 unless said, 100 at most',
  path: '/queues/:name/peek',
  params: Name,
  item: QueueTask,
  largest: 100,
})

export const purgeQueue = operation({
  id: 'orchestrator.purgeQueue',
  summary: 'Remove all tasks of a queue, whatever their status',
  method: 'DELETE',
  path: '/queues/:name',
  guard: 'none',
  params: Name,
  reply: { 200: Type.Object({ deleted: Type.Integer() }) },
})

export const redriveQueue = operation({
  id: 'orchestrator.redriveQueue',
  summary: 'Let the dead tasks of a queue be tried again',
  method: 'POST',
  path: '/queues/:name/redrive',
  guard: 'none',
  params: Name,
  reply: { 200: Type.Object({ redriven: Type.Integer() }) },
})
