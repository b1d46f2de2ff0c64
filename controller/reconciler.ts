// The contract between the controller and a kind.
import type { Unsubscribe } from '../platform/async/change-feed.ts'
import { ownActor, type Actor } from '../platform/core/actor.ts'
import type { KindDefinition } from '../schemas/kind.ts'
import type { Action, Change } from '../schemas/plan.ts'

export interface Identity {
  name: string
  /** Live id from the inventory; null if never created or adopted. */
  liveId: string | null
}

/** Observed state in canonical form, comparable with the canonical spec. */
export interface Observed<Spec, Live> {
  liveId: string
  spec: Spec
  /** The spec that the running process was started with, if it differs and only a restart applies the change. */
  running?: Spec | null
  live: Live
  /** Row version, which changes with any observed part of the spec. Null or missing if there is none. */
  version?: number | null
  /** Live state that differs from what a manifest implies: reported as drift, never planned. */
  deviations?: { path: string; desired: unknown; live: unknown }[]
}

export interface Step<Spec> {
  action: Exclude<Action, 'delete'>
  name: string
  /** For a creation, the id of the new resource, recorded before the effect. */
  liveId: string
  /** Canonical spec to converge to. */
  spec: Spec
  /** Top-level fields of `spec` to write; others may have changed and stay. */
  members: readonly string[]
  /** Spec and row version that the plan saw; null if there was none. */
  seen: Spec | null
  seenVersion: number | null
  changes: Change[]
  requestId: string
}

export interface Applied<Spec> {
  liveId: string
  /** Read back after the write. */
  spec: Spec
}

export interface Health {
  status: 'Ready' | 'Progressing' | 'Degraded'
  message: string
}

/** Last writer of a field of a live resource. */
export interface Writer {
  actor: string
  requestId: string
  endpoint: string
  at: string
}

const ITSELF = 'controller'

/** Author of a pass's changes: the controller on behalf of a request. */
export const byController = (requestId: string): Actor => ownActor(ITSELF, requestId)

/** Other writers have a route as endpoint. */
export const isController = ({ endpoint }: Writer): boolean => endpoint === ITSELF

/** Inventory lookups for reconcilers. */
export interface Lookup {
  /** Live id of an owned resource, or null. */
  liveId(kind: string, name: string): string | null
  /** Inventory name of a live id, or null. */
  nameOf(kind: string, liveId: string): string | null
}

/** Several live resources have the name to adopt. */
export class AmbiguousError extends Error {
  override readonly name = 'AmbiguousError'
}

/** A field to write differs from what the plan saw: nothing was written. */
export class MovedError extends Error {
  override readonly name = 'MovedError'
}

/** The live system could not be queried in time: the resource is unknown, neither present nor missing. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** A required resource does not exist yet. */
export class DependencyError extends Error {
  override readonly name = 'DependencyError'
}

/**
 * `observe` changes nothing; `apply` is idempotent. No method waits for health; each reads back and returns, and stops
 * at `signal`.
 */
export interface Reconciler<Spec = any, Live = any> {
  definition: KindDefinition<Spec>
  /**
   * Reads one resource by id if known, else by name. Returns null only if it does not exist; throws AmbiguousError if
   * there are several. Any other error means that its state is unknown.
   */
  observe(identity: Identity, lookup: Lookup, signal: AbortSignal): Promise<Observed<Spec, Live> | null>
  /** Reads all resources of the kind at once. Reports a resource that cannot be read to `missed` and leaves it out. */
  observeAll(lookup: Lookup, signal: AbortSignal, missed?: Missed): Promise<Observed<Spec, Live>[]>
  /** Writes `step.members` of `step.spec` and reads back. Throws MovedError if one of them differs from `step.seen`. */
  apply(step: Step<Spec>, lookup: Lookup, signal: AbortSignal): Promise<Applied<Spec>>
  /** Succeeds if the resource does not exist. */
  remove(identity: { name: string; liveId: string }, requestId: string, signal: AbortSignal): Promise<void>
  health(live: Live): Health
  /** Describes the work that a restart would interrupt; null if idle. */
  interrupts(live: Live): string | null
  /** Last writer of the field at `path` (dotted; empty: the whole resource); null if none is on record. */
  writer(liveId: string, path: string): Promise<Writer | null>
  /**
   * Maps a written live field to the field of `spec` or the state it implies; null if the manifest does not set it.
   * Default: the same name.
   */
  declares?(written: string, spec: Spec, lookup: Lookup): string | null
  /** Fields of `spec` that name other resources. Missing for kinds whose live state contains names, not ids. */
  refersTo?(spec: Spec): NamedMember[]
  /**
   * Reports live changes by any writer, and the end of work that a change may wait for. With the cursor of the last
   * change received, replays newer changes first.
   */
  changes(listener: (change: Movement) => void, since?: number | null): Unsubscribe
}

/** A field (dotted `path`) that is or contains the name of a resource. */
export interface NamedMember {
  path: string
  kind: string
  name: string
}

export interface Movement {
  liveId: string
  name: string
  moved: Moved
  /** Position of the listener after this change; increasing, and valid across restarts. */
  cursor: number
  /** Author of this change; null if nothing was written. */
  by: Writer | null
}

/** Called for a live resource that could not be read. */
export type Missed = (identity: { liveId: string; name: string }, error: Error) => void

/** `state`: observed state may have changed. `idle`: only work has ended. */
export type Moved = 'state' | 'idle'
