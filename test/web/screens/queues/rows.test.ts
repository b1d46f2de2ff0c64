import { expect, test } from 'vitest'
import type { QueueStats, QueueTask } from '../../../../schemas/queue.ts'
import type { WorkflowRecord } from '../../../../schemas/workflow/record.ts'
import {
  attemptText,
  countTexts,
  matchingQueues,
  queueRows,
  tasksText,
  totalOf,
} from '../../../../web/screens/queues/rows.ts'

const stats = (queue_name: string, more: Partial<QueueStats> = {}): QueueStats => ({
  queue_name,
  pending: 0,
  processing: 0,
  completed: 0,
  dead: 0,
  oldest_pending_secs: 0,
  ...more,
})
const reader = (name: string, queue_name: string, enabled = true) =>
  ({
    id: name,
    name,
    agent_id: 'a1',
    enabled,
    trigger_config: { type: 'queue', queue_name },
  }) as unknown as WorkflowRecord

test('names the worst state of a queue', () => {
  const of = (more: Partial<QueueStats>, ...readers: WorkflowRecord[]) =>
    queueRows([stats('mail', more)], readers).map(({ word }) => word)[0]
  const triage = reader('triage', 'mail')
  expect(of({ dead: 1, processing: 1 }, triage)).toBe('has dead letters')
  expect(of({ processing: 1, pending: 3 }, triage)).toBe('processing')
  expect(of({ pending: 3 }, triage)).toBe('pending')
  expect(of({ pending: 3 })).toBe('no reader')
  expect(of({ pending: 3 }, reader('triage', 'mail', false), reader('other', 'jobs'))).toBe('no reader')
  expect(of({ completed: 3 })).toBe('empty')
})

test('sorts by name and filters by name, reader and state', () => {
  const rows = queueRows([stats('mail', { dead: 1 }), stats('index')], [reader('triage', 'mail')])
  expect(rows.map((row) => row.stats.queue_name)).toEqual(['index', 'mail'])
  const found = (query: string) => matchingQueues(rows, query).map((row) => row.stats.queue_name)
  expect([found('TRIAGE dead'), found('empty'), found(''), found('nothing')]).toEqual([
    ['mail'],
    ['index'],
    ['index', 'mail'],
    [],
  ])
})

test('prints counts', () => {
  const some = stats('mail', { pending: 5, completed: 2 })
  expect(countTexts(some).map(({ text }) => text)).toEqual(['5 pending', '0 processing', '0 dead', '2 completed'])
  expect(countTexts(some, []).map(({ text }) => text)).toEqual(['5 pending', '2 completed'])
  expect(totalOf(some)).toBe(7)
  expect([tasksText(1), tasksText(2)]).toEqual(['1 task', '2 tasks'])
})

test('counts attempts', () => {
  const of = (status: QueueTask['status'], retry_count: number) =>
    attemptText({ status, retry_count, max_retries: 3 } as QueueTask)
  expect([of('pending', 0), of('processing', 1), of('dead', 3), of('completed', 0)]).toEqual([
    'attempt 1 of 3',
    'attempt 2 of 3',
    '3 of 3 attempts failed',
    '',
  ])
})
