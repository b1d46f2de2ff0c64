import * as Type from 'typebox'

export const ReviewedPlan = Type.Optional(
  Type.String({ description: 'Hash of the reviewed plan; refused with 409 if the plan has changed since' }),
)
