import { Vault } from '../../../platform/secrets/vault.ts'
import { isBelow, pathOf, stepsOf } from '../../../schemas/members/member-path.ts'
import type { KindDefinition } from '../../../schemas/kind.ts'
import { ACTIONS, type Change, type Plan, type PlanStep } from '../../../schemas/plan.ts'
import type { CaseStep, PolicyOutcome } from '../../../schemas/sync/policy-cases.ts'
import type { PlanPolicy } from '../../../schemas/sync/plan-policy.ts'
import { findKind } from '../../../schemas/kinds.ts'
import type { DesiredResource } from '../../reading/desired-state.ts'
import { memberAt } from '../diff.ts'
import { maskSpec } from '../masking.ts'
import { findings, type JudgedStep } from './policy-findings.ts'

type Kinds = readonly KindDefinition<any>[]

const RANK: readonly PolicyOutcome[] = ['deny', 'confirm', 'warn', 'allow']

export interface Outcome {
  outcome: PolicyOutcome
  /** Names, sorted and unique. */
  policies: string[]
  said: string[]
}

export function outcomeOf(rules: readonly PlanPolicy[], steps: readonly JudgedStep[], kinds: Kinds): Outcome {
  const found = findings(rules, steps, { kinds })
  return {
    outcome: RANK.find((effect) => effect === 'allow' || found.some((each) => each.effect === effect))!,
    policies: [...new Set(found.map(({ policy }) => policy.name))].sort(),
    said: found.map(({ policy, effect, seen, steps: [first, ...more] }) => {
      const { action, kind, name } = first!.step
      const others = more.length > 0 ? ` and ${more.length} more` : ''
      return `${effect} by "${policy.name}": ${action} ${kind}/${name}${others}${seen === null ? '' : ` (${seen})`}`
    }),
  }
}

/** Steps of a test case; a creation sets all listed fields. */
export function writtenSteps(steps: readonly CaseStep[], kinds: Kinds): JudgedStep[] {
  return steps.map(({ action, kind: word, name, changes = [], members = {} }) => {
    const kind = findKind(word, kinds)?.kind ?? word
    const written = Object.entries(members).map(([path, after]) => changeOf(path, after))
    const others = changes.filter((path) => members[path] === undefined).map((path) => changeOf(path, null))
    return judgedOf({ ...STEP, action, kind, name, changes: [...written, ...others] })
  })
}

/** Only changed fields have values. */
export const plannedSteps = ({ steps }: Pick<Plan, 'steps'>): JudgedStep[] => steps.map(judgedOf)

/** Treats all resources as creations. */
export function declaredSteps(resources: readonly DesiredResource[], kinds: Kinds): JudgedStep[] {
  const vault = Vault.ephemeral()
  return resources.map(({ kind, name, spec }) => {
    const shape = kinds.find((each) => each.kind === kind) ?? {}
    return {
      step: { ...STEP, action: 'create', kind, name },
      valueAt: (path) => memberAt(maskSpec(spec, vault).value, path, shape),
    }
  })
}

const STEP: Omit<PlanStep, 'kind' | 'name'> = {
  action: ACTIONS[0],
  reason: '',
  changes: [],
  file: null,
  line: null,
  column: null,
  interrupts: null,
}

const changeOf = (path: string, after: unknown): Change => ({
  path,
  before: null,
  after,
  owner: 'manifest',
  cost: 'in-place',
})

const judgedOf = (step: PlanStep): JudgedStep => ({ step, valueAt: (path) => changedValue(step.changes, path) })

/** Value that changes give a field: directly, as part of a changed parent, or from its elements. */
function changedValue(changes: readonly Change[], member: string): unknown {
  const own = changes.find(({ path }) => path === member)
  if (own) return own.after
  const whole = changes.find(({ path }) => isBelow(member, [path]))
  if (whole) return memberAt(whole.after, pathOf(stepsOf(member).slice(stepsOf(whole.path).length)))
  const parts = changes.filter(({ path }) => isBelow(path, [member])).map(({ after }) => after)
  return parts.some((part) => part !== null) ? parts.filter((part) => part !== null) : null
}
