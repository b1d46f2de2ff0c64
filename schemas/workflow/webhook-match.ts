// Conditions that a delivery must fulfil to become a task.
import * as Type from 'typebox'
import type { Fault, Path } from '../kind.ts'
import { closedObject, mapOf } from '../shapes.ts'
import { isPayloadPath } from './payload-paths.ts'

const Word = Type.String({ minLength: 1 })
const words = (description: string) =>
  Type.Optional(Type.Union([Word, Type.Array(Word, { minItems: 1 })], { description }))

const scalars = [Type.String(), Type.Number(), Type.Boolean()]
const values = Type.Union([...scalars, Type.Array(Type.Union([...scalars]), { minItems: 1 })])

export const WebhookMatch = closedObject(
  {
    event: words('Name of the event, as in the header of the forge'),
    action: words('Value of action in the payload'),
    label: words('Label that was added or removed, else a label of the issue or pull request'),
    payload: Type.Optional(
      mapOf(values, {
        minProperties: 1,
        description: 'Values by path of the JSON payload, such as {pull_request.base.ref: main}',
      }),
    ),
  },
  {
    minProperties: 1,
    description: 'Conditions of a delivery, all of which must hold, such as {event: push}; a list names alternatives',
  },
)

export type Scalar = string | number | boolean

export interface WebhookMatch {
  event?: string | string[]
  action?: string | string[]
  label?: string | string[]
  payload?: Record<string, Scalar | Scalar[]>
}

/** Accepted values by condition: `event`, `action`, `label` and `payload.<path>`. */
export function conditionsOf({ payload = {}, ...rest }: WebhookMatch): Map<string, readonly Scalar[]> {
  const below = Object.entries(payload).map(([path, wanted]) => [`payload.${path}`, wanted] as const)
  return new Map([...Object.entries(rest), ...below].map(([name, wanted = []]) => [name, [wanted].flat()]))
}

/** True if `after` accepts a delivery that `before` does not. */
export function widensMatch(before: WebhookMatch | undefined, after: WebhookMatch | undefined): boolean {
  const now = conditionsOf(after ?? {})
  return [...conditionsOf(before ?? {})].some(
    ([name, wanted]) => now.get(name)?.every((value) => wanted.includes(value)) !== true,
  )
}

const LONGEST_SHOWN = 60

/** Errors of paths, at paths below `at`; other errors are reported by the schema. */
export function matchFaults(match: unknown, at: Path): Fault[] {
  const { payload } = (match ?? {}) as { payload?: unknown }
  return Object.keys(Object(payload ?? {}))
    .filter((path) => !isPayloadPath(path))
    .map((path) => ({
      path: [...at, 'payload', path],
      code: 'invalid-value',
      message: `${JSON.stringify(path.slice(0, LONGEST_SHOWN))} is not a path of a payload`,
      hint: 'write the names of members with dots between them, such as pull_request.base.ref',
    }))
}
