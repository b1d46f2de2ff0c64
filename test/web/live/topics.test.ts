import { describe, expect, test } from 'vitest'
import type { Run } from '../../../schemas/run.ts'
import type { InboxItem } from '../../../schemas/gateway/inbox.ts'
import { inboxChanges, runChanges, withoutOldest } from '../../../web/live/topics.ts'

const step = (name: string, status = 'done') => ({ kind: 'agents', name, action: 'update', status })
const run = { id: 'r1', status: 'running', steps: [step('a', 'intended')] } as unknown as Run
const changesOf = (...items: { id: string; item: object | null }[]) =>
  Object.fromEntries(
    runChanges(items, { get: (id) => (id === 'r1' ? run : undefined) }).map(({ id, item }) => [id, item]),
  )

test('keeps the steps of a run that changes', () => {
  expect(changesOf({ id: 'runs/r1', item: { id: 'r1', status: 'succeeded' } })).toEqual({
    r1: { id: 'r1', status: 'succeeded', steps: run.steps },
  })
})

test('joins steps with their run, also within one batch', () => {
  const changes = changesOf(
    { id: 'runs/r2', item: { id: 'r2', status: 'running' } },
    { id: 'steps/r2/0', item: { run_id: 'r2', ...step('b') } },
    { id: 'steps/r1/0', item: { run_id: 'r1', ...step('a') } },
  )
  expect(changes).toEqual({
    r2: { id: 'r2', status: 'running', steps: [step('b')] },
    r1: { ...run, steps: [step('a')] },
  })
})

test('ignores steps of unknown runs and removes deleted runs', () => {
  expect(changesOf({ id: 'steps/r9/0', item: step('x') }, { id: 'runs/r1', item: null })).toEqual({ r1: null })
})

test('replaces the inbox items of a group', () => {
  const item = (id: string, group: string) => ({ id, group }) as InboxItem
  const values = [item('deletions/a', 'source/a'), item('sync/a', 'source/a'), item('drift/x', 'drift/x')]
  const next = item('sync/a', 'source/a')
  const changes = inboxChanges(
    [
      { id: 'source/a', item: { items: [item('orphan/a', 'source/a')] } },
      { id: 'source/a', item: { items: [next] } },
      { id: 'drift/x', item: null },
    ],
    { values },
  )
  expect(changes).toEqual([
    { id: 'deletions/a', item: null },
    { id: 'drift/x', item: null },
    { id: 'source/a', item: null },
    { id: 'sync/a', item: next },
  ])
})

test('removes an inbox item that a read in progress may still contain', () => {
  expect(inboxChanges([{ id: 'approval/1', item: null }], { values: [] })).toEqual([{ id: 'approval/1', item: null }])
})

test('keeps inbox items of a group that could not be read whole', () => {
  const values = [{ id: 'approval/1', group: 'approval/1' } as InboxItem]
  const missing = [{ kind: 'approval', service: 'orchestrator', reason: 'truncated', detail: 'too many' }]
  expect(inboxChanges([{ id: 'approval/1', item: { items: [], missing } }], { values })).toEqual([])
})

describe('a history that grows', () => {
  const record = (index: number, isOpen = false) => ({ id: `d${index}`, at: String(index).padStart(5, '0'), isOpen })
  const ended = ({ at, isOpen }: ReturnType<typeof record>) => !isOpen && at
  const next = { id: 'd9999', item: record(9999) }

  test('loses its oldest records when it is a page too long', () => {
    const values = Array.from({ length: 1200 }, (_, index) => record(index))
    const changes = withoutOldest([next], values.toReversed(), ended)
    expect(changes).toHaveLength(201)
    expect(changes.at(-1)).toBe(next)
    expect(new Set(changes.slice(0, -1).map(({ id }) => id))).toEqual(new Set(values.slice(0, 200).map(({ id }) => id)))
    expect(withoutOldest([next], values.slice(1), ended)).toEqual([next])
  })

  test('keeps records that are open or change now', () => {
    const values = Array.from({ length: 1200 }, (_, index) => record(index, index % 2 === 0))
    const change = { id: 'd1', item: record(1) }
    const gone = withoutOldest([change], values, ended).slice(0, -1)
    expect(gone.map(({ id }) => Number(id.slice(1)))).toEqual(Array.from({ length: 200 }, (_, index) => 3 + index * 2))
  })
})
