import type { Condition, Labels, Resource } from '../../schemas/resource.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource } from '../reading/desired-state.ts'

export interface Owned {
  kind: string
  name: string
  source: string
  file: string
  line: number
  column: number
  /** Chosen before the creation, so that a crash does not lead to a second one. */
  liveId: string | null
  revision: string | null
  sync: SourceSync
  labels?: Labels | undefined
  dependsOn: string[]
  /** The last good one. */
  desired: any
  /** Null while a first creation is unfinished. */
  applied: any
  /** When `applied` became what it is, and the revision then; unknown in entries of earlier versions. */
  appliedAt?: string | null
  appliedRevision?: string | null
  conditions: Condition[]
  /** Start of a step's wait for the resource to be idle. */
  deferredSince: string | null
  /** Requested change that is pending; made as soon as possible, whatever the rules say then. */
  owed?: 'change' | 'delete' | null
  contested?: Contest | null
  /** Nothing is written unless the resource is requested by name. */
  suspended?: Suspension | null
}

export type Suspension = NonNullable<Resource['suspended']>

/** Fields that two writers keep undoing. Until it is over, nothing is written. */
export type Contest = NonNullable<Resource['contested']> & { isOver: boolean }

/** Null if none is ongoing. */
export const contestOf = ({ contested }: Pick<Owned, 'contested'>): Contest | null =>
  contested && !contested.isOver ? contested : null

export interface OwnedResources {
  get(kind: string, name: string): Owned | undefined
  find(id: string): Owned | undefined
  byLiveId(kind: string, liveId: string): Owned | undefined
  ofSource(source: string): Owned[]
}

export const declarationOf = ({ file, line, column, sync, labels, dependsOn }: DesiredResource) =>
  ({ file, line, column, sync, labels, dependsOn }) satisfies Partial<Owned>

/** In force while the resource's file is invalid. */
export function lastGood(owned: Owned): DesiredResource {
  return { ...owned, spec: owned.desired, position: () => ({ line: owned.line, column: owned.column }) }
}

/** The entry after a complete apply. */
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

/** A started, unfinished creation: `applied` is null. */
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
