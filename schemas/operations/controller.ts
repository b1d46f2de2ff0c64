// What can be asked of the controller: sources, plans, runs, the inventory, drift, and the end of the daemon.
import { isAbsolute } from 'node:path'
import Type from 'typebox'
import { ControllerEvent } from './controller-event.ts'
import type { Fault } from '../kind.ts'
import { findKind, kinds } from '../kinds.ts'
import { Plan, PlanInput } from '../plan.ts'
import { Acceptance, Drift, Resource, ResourceDetail } from '../resource.ts'
import { Run } from '../run.ts'
import { Source } from '../source.ts'
import { nearestHint } from '../validation/nearest.ts'
import { filterText, Id } from './parameters.ts'
import { events, lines, list, operation, operations, type Asked } from './operation.ts'

const MANIFESTS_BODY_LIMIT = 25 * 1024 * 1024
const SourceName = Type.Object({ name: Type.String({ minLength: 1 }) })
const ResourceId = Type.Object({ kind: Type.String(), name: Type.String() })

const SyncInput = Type.Object(
  {
    targets: PlanInput.properties.targets,
    prune_override: PlanInput.properties.prune_override,
    keep_drift: PlanInput.properties.keep_drift,
  },
  { additionalProperties: false },
)

/** A target that can name nothing: a plan narrowed to it would be empty and look like success. */
function targetFaults(targets: readonly string[] | undefined): Fault[] {
  return (targets ?? []).flatMap((target, index) => {
    const [kind = '', name = ''] = target.split('/', 2)
    if (findKind(kind, kinds)?.kind === kind && name !== '') return []
    const message = `should be KIND/NAME, instead got "${target}"`
    const words = kinds.map((each) => each.kind)
    const hint = nearestHint(kind, words, `kinds are ${words.join(', ')}`)
    return [{ path: ['targets', index], code: 'invalid-value', message, hint }]
  })
}

/** A folder the daemon cannot know, and a manifest that would stand outside of it. */
function placeFaults({ root, manifests }: PlanInput): Fault[] {
  const faults = (manifests ?? []).flatMap(({ path }, index): Fault[] => {
    if (!isAbsolute(path) && !path.split(/[\\/]/).includes('..')) return []
    const message = `should be relative to root and below it, instead got "${path}"`
    return [{ path: ['manifests', index, 'path'], code: 'invalid-value', message, hint: 'send it from its root' }]
  })
  if (root === undefined || isAbsolute(root)) return faults
  const message = `should be an absolute path, instead got "${root}"`
  return [...faults, { path: ['root'], code: 'invalid-value', message, hint: 'the daemon does not know your folder' }]
}

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
  summary: 'Follow a suspended source again',
  method: 'POST',
  path: '/sources/:name/resume',
  guard: 'source',
  params: SourceName,
  reply: { 200: Source },
  errors: [404],
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
  summary: 'Drift, newest first',
  path: '/drift',
  query: Type.Object({
    kind: filterText('Any word of a kind'),
    name: filterText('Name of a resource'),
    open: Type.Optional(Type.Boolean({ description: 'true: only what still differs' })),
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

export const listSchemas = operation({
  id: 'controller.listSchemas',
  summary: 'The kinds that have a schema',
  method: 'GET',
  path: '/schemas',
  reply: {
    200: Type.Array(
      Type.Object({ kind: Type.String(), title: Type.String(), manifest_kind: Type.String(), path: Type.String() }),
    ),
  },
})

export const getSchema = operation({
  id: 'controller.getSchema',
  summary: 'JSON Schema of a kind, as <kind>.json',
  method: 'GET',
  path: '/schemas/:file',
  params: Type.Object({ file: Type.String() }),
  reply: { 200: Type.Unknown() },
  produces: 'application/schema+json',
  errors: [404],
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
  reply: { 202: Type.Object({ status: Type.Enum(['stopping']), agents: Type.Boolean() }) },
  role: 'admin',
})

export const controllerOperations = operations(
  { service: 'controller', port: 17000 },
  {
    listSources,
    getSource,
    syncSource,
    suspendSource,
    resumeSource,
    plan,
    apply,
    listRuns,
    getRun,
    listResources,
    getResource,
    listDrift,
    revertDrift,
    acceptDrift,
    watchEvents,
    listSchemas,
    getSchema,
    shutDown,
  },
)
