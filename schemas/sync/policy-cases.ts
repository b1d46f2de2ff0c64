// Input of `svc policy test`.
import * as Type from 'typebox'
import { ACTIONS, POLICY_EFFECTS } from '../plan.ts'
import { closedObject, namedObject, mapOf } from '../shapes.ts'

export const PolicyOutcome = Type.Enum([...POLICY_EFFECTS, 'allow'])
export type PolicyOutcome = Type.Static<typeof PolicyOutcome>

export const CaseStep = closedObject({
  action: Type.Enum([...ACTIONS]),
  kind: Type.String({ minLength: 1, description: 'Name of a kind: agents, agent or Agent' }),
  name: Type.String({ minLength: 1 }),
  changes: Type.Optional(Type.Array(Type.String(), { description: 'Paths of the fields that change' })),
  members: Type.Optional(
    mapOf(Type.Unknown(), {
      description: 'Values after the step, by field path: tool_policy.mode',
    }),
  ),
})
export type CaseStep = Type.Static<typeof CaseStep>

const PolicyCase = closedObject({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  steps: Type.Optional(Type.Array(CaseStep, { minItems: 1, maxItems: 10_000 })),
  manifests: Type.Optional(
    Type.String({ minLength: 1, description: 'File or folder of manifests, planned against an empty system' }),
  ),
  plan: Type.Optional(Type.String({ minLength: 1, description: 'Plan saved by svc plan --out' })),
  expect: PolicyOutcome,
  policies: Type.Optional(
    Type.Array(Type.String(), { description: 'Names of all policies that must match, in any order' }),
  ),
})
export type PolicyCase = Type.Static<typeof PolicyCase>

export const PolicyCases = namedObject('PolicyCases', {
  rules: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with the policies; default: the nearest svc.yaml in this folder or above',
    }),
  ),
  cases: Type.Array(PolicyCase, { minItems: 1, maxItems: 1000 }),
})
export type PolicyCases = Type.Static<typeof PolicyCases>
