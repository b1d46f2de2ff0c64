import type { Waiting } from '../../schemas/resource.ts'
import { contestOf, type Owned, type Suspension } from '../planning/ownership.ts'
import { idOf } from '../reading/graph.ts'
import type { Observed, Reconciler } from '../reconciler.ts'
import type { Verdict } from './conditions.ts'
import { contestText } from './contest-detection.ts'

interface Finding {
  reconciler: Reconciler
  observed: Observed<any, any> | null
  drifted: boolean
  waiting: Waiting | null
}

/** Waiting, contest, suspension and what the kind reports are included only if they ever occurred. */
export function verdictsOn(owned: Owned, { reconciler, observed, drifted, waiting }: Finding): Verdict[] {
  return [
    observed ? healthVerdict(reconciler, observed) : MISSING,
    drifted ? DRIFTED : IN_SYNC,
    ...waitingVerdicts(owned, waiting),
    ...contestVerdicts(owned),
    ...suspensionVerdicts(owned),
    ...ownVerdicts(owned, reconciler, observed),
  ]
}

const verdict = (
  type: Verdict['type'],
  status: Verdict['status'],
  reason: Verdict['reason'],
  message: string,
): Verdict => ({ type, status, reason, message })

const MISSING = verdict('Ready', 'False', 'Missing', 'the live resource does not exist')
const IN_SYNC = verdict('Drifted', 'False', 'InSync', 'live state equals the last applied state')
const DRIFTED = verdict(
  'Drifted',
  'True',
  'DriftFound',
  'live state differs from the last applied state; svc drift shows where',
)
const NOTHING_WAITS = verdict('Reconciling', 'False', 'UpToDate', 'no changes are pending')
const ENFORCED_AGAIN = 'its manifest is enforced again'

/** The Drifted condition keeps its last value. */
export const unreachableVerdict = (why: string): Verdict =>
  verdict('Ready', 'Unknown', 'Unreachable', `it could not be observed: ${why}`)

function healthVerdict(reconciler: Reconciler, { live }: Observed<any, any>): Verdict {
  const { status, message } = reconciler.health(live)
  switch (status) {
    case 'Ready':
      return verdict('Ready', 'True', 'Healthy', message)
    case 'Progressing':
      return verdict('Ready', 'Unknown', 'Progressing', message)
    case 'Degraded':
      return verdict('Ready', 'False', 'Degraded', message)
  }
}

function ownVerdicts({ conditions }: Owned, reconciler: Reconciler, observed: Finding['observed']): Verdict[] {
  const verdicts = (observed && reconciler.verdicts?.(observed.live)) ?? []
  return verdicts.filter(({ type, status }) => status !== 'True' || conditions.some((each) => each.type === type))
}

function waitingVerdicts(owned: Owned, waiting: Waiting | null): Verdict[] {
  if (waiting) return [verdict('Reconciling', 'True', waiting.reason, waitingText(owned, waiting))]
  return owned.conditions.some(({ type }) => type === 'Reconciling') ? [NOTHING_WAITS] : []
}

function waitingText(owned: Owned, { reason, action, members, until }: Waiting): string {
  const what = members.length > 0 ? `the ${action} for ${members.join(', ')}` : `the ${action}`
  switch (reason) {
    case 'WaitingForIdle':
      return `${what} waits until ${idOf(owned)} is idle, at most until ${until}`
    case 'WaitingForSync':
      return `${what} waits for a request: its sync mode is manual`
    case 'RestartPending':
      return `${what} is pending: its running values differ`
  }
}

function contestVerdicts(owned: Owned): Verdict[] {
  if (!owned.contested) return []
  const contest = contestOf(owned)
  return contest
    ? [verdict('Contested', 'True', 'KeepsBeingUndone', contestText(contest))]
    : [verdict('Contested', 'False', 'Settled', ENFORCED_AGAIN)]
}

export const suspendedText = ({ actor }: Suspension): string =>
  `${actor} suspended it: it is not written until it is resumed`

function suspensionVerdicts({ suspended, conditions }: Owned): Verdict[] {
  if (suspended) return [verdict('Suspended', 'True', 'SetAside', suspendedText(suspended))]
  const wasSuspended = conditions.some(({ type }) => type === 'Suspended')
  return wasSuspended ? [verdict('Suspended', 'False', 'Resumed', ENFORCED_AGAIN)] : []
}
