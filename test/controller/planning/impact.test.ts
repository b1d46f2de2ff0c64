import { expect, test } from 'vitest'
import { impactOf } from '../../../controller/planning/impact.ts'
import { planStep } from '../../support/plan-records.ts'

const depending = (id: string, ...dependsOn: string[]) => {
  const [kind, name] = id.split('/') as [string, string]
  return { kind, name, dependsOn }
}
const team = [
  depending('agents/a', 'policies/p'),
  depending('workflows/first', 'agents/a'),
  depending('workflows/second', 'agents/b', 'workflows/first'),
  depending('agents/b'),
]

test('finds no impact of updates in place', () => {
  expect(impactOf({ steps: [planStep({ action: 'update' })] }, team, [])).toEqual({
    stopped: [],
    interrupted: [],
    affected: [],
  })
})

test('lists running work and dependents of each stopped resource', () => {
  const steps = [
    planStep({ name: 'a', action: 'restart', interrupts: 'dispatch 1f3c' }),
    planStep({ name: 'gone', action: 'delete' }),
  ]
  const owned = [depending('workflows/left', 'agents/gone')]
  expect(impactOf({ steps }, team, owned)).toEqual({
    stopped: ['agents/a', 'agents/gone'],
    interrupted: ['agents/a'],
    affected: ['workflows/first', 'workflows/left', 'workflows/second'],
  })
})

test('terminates on circular dependencies', () => {
  const circle = [depending('agents/a', 'agents/b'), depending('agents/b', 'agents/a')]
  const steps = [planStep({ name: 'a', action: 'replace' })]
  expect(impactOf({ steps }, circle, []).affected).toEqual(['agents/b'])
})
