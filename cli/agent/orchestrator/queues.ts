import { Option } from 'commander'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import * as operations from '../../../schemas/operations/orchestrator/queues.ts'
import { QUEUE_STATUSES, type QueueStats, type QueueTask } from '../../../schemas/queue.ts'
import { anyNumber, wholeNumber } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { renderTable, type Column } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb, type Word } from '../../verb.ts'

const NAME: Word = { member: 'name', shown: '<queue>', help: 'Name of the queue' }

const QUEUE_COLUMNS: Column<QueueStats>[] = [
  { title: 'QUEUE', value: (queue) => queue.queue_name },
  { title: 'PENDING', value: (queue) => queue.pending },
  { title: 'PROCESSING', value: (queue) => queue.processing },
  { title: 'COMPLETED', value: (queue) => queue.completed },
  { title: 'DEAD', value: (queue) => queue.dead, colour: ({ dead }) => (dead > 0 ? 'red' : undefined) },
  { title: 'OLDEST', value: (queue) => `${queue.oldest_pending_secs} s` },
]

const TASK_COLUMNS: Column<QueueTask>[] = [
  { title: 'TASK', value: (task) => task.id, kind: 'id' },
  { title: 'PRIORITY', value: (task) => task.priority },
  { title: 'TITLE', value: (task) => task.title, kind: 'text' },
  { title: 'FAILED', value: (task) => task.retry_count },
  { title: 'AGO', value: (task) => age(task.created_at), kind: 'time' },
]

const STATUS: Column<QueueTask> = {
  title: 'STATUS',
  value: ({ status }) => status,
  colour: ({ status }) => (status === 'dead' ? 'red' : undefined),
}
const ERROR: Column<QueueTask> = { title: 'ERROR', value: ({ error }) => error ?? '', kind: 'text' }

/** With a limit the response is a page. */
const tasksOf = (reply: QueueTask[] | { items: QueueTask[] }): QueueTask[] => ('items' in reply ? reply.items : reply)

export const queueVerbs: readonly CommandEntry[] = [
  verb('queue-list', group, operations.listQueues, {
    summary: 'List queues and their task counts',
    examples: ['agent orchestrator queue-list'],
    done: (queues) => renderTable(queues, QUEUE_COLUMNS, 'No queues.'),
  }),
  verb('queue-push', group, operations.pushTask, {
    summary: 'Push a task to a queue',
    args: [NAME],
    options: {
      title: new Option('--title <text>', 'Title of the task'),
      body: new Option('--body <text>', 'Body of the task; - reads standard input'),
      priority: new Option('--priority <number>', 'Priority, higher first (default: 0)').argParser(anyNumber),
    },
    examples: ['agent orchestrator queue-push jobs --title "Rebuild the index" --priority 5'],
    done: ({ id, queue_name }) => `task ${id} is queued in ${queue_name}`,
  }),
  verb('queue-stats', group, operations.queueStats, {
    summary: 'Show the task counts of a queue',
    args: [NAME],
    examples: ['agent orchestrator queue-stats jobs'],
  }),
  verb('queue-peek', group, operations.peekQueue, {
    summary: 'List the next pending tasks of a queue',
    args: [NAME],
    options: { limit: new Option('--limit <n>', 'Number of tasks, at most 100 (default: 10)').argParser(wholeNumber) },
    examples: ['agent orchestrator queue-peek jobs --limit 5'],
    json: (reply) => tasksOf(reply),
    done: (reply) => renderTable(tasksOf(reply), TASK_COLUMNS, 'No pending tasks.'),
  }),
  verb('queue-tasks', group, operations.listQueueTasks, {
    summary: 'List the tasks of a queue, newest first',
    args: [NAME],
    options: {
      status: new Option('--status <status>', 'Only tasks with this status').choices(QUEUE_STATUSES),
      limit: new Option('--limit <n>', 'Number of tasks, at most 200 (default: all)').argParser(wholeNumber),
    },
    examples: ['agent orchestrator queue-tasks jobs --status dead'],
    json: (reply) => tasksOf(reply),
    done: (reply) => renderTable(tasksOf(reply), [STATUS, ...TASK_COLUMNS, ERROR], 'No tasks.'),
  }),
  verb('queue-purge', group, operations.purgeQueue, {
    summary: 'Delete all tasks of a queue, in any status',
    args: [NAME],
    examples: ['agent orchestrator queue-purge jobs'],
    done: ({ deleted }) => `${deleted} ${deleted === 1 ? 'task' : 'tasks'} deleted`,
  }),
  verb('queue-redrive', group, operations.redriveQueue, {
    summary: 'Retry the dead tasks of a queue',
    args: [NAME],
    examples: ['agent orchestrator queue-redrive jobs'],
    done: ({ redriven }) => `${redriven} ${redriven === 1 ? 'task' : 'tasks'} queued again`,
  }),
  verb('queue-redrive-task', group, operations.redriveTask, {
    summary: 'Retry a dead task of a queue',
    args: [NAME, { member: 'id', shown: '<task>', help: 'Id of the task, as in queue-tasks --status dead' }],
    examples: ['agent orchestrator queue-redrive-task jobs 1f3c9a2b-7d4e-4f0a-9c1b-2e5d8a6b3c4f'],
    done: ({ id, queue_name }) => `task ${id} is queued again in ${queue_name}`,
  }),
]
