import { expect, test } from 'vitest'
import type { ResourceDetail } from '../../../../schemas/resource.ts'
import { historyRows, lastRun } from '../../../../web/screens/state/history-rows.ts'

const step = (run_id: string, action: string, status: string, at: string | null) => ({
  run_id,
  action,
  status,
  at,
  revision: 'b56dbd3960',
})
const detail = {
  history: [
    step('r1', 'create', 'done', '2026-11-27T09:00:00Z'),
    step('r2', 'update', 'failed', '2026-11-27T10:00:00Z'),
    step('r3', 'restart', 'deferred', null),
  ],
  drift: [{ id: 'd1', first_seen: '2026-11-27T09:30:00Z', actor: null, path: 'model', resolution: null }],
} as unknown as ResourceDetail

test('lists steps and manual changes, newest first', () => {
  expect(historyRows(detail).map(({ state, text, subject, actor }) => [state, actor, text, subject])).toEqual([
    ['pending', null, 'restart deferred at', 'b56dbd3'],
    ['failed', null, 'update failed at', 'b56dbd3'],
    ['drifted', 'unknown', 'set', 'model'],
    ['done', null, 'created to', 'b56dbd3'],
  ])
})

test('finds the run that made the last applied state', () => {
  expect(lastRun(detail)).toBe('r1')
  expect(lastRun({ history: [] })).toBeNull()
})
