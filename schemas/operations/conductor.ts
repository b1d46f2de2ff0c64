import * as Type from 'typebox'
import { ForgeRepositoryName, LabelReply, LabelRequest, RunRequest } from '../conductor/request.ts'
import { ConductorRun } from '../conductor/run.ts'
import { list, one, operation, operations } from './operation.ts'
import { Id } from './parameters.ts'

const OfItem = Type.Object({
  number: Type.String({
    pattern: '^[1-9][0-9]{0,8}$',
    description: 'Number of an issue or pull request',
    examples: ['7'],
  }),
})

export const createRun = operation('conductor.createRun', 'POST /runs', {
  summary: 'Run the pipeline conductor and wait for its end',
  guard: 'conductor',
  body: Type.Optional(RunRequest),
  reply: { 200: ConductorRun },
  errors: [409],
  changesNothing: ({ body }) => body?.dry_run === true,
})

/** Without `limit` and `offset`: a run may have thousands of items. */
export const LISTED_RUNS = 200

export const listRuns = list('conductor.listRuns', '/runs', {
  identity: 'none',
  summary: `List the newest ${LISTED_RUNS} runs of the last 90 days, or a page`,
  query: Type.Object({
    repository: Type.Optional({ ...ForgeRepositoryName, description: 'Repository as owner/name' }),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 36, description: 'Beginning of the ID' })),
  }),
  item: ConductorRun,
  cursors: {},
})

export const getRun = one('conductor.getRun', '/runs/:id', {
  identity: 'none',
  summary: 'Show a run with its actions and rules',
  params: Id,
  item: ConductorRun,
})

export const addItemLabel = operation('conductor.addItemLabel', 'POST /items/:number/labels', {
  summary: 'Add a label of the pipeline to an issue or pull request',
  guard: 'conductor',
  params: OfItem,
  body: LabelRequest,
  reply: { 200: LabelReply },
  errors: [409],
})

export const conductorOperations = operations(
  { service: 'conductor', port: 17011 },
  { createRun, listRuns, getRun, addItemLabel },
)
