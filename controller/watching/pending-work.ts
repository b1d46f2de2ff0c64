import type { Clock } from '../../platform/core/clock.ts'
import type { Waiting } from '../../schemas/resource.ts'
import { topMember } from '../../schemas/members/member-path.ts'
import { relevantDifferences } from '../planning/drift.ts'
import { liveSpecs } from '../planning/facts.ts'
import { maskSpec, sameSpec } from '../planning/masking.ts'
import type { Owned, OwnedResources } from '../planning/ownership.ts'
import { pendingDifferences } from '../planning/pending-changes.ts'
import { driftModeOf, type SyncRules } from '../planning/sync-rules.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import type { Vault } from '../../platform/secrets/vault.ts'
import type { Plan } from '../../schemas/plan.ts'

export interface Drain {
  clock: Clock
  drainTimeoutSecs: number
}

/** End of a wait since `since`, in milliseconds since 1970. */
export function drainDeadline(since: string, { drainTimeoutSecs }: Pick<Drain, 'drainTimeoutSecs'>): number {
  return Date.parse(since) + drainTimeoutSecs * 1000
}

/** A start in the future means that the clock was set back: the wait starts again. */
export function waitStart(now: number, since: string | null | undefined): string | null {
  return since && Date.parse(since) <= now ? since : null
}

/** Milliseconds until the next drain deadline; null unless all steps still wait for idle resources. */
export function stillWaiting(plan: Plan, inventory: OwnedResources, drain: Drain): number | null {
  if (plan.steps.length === 0) return null
  const now = drain.clock.now()
  const waits = plan.steps.map((step) => {
    const since = step.interrupts && waitStart(now, inventory.get(step.kind, step.name)?.deferredSince)
    return since ? drainDeadline(since, drain) - now : 0
  })
  return waits.every((wait) => wait > 0) ? Math.min(...waits) : null
}

interface Parts {
  reconciler: Reconciler
  vault: Vault
  rules: SyncRules
  drain: Pick<Drain, 'drainTimeoutSecs'>
}

/** Null if nothing is pending: live is as desired, or differs only in reported drift. */
export function waitingOf(owned: Owned, observed: Observed<any, any> | null, parts: Parts): Waiting | null {
  if (!observed || owned.applied === null) return null
  const { rules, drain, reconciler } = parts
  const work = reconciler.interrupts(observed.live)
  const isDeferred = owned.deferredSince !== null && work !== null
  if (!isDeferred && !observed.running && sameSpec(observed.spec, owned.desired)) return null
  const { members, costsRestart } = outstanding(owned, observed, parts)
  if (isDeferred) {
    const until = new Date(drainDeadline(owned.deferredSince!, drain)).toISOString()
    const action = members.length > 0 ? 'restart' : 'delete'
    return { reason: 'WaitingForIdle', action, members, work, since: owned.deferredSince, until }
  }
  if (members.length === 0) return null
  const waiting = { action: costsRestart ? 'restart' : 'update', members, work, since: null, until: null } as const
  if (rules.mode === 'manual') return { reason: 'WaitingForSync', ...waiting }
  return costsRestart ? { reason: 'RestartPending', ...waiting } : null
}

function outstanding(
  owned: Owned,
  observed: Observed<any, any>,
  { reconciler, vault, rules }: Parts,
): { members: string[]; costsRestart: boolean } {
  const { atoms, keyed, change } = reconciler.definition
  const desired = maskSpec(owned.desired, vault)
  const live = liveSpecs(observed, vault)
  const sides = { desired, applied: maskSpec(owned.applied, vault), live: live.masked, atoms, keyed }
  const asked = relevantDifferences(sides, rules.ignore).filter(
    ({ owner, path }) => owner === 'manifest' || driftModeOf(rules, path) === 'heal',
  )
  const paths = [...asked, ...pendingDifferences(desired, live, { atoms, keyed })].map(({ path }) => path)
  const members = [...new Set(paths.map(topMember))].sort()
  return { members, costsRestart: paths.some((path) => change(path) !== 'in-place') }
}
