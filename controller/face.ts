// The face of the controller: what its REST routes may ask of it.
import type { Static } from 'typebox'
import type { Actor } from '../platform/core/actor.ts'
import type { Unsubscribe } from '../platform/async/change-feed.ts'
import type { SignedDelivery } from '../platform/forge/webhook-signature.ts'
import type { Opened } from '../platform/service/define.ts'
import type { Page } from '../platform/store/page.ts'
import type { Exported } from '../schemas/manifest/export.ts'
import type { Plan, PlanInput } from '../schemas/plan.ts'
import type { rollback } from '../schemas/operations/rollback.ts'
import type { Blame } from '../schemas/operations/blame.ts'
import type { Acceptance, Condition, Drift, Resource, ResourceDetail } from '../schemas/resource.ts'
import type { Run, RunStep } from '../schemas/run.ts'
import type { Source } from '../schemas/source.ts'

/** What `GET /events` and the progress of an apply carry; no secret can be in it. */
export type ControllerEvent =
  | { type: 'plan'; source: string; plan: Plan }
  | { type: 'step'; run_id: string; step: RunStep }
  | { type: 'run'; run: Run }
  | { type: 'drift'; drift: Drift }
  | { type: 'condition'; kind: string; name: string; condition: Condition }

/** Which part of a list is wanted; none: the whole of it, as far as it is kept. */
export type PageAsked = { limit: number; offset: number } | null | undefined

export type RollbackAsked = Static<(typeof rollback)['body']>

export interface DriftFilter {
  kind?: string
  name?: string
  /** Only open ones, or only closed ones; default both. */
  open?: boolean
}

export interface Controller extends Opened {
  sources(): Source[]
  /** 404 when there is none of that name; so for every method that takes a name or an id. */
  source(name: string): Source
  /** Starts a pass now, whatever the mode; the run is recorded before this returns. */
  sync(
    name: string,
    by: Actor,
    options?: Pick<PlanInput, 'targets' | 'prune_override' | 'keep_drift'>,
  ): Promise<{ run_id: string }>
  /** Its forge says that something was pushed: a git source is looked at soon. 409 where no forge is expected, 401. */
  receiveWebhook(name: string, delivery: SignedDelivery): Promise<void>
  suspend(name: string, by: Actor): Promise<Source>
  /** Ends a suspension, and what a rollback holds. */
  resume(name: string, by: Actor): Promise<Source>
  /** Hands what a source owns that is read no more to one that declares it. 409 where it is still read. */
  adopt(name: string, into: string): Promise<{ adopted: string[]; left: string[] }>
  /** Forgets such a source and what it owns, and leaves it live. */
  release(name: string): Promise<{ released: string[] }>
  /** Changes nothing. 400 when neither manifests nor a source is named. */
  plan(input: PlanInput, by: Actor): Promise<Plan>
  /** 409 when a saved plan no longer holds. Calls `progress` for each step as it begins and ends. */
  apply(input: PlanInput, by: Actor, progress: (event: ControllerEvent) => void): Promise<Run>
  /** What going back to the revision of a run would change. 409 where the source keeps no earlier revisions. */
  planRollback(asked: RollbackAsked): Promise<Plan>
  /** Holds that revision and starts a pass to it; the run is recorded before this returns. 409 when its plan moved. */
  rollback(asked: RollbackAsked, by: Actor): Promise<{ run_id: string }>
  /** Newest first; without a page the first 50. */
  runs(page?: PageAsked): Promise<Page<Run>>
  run(id: string): Promise<Run>
  /** By kind/name. */
  resources(filter: { kind?: string; source?: string; status?: string }, page?: PageAsked): Promise<Page<Resource>>
  /** `kind` in any of its words. */
  resource(kind: string, name: string): Promise<ResourceDetail>
  /** Who set each of its members, or the one at `path` with its parts. */
  blame(kind: string, name: string, path?: string): Promise<Blame>
  /**
   * Open ones first, each newest first. Without a page all that are open, and the
   * newest that have ended.
   */
  drift(filter: DriftFilter, page?: PageAsked): Promise<Page<Drift>>
  /** Puts live back to what was last applied; returns the run. */
  revert(kind: string, name: string, by: Actor): Promise<Run>
  /** Sets one resource aside: nothing of it is written but by its name, drift is still reported. */
  suspendResource(kind: string, name: string, by: Actor): Promise<Resource>
  /** Writes a resource again that was suspended or contested. 409 where it was neither. */
  resumeResource(kind: string, name: string): Promise<Resource>
  /** What the manifest would say if drift were desired; 409 when there is none, 422 when no manifest can say it. */
  accept(kind: string, name: string): Promise<Acceptance>
  /** What is live as manifests, of one kind (any of its words) or of all. 503 where it cannot be observed. */
  exportManifests(kind?: string): Promise<Exported>
  events(listener: (event: ControllerEvent) => void): Unsubscribe
  /** The manifest position of a live resource, for `managed_by`. */
  managedBy(kind: string, liveId: string): { source: string; file: string; line: number } | null
  start(): Promise<void>
  stop(): Promise<void>
}
