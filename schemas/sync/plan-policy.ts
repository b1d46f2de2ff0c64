// Plan policies: rules of a source over the steps of a plan.
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
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', description: 'What faults call it' }),
    kind: Type.Optional(
      Type.Union([Word, Type.Array(Word, { minItems: 1, maxItems: 20 })], {
        description: 'Any word of a kind, or several; default every kind',
      }),
    ),
    action: Type.Optional(
      Type.Union([ActionWord, Type.Array(ActionWord, { minItems: 1, maxItems: ACTIONS.length })], {
        description: 'Default every action',
      }),
    ),
    member: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'Path such as tool_policy.mode; alone: it changes' }),
    ),
    forbid: values('Values that the member may not have afterwards; of a list, no element'),
    allow: values('The only values that the member may have afterwards; of a list, each element'),
    most: Type.Optional(Type.Integer({ minimum: 0, description: 'So many such steps are fine in one plan' })),
    effect: Type.Optional(
      Type.Enum([...POLICY_EFFECTS], {
        description: 'deny (default): the steps are not made; confirm: only with their hash; warn: they are made',
      }),
    ),
    message: Type.String({ minLength: 1, maxLength: 500, description: 'Why, and what to do instead' }),
  },
  { description: 'A rule over the steps of a plan' },
)
export type PlanPolicy = Type.Static<typeof PlanPolicy>

/** One value, or several, as a list; undefined: none is said. */
export function listed<T extends string | number | boolean>(value: T | T[] | undefined): T[] | undefined {
  return value === undefined || Array.isArray(value) ? value : [value]
}
