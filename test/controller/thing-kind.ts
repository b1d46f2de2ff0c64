import * as Type from 'typebox'
import { commonMembers, type Cost, type KindDefinition } from '../../schemas/kind.ts'
import { never, type Widening } from '../../schemas/members/widening.ts'
import type { Secret } from '../../schemas/secret.ts'

export interface ThingSpec {
  name: string
  size: number
  hard: string
  parent: string | null
  env: Record<string, Secret>
}

const schema = Type.Object(
  {
    ...commonMembers,
    size: Type.Optional(Type.Integer()),
    hard: Type.Optional(Type.String()),
    parent: Type.Optional(Type.String()),
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { $id: 'ThingManifest', additionalProperties: false },
)

const COSTS: Record<string, Cost> = { hard: 'restart', parent: 'replace' }

/** A test kind; kinds differ only in their title. */
export const kindOf = (title: string, widens: Widening = {}): KindDefinition<ThingSpec> => ({
  kind: `${title}s`,
  title,
  manifestKind: `${title[0]!.toUpperCase()}${title.slice(1)}`,
  schema: { ...schema, $id: `${title}Manifest` },
  secrets: [['env', '*']],
  check: () => [],
  references: (manifest) => (manifest.parent ? [{ kind: 'things', name: manifest.parent, path: ['parent'] }] : []),
  canonicalise: (manifest) => ({
    name: manifest.name,
    size: manifest.size ?? 0,
    hard: manifest.hard ?? '',
    parent: manifest.parent ?? null,
    env: manifest.env ?? {},
  }),
  change: (path) => COSTS[path] ?? 'in-place',
  widens: { size: never, hard: never, parent: never, env: never, ...widens },
})
