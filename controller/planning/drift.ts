// Drift: where live left what was applied. The one definition, used by the plan and by the records. Pure.
import { differences, isBelow, type Difference } from './diff.ts'
import { display, type MaskedSpec } from './masking.ts'

/** The three sides of a resource; `applied` is null when nothing was ever applied, `live` when there is none. */
export interface Sides {
  desired: MaskedSpec
  applied: MaskedSpec | null
  live: MaskedSpec | null
  /** Members that are one value however they are built. */
  atoms?: readonly string[]
  /** Where the live state, and not its spec, is other than the manifest implies. */
  states?: readonly LiveState[]
}

export interface LiveState {
  path: string
  desired: unknown
  live: unknown
}

/** Members in which live is not as desired, those left out whose moving on the live system is to be ignored. */
export function relevantDifferences(sides: Sides & { live: MaskedSpec }, ignored: readonly string[]): Difference[] {
  const { desired, applied, live, atoms, states = [] } = sides
  const ofSpec =
    live.digest === desired.digest ? [] : differences(desired.value, applied?.value ?? null, live.value, atoms)
  const ofState = applied === null ? [] : states.map(stateDifference)
  return [...ofSpec, ...ofState].filter(
    (difference) => difference.owner === 'manifest' || !isBelow(difference.path, ignored),
  )
}

/** Putting a state back takes a start. */
function stateDifference({ path, desired, live }: LiveState): Difference {
  return { path, desired, applied: desired, live, owner: 'live', conflict: false, isState: true }
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
export interface Deviation {
  path: string
  desired: unknown
  live: unknown
  last_applied: unknown
}

export function shownDeviation({ path, desired, live, applied }: Difference): Deviation {
  return { path, desired: display(desired), live: display(live), last_applied: display(applied) }
}
