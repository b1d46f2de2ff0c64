import type { KnownKinds } from '../../reading/desired-state.ts'
import { isBelow } from '../../../schemas/members/member-path.ts'
import { WIDENING_POLICY, type PlanStep, type PolicyEffect } from '../../../schemas/plan.ts'
import { listed, type PlanPolicy } from '../../../schemas/sync/plan-policy.ts'
import { idOf } from '../../reading/graph.ts'
import { findKind } from '../../../schemas/kinds.ts'
import { display, isEmpty } from '../masking.ts'

export interface JudgedStep {
  step: PlanStep
  /** Value after the step, without secrets; null if none. Not called for deletions. */
  valueAt(path: string): unknown
  /** `why`: the reason for the hold. */
  widening?: { members: readonly string[]; why: string } | null
}

export const WIDENING: PlanPolicy = {
  name: WIDENING_POLICY,
  effect: 'confirm',
  message: 'an agent must not give rights to itself or others: check who made the change',
}

export interface Finding {
  policy: PlanPolicy
  effect: PolicyEffect
  steps: readonly JudgedStep[]
  /** The field's value, or the number of steps. */
  seen: string | null
}

/** In order of policies and steps. With `strict`, warnings deny. */
export function findings(
  policies: readonly PlanPolicy[],
  steps: readonly JudgedStep[],
  { kinds, strict = false }: { kinds: KnownKinds['kinds']; strict?: boolean },
): Finding[] {
  return policies.flatMap((policy): Finding[] => {
    const effect = strict && policy.effect === 'warn' ? 'deny' : (policy.effect ?? 'deny')
    const hits = steps.flatMap((judged) => {
      const seen = policy === WIDENING ? widened(judged) : isAbout(policy, judged, kinds) ? meets(policy, judged) : null
      return seen === null ? [] : [{ policy, effect, steps: [judged], seen: seen || null }]
    })
    if (policy.most === undefined) return hits
    const seen = `${hits.length} such ${hits.length === 1 ? 'step' : 'steps'}, at most ${policy.most} allowed`
    return hits.length > policy.most ? [{ policy, effect, steps: hits.flatMap((hit) => hit.steps), seen }] : []
  })
}

function isAbout({ kind, action }: PlanPolicy, { step }: JudgedStep, kinds: KnownKinds['kinds']): boolean {
  const actions = listed(action)
  if (actions && !actions.includes(step.action)) return false
  return listed(kind)?.some((word) => (findKind(word, kinds)?.kind ?? word) === step.kind) ?? true
}

function widened({ step, widening }: JudgedStep): string | null {
  if (!widening) return null
  const { members, why } = widening
  return `${step.action === 'create' ? 'it is new' : `it widens ${members.join(', ')}`}; ${why}`
}

/** Why the rule matches ('' if it has no condition); null if it does not. */
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

/** A creation sets all fields, even those the plan does not list. */
function changes({ action, changes }: PlanStep, member: string, value: unknown): boolean {
  if (action === 'create') return !isEmpty(value)
  return changes.some(({ path }) => isBelow(path, [member]) || isBelow(member, [path]))
}

export const idsOf = (steps: readonly JudgedStep[]): string[] => steps.map(({ step }) => idOf(step))
