// Steps that policies keep out of a plan, and what is told of them. Pure.
import type { KnownKinds } from '../../reading/desired-state.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import {
  POLICY_DENIED,
  POLICY_UNCONFIRMED,
  type Plan,
  type PlanHeld,
  type PlanVerdict,
  type PolicyEffect,
} from '../../../schemas/plan.ts'
import type { PlanPolicy } from '../../../schemas/sync/plan-policy.ts'
import { idOf } from '../../reading/graph.ts'
import { digest } from '../masking.ts'
import { findings, idsOf, type Finding, type JudgedStep } from './policy-findings.ts'

const CODES: Record<PolicyEffect, string> = {
  deny: POLICY_DENIED,
  confirm: POLICY_UNCONFIRMED,
  warn: 'policy-warning',
}
const MOST_NAMED = 8

export interface Policies {
  rules: readonly PlanPolicy[]
  kinds: KnownKinds['kinds']
  /** Hash of what may be done that is to be confirmed. */
  confirm?: string | undefined
  strict?: boolean | undefined
  /** By kind/name: what somebody has asked for and had to wait, with the rules it was confirmed for (`ruleText`). */
  agreed?: ReadonlyMap<string, ReadonlySet<string>> | undefined
}

/** One rule is another as soon as it says anything else. */
export const ruleText = (policy: PlanPolicy): string => JSON.stringify(policy)

/** The rules that a step was confirmed for, by a plan that has it, as `ruleText` says them. */
export function confirmedFor(id: string, { policies = [] }: Plan, rules: readonly PlanPolicy[]): Set<string> {
  const said = policies.filter(({ effect, resources }) => effect === 'confirm' && resources.includes(id))
  const names = new Set(said.map(({ policy }) => policy))
  return new Set(rules.filter(({ name }) => names.has(name)).map(ruleText))
}

/** A step as policies see it. */
export interface HoldableStep extends JudgedStep {
  /** Of what is wanted, secrets as digests; null for a deletion. */
  wanted: string | null
  /** As kind/name: what it needs as it is desired, and as it is owned. */
  needs: { desired: readonly string[]; owned: readonly string[] }
  position(path: string): { line: number; column: number } | null
}

export interface Hold {
  verdicts: PlanVerdict[]
  held: PlanHeld | undefined
  /** By kind/name, all that is not to be made. */
  ids: ReadonlySet<string>
  diagnostics: Diagnostic[]
}

export const NOTHING_HELD: Hold = { verdicts: [], held: undefined, ids: new Set(), diagnostics: [] }

export function holdSteps(policies: Policies, steps: readonly HoldableStep[]): Hold {
  const found = findings(policies.rules, steps, policies)
  if (found.length === 0) return NOTHING_HELD
  const ofEffect = (effect: PolicyEffect) =>
    new Set(found.filter((each) => each.effect === effect).flatMap((each) => idsOf(each.steps)))
  const denied = ofEffect('deny')
  const anew = found
    .filter(({ effect }) => effect === 'confirm')
    .flatMap(({ policy, steps: its }) => {
      const text = ruleText(policy)
      return idsOf(its).filter((id) => !denied.has(id) && !policies.agreed?.get(id)?.has(text))
    })
  const toConfirm = [...new Set(anew)]
  const hash = toConfirm.length > 0 ? hashOf(steps, new Set(toConfirm)) : null
  const unconfirmed = new Set(policies.confirm === hash ? [] : toConfirm)
  const waiting = tiedTo(new Set([...denied, ...unconfirmed]), steps)
  const ids = new Set([...denied, ...unconfirmed, ...waiting])
  const told = found.filter(
    ({ effect, steps: its }) => effect !== 'confirm' || idsOf(its).some((id) => unconfirmed.has(id)),
  )
  return {
    verdicts: found.map((finding) => ({
      policy: finding.policy.name,
      effect: finding.effect,
      resources: idsOf(finding.steps),
      member: finding.policy.member ?? null,
    })),
    held:
      ids.size === 0
        ? undefined
        : {
            denied: [...denied],
            unconfirmed: [...unconfirmed],
            waiting: [...waiting],
            hash: unconfirmed.size > 0 ? hash : null,
          },
    ids,
    diagnostics: told.map((finding) => diagnosticOf(finding as Found, hash)),
  }
}

/** Bound to what would be done, whoever asks and whatever else there is to do. */
function hashOf(steps: readonly HoldableStep[], ids: ReadonlySet<string>): string {
  const bound = steps
    .filter(({ step }) => ids.has(idOf(step)))
    .map(({ step, wanted }) => [idOf(step), step.action, wanted])
  return digest(JSON.stringify(bound.sort(([a], [b]) => (a! < b! ? -1 : 1)))).slice(0, 12)
}

/**
 * What needs something that is not made; of deletions all, while anything else is held: what is no longer named may be
 * used by what is left as it is.
 */
function tiedTo(held: ReadonlySet<string>, steps: readonly HoldableStep[]): Set<string> {
  const left = new Map(steps.filter(({ step }) => held.has(idOf(step))).map((each) => [idOf(each.step), each]))
  const isTied = ({ step, needs }: HoldableStep) =>
    step.action === 'delete'
      ? [...left.values()].some((other) => other.step.action !== 'delete' || other.needs.owned.includes(idOf(step)))
      : needs.desired.some((id) => left.get(id)?.step.action === 'create')
  for (let before = -1; before < left.size;) {
    before = left.size
    for (const each of steps) if (!left.has(idOf(each.step)) && isTied(each)) left.set(idOf(each.step), each)
  }
  return new Set([...left.keys()].filter((id) => !held.has(id)))
}

type Found = Finding & { steps: readonly HoldableStep[] }

/** At the member of the first of them, where a manifest says it. */
function diagnosticOf({ policy, effect, steps, seen }: Found, hash: string | null): Diagnostic {
  const [first] = steps as [HoldableStep]
  const { kind, name, file, line, column } = first.step
  const at = (policy.member === undefined ? null : first.position(policy.member)) ?? { line, column }
  const verb = { deny: 'denies', confirm: 'wants confirmed', warn: 'warns of' }[effect]
  const why = seen === null ? '' : ` (${seen})`
  return {
    severity: effect === 'deny' ? 'error' : 'warning',
    code: CODES[effect],
    message: `policy "${policy.name}" ${verb}: ${what(steps)}${why}: ${policy.message}`,
    hint: {
      deny: 'change the manifest, or the policy: it stands in svc.yaml, or under sync of the configured source',
      confirm: `look at the plan; to do it all the same say --confirm ${hash}`,
      warn: 'nothing needs to be done',
    }[effect],
    file: file ?? '',
    line: at.line ?? 1,
    column: at.column ?? 1,
    kind,
    name,
  }
}

function what(steps: readonly HoldableStep[]): string {
  const words = steps.slice(0, MOST_NAMED).map(({ step }) => `${step.action} ${idOf(step)}`)
  const more = steps.length - words.length
  return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** All that is not made, as kind/name. */
export const heldIds = (held: PlanHeld | undefined): string[] =>
  held ? [...held.denied, ...held.unconfirmed, ...held.waiting] : []

/** What is held back, in words, with the way on; null when nothing is. */
export function heldWords({ held, diagnostics }: Pick<Plan, 'held' | 'diagnostics'>): string | null {
  if (!held || held.unconfirmed.length === 0) return null
  const said = diagnostics.filter(({ code }) => code === POLICY_UNCONFIRMED).map(({ message }) => message)
  return `${said.join('; ')}; nothing of it was done; to do it say confirm ${held.hash}`
}
