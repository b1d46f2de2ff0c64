import { POLICY_DENIED, type Plan } from '../../schemas/plan.ts'
import { heldBack } from './plan.ts'
import { heldWords } from './policies/policy-hold.ts'
import type { Preview } from './preview.ts'
import { UNREACHABLE } from './unobserved.ts'

/** Held steps that can still be confirmed or allowed; null if there are none. */
export function heldText(plan: Plan): string | null {
  const said = [plan.guard && heldBack(plan.guard, plan.source), heldWords(plan)].filter((each) => each !== null)
  return said.length > 0 ? said.join('; ') : null
}

/** Why a requested run cannot be complete; null without errors. */
export function faultsOf({ plan: { diagnostics }, attempted }: Preview): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const denied = errors.filter(({ code }) => code === POLICY_DENIED)
  const unknown = errors.filter(isUnreachable)
  const faults = errors.filter((error) => !isUnreachable(error) && !denied.includes(error))
  if (errors.length === 0) return null
  const first = faults.slice(0, 3).map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
  const more = faults.length > first.length ? `; and ${faults.length - first.length} more` : ''
  const count = faults.length === 1 ? 'an error' : `${faults.length} errors`
  const instead =
    attempted === undefined
      ? `the manifests have ${count}; valid resources were applied, and nothing was pruned`
      : `commit ${attempted} has ${count}; the last good one stays in force, and nothing was pruned`
  const said = [
    ...(faults.length > 0 ? [`${instead}: ${first.join('; ')}${more}`] : []),
    ...denied.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
    ...unknown.map(({ message }) => message),
  ]
  return said.join('; ')
}

const isUnreachable = ({ code }: Plan['diagnostics'][number]): boolean => code === UNREACHABLE
