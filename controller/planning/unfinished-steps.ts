// What a run has not done of all that it was to do, in words. Pure.
import { POLICY_DENIED, type Plan } from '../../schemas/plan.ts'
import { heldBack } from './plan.ts'
import { heldWords } from './policies/policy-hold.ts'
import type { Preview } from './preview.ts'
import { UNREACHABLE } from './unobserved.ts'

/** What was held back and may be done all the same, in words; null when nothing was. */
export function heldText(plan: Plan): string | null {
  const said = [plan.guard && heldBack(plan.guard), heldWords(plan)].filter((each) => each !== null)
  return said.length > 0 ? said.join('; ') : null
}

/** Why a run that somebody asked for has not done all of it, in words; null when it has. */
export function faultsOf({ plan: { diagnostics }, attempted }: Preview): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const denied = errors.filter(({ code }) => code === POLICY_DENIED)
  const unknown = errors.filter(isUnreachable)
  const faults = errors.filter((error) => !isUnreachable(error) && !denied.includes(error))
  if (errors.length === 0) return null
  const first = faults.slice(0, 3).map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
  const more = faults.length > first.length ? `; and ${faults.length - first.length} more` : ''
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  const instead =
    attempted === undefined
      ? `the manifests have ${count}; what is sound was applied, and nothing was pruned`
      : `commit ${attempted} has ${count}; the last good one stays in force, and nothing was pruned`
  const said = [
    ...(faults.length > 0 ? [`${instead}: ${first.join('; ')}${more}`] : []),
    ...denied.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
    ...unknown.map(({ message }) => message),
  ]
  return said.join('; ')
}

const isUnreachable = ({ code }: Plan['diagnostics'][number]): boolean => code === UNREACHABLE
