// What can be asked about going back to an earlier revision: what it would change, and to do it.
import * as Type from 'typebox'
import { Plan, PlanChoices } from '../plan.ts'
import { operation } from './operation.ts'
import { closedObject } from '../shapes.ts'

const past = {
  run_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A run of the source: its revision is gone back to',
  }),
  ...Type.Pick(PlanChoices, ['prune_override', 'confirm']).properties,
}

export const planRollback = operation('controller.planRollback', 'POST /rollback/plan', {
  summary: 'What going back to the revision of a run would change; changes nothing',
  body: closedObject(past),
  reply: { 200: Plan },
  errors: [404, 409, 422],
  readOnly: true,
})

export const rollback = operation('controller.rollback', 'POST /rollback', {
  summary: 'Make live equal to the revision of a run, and hold it until a newer one comes or the source is resumed',
  guard: 'source',
  body: closedObject({
    ...past,
    plan_hash: Type.Optional(
      Type.String({
        description: 'Of the plan that was looked at: refused with 409 where it would be another by now',
      }),
    ),
  }),
  reply: { 202: Type.Object({ run_id: Type.String() }) },
  errors: [404, 409, 422],
})
