// The enumeration: full products within a group, and pairs of cases across groups.
import type { Intent } from '../../../../../services/conductor/decision/contract.ts'
import type {
  Issue,
  MergedPullRequest,
  PullRequest,
  Snapshot,
} from '../../../../../services/conductor/snapshot/facts.ts'
import type { Case } from './facts.ts'
import { bulk, issueLabels, missingPullRequests, nudges, staleItems } from './cases/issues.ts'
import { gateStops, mergeAnswers, remembered, rereads, stacks, table, trios } from './cases/queue.ts'
import { approvals, failing, rework, youngHeads } from './cases/ages.ts'
import { ends, trunkHeads } from './cases/branches.ts'
import { dependents, movedSituations, syncs, trunks } from './cases/stacks.ts'
import { intents, unfinished } from './cases/unfinished.ts'

/** Labels in another case, of every tenth case of groups about labels. */
function* spellings(): Generator<Case> {
  const other = <Each extends Pick<Issue, 'labels'>>(item: Each): Each => ({
    ...item,
    labels: item.labels.map(({ name, since }) => ({ name: name.toUpperCase(), since })),
  })
  for (const cases of [issueLabels, nudges, missingPullRequests, approvals, rework, remembered, dependents, syncs]) {
    let at = 0
    for (const given of cases()) {
      at += 1
      if (at % 10 !== 0) continue
      const { issues, pullRequests } = given.snapshot
      const snapshot = { ...given.snapshot, issues: issues.map(other), pullRequests: pullRequests.map(other) }
      yield { ...given, group: 'spellings', choices: [given.group, given.choices], snapshot }
    }
  }
}

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
  gateStops,
  rereads,
  dependents,
  movedSituations,
  trunks,
  trunkHeads,
  ends,
  intents,
  unfinished,
  syncs,
  spellings,
} satisfies Record<string, () => Iterable<Case>>
export type GroupName = keyof typeof GROUPS
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[]

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
  references: merged.references?.map(shifted) ?? null,
})
const shiftedPull = (pull: PullRequest): PullRequest => ({
  ...pull,
  number: shifted(pull.number),
  branch: shiftedBranch(pull.branch),
  base: shiftedBranch(pull.base),
  linkedIssue: pull.linkedIssue === null ? null : shifted(pull.linkedIssue),
  references: pull.references?.map(shifted) ?? null,
})
const shiftedIntent = (intent: Intent): Intent => ({ ...intent, number: shifted(intent.number) })
const shiftedAnswers = <Answer>(answers: Readonly<Record<number, Answer>> | undefined): Record<number, Answer> =>
  Object.fromEntries(Object.entries(answers ?? {}).map(([number, answer]) => [shifted(Number(number)), answer]))
const shiftedRereads = (pulls: Case['rereads']): NonNullable<Case['rereads']> =>
  Object.fromEntries(
    Object.entries(shiftedAnswers(pulls)).map(([number, pull]) => [number, pull === null ? null : shiftedPull(pull)]),
  )
const shiftedKey = (key: string): string => key.replace(/#(\d+)/, (_, number) => `#${shifted(Number(number))}`)

/** At most one of each branch of the repository. */
const latestOfBranches = (merged: readonly MergedPullRequest[]): MergedPullRequest[] =>
  merged.filter(
    (each, at) => each.isFork || !merged.slice(0, at).some(({ isFork, branch }) => !isFork && branch === each.branch),
  )

/** A branch that both cases name has one head: that of the first. */
function withOneTip(snapshot: Snapshot): Snapshot {
  const { pullRequests, merged } = snapshot
  const tips = new Map([...pullRequests, ...merged].toReversed().map(({ base, baseHead }) => [base, baseHead]))
  const tipped = <Each extends Pick<PullRequest, 'base' | 'baseHead'>>(each: Each): Each => ({
    ...each,
    baseHead: tips.get(each.base) ?? null,
  })
  return { ...snapshot, pullRequests: pullRequests.map(tipped), merged: merged.map(tipped) }
}

/** Both cases in one repository: the items of the second get other numbers and branches. */
export function joined(one: Case, two: Case): Case {
  const second = two.snapshot
  return {
    group: `${one.group} and ${two.group}`,
    choices: [one.choices, two.choices],
    mention: one.mention,
    intents: [...one.intents, ...two.intents.map(shiftedIntent)],
    reported:
      one.reported === null || two.reported === null
        ? null
        : new Map([...one.reported, ...[...two.reported].map(([key, time]) => [shiftedKey(key), time] as const)]),
    restacks: { ...one.restacks, ...shiftedAnswers(two.restacks) },
    merges: { ...one.merges, ...shiftedAnswers(two.merges) },
    rereads: { ...one.rereads, ...shiftedRereads(two.rereads) },
    deletions: { ...one.deletions, ...shiftedAnswers(two.deletions) },
    announcements: { ...one.announcements, ...shiftedAnswers(two.announcements) },
    snapshot: withOneTip({
      ...one.snapshot,
      pipelineBase: one.snapshot.pipelineBase ?? second.pipelineBase,
      isSquashAllowed: one.snapshot.isSquashAllowed && second.isSquashAllowed,
      issues: [...second.issues.map(shiftedIssue), ...one.snapshot.issues],
      pullRequests: [...one.snapshot.pullRequests, ...second.pullRequests.map(shiftedPull)],
      merged: latestOfBranches([...one.snapshot.merged, ...second.merged.map(shiftedMerged)]),
    }),
  }
}

/** At most `count` cases of a group, evenly spread. The step is odd, so that it divides no small dimension. */
export function sampleOf(name: GroupName, count: number): Case[] {
  const cases = [...GROUPS[name]()]
  if (cases.length <= count) return cases
  const step = Math.floor(cases.length / count) | 1
  return Array.from({ length: count }, (_, at) => cases[(at * step) % cases.length]!)
}

const PER_PAIR = 16
const POOL = 211

/** Cases of each two groups in one repository; they differ from pair to pair. */
export function* pairs(): Generator<Case> {
  const pools = GROUP_NAMES.map((name) => sampleOf(name, POOL))
  let start = 0
  for (const one of pools) {
    for (const two of pools) {
      start += 17
      for (let at = 0; at < PER_PAIR; at += 1) {
        yield joined(one[(start + at) % one.length]!, two[(start * 3 + at * 5) % two.length]!)
      }
    }
  }
}
