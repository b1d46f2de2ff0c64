// What of a resource waits to be carried out, and for what.
import type { Clock } from '../../platform/core/clock.ts'
import type { Condition, Waiting } from '../../schemas/resource.ts'
import { topMember } from '../../schemas/members/member-path.ts'
import { relevantDifferences } from '../planning/drift.ts'
import { liveSpecs } from '../planning/facts.ts'
import { maskSpec, sameSpec } from '../planning/masking.ts'
import type { Owned } from '../planning/ownership.ts'
import { pendingDifferences } from '../planning/pending-changes.ts'
import { driftModeOf, type SyncRules } from '../planning/sync-rules.ts'
import { idOf } from '../reading/graph.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import type { Verdict } from './conditions.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

/** How long a step waits for busy resources at most. */
export interface Drain {
  clock: Clock
  /** Seconds. */
  drainTimeoutSecs: number
}

/** When what has waited since `since` is done all the same, in milliseconds since 1970. */
export function drainDeadline(since: string, { drainTimeoutSecs }: Pick<Drain, 'drainTimeoutSecs'>): number {
  return Date.parse(since) + drainTimeoutSecs * 1000
}

/** When a wait began, if it has; one that began in the future did so before the clock was set back, and begins anew. */
export function begunBy(now: number, since: string | null | undefined): string | null {
  return since && Date.parse(since) <= now ? since : null
}

interface Parts {
  reconciler: Reconciler
  vault: Vault
  rules: SyncRules
  drain: Pick<Drain, 'drainTimeoutSecs'>
}

/** Null where nothing waits: live is as desired, or what differs is drift that is only reported. */
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

/** Members that a pass would change, and whether one of them costs a restart. */
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

const NOTHING_WAITS: Verdict = {
  type: 'Reconciling',
  status: 'False',
  reason: 'UpToDate',
  message: 'nothing waits to be carried out',
}

/** The verdict on a resource whose condition may be on record; null where none has to be made. */
export function waitingVerdict(owned: Owned, waiting: Waiting | null): Verdict | null {
  if (waiting)
    return { type: 'Reconciling', status: 'True', reason: waiting.reason, message: waitingText(owned, waiting) }
  const known = owned.conditions.find((condition: Condition) => condition.type === 'Reconciling')
  return known ? NOTHING_WAITS : null
}

function waitingText(owned: Owned, { reason, action, members, until }: Waiting): string {
  const what = members.length > 0 ? `the ${action} for ${members.join(', ')}` : `the ${action}`
  switch (reason) {
    case 'WaitingForIdle':
      return `${what} waits until ${idOf(owned)} is idle, at most until ${until}`
    case 'WaitingForSync':
      return `${what} waits until somebody asks for it: its sync mode is manual`
    case 'RestartPending':
      return `${what} is to be made: it runs with other values`
  }
}
