// The Policy kind: a tool policy with a name, for manifests to share.
import Type, { type Static } from 'typebox'
import { commonMembers, type KindDefinition } from './kind.ts'
import { canonicalPolicy, PolicyMode, policyFaults, ToolEntry } from './tool-policy.ts'

export const PolicyManifest = Type.Object(
  {
    ...commonMembers,
    mode: PolicyMode,
    tools: Type.Optional(Type.Array(ToolEntry)),
    description: Type.Optional(Type.String()),
  },
  {
    $id: 'PolicyManifest',
    title: 'Policy',
    additionalProperties: false,
    description: 'A named tool policy that agents and workflows refer to',
  },
)
export type PolicyManifest = Static<typeof PolicyManifest>

/** Canonical form; also what the orchestrator stores. */
export interface PolicySpec {
  name: string
  mode: (typeof PolicyMode)['enum'][number]
  tools: string[]
  description: string | null
}

export const PolicyRecord = Type.Object(
  {
    name: Type.String(),
    mode: PolicyMode,
    tools: Type.Array(Type.String()),
    description: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { $id: 'Policy', additionalProperties: false },
)
export type PolicyRecord = Static<typeof PolicyRecord>

/** Body of `PUT /policies/{name}`. */
export const PolicyInput = Type.Object(
  {
    mode: PolicyMode,
    tools: Type.Optional(Type.Array(ToolEntry)),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { $id: 'PolicyInput', additionalProperties: false },
)
export type PolicyInput = Static<typeof PolicyInput>

export const policyKind: KindDefinition<PolicySpec> = {
  kind: 'policies',
  title: 'policy',
  manifestKind: 'Policy',
  schema: PolicyManifest,
  secrets: [],
  check: (manifest: PolicyManifest) => policyFaults(manifest, []),
  references: () => [],
  canonicalise: (manifest: PolicyManifest) => ({
    name: manifest.name,
    mode: manifest.mode,
    tools: canonicalPolicy(manifest, 'allow_all').tools ?? [],
    description: manifest.description ?? null,
  }),
  change: () => 'in-place',
}
