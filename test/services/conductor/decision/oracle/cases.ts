// The enumeration: full products within a group, and pairs of cases across groups.
import type { Intent } from '../../../../../services/conductor/decision/contract.ts'
import type { Issue, MergedPullRequest, PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import type { Case } from './facts.ts'
import { bulk, issueLabels, missingPullRequests, nudges, staleItems } from './cases/issues.ts'
import { mergeAnswers, remembered, rereads, stacks, table, trios } from './cases/queue.ts'
import { approvals, failing, rework, youngHeads } from './cases/ages.ts'
import { dependents, intents, movedSituations, syncs, trunks } from './cases/stacks.ts'

export const GROUPS = {
  issueLabels,
  bulk,
  nudges,
  staleItems,
  missingPullRequests,
  approvals,
  rework,
  failing,
  youngHeads,
  table,
  remembered,
  trios,
  stacks,
  mergeAnswers,
  rereads,
  dependents,
  movedSituations,
  trunks,
  intents,
  syncs,
} satisfies Record<string, () => Iterable<Case>>
export type GroupName = keyof typeof GROUPS

const SHIFT = 100
const shifted = (number: number): number => number + SHIFT
const TRUNKS = ['main', 'next', 'release']
const shiftedBranch = (branch: string): string => (TRUNKS.includes(branch) ? branch : `other-${branch}`)

const shiftedIssue = (issue: Issue): Issue => ({ ...issue, number: shifted(issue.number) })
const shiftedMerged = (merged: MergedPullRequest): MergedPullRequest => ({
  ...merged,
  number: shifted(merged.number),
  branch: shiftedBranch(merged.branch),
  base: shiftedBranch(merged.base),
  references: merged.references.map(shifted),
})
const shiftedPull = (pull: PullRequest): PullRequest => ({
  ...pull,
  number: shifted(pull.number),
  branch: shiftedBranch(pull.branch),
  base: shiftedBranch(pull.base),
  linkedIssue: pull.linkedIssue === null ? null : shifted(pull.linkedIssue),
  references: pull.references.map(shifted),
})
const shiftedIntent = (intent: Intent): Intent => ({ ...intent, number: shifted(intent.number) })
const shiftedAnswers = <Answer>(answers: Readonly<Record<number, Answer>> | undefined): Record<number, Answer> =>
  Object.fromEntries(Object.entries(answers ?? {}).map(([number, answer]) => [shifted(Number(number)), answer]))
const shiftedRereads = (pulls: Case['rereads']): NonNullable<Case['rereads']> =>
  Object.fromEntries(
    Object.entries(shiftedAnswers(pulls)).map(([number, pull]) => [number, pull === null ? null : shiftedPull(pull)]),
  )
const shiftedKey = (key: string): string => key.replace(/#(\d+)/, (_, number) => `#${shifted(Number(number))}`)

/** Both cases in one repository: the items of the second get other numbers and branches. */
export function joined(one: Case, two: Case): Case {
  const second = two.snapshot
  return {
    group: 'pairs',
    name: `${one.group} ${one.name} + ${two.group} ${two.name}`,
    mention: one.mention,
    intents: [...one.intents, ...two.intents.map(shiftedIntent)],
    reported:
      one.reported === null || two.reported === null
        ? null
        : new Map([...one.reported, ...[...two.reported].map(([key, time]) => [shiftedKey(key), time] as const)]),
    restacks: { ...one.restacks, ...shiftedAnswers(two.restacks) },
    merges: { ...one.merges, ...shiftedAnswers(two.merges) },
    rereads: { ...one.rereads, ...shiftedRereads(two.rereads) },
    snapshot: {
      ...one.snapshot,
      pipelineBase: one.snapshot.pipelineBase ?? second.pipelineBase,
      isSquashAllowed: one.snapshot.isSquashAllowed && second.isSquashAllowed,
      issues: [...second.issues.map(shiftedIssue), ...one.snapshot.issues],
      pullRequests: [...one.snapshot.pullRequests, ...second.pullRequests.map(shiftedPull)],
      merged: [...one.snapshot.merged, ...second.merged.map(shiftedMerged)],
    },
  }
}

/** `count` cases of a list, evenly spread. A step that divides no dimension visits all of their values. */
export function sampleOf(cases: readonly Case[], count: number, start = 0): Case[] {
  if (cases.length <= count) return [...cases]
  const step = Math.floor(cases.length / count) | 1
  return Array.from({ length: count }, (_, at) => cases[(start + at * step) % cases.length]!)
}

const PER_PAIR = 24

/** Pairs of groups, each with cases that differ from pair to pair. */
function* pairs(groups: ReadonlyMap<GroupName, readonly Case[]>): Generator<Case> {
  const names = [...groups.keys()]
  let start = 0
  for (const one of names) {
    for (const two of names) {
      start += 17
      const firsts = sampleOf(groups.get(one)!, PER_PAIR, start)
      const seconds = sampleOf(groups.get(two)!, PER_PAIR, start * 3)
      for (let at = 0; at < PER_PAIR; at += 1) {
        yield joined(firsts[at % firsts.length]!, seconds[(at * 5) % seconds.length]!)
      }
    }
  }
}

export interface Enumeration {
  groups: ReadonlyMap<GroupName, readonly Case[]>
  pairs: readonly Case[]
}

export function enumerate(): Enumeration {
  const groups = new Map(
    Object.entries(GROUPS).map(([name, generate]) => [name as GroupName, [...generate()] as readonly Case[]]),
  )
  return { groups, pairs: [...pairs(groups)] }
}
