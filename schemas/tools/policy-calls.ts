// Input of `svc policy test`: tool calls with the expected answer of a tool policy.
import * as Type from 'typebox'
import { closedObject, mapOf, namedObject } from '../shapes.ts'
import { ToolPolicy } from './policy.ts'

export const CallOutcome = Type.Enum(['allow', 'ask', 'deny'])
export type CallOutcome = Type.Static<typeof CallOutcome>

const PolicyCall = closedObject({
  tool: Type.String({ minLength: 1, maxLength: 200 }),
  input: mapOf(Type.Unknown(), { description: 'Input of the tool: {command: npm test}' }),
  expect: CallOutcome,
})
export type PolicyCall = Type.Static<typeof PolicyCall>

const subject = {
  policy: Type.Union([Type.String({ minLength: 1 }), ToolPolicy], {
    description: 'Name of a built-in policy or of one in manifests, or a tool policy',
  }),
  manifests: Type.Optional(Type.String({ minLength: 1, description: 'File or folder with the named policy' })),
  working_dir: Type.Optional(
    Type.String({ minLength: 1, description: 'Working directory of the agent; default: the folder of this file' }),
  ),
}
const calls = Type.Array(PolicyCall, { minItems: 1, maxItems: 10_000 })

export const PolicyCalls = namedObject('PolicyCalls', { ...subject, calls })
export type PolicyCalls = Type.Static<typeof PolicyCalls>

/** With `--recorded`, which provides calls. */
export const RecordedPolicyCalls = namedObject('RecordedPolicyCalls', { ...subject, calls: Type.Optional(calls) })
export type RecordedPolicyCalls = Type.Static<typeof RecordedPolicyCalls>
