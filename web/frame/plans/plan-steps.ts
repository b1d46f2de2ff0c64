import type { Action, Plan, PlanStep } from '../../../schemas/plan.ts'
import type { StateName } from '../../parts/states/states.ts'

/** State whose shape marks the steps of an action. */
export const ACTION_STATES: Record<Action, StateName> = {
  create: 'create',
  update: 'update',
  restart: 'restart',
  replace: 'restart',
  adopt: 'update',
  delete: 'delete',
}

/** Those that lose most come first. */
const ORDER: readonly Action[] = ['delete', 'replace', 'restart', 'update', 'create', 'adopt']

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

export interface StepGroup {
  kind: string
  steps: readonly PlanStep[]
}

/** Steps by kind, kinds with deletions first; within a kind, the steps that lose most first. */
export function stepGroups(steps: readonly PlanStep[]): StepGroup[] {
  const rank = ({ action }: PlanStep) => ORDER.indexOf(action)
  const kinds = new Map<string, PlanStep[]>()
  for (const step of steps.toSorted((a, b) => rank(a) - rank(b))) {
    const members = kinds.get(step.kind)
    if (members) members.push(step)
    else kinds.set(step.kind, [step])
  }
  const hasDeletion = ({ steps: [first] }: StepGroup) => Number(first!.action === 'delete')
  return [...kinds]
    .map(([kind, members]) => ({ kind, steps: members }))
    .sort((a, b) => hasDeletion(b) - hasDeletion(a) || (a.kind < b.kind ? -1 : 1))
}

/** "update in place", "create, 7 fields" */
export function actionText({ action, changes }: Pick<PlanStep, 'action' | 'changes'>): string {
  if (action === 'update') return 'update in place'
  return changes.length === 0 || action === 'delete' ? action : `${action}, ${counted(changes.length, 'field')}`
}

/** "2 create, 1 delete; 17 unchanged" */
export function planSummary({ summary }: Pick<Plan, 'summary'>): string {
  const { unchanged, ...actions } = summary
  const parts = Object.entries(actions).flatMap(([action, count]) => (count > 0 ? [`${count} ${action}`] : []))
  return `${parts.length === 0 ? 'no change' : parts.join(', ')}; ${unchanged} unchanged`
}

/** Number that a person types before deletions above the budget; null if none is needed. */
export function typedDeletions({ steps, guard }: Pick<Plan, 'steps' | 'guard'>, isOverBudget: boolean): number | null {
  if (!isOverBudget) return null
  return guard?.deletes ?? steps.filter(({ action }) => action === 'delete').length
}
