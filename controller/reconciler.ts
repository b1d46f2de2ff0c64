// The contract between the controller and a kind.
import type { Unsubscribe } from '../platform/async/change-feed.ts'
import { ownActor, type Actor } from '../platform/core/actor.ts'
import type { KindDefinition } from '../schemas/kind.ts'
import type { Action, Change } from '../schemas/plan.ts'

export interface Identity {
  name: string
  /** Id of the live resource as the inventory has it; null when we never made or adopted one. */
  liveId: string | null
}

/** What was observed, in canonical form; comparable with the canonical spec member by member. */
export interface Observed<Spec, Live> {
  liveId: string
  spec: Spec
  /** The spec as what runs was started with it, where that is other than `spec` says and only a restart takes it up. */
  running?: Spec | null
  live: Live
  /** Of its row: it moves with everything that is observed of the spec. Null or missing where there is none. */
  version?: number | null
  /** Where the live state, and not its spec, is other than a manifest implies: reported as drift, never planned. */
  deviations?: { path: string; desired: unknown; live: unknown }[]
}

export interface Step<Spec> {
  action: Exclude<Action, 'delete'>
  name: string
  /** For a creation, the id the live resource shall have: chosen and recorded before the effect. */
  liveId: string
  /** The canonical spec to converge to. */
  spec: Spec
  /** Top-level members of `spec` to write: the rest may have moved since, and is left as it is. */
  members: readonly string[]
  /** The spec as the plan saw it, and the version of its row; null where there was nothing, or none is known. */
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

/** Who last wrote a member of a live resource. */
export interface Writer {
  actor: string
  requestId: string
  endpoint: string
  at: string
}

const ITSELF = 'controller'

/** Who writes what a pass changes: nobody, but the controller on behalf of a request. */
export const byController = (requestId: string): Actor => ownActor(ITSELF, requestId)

/** Of a person, a program or another service the endpoint is a route. */
export const isController = ({ endpoint }: Writer): boolean => endpoint === ITSELF

/** What a reconciler may ask of the controller. */
export interface Lookup {
  /** Live id of another resource of the inventory, or null. */
  liveId(kind: string, name: string): string | null
  /** Name in the inventory of a live id, or null. */
  nameOf(kind: string, liveId: string): string | null
}

/** Several live resources bear the name that is to be adopted. */
export class AmbiguousError extends Error {
  override readonly name = 'AmbiguousError'
}

/** A member that was to be written is not as the plan saw it: nothing was written. */
export class MovedError extends Error {
  override readonly name = 'MovedError'
}

/** What is live could not be asked, or did not answer in time: it is unknown, which is neither there nor gone. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Something that must exist first does not exist yet. */
export class DependencyError extends Error {
  override readonly name = 'DependencyError'
}

/**
 * `observe` changes nothing. `apply` done twice is as good as once. None of them waits for health:
 * each does its part, reads back and returns; all stop at `signal`.
 */
export interface Reconciler<Spec = any, Live = any> {
  definition: KindDefinition<Spec>
  /**
   * Reads one resource, by id where we have it, else by name: null when there is none and for no other reason,
   * AmbiguousError when there are several. Whatever else it throws says that it cannot be known now.
   */
  observe(identity: Identity, lookup: Lookup, signal: AbortSignal): Promise<Observed<Spec, Live> | null>
  /**
   * Reads every resource of the kind at once: what a plan over thousands is made from. One that alone cannot be read
   * is told to `missed` and left out.
   */
  observeAll(lookup: Lookup, signal: AbortSignal, missed?: Missed): Promise<Observed<Spec, Live>[]>
  /**
   * Makes the live resource equal to `step.spec` in `step.members` and reads it back. Throws MovedError where one of
   * these is not as `step.seen` has it.
   */
  apply(step: Step<Spec>, lookup: Lookup, signal: AbortSignal): Promise<Applied<Spec>>
  /** Gone already is success. */
  remove(identity: { name: string; liveId: string }, requestId: string, signal: AbortSignal): Promise<void>
  health(live: Live): Health
  /** The work a restart would interrupt now, in words; null when it is idle. */
  interrupts(live: Live): string | null
  /** Who last wrote the member at `path` (dotted; empty: the whole resource), or null when nobody is on record. */
  writer(liveId: string, path: string): Promise<Writer | null>
  /**
   * The member of `spec`, or the state it implies, that a write of the live resource calls `written`; null where the
   * manifest says nothing of it. Default: the member of that name.
   */
  declares?(written: string, spec: Spec, lookup: Lookup): string | null
  /** The members of `spec` that are names of other resources; left out of kinds that show names by themselves. */
  refersTo?(spec: Spec): NamedMember[]
  /**
   * Calls back when live state moved, whoever moved it, and when work that a change may wait for has ended. With the
   * cursor of the last change that was heard, what was written after it is told first.
   */
  changes(listener: (change: Movement) => void, since?: number | null): Unsubscribe
}

/** A member, at `path` (dotted), that is the name of a resource or holds one. */
export interface NamedMember {
  path: string
  kind: string
  name: string
}

export interface Movement {
  liveId: string
  name: string
  moved: Moved
  /** How far who hears this has heard then; grows, and outlives the daemon. */
  cursor: number
  /** Who made this very change; null where nobody wrote anything. */
  by: Writer | null
}

/** Told of a live resource that could not be read, and why. */
export type Missed = (identity: { liveId: string; name: string }, error: Error) => void

/** `state`: what is observed may be other than before. `idle`: it is, but for the work that has ended. */
export type Moved = 'state' | 'idle'
