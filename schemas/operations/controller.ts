import * as Type from 'typebox'
import { ControllerEvent } from './gitops/event.ts'
import type { Fault } from '../kind.ts'
import { Plan, PlanChoices, PlanInput } from '../plan.ts'
import { Run } from '../run.ts'
import { Source } from '../source.ts'
import { exportLive, getSchema, listSchemas } from './gitops/manifests.ts'
import { Id } from './parameters.ts'
import { events, lines, list, one, operation, operations, type Asked } from './operation.ts'
import { blameResource } from './gitops/blame.ts'
import { resumeResource, suspendResource } from './gitops/contest.ts'
import {
  acceptDrift,
  listDrift,
  planDriftRevert,
  planResourceRevert,
  revertDrift,
  revertDriftedField,
} from './gitops/drift.ts'
import { checkMachine } from './gitops/doctor.ts'
import { getResource, listResources } from './gitops/resources.ts'
import { planRollback, rollback } from './gitops/rollback.ts'
import { ReviewedPlan } from './gitops/reviewed-plan.ts'
import { listSettings } from './gitops/settings.ts'
import { listTokens } from './gitops/tokens.ts'
import { closedObject } from '../shapes.ts'

export { exportLive, getSchema, listSchemas }

const MANIFESTS_BODY_LIMIT = 25 * 1024 * 1024
const SourceName = Type.Object({ name: Type.String({ minLength: 1 }) })

const { targets, prune_override, confirm, keep_drift } = PlanChoices.properties
const SyncInput = closedObject({ targets, prune_override, confirm, keep_drift, plan_hash: ReviewedPlan })

// Loaded on demand: the check needs every kind, and clients do not need it.
const checkPlan = async ({ body }: Asked): Promise<Fault[]> =>
  (await import('./gitops/plan-faults.ts')).planFaults(body)

export const listSources = list('controller.listSources', '/sources', {
  identity: 'none',
  summary: 'List sources',
  item: Source,
})

export const getSource = one('controller.getSource', '/sources/:name', {
  identity: 'none',
  summary: 'Show a source',
  params: SourceName,
  item: Source,
})

export const syncSource = operation('controller.syncSource', 'POST /sources/:name/sync', {
  summary: 'Start a pass over a source now',
  guard: 'source',
  params: SourceName,
  body: Type.Optional(SyncInput),
  reply: { 202: Type.Object({ run_id: Type.String() }) },
  errors: [404, 409],
  check: checkPlan,
})

export const announcePush = operation('controller.announcePush', 'POST /sources/:name/webhook', {
  summary: 'Receive a signed push webhook and poll the git source now',
  guard: 'none',
  auth: 'open',
  params: SourceName,
  body: Type.Optional(Type.Unsafe<Buffer>(Type.Unknown({ description: 'Any bytes; only the signature is checked' }))),
  bytes: true,
  bodyLimit: MANIFESTS_BODY_LIMIT,
  reply: { 202: null },
  errors: [404, 409],
})

const changeSource = { guard: 'source', params: SourceName, reply: { 200: Source }, errors: [404] } as const

export const suspendSource = operation('controller.suspendSource', 'POST /sources/:name/suspend', {
  summary: 'Suspend a source until it is resumed',
  ...changeSource,
})

export const resumeSource = operation('controller.resumeSource', 'POST /sources/:name/resume', {
  summary: 'Resume a suspended or held source',
  ...changeSource,
})

const ids = (description: string) => Type.Array(Type.String(), { description: `${description}, as kind/name` })

export const adoptSource = operation('controller.adoptSource', 'POST /sources/:name/adopt', {
  summary: 'Move the resources of an orphaned source to another one',
  guard: 'source',
  params: SourceName,
  body: closedObject({ into: Type.String({ minLength: 1, description: 'Source that takes the resources over' }) }),
  reply: {
    200: Type.Object({
      adopted: ids('Resources that were moved'),
      left: ids('Resources that the other source does not declare'),
    }),
  },
  errors: [404, 409, 422],
})

export const releaseSource = operation('controller.releaseSource', 'POST /sources/:name/release', {
  summary: 'Release ownership of the resources of an orphaned source',
  guard: 'source',
  params: SourceName,
  reply: { 200: Type.Object({ released: ids('Resources that are no longer owned') }) },
  errors: [404, 409],
})

export const plan = operation('controller.plan', 'POST /plan', {
  identity: 'none',
  summary: 'Show what would change, without changing it',
  body: PlanInput,
  reply: { 200: Plan },
  errors: [404, 409, 422],
  readOnly: true,
  bodyLimit: MANIFESTS_BODY_LIMIT,
  anyText: /^manifests\.\d+\.content$/,
  check: checkPlan,
})

export const apply = lines('controller.apply', 'POST /apply', {
  summary: 'Apply manifests or a saved plan and stream the progress',
  guard: 'apply',
  body: PlanInput,
  line: ControllerEvent,
  errors: [404, 409, 422],
  bodyLimit: MANIFESTS_BODY_LIMIT,
  anyText: /^manifests\.\d+\.content$/,
  check: checkPlan,
})

export const listRuns = list('controller.listRuns', '/runs', {
  identity: 'none',
  summary: 'List runs, newest first',
  item: Run,
  cursors: {},
})

export const getRun = one('controller.getRun', '/runs/:id', {
  identity: 'none',
  summary: 'Show a run',
  params: Id,
  item: Run,
})

export const watchEvents = events('controller.watchEvents', '/events', {
  identity: 'none',
  summary: 'Stream plans, steps, runs, drift and conditions (SSE)',
  event: ControllerEvent,
})

export const shutDown = operation('controller.shutDown', 'POST /shutdown', {
  summary: 'Stop the daemon; agents keep running unless agents is true',
  guard: 'shutdown',
  body: Type.Optional(
    closedObject({
      agents: Type.Optional(Type.Boolean({ description: 'End agent sessions too; default false' })),
    }),
  ),
  reply: {
    202: Type.Object({
      status: Type.Enum(['stopping']),
      agents: Type.Boolean(),
      pid: Type.Integer({ description: 'Process id of the daemon' }),
      lock: Type.String({ description: 'Lock file on the daemon host; removed when everything has stopped' }),
    }),
  },
  role: 'admin',
})

export const controllerOperations = operations(
  { service: 'controller', port: 17000 },
  {
    listSources,
    getSource,
    syncSource,
    announcePush,
    suspendSource,
    resumeSource,
    adoptSource,
    releaseSource,
    plan,
    apply,
    listRuns,
    getRun,
    planRollback,
    rollback,
    blameResource,
    suspendResource,
    resumeResource,
    listResources,
    getResource,
    listDrift,
    planDriftRevert,
    revertDriftedField,
    planResourceRevert,
    revertDrift,
    acceptDrift,
    exportLive,
    watchEvents,
    listSchemas,
    getSchema,
    listTokens,
    listSettings,
    checkMachine,
    shutDown,
  },
)
