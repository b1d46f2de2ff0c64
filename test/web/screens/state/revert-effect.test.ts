import { expect, test } from 'vitest'
import type { PlanStep } from '../../../../schemas/plan.ts'
import { effectOf } from '../../../../web/screens/state/revert-effect.ts'

const plan = (action: PlanStep['action'], fields: number, interrupts: string | null = null) => ({
  steps: [
    {
      action,
      interrupts,
      changes: Array.from({ length: fields }, (_, index) => ({ path: `f${index}`, before: 1, after: 2 })),
    },
  ] as unknown as PlanStep[],
})

test('sums up what a revert changes', () => {
  expect(effectOf([plan('update', 1), plan('update', 1)]).text).toBe(
    'Updates 2 fields in place. No restart, nothing interrupted.',
  )
  expect(effectOf([plan('restart', 1, 'turn 41')])).toEqual({
    text: 'Updates 1 field with a restart.',
    interrupts: ['turn 41'],
  })
  expect([effectOf([plan('create', 0)]).text, effectOf([plan('replace', 0)]).text, effectOf([]).text]).toEqual([
    'Creates it again.',
    'Replaces it.',
    'Nothing would change.',
  ])
})
