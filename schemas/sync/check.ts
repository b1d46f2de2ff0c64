// Errors of sync rules beyond their schema.
import type { Fault, KindWords } from '../kind.ts'
import { findKind } from '../kinds.ts'
import { nearestHint } from '../validation/nearest.ts'
import { cronFaults } from '../workflow/trigger-faults.ts'
import { listed, type PlanPolicy } from './plan-policy.ts'
import type { SyncWindow } from './window.ts'

/** Paths start at `sync`. */
export function policyFaults(policies: readonly PlanPolicy[], kinds: readonly KindWords[]): Fault[] {
  const words = kinds.map(({ manifestKind }) => manifestKind)
  return policies.flatMap((policy, at) => {
    const faults: Fault[] = []
    const report = (member: string, fault: Omit<Fault, 'path'>) =>
      faults.push({ path: ['policies', at, member], ...fault })
    for (const word of listed(policy.kind) ?? [])
      if (!findKind(word, kinds))
        report('kind', {
          code: 'unknown-kind',
          message: `unknown kind "${word}"`,
          hint: nearestHint(word, words, `kinds are ${words.join(', ')}`),
        })
    if (policies.findIndex(({ name }) => name === policy.name) < at)
      report('name', {
        code: 'duplicate-name',
        message: `two policies are named "${policy.name}"`,
        hint: 'rename one: errors and tests refer to policies by name',
      })
    const value = policy.forbid === undefined ? 'allow' : 'forbid'
    if (policy.forbid !== undefined && policy.allow !== undefined)
      report('forbid', {
        code: 'conflicting-members',
        message: 'forbid and allow are mutually exclusive',
        hint: 'keep one of them',
      })
    else if (policy[value] !== undefined && policy.member === undefined)
      report(value, {
        code: 'missing-member',
        message: `${value} needs a member`,
        hint: 'add the field it applies to: member: tool_policy.mode',
      })
    return faults
  })
}

export function windowFaults(windows: readonly SyncWindow[]): Fault[] {
  return windows.flatMap(({ schedule: expression, timezone }, at) =>
    cronFaults({ expression, timezone }, ['windows', at]).map((fault) => ({
      ...fault,
      path: fault.path.map((member) => (member === 'expression' ? 'schedule' : member)),
    })),
  )
}
