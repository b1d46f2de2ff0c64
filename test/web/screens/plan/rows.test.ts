import { expect, test } from 'vitest'
import type { Plan } from '../../../../schemas/plan.ts'
import { canConfirm, commandOf, concernsOf, confirmedChoices, keptDrift } from '../../../../web/screens/plan/rows.ts'

const guard = { deletes: 7, owned: 31, max_delete: '20%', allowed: 6, hash: '93bd2f4e', resources: ['rooms/a'] }
const held = { denied: ['a/b'], unconfirmed: ['a/e'], waiting: ['a/c', 'a/d'], hash: '5e0a77c1' }
const none = { guard: null, steps: [], diagnostics: [] } as unknown as Plan

test('names what is on hold, denied, interrupted and left out', () => {
  const plan = {
    ...none,
    guard,
    held,
    impact: { stopped: [], interrupted: ['agents/builder'], affected: [] },
    steps: [{ kind: 'policies', name: 'reading', widens: ['tools'] }],
    diagnostics: [
      { severity: 'error', kind: 'agents', name: 'tester' },
      { severity: 'error', kind: 'agents', name: 'tester' },
      { severity: 'warning', kind: 'agents', name: 'greeter' },
    ],
  } as unknown as Plan
  expect(concernsOf(plan).map(({ title, names }) => [title, names.join(' ')])).toEqual([
    ['7 deletions on hold', 'rooms/a'],
    ['1 step denied by plan policies', 'a/b'],
    ['1 step on hold until confirmed', 'a/e'],
    ['2 steps waiting for those', 'a/c a/d'],
    ['1 step with more rights', 'policies/reading'],
    ['1 turn may be interrupted', 'agents/builder'],
    ['1 manifest left out', 'agents/tester'],
  ])
  expect(concernsOf(plan)[0]!.detail).toContain('7 of 31 resources exceed the budget of 20%, which allows 6')
  expect(concernsOf(none)).toEqual([])
})

test('confirms deletions and steps by their hashes', () => {
  expect(confirmedChoices({ guard, held })).toEqual({ confirm: '5e0a77c1', prune_override: '93bd2f4e' })
  expect([canConfirm({ guard, held }), canConfirm(none), confirmedChoices(none)]).toEqual([true, false, {}])
})

test('shows the command that does the same', () => {
  const choices = confirmedChoices({ guard, held })
  expect(commandOf({ source: 'default', choices })).toBe(
    'svc reconcile --source default --confirm 5e0a77c1 --prune-override 93bd2f4e',
  )
  expect(commandOf({ source: "it's" })).toBe(`svc reconcile --source 'it'\\''s'`)
})

test('lists only drift that the plan does not revert', () => {
  const drift = (path: string, name = 'greeter') => ({ kind: 'agents', name, path, desired: 1, live: 2 })
  const steps = [{ kind: 'agents', name: 'greeter', changes: [{ path: 'tool_policy' }, { path: 'env' }] }] as never
  const all = [drift('tool_policy.mode'), drift('env[HOME]'), drift('model'), drift('env', 'builder')]
  expect(keptDrift({ drift: all, steps }).map(({ name, path }) => `${name} ${path}`)).toEqual([
    'greeter model',
    'builder env',
  ])
})
