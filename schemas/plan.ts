import * as Type from 'typebox'
import { Diagnostic } from './diagnostic.ts'
import { closedObject, namedObject, nullableText, orNull, mapOf } from './shapes.ts'

export const ACTIONS = ['create', 'update', 'restart', 'replace', 'adopt', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

const nullableInteger = orNull(Type.Integer())

export const Change = closedObject({
  path: Type.String({ description: 'Dotted path; elements of a keyed list in brackets; any other list is one value' }),
  before: Type.Unknown(),
  after: Type.Unknown(),
  owner: Type.Enum(['manifest', 'live'], { description: 'Side that changed: the manifest or the live system' }),
  cost: Type.Enum(['in-place', 'restart', 'replace']),
})
export type Change = Type.Static<typeof Change>

export const PlanStep = namedObject('PlanStep', {
  kind: Type.String(),
  name: Type.String(),
  action: Type.Enum([...ACTIONS]),
  reason: Type.String(),
  changes: Type.Array(Change),
  file: nullableText,
  line: nullableInteger,
  column: nullableInteger,
  interrupts: orNull(Type.String(), 'Work that a restart would interrupt now'),
  widens: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Fields that grant more than before; omitted if none, and for creations',
    }),
  ),
})
export type PlanStep = Type.Static<typeof PlanStep>

export const PlanSummary = namedObject('PlanSummary', {
  create: Type.Integer(),
  update: Type.Integer(),
  restart: Type.Integer(),
  replace: Type.Integer(),
  adopt: Type.Integer(),
  delete: Type.Integer(),
  unchanged: Type.Integer(),
})
export type PlanSummary = Type.Static<typeof PlanSummary>

/** Deletions above the budget; made only if `prune_override` is this hash. */
export const PruneGuard = closedObject({
  deletes: Type.Integer(),
  owned: Type.Integer(),
  max_delete: Type.String(),
  allowed: Type.Integer(),
  hash: Type.String(),
  resources: Type.Array(Type.String()),
})
export type PruneGuard = Type.Static<typeof PruneGuard>

export const POLICY_EFFECTS = ['deny', 'confirm', 'warn'] as const
export type PolicyEffect = (typeof POLICY_EFFECTS)[number]

/** Name of the built-in policy that holds widening steps; names of other policies contain no slash. */
export const WIDENING_POLICY = 'svc/widening'

/** Diagnostic codes of held steps. */
export const POLICY_DENIED = 'policy-denied'
export const POLICY_UNCONFIRMED = 'policy-unconfirmed'

export const PlanVerdict = closedObject({
  policy: Type.String(),
  effect: Type.Enum([...POLICY_EFFECTS]),
  resources: Type.Array(Type.String(), { description: 'Resources of the affected steps, as kind/name' }),
  member: nullableText,
})
export type PlanVerdict = Type.Static<typeof PlanVerdict>

/** Steps held back by policies, as kind/name. */
export const PlanHeld = closedObject({
  denied: Type.Array(Type.String()),
  unconfirmed: Type.Array(Type.String(), { description: 'Steps that need `confirm` with the hash' }),
  waiting: Type.Array(Type.String(), { description: 'Steps that depend on held steps' }),
  hash: orNull(Type.String(), 'Hash of the unconfirmed steps'),
})
export type PlanHeld = Type.Static<typeof PlanHeld>

export const PlanDrift = closedObject({
  kind: Type.String(),
  name: Type.String(),
  path: Type.String(),
  desired: Type.Unknown(),
  live: Type.Unknown(),
})
export type PlanDrift = Type.Static<typeof PlanDrift>

/** Effects beyond the steps themselves, as kind/name. */
export const PlanImpact = closedObject({
  stopped: Type.Array(Type.String(), { description: 'Resources that are restarted, replaced or deleted' }),
  interrupted: Type.Array(Type.String(), { description: 'Those of them that have work in progress' }),
  affected: Type.Array(Type.String(), { description: 'Other resources that depend on them, directly or indirectly' }),
})
export type PlanImpact = Type.Static<typeof PlanImpact>

/** Options of a plan, stored to recompute a saved plan. */
const choices = {
  targets: Type.Optional(Type.Array(Type.String(), { description: 'Only these resources, as kind/name' })),
  prune: Type.Optional(Type.Boolean()),
  prune_override: Type.Optional(Type.String({ description: 'Hash of the prune guard to override' })),
  confirm: Type.Optional(Type.String({ description: 'Hash of the steps to confirm' })),
  delete_all: Type.Optional(Type.Boolean({ description: 'Teardown: delete the resources that the manifests declare' })),
  keep_drift: Type.Optional(
    Type.Boolean({ description: 'Keep changes and deletions made on the live system; default: revert them' }),
  ),
  strict: Type.Optional(Type.Boolean({ description: 'Treat warnings as errors' })),
}
export const PlanChoices = closedObject(choices)
export type PlanChoices = Type.Static<typeof PlanChoices>

export const Plan = namedObject('Plan', {
  id: Type.String(),
  hash: Type.String({ description: 'Hash of the steps and of the state they were computed from' }),
  source: Type.String(),
  /** Folder of the manifests, which are read again when a saved plan is applied. */
  root: nullableText,
  revision: nullableText,
  created_at: Type.String(),
  steps: Type.Array(PlanStep),
  summary: PlanSummary,
  /** Drift is reported and not part of the steps. */
  drift: Type.Array(PlanDrift),
  diagnostics: Type.Array(Diagnostic),
  guard: orNull(PruneGuard),
  impact: Type.Optional(PlanImpact),
  policies: Type.Optional(Type.Array(PlanVerdict, { description: 'Verdicts of the plan policies' })),
  held: Type.Optional(PlanHeld),
  /** Hash of the live state per changed resource; a saved plan is bound to it. */
  preconditions: mapOf(nullableText),
  choices: Type.Optional(PlanChoices),
})
export type Plan = Type.Static<typeof Plan>

/** Fields of a saved plan that applying it needs. */
const SavedPlan = Type.Object(
  {
    id: Type.String(),
    hash: Type.String(),
    source: Type.String(),
    root: Type.Optional(nullableText),
    revision: nullableText,
    preconditions: mapOf(nullableText),
    choices: Type.Optional(PlanChoices),
  },
  { additionalProperties: true, description: 'A complete saved plan (apply only)' },
)
export type SavedPlan = Type.Static<typeof SavedPlan>

export const ManifestFile = closedObject({ path: Type.String({ minLength: 1 }), content: Type.String() })

/** Body of `POST /plan` and `POST /apply`. */
export const PlanInput = namedObject('PlanInput', {
  manifests: Type.Optional(Type.Array(ManifestFile)),
  source: Type.Optional(
    Type.String({ maxLength: 256, description: 'Name of a source; with manifests, the name they are applied under' }),
  ),
  texts: Type.Optional(
    Type.Array(ManifestFile, {
      description: 'Files that the manifests reference, such as templates, as paths from root',
    }),
  ),
  directories: Type.Optional(
    Type.Array(Type.String(), { description: 'Existing folders that the manifests reference, as paths from root' }),
  ),
  absent: Type.Optional(
    Type.Array(Type.String(), { description: 'Missing files that the manifests reference, as paths from root' }),
  ),
  plan: Type.Optional(SavedPlan),
  root: Type.Optional(Type.String({ description: 'Folder that relative paths start at' })),
  variables: Type.Optional(
    mapOf(Type.String(), {
      description: 'Values for ${VAR}; default: the environment of the daemon',
    }),
  ),
  ...choices,
})
export type PlanInput = Type.Static<typeof PlanInput>
