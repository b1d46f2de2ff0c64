// What the policies of a source say of a plan's steps. Pure.
import type { KnownKinds } from '../../reading/desired-state.ts'
import { isBelow } from '../../../schemas/members/member-path.ts'
import type { PlanStep, PolicyEffect } from '../../../schemas/plan.ts'
import { listed, type PlanPolicy } from '../../../schemas/sync/plan-policy.ts'
import { idOf } from '../../reading/graph.ts'
import { findKind } from '../../../schemas/kinds.ts'
import { display, isEmpty } from '../masking.ts'

/** One step, and what the resource is to be after it. */
export interface JudgedStep {
  step: PlanStep
  /** A member afterwards, without its secrets; null where it has no value. Not asked of a deletion. */
  valueAt(path: string): unknown
}

export interface Finding {
  policy: PlanPolicy
  effect: PolicyEffect
  steps: readonly JudgedStep[]
  /** Why, in words: what the member has, or how many steps there are. */
  seen: string | null
}

/** All that the policies find, in their order and that of the steps. `strict`: what only warns denies. */
export function findings(
  policies: readonly PlanPolicy[],
  steps: readonly JudgedStep[],
  { kinds, strict = false }: { kinds: KnownKinds['kinds']; strict?: boolean },
): Finding[] {
  return policies.flatMap((policy): Finding[] => {
    const effect = strict && policy.effect === 'warn' ? 'deny' : (policy.effect ?? 'deny')
    const hits = steps.flatMap((judged) => {
      const seen = isAbout(policy, judged, kinds) ? meets(policy, judged) : null
      return seen === null ? [] : [{ policy, effect, steps: [judged], seen: seen || null }]
    })
    if (policy.most === undefined) return hits
    const seen = `${hits.length} such ${hits.length === 1 ? 'step' : 'steps'} where ${policy.most} ${policy.most === 1 ? 'is' : 'are'} fine`
    return hits.length > policy.most ? [{ policy, effect, steps: hits.flatMap((hit) => hit.steps), seen }] : []
  })
}

function isAbout({ kind, action }: PlanPolicy, { step }: JudgedStep, kinds: KnownKinds['kinds']): boolean {
  const actions = listed(action)
  if (actions && !actions.includes(step.action)) return false
  return listed(kind)?.some((word) => (findKind(word, kinds)?.kind ?? word) === step.kind) ?? true
}

/** What it is that meets the rule, in words, or nothing to be told; null where the rule is not met. */
function meets({ member, forbid, allow }: PlanPolicy, judged: JudgedStep): string | null {
  if (member === undefined) return ''
  const { step } = judged
  if (step.action === 'delete') return null
  const value = display(judged.valueAt(member))
  const [forbidden, allowed] = [listed(forbid), listed(allow)]
  if (!forbidden && !allowed) return changes(step, member, value) ? `${member} changes` : null
  const elements = value === null ? [] : Array.isArray(value) ? value : [value]
  const wrong = elements.filter((each) => forbidden?.includes(each) ?? !allowed!.includes(each))
  if (wrong.length === 0) return null
  return `${member} ${Array.isArray(value) ? 'has' : 'is'} ${wrong.map((each) => JSON.stringify(each)).join(', ')}`
}

/** What is made gets all of its members, whether the plan lists them or not. */
function changes({ action, changes }: PlanStep, member: string, value: unknown): boolean {
  if (action === 'create') return !isEmpty(value)
  return changes.some(({ path }) => isBelow(path, [member]) || isBelow(member, [path]))
}

export const idsOf = (steps: readonly JudgedStep[]): string[] => steps.map(({ step }) => idOf(step))
