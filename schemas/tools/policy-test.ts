// A test of a policy with tool calls: those that agents made, or written ones.
import * as Type from 'typebox'
import { closedObject, mapOf, namedObject, orNull } from '../shapes.ts'
import { CallOutcome } from './policy-calls.ts'
import { ToolPolicy } from './policy.ts'

/** Tool calls that are kept of each agent, and the maximum of a test. */
export const MOST_RECORDED = 1000

const WrittenCall = closedObject({
  tool: Type.String({ minLength: 1, maxLength: 200 }),
  input: mapOf(Type.Unknown(), { description: 'Input of the tool: {"command": "npm test"}' }),
})

export const PolicyTest = namedObject('PolicyTest', {
  policy: Type.Optional(Type.String({ minLength: 1, description: 'Name of a policy, or of a built-in one' })),
  tool_policy: Type.Optional(ToolPolicy),
  agent: Type.Optional(Type.String({ format: 'uuid', description: 'Whose calls; default: those of all agents' })),
  recorded: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_RECORDED, description: 'Number of latest calls' })),
  calls: Type.Optional(
    Type.Array(WrittenCall, {
      minItems: 1,
      maxItems: MOST_RECORDED,
      description: 'Calls to judge as calls of the agent',
    }),
  ),
})
export type PolicyTest = Type.Static<typeof PolicyTest>

export const TestedCall = closedObject({
  agent: Type.String({ description: 'Name' }),
  tool: Type.String(),
  input: Type.String({ description: 'What the call is about, shortened and redacted' }),
  at: orNull(Type.String({ format: 'date-time' }), 'When it was decided; null for a written call'),
  workflow: orNull(Type.String(), 'Name of the workflow whose task it belongs to'),
  before: Type.Enum(['allow', 'ask', 'deny'], {
    description: 'The decision; for a written call, what the policy of the agent decides',
  }),
  after: orNull(CallOutcome, 'What the tested policy decides; null if it cannot be judged'),
  reason: orNull(Type.String(), 'Why; null if the list of the tested policy allows it'),
})
export type TestedCall = Type.Static<typeof TestedCall>

export const PolicyTestReply = namedObject('PolicyTestReply', {
  calls: Type.Array(TestedCall, { description: 'Newest first; written calls in their order' }),
})
export type PolicyTestReply = Type.Static<typeof PolicyTestReply>
