// A plan: what would change, why, and what it costs.
import * as Type from 'typebox'
import { Diagnostic } from './diagnostic.ts'
import { closedObject, namedObject, nullableText, orNull } from './shapes.ts'

export const ACTIONS = ['create', 'update', 'restart', 'replace', 'adopt', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

const nullableInteger = orNull(Type.Integer())

export const Change = closedObject({
  path: Type.String({ description: 'Dotted, an element of a keyed list in brackets; any other list is one value' }),
  before: Type.Unknown(),
  after: Type.Unknown(),
  owner: Type.Enum(['manifest', 'live'], { description: 'Who moved: the manifest, or somebody on the live system' }),
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
  interrupts: orNull(Type.String(), 'The work a restart would interrupt now'),
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

/** Deletions past the budget; none of them is made until the override says this very hash. */
export const PruneGuard = closedObject({
  deletes: Type.Integer(),
  owned: Type.Integer(),
  max_delete: Type.String(),
  allowed: Type.Integer(),
  hash: Type.String(),
  resources: Type.Array(Type.String()),
})
export type PruneGuard = Type.Static<typeof PruneGuard>

/** What a plan policy does with the steps that it is about. */
export const POLICY_EFFECTS = ['deny', 'confirm', 'warn'] as const
export type PolicyEffect = (typeof POLICY_EFFECTS)[number]

/** Codes of the diagnostics for what policies hold back. */
export const POLICY_DENIED = 'policy-denied'
export const POLICY_UNCONFIRMED = 'policy-unconfirmed'

/** What a policy of the source says of a plan. */
export const PlanVerdict = closedObject({
  policy: Type.String(),
  effect: Type.Enum([...POLICY_EFFECTS]),
  resources: Type.Array(Type.String(), { description: 'Whose steps it is about, as kind/name' }),
  member: nullableText,
})
export type PlanVerdict = Type.Static<typeof PlanVerdict>

/** Steps that policies keep out of a plan, as kind/name. */
export const PlanHeld = closedObject({
  denied: Type.Array(Type.String()),
  unconfirmed: Type.Array(Type.String(), { description: 'Made once `confirm` says the hash' }),
  waiting: Type.Array(Type.String(), { description: 'Hang on those, and are not made either' }),
  hash: orNull(Type.String(), 'Of what is unconfirmed'),
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

/** How far the steps reach beyond themselves, as kind/name. */
export const PlanImpact = closedObject({
  stopped: Type.Array(Type.String(), { description: 'What is restarted, replaced or deleted' }),
  interrupted: Type.Array(Type.String(), { description: 'Of these, what has work in hand now' }),
  affected: Type.Array(Type.String(), { description: 'What depends on them, step by step, and is none of them' }),
})
export type PlanImpact = Type.Static<typeof PlanImpact>

/** What a plan was asked to be: a saved plan is made again in the same way. */
const choices = {
  targets: Type.Optional(Type.Array(Type.String(), { description: 'Only these, as kind/name' })),
  prune: Type.Optional(Type.Boolean()),
  prune_override: Type.Optional(Type.String({ description: 'Hash of the guard that may be passed' })),
  confirm: Type.Optional(Type.String({ description: 'Hash of the steps that policies want confirmed' })),
  delete_all: Type.Optional(Type.Boolean({ description: 'Teardown: remove what the manifests name' })),
  keep_drift: Type.Optional(
    Type.Boolean({ description: 'Leave what was changed or deleted on the live system; default: it is put back' }),
  ),
  strict: Type.Optional(Type.Boolean({ description: 'Warnings count as errors' })),
}
export const PlanChoices = closedObject(choices)
export type PlanChoices = Type.Static<typeof PlanChoices>

export const Plan = namedObject('Plan', {
  id: Type.String(),
  hash: Type.String({ description: 'Of the steps and of what they were made from' }),
  source: Type.String(),
  /** Folder the manifests came from: a saved plan is applied with them read again. */
  root: nullableText,
  revision: nullableText,
  created_at: Type.String(),
  steps: Type.Array(PlanStep),
  summary: PlanSummary,
  /** Where live differs though no manifest changed; reported, and not part of the steps. */
  drift: Type.Array(PlanDrift),
  diagnostics: Type.Array(Diagnostic),
  guard: orNull(PruneGuard),
  impact: Type.Optional(PlanImpact),
  policies: Type.Optional(Type.Array(PlanVerdict, { description: 'What plan policies say of it' })),
  held: Type.Optional(PlanHeld),
  /** Per resource of a step, the hash of the live state it was made from: what a saved plan is bound to. */
  preconditions: Type.Record(Type.String(), nullableText),
  choices: Type.Optional(PlanChoices),
})
export type Plan = Type.Static<typeof Plan>

/** As much of a saved plan as applying it again leans on. */
const SavedPlan = Type.Object(
  {
    id: Type.String(),
    hash: Type.String(),
    source: Type.String(),
    root: Type.Optional(nullableText),
    revision: nullableText,
    preconditions: Type.Record(Type.String(), nullableText),
    choices: Type.Optional(PlanChoices),
  },
  { additionalProperties: true, description: 'A saved plan, whole (apply only)' },
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
    Type.Array(ManifestFile, { description: 'Files that the manifests name, such as templates; as paths from root' }),
  ),
  directories: Type.Optional(
    Type.Array(Type.String(), { description: 'Folders that the manifests name and that are there, from root' }),
  ),
  absent: Type.Optional(
    Type.Array(Type.String(), { description: 'What the manifests name and is not there, from root' }),
  ),
  plan: Type.Optional(SavedPlan),
  root: Type.Optional(Type.String({ description: 'Folder the manifests’ relative paths start at' })),
  variables: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Values for ${VAR}; the daemon’s environment otherwise',
    }),
  ),
  ...choices,
})
export type PlanInput = Type.Static<typeof PlanInput>
