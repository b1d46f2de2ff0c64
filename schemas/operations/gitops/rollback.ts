import * as Type from 'typebox'
import { Plan, PlanChoices } from '../../plan.ts'
import { operation } from '../operation.ts'
import { closedObject } from '../../shapes.ts'
import { ReviewedPlan } from './reviewed-plan.ts'

const past = {
  run_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Run whose revision is restored',
  }),
  prune_override: PlanChoices.properties.prune_override,
  confirm: PlanChoices.properties.confirm,
}

export const planRollback = operation('controller.planRollback', 'POST /rollback/plan', {
  identity: 'none',
  summary: 'Plan a rollback to the revision of a run',
  body: closedObject(past),
  reply: { 200: Plan },
  errors: [404, 409, 422],
  readOnly: true,
})

export const rollback = operation('controller.rollback', 'POST /rollback', {
  summary: 'Roll back to the revision of a run and hold it',
  guard: 'source',
  body: closedObject({
    ...past,
    plan_hash: ReviewedPlan,
  }),
  reply: { 202: Type.Object({ run_id: Type.String() }) },
  errors: [404, 409, 422],
})
