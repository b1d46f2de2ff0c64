import * as Type from 'typebox'
import { inputOf, nullable, recordOf, required, shaped } from '../members.ts'
import { never, type Widens } from '../members/widening.ts'
import { namedObject } from '../shapes.ts'
import { canonicalPolicy, PolicyMode, ToolEntry, type ToolPolicy } from './policy.ts'
import { widensPolicy } from './policy-width.ts'

/** An entry means something else in another mode. */
const widensWhole: Widens = (_before, _after, { before, after }) =>
  widensPolicy('mode' in before ? before : undefined, after)

export const policyMembers = {
  mode: required(PolicyMode, { widens: widensWhole }),
  tools: shaped(Type.Array(ToolEntry), (_, policy: ToolPolicy) => canonicalPolicy(policy, 'allow_all').tools ?? [], {
    widens: widensWhole,
  }),
  description: nullable(Type.String(), undefined, { widens: never }),
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
