import type { Addition } from './addition.ts'

export const kind: Addition = {
  made: {
    'schemas/badge.ts': `
// The Badge kind: the motto of a team.
import * as Type from 'typebox'
import { commonMembers, type KindDefinition } from './kind.ts'
import { canonical, costIn, inputOf, required, widensIn, type SpecOf } from './members.ts'

const badgeMembers = { word: required(Type.String({ minLength: 1 })) }

export const BadgeManifest = Type.Object(
  { ...commonMembers, ...inputOf(badgeMembers) },
  { $id: 'BadgeManifest', title: 'Badge', additionalProperties: false },
)
type BadgeManifest = Type.Static<typeof BadgeManifest>

export interface BadgeSpec extends SpecOf<typeof badgeMembers> {
  name: string
}

export const badgeKind: KindDefinition<BadgeSpec> = {
  kind: 'badges',
  title: 'badge',
  manifestKind: 'Badge',
  schema: BadgeManifest,
  secrets: [],
  check: () => [],
  references: () => [],
  canonicalise: (manifest: BadgeManifest) => ({ name: manifest.name, ...canonical(badgeMembers, manifest) }),
  change: costIn(badgeMembers),
  widens: widensIn(badgeMembers),
}
`,
    'reconcilers/badge.ts': `
// Badges, stored in memory.
import type { Observed, Reconciler } from '../controller/reconciler.ts'
import { badgeKind, type BadgeSpec } from '../schemas/badge.ts'

export function badgeReconciler(): Reconciler<BadgeSpec, BadgeSpec> {
  const worn = new Map<string, BadgeSpec>()
  const observed = (spec: BadgeSpec): Observed<BadgeSpec, BadgeSpec> => ({ liveId: spec.name, spec, live: spec })
  return {
    definition: badgeKind,
    observe: async ({ name }) => (worn.has(name) ? observed(worn.get(name)!) : null),
    observeAll: async () => [...worn.values()].map(observed),
    apply: async ({ name, spec }) => {
      worn.set(name, spec)
      return { liveId: name, spec }
    },
    remove: async ({ name }) => void worn.delete(name),
    health: () => ({ status: 'Ready', message: 'worn' }),
    interrupts: () => null,
    writer: async () => null,
    changes: () => () => undefined,
  }
}
`,
    'manifests/badges/team.yml': 'name: team\nword: onwards\n',
    'docs/kinds/badge.md': '# Badge\n\n| member | meaning |\n|---|---|\n| `word` | what it says |\n',
    'test/reconcilers/badge.test.ts': `
import { expect, test } from 'vitest'
import { badgeReconciler } from '../../reconcilers/badge.ts'

test('returns null for an unknown badge', async () => {
  const lookup = { liveId: () => null, nameOf: () => null }
  expect(await badgeReconciler().observe({ name: 'team', liveId: null }, lookup, AbortSignal.abort())).toBe(null)
})
`,
  },
  touched: {
    'schemas/kinds.ts': [
      [
        "import { agentKind } from './agent.ts'\n",
        "import { agentKind } from './agent.ts'\nimport { badgeKind } from './badge.ts'\n",
      ],
      ['  workflowKind,\n]', '  workflowKind,\n  badgeKind,\n]'],
    ],
    'docs/specification.md': [['Manifests: Agent,', 'Manifests: Badge, Agent,']],
    'reconcilers/index.ts': [
      [
        "import { agentReconciler } from './agent.ts'\n",
        "import { agentReconciler } from './agent.ts'\nimport { badgeReconciler } from './badge.ts'\n",
      ],
      ['    workflowReconciler(orchestrator),\n', '    workflowReconciler(orchestrator),\n    badgeReconciler(),\n'],
    ],
  },
}
