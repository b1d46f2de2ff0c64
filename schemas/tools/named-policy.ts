import * as Type from 'typebox'
import { inputOf, nullable, recordOf, required, shaped } from '../members.ts'
import { namedObject } from '../shapes.ts'
import { answerTypes, canonicalPolicy, PolicyMode, type ToolPolicy } from './policy.ts'

const canonicalOf = (policy: ToolPolicy) => canonicalPolicy(policy, 'allow_all')

export const policyMembers = {
  mode: required(PolicyMode),
  tools: shaped(answerTypes.tools, (_, policy: ToolPolicy) => canonicalOf(policy).tools ?? []),
  ask: shaped(answerTypes.ask, (_, policy: ToolPolicy) => canonicalOf(policy).ask ?? [], {
    record: Type.Optional(answerTypes.ask),
  }),
  deny: shaped(answerTypes.deny, (_, policy: ToolPolicy) => canonicalOf(policy).deny ?? [], {
    record: Type.Optional(answerTypes.deny),
  }),
  otherwise: shaped(answerTypes.otherwise, (_, policy: ToolPolicy) => canonicalOf(policy).otherwise ?? null, {
    record: Type.Optional(answerTypes.otherwise),
  }),
  description: nullable(Type.String()),
}

export const PolicyRecord = namedObject('Policy', {
  name: Type.String(),
  ...recordOf(policyMembers),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type PolicyRecord = Type.Static<typeof PolicyRecord>

export const PolicyInput = namedObject('PolicyInput', inputOf(policyMembers))
export type PolicyInput = Type.Static<typeof PolicyInput>
