// Owned resources, one entry each: stored by the inventory, read by plans.
import type { Condition, Resource } from '../../schemas/resource.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource } from '../reading/desired-state.ts'

export interface Owned {
  kind: string
  name: string
  source: string
  file: string
  line: number
  column: number
  /** Chosen before the creation, so that a crash cannot lead to a second one. */
  liveId: string | null
  revision: string | null
  sync: SourceSync
  dependsOn: string[]
  /** The last good desired spec. */
  desired: any
  /** Last applied spec; null while a first creation is unfinished. */
  applied: any
  conditions: Condition[]
  /** Since when a step waits for the resource to be idle. */
  deferredSince: string | null
  /** Requested change that is still pending: done as soon as possible, whatever the rules say by then. */
  owed?: 'change' | 'delete' | null
  /** Another writer keeps undoing reverted values. */
  contested?: Contest | null
  /** Suspended: nothing is written unless this resource is requested by name. */
  suspended?: Suspension | null
}

export type Suspension = NonNullable<Resource['suspended']>

/** Fields that two writers keep undoing. Until it is over, nothing of the resource is written. */
export type Contest = NonNullable<Resource['contested']> & { isOver: boolean }

/** The ongoing contest, if any. */
export const contestOf = ({ contested }: Pick<Owned, 'contested'>): Contest | null =>
  contested && !contested.isOver ? contested : null

/** Read access to the inventory. */
export interface OwnedResources {
  get(kind: string, name: string): Owned | undefined
  /** `id` is kind/name. */
  find(id: string): Owned | undefined
  byLiveId(kind: string, liveId: string): Owned | undefined
  ofSource(source: string): Owned[]
}

/** Manifest data of a resource other than its spec. */
export const declarationOf = ({ file, line, column, sync, dependsOn }: DesiredResource) =>
  ({ file, line, column, sync, dependsOn }) satisfies Partial<Owned>

/** The last good manifest of a resource, in force while its file is invalid. */
export function lastGood(owned: Owned): DesiredResource {
  return { ...owned, spec: owned.desired, position: () => ({ line: owned.line, column: owned.column }) }
}

/** The entry of a resource that matches its manifest. */
export function entryAfter(
  desired: DesiredResource,
  { source, revision }: { source: string; revision: string | null },
  owned: Owned | undefined,
): Owned {
  return {
    ...(owned ?? newEntry(desired, source, revision)),
    ...declarationOf(desired),
    source,
    revision,
    desired: desired.spec,
    applied: desired.spec,
    deferredSince: null,
  }
}

/** An entry with `applied` null: a started, unfinished step. */
export function newEntry(desired: DesiredResource, source: string, revision: string | null): Owned {
  return {
    kind: desired.kind,
    name: desired.name,
    source,
    ...declarationOf(desired),
    liveId: null,
    revision,
    desired: desired.spec,
    applied: null,
    conditions: [],
    deferredSince: null,
  }
}
