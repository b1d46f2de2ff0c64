import * as Type from 'typebox'
import { ACTIONS, POLICY_EFFECTS } from '../plan.ts'
import { closedObject } from '../shapes.ts'

const MOST_VALUES = 100
const Word = Type.String({ minLength: 1, maxLength: 64 })
const ActionWord = Type.Enum([...ACTIONS])
const Plain = Type.Union([Type.String({ maxLength: 4096 }), Type.Number(), Type.Boolean()])
const values = (description: string) =>
  Type.Optional(Type.Union([Plain, Type.Array(Plain, { minItems: 1, maxItems: MOST_VALUES })], { description }))

export const PlanPolicy = closedObject(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', description: 'Name used in errors' }),
    kind: Type.Optional(
      Type.Union([Word, Type.Array(Word, { minItems: 1, maxItems: 20 })], {
        description: 'Name of a kind, or a list of them; default: every kind',
      }),
    ),
    action: Type.Optional(
      Type.Union([ActionWord, Type.Array(ActionWord, { minItems: 1, maxItems: ACTIONS.length })], {
        description: 'Action, or a list of them; default: every action',
      }),
    ),
    member: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Field path such as tool_policy.mode; alone it matches any change of the field',
      }),
    ),
    forbid: values('Values that the field must not have afterwards; for a list, none of its elements'),
    allow: values('The only values that the field may have afterwards; for a list, each of its elements'),
    most: Type.Optional(Type.Integer({ minimum: 0, description: 'Maximum number of such steps in one plan' })),
    effect: Type.Optional(
      Type.Enum([...POLICY_EFFECTS], {
        description: 'deny (default): the steps are not made; confirm: only with their hash; warn: they are made',
      }),
    ),
    message: Type.String({ minLength: 1, maxLength: 500, description: 'Reason, and what to do instead' }),
  },
  { description: 'A rule over the steps of a plan' },
)
export type PlanPolicy = Type.Static<typeof PlanPolicy>

/** Wraps a single value in a list. */
export function listed<T extends string | number | boolean>(value: T | T[] | undefined): T[] | undefined {
  return value === undefined || Array.isArray(value) ? value : [value]
}
