// What we own, as one entry a resource; the inventory keeps them, a plan reads them.
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
  /** Chosen before a creation begins, so that a crash leads to observing it again and never to a second one. */
  liveId: string | null
  revision: string | null
  sync: SourceSync
  dependsOn: string[]
  /** The last good desired spec. */
  desired: any
  /** What was last applied; null while a first creation has begun and not been closed. */
  applied: any
  conditions: Condition[]
  /** Since when a step waits for the resource to be idle. */
  deferredSince: string | null
  /** What somebody asked for and had to wait: it is done as soon as it can be, whatever the rules are by then. */
  owed?: 'change' | 'delete' | null
  /** Somebody kept undoing what was put back. */
  contested?: Contest | null
  /** Somebody set it aside: nothing of it is written, but what is asked of it by its name. */
  suspended?: Suspension | null
}

export type Suspension = NonNullable<Resource['suspended']>

/** Members that two writers kept undoing each other at. While it is not over, nothing of the resource is written. */
export type Contest = NonNullable<Resource['contested']> & { isOver: boolean }

/** The contest that goes on, if any. */
export const contestOf = ({ contested }: Pick<Owned, 'contested'>): Contest | null =>
  contested && !contested.isOver ? contested : null

/** The inventory as a plan reads it. */
export interface OwnedResources {
  get(kind: string, name: string): Owned | undefined
  /** By kind/name. */
  find(id: string): Owned | undefined
  byLiveId(kind: string, liveId: string): Owned | undefined
  ofSource(source: string): Owned[]
}

/** What a manifest says of a resource beside its spec. */
export const declarationOf = ({ file, line, column, sync, dependsOn }: DesiredResource) =>
  ({ file, line, column, sync, dependsOn }) satisfies Partial<Owned>

/** What a faulty file declared, as it was last good: it stays in force. */
export function lastGood(owned: Owned): DesiredResource {
  return { ...owned, spec: owned.desired, position: () => ({ line: owned.line, column: owned.column }) }
}

/** The entry of a resource that is as its manifest says. */
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

/** An inventory entry whose `applied` is null: something was begun, and is not closed. */
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
