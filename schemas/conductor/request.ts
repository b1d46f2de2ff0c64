// Requests to the conductor, and the labels that it reads or writes.
import * as Type from 'typebox'
import { closedObject, namedObject, orNull } from '../shapes.ts'
import { JudgedRule } from './run.ts'

export const CONDUCTOR_LABELS = [
  'needs-triage',
  'triaged',
  'agent',
  'plan-agent',
  'docs-agent',
  'enrich-agent',
  'test-agent',
  'refactor-agent',
  'research-agent',
  'security-agent',
  'security',
  'security-advisory',
  'complexity:large',
  'plan',
  'review-agent',
  'merge-ready',
  'needs-rework',
  'needs-restack',
  'human-gate',
  'conductor-sync',
] as const
export type ConductorLabel = (typeof CONDUCTOR_LABELS)[number]

/** `owner/name` of a forge. */
export const FORGE_REPOSITORY = '^[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$'
export const ForgeRepositoryName = Type.String({
  pattern: FORGE_REPOSITORY,
  description: 'Repository as owner/name (default: SVC_CONDUCTOR_REPOSITORY)',
  examples: ['acme/shop'],
})

export const RunRequest = closedObject({
  repository: Type.Optional(ForgeRepositoryName),
  dry_run: Type.Optional(Type.Boolean({ description: 'List the actions of a run and change nothing' })),
})
export type RunRequest = Type.Static<typeof RunRequest>

export const LabelRequest = closedObject({
  repository: Type.Optional(ForgeRepositoryName),
  add: Type.Enum([...CONDUCTOR_LABELS], { description: 'Label to add' }),
  if_eligible: Type.Optional(
    Type.Boolean({ description: 'Only if the pull request meets all rules of a merge except label' }),
  ),
})
export type LabelRequest = Type.Static<typeof LabelRequest>

export const LabelReply = namedObject('ConductorLabel', {
  repository: Type.String(),
  number: Type.Integer(),
  label: Type.String(),
  outcome: Type.Enum(['done', 'unchanged'], { description: 'unchanged: it was there' }),
  rules: orNull(Type.Array(JudgedRule), 'Rules of a merge; null without if_eligible'),
})
export type LabelReply = Type.Static<typeof LabelReply>
