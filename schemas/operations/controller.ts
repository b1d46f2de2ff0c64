// What can be asked of the controller: sources, plans, runs, the inventory, drift, and the end of the daemon.
import Type from 'typebox'
import { ControllerEvent } from './controller-event.ts'
import type { Fault } from '../kind.ts'
import { Plan, PlanInput } from '../plan.ts'
import { Acceptance, Drift, Resource, ResourceDetail } from '../resource.ts'
import { Run } from '../run.ts'
import { Source } from '../source.ts'
import { exportLive, getSchema, listSchemas } from './controller-manifests.ts'
import { filterText, Id } from './parameters.ts'
import { placeFaults, targetFaults } from './plan-faults.ts'
import { events, lines, list, operation, operations, type Asked } from './operation.ts'
import { blameResource } from './blame.ts'
import { resumeResource, suspendResource } from './contest.ts'
import { planRollback, rollback } from './rollback.ts'

export { exportLive, getSchema, listSchemas }

const MANIFESTS_BODY_LIMIT = 25 * 1024 * 1024
const SourceName = Type.Object({ name: Type.String({ minLength: 1 }) })
const ResourceId = Type.Object({ kind: Type.String(), name: Type.String() })

const SyncInput = Type.Object(
  {
    targets: PlanInput.properties.targets,
    prune_override: PlanInput.properties.prune_override,
    confirm: PlanInput.properties.confirm,
    keep_drift: PlanInput.properties.keep_drift,
  },
  { additionalProperties: false },
)

const checkPlan = ({ body }: Asked): Fault[] => [...placeFaults(body), ...targetFaults(body.targets)]

export const listSources = list({
  id: 'controller.listSources',
  summary: 'Where desired state comes from',
  path: '/sources',
  item: Source,
})

export const getSource = operation({
  id: 'controller.getSource',
  summary: 'One source',
  method: 'GET',
  path: '/sources/:name',
  params: SourceName,
  reply: { 200: Source },
  errors: [404],
})

export const syncSource = operation({
  id: 'controller.syncSource',
  summary: 'Reconcile now',
  method: 'POST',
  path: '/sources/:name/sync',
  guard: 'source',
  params: SourceName,
  body: Type.Optional(SyncInput),
  reply: { 202: Type.Object({ run_id: Type.String() }) },
  errors: [404, 409],
  check: ({ body }: Asked) => targetFaults(body.targets),
})

export const announcePush = operation({
  id: 'controller.announcePush',
  summary: 'A webhook of a forge, signed: the git source is looked at now and not at its next poll',
  method: 'POST',
  path: '/sources/:name/webhook',
  guard: 'none',
  auth: 'open',
  params: SourceName,
  body: Type.Optional(Type.Unsafe<Buffer>(Type.Unknown({ description: 'Any bytes: only the signature counts' }))),
  bytes: true,
  bodyLimit: MANIFESTS_BODY_LIMIT,
  reply: { 202: null },
  errors: [404, 409],
})

export const suspendSource = operation({
  id: 'controller.suspendSource',
  summary: 'Leave the source alone until it is resumed',
  method: 'POST',
  path: '/sources/:name/suspend',
  guard: 'source',
  params: SourceName,
  reply: { 200: Source },
  errors: [404],
})

export const resumeSource = operation({
  id: 'controller.resumeSource',
  summary: 'Follow a source again that is suspended or held',
  method: 'POST',
  path: '/sources/:name/resume',
  guard: 'source',
  params: SourceName,
  reply: { 200: Source },
  errors: [404],
})

const ids = (description: string) => Type.Array(Type.String(), { description: `${description}, as kind/name` })

export const adoptSource = operation({
  id: 'controller.adoptSource',
  summary: 'Hand over what a source owns that is not read any more to one that declares it',
  method: 'POST',
  path: '/sources/:name/adopt',
  guard: 'source',
  params: SourceName,
  body: Type.Object(
    { into: Type.String({ minLength: 1, description: 'Name of the source that takes it over' }) },
    { additionalProperties: false },
  ),
  reply: { 200: Type.Object({ adopted: ids('What was handed over'), left: ids('What the other does not declare') }) },
  errors: [404, 409, 422],
})

export const releaseSource = operation({
  id: 'controller.releaseSource',
  summary: 'Own nothing of a source that is not read any more; what is live stays as it is',
  method: 'POST',
  path: '/sources/:name/release',
  guard: 'source',
  params: SourceName,
  reply: { 200: Type.Object({ released: ids('What nobody owns any more') }) },
  errors: [404, 409],
})

export const plan = operation({
  id: 'controller.plan',
  summary: 'What would change; changes nothing',
  method: 'POST',
  path: '/plan',
  body: PlanInput,
  reply: { 200: Plan },
  errors: [404, 409, 422],
  readOnly: true,
  bodyLimit: MANIFESTS_BODY_LIMIT,
  anyText: true,
  check: checkPlan,
})

export const apply = lines({
  id: 'controller.apply',
  summary: 'Apply manifests or a saved plan: lines of JSON as it goes, the last {"type": "run"} or {"type": "error"}',
  method: 'POST',
  path: '/apply',
  guard: 'apply',
  body: PlanInput,
  line: ControllerEvent,
  errors: [404, 409, 422],
  bodyLimit: MANIFESTS_BODY_LIMIT,
  anyText: true,
  check: checkPlan,
})

export const listRuns = list({
  id: 'controller.listRuns',
  summary: 'History of runs, newest first',
  path: '/runs',
  item: Run,
})

export const getRun = operation({
  id: 'controller.getRun',
  summary: 'One run',
  method: 'GET',
  path: '/runs/:id',
  params: Id,
  reply: { 200: Run },
  errors: [404],
})

export const listResources = list({
  id: 'controller.listResources',
  summary: 'The inventory',
  path: '/resources',
  query: Type.Object({
    kind: filterText('Any word of a kind'),
    source: filterText('Name of a source'),
    status: filterText('A condition that is True, such as Ready'),
  }),
  item: Resource,
})

export const getResource = operation({
  id: 'controller.getResource',
  summary: 'Desired, last applied and live side by side',
  method: 'GET',
  path: '/resources/:kind/:name',
  params: ResourceId,
  reply: { 200: ResourceDetail },
  errors: [404],
})

export const listDrift = list({
  id: 'controller.listDrift',
  summary: 'Drift: all that is open, then what has ended, each newest first',
  path: '/drift',
  query: Type.Object({
    kind: filterText('Any word of a kind'),
    name: filterText('Name of a resource'),
    open: Type.Optional(
      Type.Boolean({ description: 'true: only what still differs; false: only what has ended; default both' }),
    ),
  }),
  item: Drift,
})

export const revertDrift = operation({
  id: 'controller.revertDrift',
  summary: 'Put live back to what was last applied',
  method: 'POST',
  path: '/drift/:kind/:name/revert',
  guard: 'apply',
  params: ResourceId,
  reply: { 200: Run },
  errors: [404, 409],
})

export const acceptDrift = operation({
  id: 'controller.acceptDrift',
  summary: 'The smallest change of the manifest with which what is live is desired; changes nothing',
  method: 'POST',
  path: '/drift/:kind/:name/accept',
  params: ResourceId,
  reply: { 200: Acceptance },
  errors: [404, 409, 422],
  readOnly: true,
})

export const watchEvents = events({
  id: 'controller.watchEvents',
  summary: 'Plans, steps, runs, drift and conditions as server-sent events',
  path: '/events',
  event: ControllerEvent,
})

export const shutDown = operation({
  id: 'controller.shutDown',
  summary: 'Stop the daemon; sessions live on unless agents is true',
  method: 'POST',
  path: '/shutdown',
  guard: 'shutdown',
  body: Type.Optional(
    Type.Object(
      { agents: Type.Optional(Type.Boolean({ description: 'End the agents’ sessions too; default false' })) },
      { additionalProperties: false },
    ),
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
