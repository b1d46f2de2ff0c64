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
import { reconcileCommand } from '../reconcile-command.ts'
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
  confirm?: string | undefined
  strict?: boolean | undefined
  /** Why widened resources are held, by kind/name. */
  suspects?: ReadonlyMap<string, string> | undefined
  /** Rules (`ruleText`) that pending requests were confirmed for, by kind/name. */
  agreed?: ReadonlyMap<string, ReadonlySet<string>> | undefined
}

/** Identifies a rule: any change makes it another one. */
export const ruleText = (policy: PlanPolicy): string => JSON.stringify(policy)

/** Rules (`ruleText`) that the plan was confirmed for in this step. */
export function confirmedFor(id: string, { policies = [] }: Plan, rules: readonly PlanPolicy[]): Set<string> {
  const said = policies.filter(({ effect, resources }) => effect === 'confirm' && resources.includes(id))
  const names = new Set(said.map(({ policy }) => policy))
  return new Set(rules.filter(({ name }) => names.has(name)).map(ruleText))
}

export interface HoldableStep extends JudgedStep {
  /** Digest; null for a deletion. */
  wanted: string | null
  /** Dependencies of the desired and of the owned spec, as kind/name. */
  needs: { desired: readonly string[]; owned: readonly string[] }
  position(path: string): { line: number; column: number } | null
}

export interface Hold {
  verdicts: PlanVerdict[]
  held: PlanHeld | undefined
  /** As kind/name. */
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
  const unagreed = found
    .filter(({ effect }) => effect === 'confirm')
    .flatMap(({ policy, steps: its }) => {
      const text = ruleText(policy)
      return idsOf(its).filter((id) => !denied.has(id) && !policies.agreed?.get(id)?.has(text))
    })
  const toConfirm = [...new Set(unagreed)]
  const hash = toConfirm.length > 0 ? hashOf(steps, new Set(toConfirm)) : null
  const unconfirmed = new Set(policies.confirm === hash ? [] : toConfirm)
  const waiting = tiedTo(new Set([...denied, ...unconfirmed]), steps)
  const ids = new Set([...denied, ...unconfirmed, ...waiting])
  const reported = found.filter(
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
    diagnostics: reported.map((finding) => diagnosticOf(finding as Found, hash)),
  }
}

/** Independent of the caller and the rest of the plan. */
function hashOf(steps: readonly HoldableStep[], ids: ReadonlySet<string>): string {
  const bound = steps
    .filter(({ step }) => ids.has(idOf(step)))
    .map(({ step, wanted }) => [idOf(step), step.action, wanted])
  return digest(JSON.stringify(bound.sort(([a], [b]) => (a! < b! ? -1 : 1)))).slice(0, 12)
}

/**
 * Steps that depend on a held one. If anything else is held, all deletions are: unchanged resources may still use what
 * they delete.
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

/** At the policy's field in the first resource, if its manifest sets it. */
function diagnosticOf({ policy, effect, steps, seen }: Found, hash: string | null): Diagnostic {
  const [first] = steps as [HoldableStep]
  const { kind, name, file, line, column } = first.step
  const at = (policy.member === undefined ? null : first.position(policy.member)) ?? { line, column }
  const verb = { deny: 'denies', confirm: 'requires confirmation', warn: 'warns' }[effect]
  const why = seen === null ? '' : ` (${seen})`
  return {
    severity: effect === 'deny' ? 'error' : 'warning',
    code: CODES[effect],
    message: `policy "${policy.name}" ${verb}: ${what(steps)}${why}: ${policy.message}`,
    hint: {
      deny: 'change the manifest, or the policy in svc.yaml or under sync of the configured source',
      confirm: `check the plan; to apply it, use --confirm ${hash}`,
      warn: 'no action needed',
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

export const heldIds = (held: PlanHeld | undefined): string[] =>
  held ? [...held.denied, ...held.unconfirmed, ...held.waiting] : []

/** Null if no step awaits confirmation. */
export function heldWords({ held, diagnostics, source }: Pick<Plan, 'held' | 'diagnostics' | 'source'>): string | null {
  if (!held || held.unconfirmed.length === 0) return null
  const said = diagnostics.filter(({ code }) => code === POLICY_UNCONFIRMED).map(({ message }) => message)
  return `${said.join('; ')}; none of these steps was applied; to apply them: ${reconcileCommand(source)} --confirm ${held.hash}`
}
