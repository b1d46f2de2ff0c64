import { expect, test } from 'vitest'
import type { PlanStep } from '../../../../schemas/plan.ts'
import { actionText, planSummary, stepGroups, typedDeletions } from '../../../../web/frame/plans/plan-steps.ts'

const step = (action: PlanStep['action'], id: string) => {
  const [kind, name] = id.split('/')
  return { action, kind, name, changes: [] as unknown[] } as PlanStep
}

test('shows kinds with deletions first, and what loses most first', () => {
  const steps = [
    step('create', 'agents/a'),
    step('restart', 'agents/b'),
    step('update', 'rooms/c'),
    step('delete', 'rooms/d'),
  ]
  const groups = stepGroups(steps).map(({ kind, steps: some }) => [kind, some.map(({ name }) => name)])
  expect(groups).toEqual([
    ['rooms', ['d', 'c']],
    ['agents', ['b', 'a']],
  ])
})

test('says what a step does', () => {
  expect(actionText({ action: 'update', changes: [] })).toBe('update in place')
  expect(actionText({ action: 'create', changes: [{}, {}] as never })).toBe('create, 2 fields')
  expect(actionText({ action: 'delete', changes: [{}] as never })).toBe('delete')
})

test('sums up a plan by action', () => {
  const none = { create: 0, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 17 }
  expect(planSummary({ summary: { ...none, create: 2, delete: 1 } })).toBe('2 create, 1 delete; 17 unchanged')
  expect(planSummary({ summary: none })).toBe('no change; 17 unchanged')
})

test('asks for the number of deletions above the budget', () => {
  const steps = [step('delete', 'rooms/a'), step('delete', 'rooms/b')]
  expect(typedDeletions({ steps, guard: null }, true)).toBe(2)
  expect(typedDeletions({ steps, guard: { deletes: 7 } as never }, true)).toBe(7)
  expect(typedDeletions({ steps, guard: null }, false)).toBeNull()
})
