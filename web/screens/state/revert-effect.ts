import type { Plan, PlanStep } from '../../../schemas/plan.ts'
import { fieldChanges } from '../../parts/text/field-changes.ts'

export interface Effect {
  /** "Updates 2 fields in place. No restart, nothing interrupted." */
  text: string
  /** Work that would be interrupted. */
  interrupts: readonly string[]
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Effect of the plans that revert the fields of one resource. */
export function effectOf(plans: readonly Pick<Plan, 'steps'>[]): Effect {
  const steps = plans.flatMap((plan) => plan.steps)
  const interrupts = [...new Set(steps.flatMap((step) => step.interrupts ?? []))]
  return { text: effectText(steps), interrupts }
}

function effectText(steps: readonly PlanStep[]): string {
  if (steps.length === 0) return 'Nothing would change.'
  const does = (action: PlanStep['action']) => steps.some((step) => step.action === action)
  if (does('create')) return 'Creates it again.'
  if (does('replace')) return 'Replaces it.'
  const fields = counted(steps.flatMap(({ changes }) => changes.flatMap(fieldChanges)).length, 'field')
  return does('restart')
    ? `Updates ${fields} with a restart.`
    : `Updates ${fields} in place. No restart, nothing interrupted.`
}
