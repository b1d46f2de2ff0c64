import type { Unsubscribe } from '../platform/async/change-feed.ts'
import { ownActor, type Actor } from '../platform/core/actor.ts'
import type { KindDefinition } from '../schemas/kind.ts'
import type { Action, Change } from '../schemas/plan.ts'
import type { Condition } from '../schemas/resource.ts'

export interface Identity {
  name: string
  /** Null if never created or adopted. */
  liveId: string | null
}

/** In canonical form, comparable with the canonical spec. */
export interface Observed<Spec, Live> {
  liveId: string
  spec: Spec
  /** Spec of the running process, if it differs and only a restart applies the change. */
  running?: Spec | null
  live: Live
  /** Row version, which changes with any observed part of the spec. Null or missing if there is none. */
  version?: number | null
  /** Live state that differs from what a manifest implies; it is drift. */
  deviations?: { path: string; desired: unknown; live: unknown }[]
}

export interface Step<Spec> {
  action: Exclude<Action, 'delete'>
  name: string
  /** For a creation, the future id, recorded before the effect. */
  liveId: string
  spec: Spec
  /** Top-level fields of `spec` to write; others may have changed and are kept. */
  members: readonly string[]
  /** As the plan saw them; null if there were none. */
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

export type Verdict = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>

export interface Writer {
  actor: string
  requestId: string
  endpoint: string
  at: string
}

const ITSELF = 'controller'

/** The controller on behalf of a request. */
export const byController = (requestId: string): Actor => ownActor(ITSELF, requestId)

/** Other writers have a route as endpoint. */
export const isController = ({ endpoint }: Writer): boolean => endpoint === ITSELF

export interface Lookup {
  liveId(kind: string, name: string): string | null
  /** Null for an unowned resource. */
  nameOf(kind: string, liveId: string): string | null
}

/** Several live resources have the name to adopt. */
export class AmbiguousError extends Error {
  override readonly name = 'AmbiguousError'
}

/** A field to write differs from what the plan saw; nothing was written. */
export class MovedError extends Error {
  override readonly name = 'MovedError'
}

/** The resource is unknown, neither present nor missing. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** A required resource does not exist yet. */
export class DependencyError extends Error {
  override readonly name = 'DependencyError'
}

/** `apply` is idempotent. No method waits for health; each stops at `signal`. */
export interface Reconciler<Spec = any, Live = any> {
  definition: KindDefinition<Spec>
  /**
   * Reads a resource by id if known, else by name. Null only if it does not exist. Throws AmbiguousError for several;
   * any other error means that its state is unknown.
   */
  observe(identity: Identity, lookup: Lookup, signal: AbortSignal): Promise<Observed<Spec, Live> | null>
  /** Reports a resource that cannot be read to `missed` and omits it. */
  observeAll(lookup: Lookup, signal: AbortSignal, missed?: Missed): Promise<Observed<Spec, Live>[]>
  /** Writes `step.members` of `step.spec` and reads back. Throws MovedError if one differs from `step.seen`. */
  apply(step: Step<Spec>, lookup: Lookup, signal: AbortSignal): Promise<Applied<Spec>>
  /** Succeeds if the resource does not exist. */
  remove(identity: { name: string; liveId: string }, requestId: string, signal: AbortSignal): Promise<void>
  health(live: Live): Health
  /** Verdicts beside its health; one that is True is recorded only after it was not. */
  verdicts?(live: Live): Verdict[]
  /** Work that a restart would interrupt; null if idle. */
  interrupts(live: Live): string | null
  /** Absolute paths of the folders whose files its work may change. Default: none. */
  worksIn?(spec: Spec): string[]
  /** Last writer of a field (dotted; empty: the whole resource); null if none is on record. */
  writer(liveId: string, path: string): Promise<Writer | null>
  /**
   * Maps a written live field to the field of `spec`, or to the state it implies; null if the manifest does not set it.
   * Default: the same name.
   */
  declares?(written: string, spec: Spec, lookup: Lookup): string | null
  /** Fields that name other resources. Missing for kinds whose live state contains names, not ids. */
  refersTo?(spec: Spec): NamedMember[]
  /**
   * Reports live changes by any writer, and the end of work that a change may wait for. Replays changes after the
   * cursor `since` first.
   */
  changes(listener: (change: Movement) => void, since?: number | null): Unsubscribe
}

/** A field (dotted) that is or contains the name of a resource. */
export interface NamedMember {
  path: string
  kind: string
  name: string
}

export interface Movement {
  liveId: string
  name: string
  moved: Moved
  /** Position after this change; increasing, and valid across restarts. */
  cursor: number
  /** Null if nothing was written. */
  by: Writer | null
}

export type Missed = (identity: { liveId: string; name: string }, error: Error) => void

/** `state`: observed state may have changed. `idle`: only work has ended. */
export type Moved = 'state' | 'idle'
