import * as Type from 'typebox'
import { manifestObject, type Fault, type KindDefinition } from './kind.ts'
import { canonical, costIn, inputOf, keyedIn, widensIn, writtenIn, type SpecOf } from './members.ts'
import { policyMembers, type PolicyInput } from './tools/named-policy.ts'
import { sandboxInputFaults, sandboxManifestFaults } from './sandbox/faults.ts'
import { placedSandbox } from './sandbox/inheritance.ts'
import { policyFaults } from './tools/policy-faults.ts'
import { policyWarnings } from './tools/policy-warnings.ts'
import { PRESETS } from './tools/presets/index.ts'

export { PolicyInput, PolicyRecord } from './tools/named-policy.ts'

export const PolicyManifest = manifestObject('Policy', 'A named tool policy that agents and workflows refer to', {
  ...inputOf(policyMembers),
  description: Type.Optional(Type.String()),
})
export type PolicyManifest = Type.Static<typeof PolicyManifest>

/** Canonical form; also stored by the orchestrator. */
export interface PolicySpec extends SpecOf<typeof policyMembers> {
  name: string
}

/** Errors of a policy body or an inline tool policy beyond the schema. */
export function checkPolicyInput(input: PolicyInput): Fault[] {
  return [...policyFaults(input, []), ...sandboxInputFaults(input.sandbox, ['sandbox'])]
}

export const policyKind: KindDefinition<PolicySpec> = {
  kind: 'policies',
  title: 'policy',
  manifestKind: 'Policy',
  schema: PolicyManifest,
  secrets: [],
  check: (manifest: PolicyManifest, context) => [
    ...policyFaults(manifest, []),
    ...policyWarnings(manifest, []),
    // Its agents may have other OS users.
    ...sandboxManifestFaults(manifest.sandbox, context, { homeIsKnown: false }),
  ],
  references: () => [],
  canonicalise: (manifest: PolicyManifest, context) => ({
    name: manifest.name,
    ...canonical(policyMembers, { ...manifest, sandbox: placedSandbox(manifest.sandbox, context) }),
  }),
  change: costIn(policyMembers),
  widens: widensIn(policyMembers),
  // The same entry means allowed in one mode and denied in another; other modes take no entries.
  keyed: {
    ...keyedIn({ sandbox: policyMembers.sandbox }),
    tools: { by: '.', under: 'mode' },
    ask: { by: '.', under: 'mode' },
    deny: { by: '.', under: 'mode' },
  },
  written: writtenIn(policyMembers),
  namedById: true,
  builtIn: PRESETS,
}
