// The table of situations of a pull request with `merge-ready`: the first that holds.
import { RULES, type ConductorItem, type Rule, type Situation } from '../../../schemas/conductor/run.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import { findings, isComputing, type Circumstances, type Findings } from './rules.ts'

export interface Judgement {
  pullRequest: PullRequest
  rules: Findings
  /** Null without `merge-ready`. */
  situation: Situation | null
}

type Condition = (pullRequest: PullRequest, rules: Findings, circumstances: Circumstances) => boolean

const isUnread = (pullRequest: PullRequest) =>
  isComputing(pullRequest) || pullRequest.verdicts === null || pullRequest.checks === null

const TABLE: readonly (readonly [Situation, Condition])[] = [
  ['changes-requested', ({ verdicts }) => verdicts?.includes('CHANGES_REQUESTED') === true],
  ['held', (_, { clear }) => clear.holds === false],
  ['draft', (_, { draft }) => draft.holds === false],
  ['queued', ({ isQueued }) => isQueued],
  ['parent-open', (_, { stack }) => stack.holds === false],
  ['conflicting', (_, { mergeable }) => mergeable.holds === false],
  ['checks-failed', (_, { checks }) => checks.holds === false],
  ['no-approvals', (_, { reviews }) => reviews.holds === false],
  [
    'unknown',
    (pullRequest, _, { isRestacked, isRetargeted }) => !isRestacked && (isRetargeted || isUnread(pullRequest)),
  ],
  ['checks-pending', (_, { checks, gate }) => checks.holds === null || gate.holds === null],
  ['gate', (_, { gate }) => gate.holds === false],
  ['behind', ({ mergeState }) => mergeState === 'BEHIND'],
  ['eligible', (_, rules) => RULES.every((rule) => rules[rule].holds === true)],
]

/** Pure; the same for a dry run, before a merge, and for a label that requires eligibility. */
export function judge(pullRequest: PullRequest, circumstances: Circumstances): Judgement {
  const rules = findings(pullRequest, circumstances)
  const situation = TABLE.find(([, holds]) => holds(pullRequest, rules, circumstances))?.[0] ?? 'unknown'
  return { pullRequest, rules, situation: rules.label.holds ? situation : null }
}

/** Replaces a finding that the forge contradicts when it refuses a merge. */
export function replaceFinding(judgement: Judgement, situation: Situation, rule: Rule, reason: string): Judgement {
  return { ...judgement, situation, rules: { ...judgement.rules, [rule]: { holds: false, reason } } }
}

export function itemOf({ pullRequest, rules, situation }: Judgement): ConductorItem {
  return {
    number: pullRequest.number,
    title: pullRequest.title,
    labels: pullRequest.labels.map(({ name }) => name),
    situation,
    rules: RULES.map((rule) => ({ rule, ...rules[rule] })),
  }
}
