import * as Type from 'typebox'
import { Plan } from '../../plan.ts'
import { Acceptance, Drift, DriftCounts } from '../../resource.ts'
import { Run } from '../../run.ts'
import { closedObject } from '../../shapes.ts'
import { list, operation } from '../operation.ts'
import { filterText, Id, ResourceId } from '../parameters.ts'
import { ReviewedPlan } from './reviewed-plan.ts'

const Revert = closedObject({ plan_hash: ReviewedPlan })

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const listDrift = list('controller.listDrift', '/drift', {
  identity: 'none',
  summary: 'List drift: open records first, then resolved ones',
  query: Type.Object({
    kind: filterText('Any name of a kind: agents, agent or Agent'),
    name: filterText('Name of a resource'),
    open: Type.Optional(
      Type.Boolean({ description: 'true: only open records; false: only resolved records; default: both' }),
    ),
    since: moment('Drift that was still open at this time, or later'),
    until: moment('Drift first seen before this time'),
    actor: filterText('Author of the change; of several, the last one'),
  }),
  item: Drift,
  cursors: { counts: DriftCounts },
})

export const planDriftRevert = operation('controller.planDriftRevert', 'POST /drift/:id/plan', {
  identity: 'none',
  summary: 'Plan the revert of one drifted field',
  params: Id,
  reply: { 200: Plan },
  errors: [404, 409],
  readOnly: true,
})

export const revertDriftedField = operation('controller.revertDriftedField', 'POST /drift/:id/revert', {
  summary: 'Revert one drifted field to its last applied value',
  guard: 'apply',
  params: Id,
  body: Type.Optional(Revert),
  reply: { 200: Run },
  errors: [404, 409],
})

export const planResourceRevert = operation('controller.planResourceRevert', 'POST /drift/:kind/:name/plan', {
  identity: 'none',
  summary: 'Plan the revert of all drift of a resource',
  params: ResourceId,
  reply: { 200: Plan },
  errors: [404, 409],
  readOnly: true,
})

export const revertDrift = operation('controller.revertDrift', 'POST /drift/:kind/:name/revert', {
  summary: 'Revert drift to the last applied state',
  guard: 'apply',
  params: ResourceId,
  body: Type.Optional(Revert),
  reply: { 200: Run },
  errors: [404, 409],
})

export const acceptDrift = operation('controller.acceptDrift', 'POST /drift/:kind/:name/accept', {
  identity: 'none',
  summary: 'Show the manifest change that would accept the drift',
  params: ResourceId,
  reply: { 200: Acceptance },
  errors: [404, 409, 422],
  readOnly: true,
})
