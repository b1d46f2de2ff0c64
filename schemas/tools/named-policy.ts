import * as Type from 'typebox'
import { inputOf, nullable, recordOf, required, shaped } from '../members.ts'
import { never, type Widens } from '../members/widening.ts'
import {
  firstSandbox,
  policySandbox,
  PolicySandboxRecord,
  Sandbox,
  SANDBOX_LISTS,
  widensSandbox,
  writtenPolicySandbox,
  type PolicySandbox,
} from '../sandbox/sandbox.ts'
import { namedObject } from '../shapes.ts'
import { answerTypes, canonicalPolicy, PolicyMode, type ToolPolicy } from './policy.ts'
import { widensPolicy } from './policy-width.ts'

const canonicalOf = (policy: ToolPolicy) => canonicalPolicy(policy, 'allow_all')

/** An entry means something else in another mode. */
const widensWhole: Widens = (_before, _after, { before, after }) =>
  widensPolicy('mode' in before ? before : undefined, after)

export const policyMembers = {
  mode: required(PolicyMode, { widens: widensWhole }),
  tools: shaped(answerTypes.tools, (_, policy: ToolPolicy) => canonicalOf(policy).tools ?? [], { widens: widensWhole }),
  ask: shaped(answerTypes.ask, (_, policy: ToolPolicy) => canonicalOf(policy).ask ?? [], {
    record: Type.Optional(answerTypes.ask),
    widens: widensWhole,
  }),
  deny: shaped(answerTypes.deny, (_, policy: ToolPolicy) => canonicalOf(policy).deny ?? [], {
    record: Type.Optional(answerTypes.deny),
    widens: widensWhole,
  }),
  otherwise: shaped(answerTypes.otherwise, (_, policy: ToolPolicy) => canonicalOf(policy).otherwise ?? null, {
    record: Type.Optional(answerTypes.otherwise),
    widens: widensWhole,
  }),
  sandbox: shaped(Sandbox, (written: Sandbox | PolicySandbox | undefined) => policySandbox(written), {
    record: Type.Optional(PolicySandboxRecord),
    keyed: SANDBOX_LISTS,
    written: writtenPolicySandbox,
    // Not set: `auto` may follow.
    widens: (before: PolicySandbox | undefined, after: PolicySandbox) =>
      widensSandbox(
        before === undefined ? before : firstSandbox(undefined, before, 'auto'),
        firstSandbox(undefined, after, 'auto'),
      ),
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
