// The definition of drift, shared by the plan and the drift records. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { isBelow } from '../../schemas/members/member-path.ts'
import type { PlanDrift } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import { differences, type Difference } from './diff.ts'
import { display, maskSpec, type MaskedSpec } from './masking.ts'
import type { Owned } from './ownership.ts'
import type { Observed } from '../reconciler.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

/** `applied` is null if nothing was applied yet, `live` if the resource does not exist. */
export interface Sides extends Shape {
  desired: MaskedSpec
  applied: MaskedSpec | null
  live: MaskedSpec | null
  /** Live state, other than the spec, that differs from the manifest. */
  states?: readonly LiveState[]
}

export function sidesOf(
  { desired, applied }: Pick<Owned, 'desired' | 'applied'>,
  observed: Observed<any, any> | null,
  { vault, definition: { atoms, keyed } }: { vault: Vault; definition: Shape },
): Sides {
  return {
    desired: maskSpec(desired, vault),
    applied: applied === null ? null : maskSpec(applied, vault),
    live: observed && maskSpec(observed.spec, vault),
    atoms,
    keyed,
    states: observed?.deviations,
  }
}

export type LiveState = Pick<PlanDrift, 'path' | 'desired' | 'live'>

export function relevantDifferences(sides: Sides & { live: MaskedSpec }, ignored: readonly string[]): Difference[] {
  const { desired, applied, live, states = [] } = sides
  const ofSpec =
    live.digest === desired.digest ? [] : differences(desired.value, applied?.value ?? null, live.value, sides)
  // Before the first apply, a differing state is not drift.
  const ofState = states.map((state) => stateDifference(state, applied === null ? 'manifest' : 'live'))
  return [...ofSpec, ...ofState].filter(
    (difference) => difference.owner === 'manifest' || !isBelow(difference.path, ignored),
  )
}

function stateDifference({ path, desired, live }: LiveState, owner: Difference['owner']): Difference {
  return { path, desired, applied: desired, live, owner, conflict: false, isState: true }
}

/**
 * Manual changes, whether or not they are healed. A deleted resource is one difference with an empty path, or no drift
 * if its manifest has changed too.
 */
export function driftOf(sides: Sides, ignored: readonly string[]): Difference[] {
  const { desired, applied, live } = sides
  if (applied === null) return []
  if (live !== null)
    return relevantDifferences({ ...sides, live }, ignored).filter(
      (difference) => difference.owner === 'live' || (difference.conflict && !isBelow(difference.path, ignored)),
    )
  if (desired.digest !== applied.digest) return []
  return [{ path: '', desired: desired.value, applied: applied.value, live: null, owner: 'live', conflict: false }]
}

/** Secrets are redacted. */
export type Deviation = Pick<Drift, 'path' | 'desired' | 'live' | 'last_applied'>

export function shownDeviation({ path, desired, live, applied }: Difference): Deviation {
  return { path, desired: display(desired), live: display(live), last_applied: display(applied) }
}
