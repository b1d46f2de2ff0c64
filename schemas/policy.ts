// The Policy kind: a tool policy with a name, for manifests to share.
import * as Type from 'typebox'
import { manifestObject, type Fault, type KindDefinition } from './kind.ts'
import { canonical, costIn, inputOf, nullable, recordOf, required, shaped, type SpecOf } from './members.ts'
import { canonicalPolicy, PolicyMode, policyFaults, ToolEntry, type ToolPolicy } from './tools/policy.ts'
import { namedObject } from './shapes.ts'

const policyMembers = {
  mode: required(PolicyMode),
  tools: shaped(Type.Array(ToolEntry), (_, policy: ToolPolicy) => canonicalPolicy(policy, 'allow_all').tools ?? []),
  description: nullable(Type.String()),
}

export const PolicyManifest = manifestObject('Policy', 'A named tool policy that agents and workflows refer to', {
  ...inputOf(policyMembers),
  description: Type.Optional(Type.String()),
})
export type PolicyManifest = Type.Static<typeof PolicyManifest>

/** Canonical form; also what the orchestrator stores. */
export interface PolicySpec extends SpecOf<typeof policyMembers> {
  name: string
}

export const PolicyRecord = namedObject('Policy', {
  name: Type.String(),
  ...recordOf(policyMembers),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type PolicyRecord = Type.Static<typeof PolicyRecord>

/** Body of `PUT /policies/{name}`. */
export const PolicyInput = namedObject('PolicyInput', inputOf(policyMembers))
export type PolicyInput = Type.Static<typeof PolicyInput>

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
