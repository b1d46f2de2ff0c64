// Drift: where live left what was applied. The one definition, used by the plan and by the records. Pure.
import type { Shape } from '../../schemas/members/keyed-list.ts'
import { isBelow } from '../../schemas/members/member-path.ts'
import type { PlanDrift } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import { differences, type Difference } from './diff.ts'
import { display, maskSpec, type MaskedSpec } from './masking.ts'
import type { Owned } from './ownership.ts'
import type { Observed } from '../reconciler.ts'
import type { Vault } from '../../platform/secrets/vault.ts'

/** The three sides of a resource; `applied` is null when nothing was ever applied, `live` when there is none. */
export interface Sides extends Shape {
  desired: MaskedSpec
  applied: MaskedSpec | null
  live: MaskedSpec | null
  /** Where the live state, and not its spec, is other than the manifest implies. */
  states?: readonly LiveState[]
}

/** The sides of a resource that has been applied or not, as it was observed. */
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

/** Members in which live is not as desired, those left out whose moving on the live system is to be ignored. */
export function relevantDifferences(sides: Sides & { live: MaskedSpec }, ignored: readonly string[]): Difference[] {
  const { desired, applied, live, states = [] } = sides
  const ofSpec =
    live.digest === desired.digest ? [] : differences(desired.value, applied?.value ?? null, live.value, sides)
  // What was never applied, or is being taken over, is the manifest's to bring into the state that it implies.
  const ofState = states.map((state) => stateDifference(state, applied === null ? 'manifest' : 'live'))
  return [...ofSpec, ...ofState].filter(
    (difference) => difference.owner === 'manifest' || !isBelow(difference.path, ignored),
  )
}

/** Putting a state back takes a start. */
function stateDifference({ path, desired, live }: LiveState, owner: Difference['owner']): Difference {
  return { path, desired, applied: desired, live, owner, conflict: false, isState: true }
}

/**
 * What somebody moved on the live system, whether or not the manifest moved as well and whether or not it is healed.
 * A resource that is gone is one difference with an empty path; where its manifest has moved since, it is to be made
 * anew and not drift.
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

/** Drift as it may be shown and stored. */
export type Deviation = Pick<Drift, 'path' | 'desired' | 'live' | 'last_applied'>

export function shownDeviation({ path, desired, live, applied }: Difference): Deviation {
  return { path, desired: display(desired), live: display(live), last_applied: display(applied) }
}
