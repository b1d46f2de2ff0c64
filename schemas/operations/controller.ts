// What can be asked of the controller: sources, plans, runs, the inventory, drift, and the end of the daemon.
import * as Type from 'typebox'
import { ControllerEvent } from './controller-event.ts'
import type { Fault } from '../kind.ts'
import { Plan, PlanChoices, PlanInput } from '../plan.ts'
import { Acceptance, Drift, Resource, ResourceDetail } from '../resource.ts'
import { Run } from '../run.ts'
import { Source } from '../source.ts'
import { exportLive, getSchema, listSchemas } from './controller-manifests.ts'
import { filterText, Id, ResourceId } from './parameters.ts'
import { events, lines, list, one, operation, operations, type Asked } from './operation.ts'
import { blameResource } from './blame.ts'
import { resumeResource, suspendResource } from './contest.ts'
import { planRollback, rollback } from './rollback.ts'
import { closedObject } from '../shapes.ts'

export { exportLive, getSchema, listSchemas }

const MANIFESTS_BODY_LIMIT = 25 * 1024 * 1024
const SourceName = Type.Object({ name: Type.String({ minLength: 1 }) })

const SyncInput = closedObject(
  Type.Pick(PlanChoices, ['targets', 'prune_override', 'confirm', 'keep_drift']).properties,
)

// Loaded on demand: the check needs every kind, and a client needs no check.
const checkPlan = async ({ body }: Asked): Promise<Fault[]> => (await import('./plan-faults.ts')).planFaults(body)

export const listSources = list('controller.listSources', '/sources', {
  summary: 'Where desired state comes from',
  item: Source,
})

export const getSource = one('controller.getSource', '/sources/:name', {
  summary: 'One source',
  params: SourceName,
  item: Source,
})

export const syncSource = operation('controller.syncSource', 'POST /sources/:name/sync', {
  summary: 'Reconcile now',
  guard: 'source',
  params: SourceName,
  body: Type.Optional(SyncInput),
  reply: { 202: Type.Object({ run_id: Type.String() }) },
  errors: [404, 409],
  check: checkPlan,
})

export const announcePush = operation('controller.announcePush', 'POST /sources/:name/webhook', {
  summary: 'A webhook of a forge, signed: the git source is looked at now and not at its next poll',
  guard: 'none',
  auth: 'open',
  params: SourceName,
  body: Type.Optional(Type.Unsafe<Buffer>(Type.Unknown({ description: 'Any bytes: only the signature counts' }))),
  bytes: true,
  bodyLimit: MANIFESTS_BODY_LIMIT,
  reply: { 202: null },
  errors: [404, 409],
})

const changeSource = { guard: 'source', params: SourceName, reply: { 200: Source }, errors: [404] } as const

export const suspendSource = operation('controller.suspendSource', 'POST /sources/:name/suspend', {
  summary: 'Leave the source alone until it is resumed',
  ...changeSource,
})

export const resumeSource = operation('controller.resumeSource', 'POST /sources/:name/resume', {
  summary: 'Follow a source again that is suspended or held',
  ...changeSource,
})

const ids = (description: string) => Type.Array(Type.String(), { description: `${description}, as kind/name` })

export const adoptSource = operation('controller.adoptSource', 'POST /sources/:name/adopt', {
  summary: 'Hand over what a source owns that is not read any more to one that declares it',
  guard: 'source',
  params: SourceName,
  body: closedObject({ into: Type.String({ minLength: 1, description: 'Name of the source that takes it over' }) }),
  reply: { 200: Type.Object({ adopted: ids('What was handed over'), left: ids('What the other does not declare') }) },
  errors: [404, 409, 422],
})

export const releaseSource = operation('controller.releaseSource', 'POST /sources/:name/release', {
  summary: 'Own nothing of a source that is not read any more; what is live stays as it is',
  guard: 'source',
  params: SourceName,
  reply: { 200: Type.Object({ released: ids('What nobody owns any more') }) },
  errors: [404, 409],
})

export const plan = operation('controller.plan', 'POST /plan', {
  summary: 'What would change; changes nothing',
  body: PlanInput,
  reply: { 200: Plan },
  errors: [404, 409, 422],
  readOnly: true,
  bodyLimit: MANIFESTS_BODY_LIMIT,
  anyText: true,
  check: checkPlan,
})

export const apply = lines('controller.apply', 'POST /apply', {
  summary: 'Apply manifests or a saved plan: lines of JSON as it goes, the last {"type": "run"} or {"type": "error"}',
  guard: 'apply',
  body: PlanInput,
  line: ControllerEvent,
  errors: [404, 409, 422],
  bodyLimit: MANIFESTS_BODY_LIMIT,
  anyText: true,
  check: checkPlan,
})

export const listRuns = list('controller.listRuns', '/runs', {
  summary: 'History of runs, newest first',
  item: Run,
})

export const getRun = one('controller.getRun', '/runs/:id', { summary: 'One run', params: Id, item: Run })

export const listResources = list('controller.listResources', '/resources', {
  summary: 'The inventory',
  query: Type.Object({
    kind: filterText('Any word of a kind'),
    source: filterText('Name of a source'),
    status: filterText('A condition that is True, such as Ready'),
  }),
  item: Resource,
})

export const getResource = one('controller.getResource', '/resources/:kind/:name', {
  summary: 'Desired, last applied and live side by side',
  params: ResourceId,
  item: ResourceDetail,
})

export const listDrift = list('controller.listDrift', '/drift', {
  summary: 'Drift: all that is open, then what has ended, each newest first',
  query: Type.Object({
    kind: filterText('Any word of a kind'),
    name: filterText('Name of a resource'),
    open: Type.Optional(
      Type.Boolean({ description: 'true: only what still differs; false: only what has ended; default both' }),
    ),
  }),
  item: Drift,
})

export const revertDrift = operation('controller.revertDrift', 'POST /drift/:kind/:name/revert', {
  summary: 'Put live back to what was last applied',
  guard: 'apply',
  params: ResourceId,
  reply: { 200: Run },
  errors: [404, 409],
})

export const acceptDrift = operation('controller.acceptDrift', 'POST /drift/:kind/:name/accept', {
  summary: 'The smallest change of the manifest with which what is live is desired; changes nothing',
  params: ResourceId,
  reply: { 200: Acceptance },
  errors: [404, 409, 422],
  readOnly: true,
})

export const watchEvents = events('controller.watchEvents', '/events', {
  summary: 'Plans, steps, runs, drift and conditions as server-sent events',
  event: ControllerEvent,
})

export const shutDown = operation('controller.shutDown', 'POST /shutdown', {
  summary: 'Stop the daemon; sessions live on unless agents is true',
  guard: 'shutdown',
  body: Type.Optional(
    closedObject({
      agents: Type.Optional(Type.Boolean({ description: 'End the agents’ sessions too; default false' })),
    }),
  ),
  reply: {
    202: Type.Object({
      status: Type.Enum(['stopping']),
      agents: Type.Boolean(),
      pid: Type.Integer({ description: 'Process of the daemon' }),
      lock: Type.String({ description: 'File on its machine that is removed when everything has stopped' }),
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
    revertDrift,
    acceptDrift,
    exportLive,
    watchEvents,
    listSchemas,
    getSchema,
    shutDown,
  },
)
