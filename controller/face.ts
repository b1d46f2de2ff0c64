// Interface of the controller for its REST routes.
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

/** Payload of `GET /events` and of apply progress; never contains secrets. */
export type ControllerEvent =
  | { type: 'plan'; source: string; plan: Plan }
  | { type: 'step'; run_id: string; step: RunStep }
  | { type: 'run'; run: Run }
  | { type: 'drift'; drift: Drift }
  | { type: 'condition'; kind: string; name: string; condition: Condition }

/** Part of a list; none: all stored entries. */
export type PageAsked = { limit: number; offset: number } | null | undefined

export type RollbackAsked = Static<(typeof rollback)['body']>

export interface DriftFilter {
  kind?: string
  name?: string
  /** Only open or only closed records; default both. */
  open?: boolean
}

export interface Controller extends Opened {
  sources(): Source[]
  /** 404 for an unknown name, as for every method with a name or id. */
  source(name: string): Source
  /** Starts a pass in any sync mode; the run is recorded before this returns. */
  sync(
    name: string,
    by: Actor,
    options?: Pick<PlanInput, 'targets' | 'prune_override' | 'keep_drift'>,
  ): Promise<{ run_id: string }>
  /** Handles a forge's push notification by fetching soon. 409 if none is expected, 401 for a bad signature. */
  receiveWebhook(name: string, delivery: SignedDelivery): Promise<void>
  suspend(name: string, by: Actor): Promise<Source>
  /** Ends a suspension or the hold of a rollback. */
  resume(name: string, by: Actor): Promise<Source>
  /** Hands over resources of an orphaned source to one that declares them. 409 if the source is still read. */
  adopt(name: string, into: string): Promise<{ adopted: string[]; left: string[] }>
  /** Removes an orphaned source and its ownership; the resources stay live. */
  release(name: string): Promise<{ released: string[] }>
  /** Changes nothing. 400 without manifests or source. */
  plan(input: PlanInput, by: Actor): Promise<Plan>
  /** 409 for a stale saved plan. Calls `progress` when a step starts and ends. */
  apply(input: PlanInput, by: Actor, progress: (event: ControllerEvent) => void): Promise<Run>
  /** Plans a rollback to the revision of a run. 409 if the source keeps no earlier revisions. */
  planRollback(asked: RollbackAsked): Promise<Plan>
  /** Holds that revision and starts a pass; the run is recorded before this returns. 409 for a stale plan. */
  rollback(asked: RollbackAsked, by: Actor): Promise<{ run_id: string }>
  /** Newest first; without a page, the first 50. */
  runs(page?: PageAsked): Promise<Page<Run>>
  run(id: string): Promise<Run>
  /** Sorted by kind and name. */
  resources(filter: { kind?: string; source?: string; status?: string }, page?: PageAsked): Promise<Page<Resource>>
  /** `kind`: any word for the kind. */
  resource(kind: string, name: string): Promise<ResourceDetail>
  /** Who set each field, or those at `path`. */
  blame(kind: string, name: string, path?: string): Promise<Blame>
  /** Open records first, each group newest first. Without a page, all open ones and the newest closed ones. */
  drift(filter: DriftFilter, page?: PageAsked): Promise<Page<Drift>>
  /** Reverts live to what was last applied; returns the run. */
  revert(kind: string, name: string, by: Actor): Promise<Run>
  /** Suspends one resource: it is written only if requested by name; drift is still reported. */
  suspendResource(kind: string, name: string, by: Actor): Promise<Resource>
  /** Resumes a suspended or contested resource. 409 otherwise. */
  resumeResource(kind: string, name: string): Promise<Resource>
  /** The manifest change that accepts drift; 409 without drift, 422 if no manifest can express it. */
  accept(kind: string, name: string): Promise<Acceptance>
  /** Live resources as manifests, of one kind (any word for it) or all. 503 if they cannot be observed. */
  exportManifests(kind?: string): Promise<Exported>
  events(listener: (event: ControllerEvent) => void): Unsubscribe
  /** Manifest position of a live resource, for `managed_by`. */
  managedBy(kind: string, liveId: string): { source: string; file: string; line: number } | null
  start(): Promise<void>
  stop(): Promise<void>
}
