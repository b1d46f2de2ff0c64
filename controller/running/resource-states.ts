// States of a resource, from its conditions and its three sides.
import type { Pieces } from '../../platform/async/time-slices.ts'
import type { Clock } from '../../platform/core/clock.ts'
import type { ResourceState, Sides, Waiting } from '../../schemas/resource.ts'
import { sameSpec } from '../planning/masking.ts'
import { contestOf, type Owned } from '../planning/ownership.ts'
import type { SourceState } from './sources/source-state.ts'
import { currentAt, type Current } from '../watching/conditions.ts'

export interface Standing {
  sides: Sides
  states: ResourceState[]
}

type IsDeclared = (owned: Owned) => boolean

/**
 * False for resources whose manifest is gone or invalid in the last read of their source, and for requested deletions.
 * True if the source was not read, or is not watched.
 */
export function* declaredIn(sources: readonly SourceState[]): Pieces<IsDeclared> {
  // Nested, to avoid an id string for each of thousands of resources.
  const declared = new Map<string, Map<string, Set<string>>>()
  for (const { name: source, reader, read } of sources) {
    if (!reader || !read) continue
    const kinds = new Map<string, Set<string>>()
    declared.set(source, kinds)
    for (const { kind, name } of read.resources) {
      const names = kinds.get(kind)
      if (names) names.add(name)
      else kinds.set(kind, new Set([name]))
      yield
    }
  }
  return ({ source, kind, name, owed }) => {
    const kinds = declared.get(source)
    return owed !== 'delete' && (!kinds || Boolean(kinds.get(kind)?.has(name)))
  }
}

export type StandingOf = (owned: Owned, waiting: Waiting | null) => Standing

/** Returns the states of many resources at the current time. */
export function standingsAt(clock: Clock, isDeclared: IsDeclared): StandingOf {
  const current = currentAt(clock)
  return (owned, waiting) => {
    const sides = {
      desired: owned.applied !== null && isDeclared(owned) && sameSpec(owned.desired, owned.applied),
      live: liveOf(owned, current),
    }
    return { sides, states: statesOf(owned, sides, { current, waiting }) }
  }
}

/** Null if unknown, or if nothing was applied. */
function liveOf({ applied, conditions }: Owned, current: Current): Sides['live'] {
  const [ready, drifted] = [current(conditions, 'Ready'), current(conditions, 'Drifted')]
  // The Drifted condition of an unreachable resource keeps its last value.
  if (applied === null || !ready || !drifted || ready.reason === 'Unreachable') return null
  return ready.reason !== 'Missing' && drifted.status === 'False'
}

function statesOf(
  owned: Owned,
  { desired, live }: Sides,
  { current, waiting }: { current: Current; waiting: Waiting | null },
): ResourceState[] {
  const holds: Partial<Record<ResourceState, boolean>> = {
    synced: desired && live === true,
    changed: !desired,
    drifted: live === false,
    unknown: live === null && owned.applied !== null,
    waiting: waiting !== null,
    contested: contestOf(owned) !== null,
    suspended: Boolean(owned.suspended),
    failing: current(owned.conditions, 'Ready')?.status === 'False',
  }
  const states = (Object.keys(holds) as ResourceState[]).filter((state) => holds[state])
  return states.some((state) => state !== 'synced') ? [...states, 'odd'] : states
}
