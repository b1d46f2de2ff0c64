import type { Static } from 'typebox'
import type { Actor } from '../platform/core/actor.ts'
import type { Unsubscribe } from '../platform/async/change-feed.ts'
import type { SignedDelivery } from '../platform/forge/webhook-signature.ts'
import type { Opened } from '../platform/service/define.ts'
import type { CursorAsked } from '../platform/store/keyset.ts'
import type { Listed, Page, Part } from '../platform/store/page.ts'
import type { Exported } from '../schemas/manifest/export.ts'
import type { Plan, PlanInput } from '../schemas/plan.ts'
import type { syncSource } from '../schemas/operations/controller.ts'
import type { rollback } from '../schemas/operations/gitops/rollback.ts'
import type { Blame } from '../schemas/operations/gitops/blame.ts'
import type { listDrift } from '../schemas/operations/gitops/drift.ts'
import type { listResources } from '../schemas/operations/gitops/resources.ts'
import type { BodyOf, QueryOf } from '../schemas/operations/operation.ts'
import type { PageQuery, Slice } from '../schemas/operations/page.ts'
import type {
  Acceptance,
  Condition,
  Drift,
  DriftCounts,
  Resource,
  ResourceDetail,
  StateCounts,
} from '../schemas/resource.ts'
import type { Run, RunStep } from '../schemas/run.ts'
import type { Source } from '../schemas/source.ts'

/** Payload of `GET /events` and of apply progress; contains no secrets. */
export type ControllerEvent =
  | { type: 'plan'; source: string; plan: Plan }
  | { type: 'step'; run_id: string; step: RunStep }
  | { type: 'run'; run: Run }
  | { type: 'drift'; drift: Drift }
  | { type: 'condition'; kind: string; name: string; condition: Condition }

/** Null or undefined: the default of the list. */
export type PageAsked = { limit: number; offset: number } | null | undefined

export type SyncAsked = NonNullable<BodyOf<typeof syncSource>>
export type RollbackAsked = Static<(typeof rollback)['body']>

type QueryMembers<O> = Omit<QueryOf<O>, keyof PageQuery>

export type ResourceFilter = QueryMembers<typeof listResources>
export type DriftFilter = QueryMembers<typeof listDrift>

export interface FieldRevert {
  /** Of an open drift record. */
  id: string
  /** Refused with 409 if the plan has another hash. */
  planHash?: string | undefined
}

export interface Controller extends Opened {
  sources(): Source[]
  /** 404 for an unknown name, as for every method with a name or id. */
  source(name: string): Source
  /** Ignores the sync mode. The run is recorded before this returns. 409 for a stale plan. */
  sync(name: string, by: Actor, options?: SyncAsked): Promise<{ run_id: string }>
  /** Requests a fetch after a forge's push. 409 if none is expected, 401 for an invalid signature. */
  receiveWebhook(name: string, delivery: SignedDelivery): Promise<void>
  suspend(name: string, by: Actor): Promise<Source>
  /** Also ends the hold of a rollback. */
  resume(name: string, by: Actor): Promise<Source>
  /** Hands resources of an orphaned source over to one that declares them. 409 if the source is configured. */
  adopt(name: string, into: string): Promise<{ adopted: string[]; left: string[] }>
  /** Forgets an orphaned source; its resources remain live. */
  release(name: string): Promise<{ released: string[] }>
  /** Changes nothing. 400 without manifests or source. */
  plan(input: PlanInput, by: Actor): Promise<Plan>
  /** 409 for a stale saved plan. `progress` is called when a step starts and ends. */
  apply(input: PlanInput, by: Actor, progress: (event: ControllerEvent) => void): Promise<Run>
  /** To the revision of a run. 409 if the source keeps no earlier revisions. */
  planRollback(asked: RollbackAsked): Promise<Plan>
  /** Holds the revision and starts a pass; the run is recorded before this returns. 409 for a stale plan. */
  rollback(asked: RollbackAsked, by: Actor): Promise<{ run_id: string }>
  /** Newest first; default the first 50. */
  runs<P extends Part = {}>(part?: P): Promise<Listed<Run, P>>
  run(id: string): Promise<Run>
  /** Sorted by kind and name unless asked otherwise. */
  resources(filter: ResourceFilter, page?: PageAsked): Promise<Page<Resource>>
  /** With counts by state, which ignore states that are searched for. 400 for a bad cursor. */
  resourceSlice(filter: ResourceFilter, cursor: CursorAsked): Promise<Slice<Resource, StateCounts>>
  resource(kind: string, name: string): Promise<ResourceDetail>
  /** Author of each field, or of those at `path`. */
  blame(kind: string, name: string, path?: string): Promise<Blame>
  /** Open records first, each group newest first. Default all open and the newest closed ones. */
  drift(filter: DriftFilter, page?: PageAsked): Promise<Page<Drift>>
  /** By `first_seen`, newest first. The counts ignore `open`. 400 for a bad cursor. */
  driftSlice(filter: DriftFilter, cursor: CursorAsked): Promise<Slice<Drift, DriftCounts>>
  /** 404 for an unknown record, 409 for a closed one. */
  planFieldRevert(id: string): Promise<Plan>
  /** Reverts one field; other drift remains. */
  revertField(asked: FieldRevert, by: Actor): Promise<Run>
  /** Plan of `revert`. 409 if nothing was ever applied. */
  planRevert(kind: string, name: string): Promise<Plan>
  /** Reverts live state to the last applied state. 409 if `planHash` is not that of the plan. */
  revert(kind: string, name: string, by: Actor, planHash?: string): Promise<Run>
  /** The resource is written only if requested by name; drift is still reported. */
  suspendResource(kind: string, name: string, by: Actor): Promise<Resource>
  /** 409 if it is neither suspended nor contested. */
  resumeResource(kind: string, name: string): Promise<Resource>
  /** Manifest change that accepts drift. 409 without drift, 422 if no manifest can express it. */
  accept(kind: string, name: string): Promise<Acceptance>
  /** Live resources of a kind (any word for it) or of all. 503 if they cannot be observed. */
  exportManifests(kind?: string): Promise<Exported>
  events(listener: (event: ControllerEvent) => void): Unsubscribe
  /** Manifest position, for `managed_by`. */
  managedBy(kind: string, liveId: string): { source: string; file: string; line: number } | null
  /** Null unless a manifest of the live resource was applied. */
  declared(kind: string, liveId: string): Declared | null
  start(): Promise<void>
  stop(): Promise<void>
}

interface Declared {
  /** Of a field (dotted path) or its nearest written parent; of the resource if its manifest was changed and not applied. */
  placeOf(path: string): { source: string; file: string; line: number }
  /** Last applied. */
  spec: Record<string, unknown>
  /** Ids of resources that the manifest names: `policies/reader`. */
  dependsOn: readonly string[]
}
