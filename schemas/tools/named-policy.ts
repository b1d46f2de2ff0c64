import * as Type from 'typebox'
import { inputOf, nullable, recordOf, required, shaped } from '../members.ts'
import { namedObject } from '../shapes.ts'
import { canonicalPolicy, PolicyMode, ToolEntry, type ToolPolicy } from './policy.ts'

export const policyMembers = {
  mode: required(PolicyMode),
  tools: shaped(Type.Array(ToolEntry), (_, policy: ToolPolicy) => canonicalPolicy(policy, 'allow_all').tools ?? []),
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
