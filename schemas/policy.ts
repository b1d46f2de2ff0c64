// The Policy kind: a tool policy with a name, for manifests to share.
import * as Type from 'typebox'
import { manifestObject, type Fault, type KindDefinition } from './kind.ts'
import { canonical, costIn, inputOf, type SpecOf } from './members.ts'
import { policyMembers, type PolicyInput } from './tools/named-policy.ts'
import { policyFaults } from './tools/policy-faults.ts'

export { PolicyInput, PolicyRecord } from './tools/named-policy.ts'

export const PolicyManifest = manifestObject('Policy', 'A named tool policy that agents and workflows refer to', {
  ...inputOf(policyMembers),
  description: Type.Optional(Type.String()),
})
export type PolicyManifest = Type.Static<typeof PolicyManifest>

/** Canonical form; also what the orchestrator stores. */
export interface PolicySpec extends SpecOf<typeof policyMembers> {
  name: string
}

/** All faults of a body beyond its schema; also of a tool policy that stands by itself. */
export function checkPolicyInput(input: Pick<PolicyInput, 'mode' | 'tools'>): Fault[] {
  return policyFaults(input, [])
}

export const policyKind: KindDefinition<PolicySpec> = {
  kind: 'policies',
  title: 'policy',
  manifestKind: 'Policy',
  schema: PolicyManifest,
  secrets: [],
  check: checkPolicyInput,
  references: () => [],
  canonicalise: (manifest: PolicyManifest) => ({ name: manifest.name, ...canonical(policyMembers, manifest) }),
  change: costIn(policyMembers),
  // A tool that a list allows is one that another mode denies.
  keyed: { tools: { by: '.', under: 'mode' } },
  namedById: true,
}
