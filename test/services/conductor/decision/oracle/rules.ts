// A second statement of the conductor's rules, written from the documents that page.ts names and not from the code: for
// each expected action its predicate over a snapshot, and the sentence that demands it.
import type { PullRequest } from '../../../../../services/conductor/snapshot/facts.ts'
import { after, has, isSecurity, isTrunk, isTrunkHead, labelTime, lacksReview, MINUTES } from './facts.ts'
import { lines } from './lines.ts'
import { isRetargeted, isTried, type Move } from './moves.ts'
import { PAGE } from './page.ts'
import type { Judged } from './situations.ts'
import { dispatched, openPulls, post, resumed, unlabelled, unreported, withLock, type Rule, type View } from './view.ts'

const restacks = (moves: readonly Move[]): string[] => moves.filter(isTried).map(lines.restack)
const retargets = (moves: readonly Move[]): string[] =>
  moves.filter(isRetargeted).map(({ step, pull, onto }) => lines.retarget(step, pull.number, onto))
const conflicts = (view: View, moves: readonly Move[]): string[] =>
  moves
    .filter(({ fate }) => fate === 'conflict')
    .flatMap(({ step, pull, onto }) => [
      lines.label(step, 'add-label', pull.number, 'needs-restack'),
      ...post(view, step, pull, 'engineering', 'rebase-conflict', { mentions: isTrunk(view.given.snapshot, onto) }),
    ])

/** "Delete the branch (not main, pipeline base, a fork's, one that moved or whose dependent did)": none in use. */
export function deletion(
  view: View,
  step: 1 | 6,
  merged: { number: number; branch: string; head: string; isFork: boolean },
): string[] {
  const moved = [...view.moves, ...view.movesAfterMerge].filter(isRetargeted).map(({ pull }) => pull.number)
  const isUsed = openPulls(view).some(
    ({ number, base, branch, isFork }) =>
      (base === merged.branch && !moved.includes(number)) || (!isFork && branch === merged.branch),
  )
  const isKept = merged.isFork || isTrunk(view.given.snapshot, merged.branch) || isUsed
  return isKept ? [] : [lines.deleteBranch(step, merged)]
}

const firstStep: Rule[] = [
  { step: 1, cites: PAGE.restack, expects: ({ moves }) => restacks(moves) },
  { step: 1, cites: PAGE.retarget, expects: ({ moves }) => retargets(moves) },
  { step: 1, cites: PAGE.rebaseConflict, expects: (view) => conflicts(view, view.moves) },
  {
    step: 1,
    cites: PAGE.intents,
    expects: (view) => resumed(view).flatMap((merged) => deletion(view, 1, merged)),
  },
  {
    step: 1,
    cites: PAGE.intents,
    expects: (view) =>
      unreported(view)
        .filter(({ number }) => !view.moves.some((move) => move.fate === 'conflict' && move.merged.number === number))
        .map(({ number }) => lines.post({ step: 1, number, room: 'operations', about: 'merged', mention: null })),
  },
]

/** "Nudge … at most once per hour per item"; unreachable memory: nothing that is reported once is posted. */
function nudges(view: View): string[] {
  const { snapshot, reported, mention } = view.given
  return snapshot.pullRequests
    .filter((pull) => {
      const since = labelTime(pull, 'review-agent')
      if (since === undefined || pull.isDraft || !after(snapshot, since, 30 * MINUTES)) return false
      return lacksReview(pull, since) === true
    })
    .filter(({ number }) => {
      const last = reported?.get(`nudge #${number}`)
      return reported !== null && (last === undefined || after(snapshot, last, 60 * MINUTES))
    })
    .map((pull) =>
      lines.post({
        step: 4,
        number: pull.number,
        room: 'engineering',
        about: 'nudge',
        key: `nudge #${pull.number}`,
        mention: isSecurity(pull) ? mention : null,
      }),
    )
}

const itemSteps: Rule[] = [
  {
    step: 2,
    cites: PAGE.triage,
    expects: (view) => unlabelled(view).map(({ number }) => lines.label(2, 'add-label', number, 'needs-triage')),
  },
  { step: 2, cites: PAGE.lock, expects: (view) => withLock(2, unlabelled(view).length) },
  {
    step: 3,
    cites: PAGE.dispatch,
    expects: (view) => dispatched(view).map(({ number }) => lines.label(3, 'add-label', number, 'agent')),
  },
  { step: 3, cites: PAGE.lock, expects: (view) => withLock(3, dispatched(view).length) },
  { step: 4, cites: PAGE.nudge, expects: nudges },
  {
    step: 5,
    cites: PAGE.approve,
    expects: ({ gained }) => gained.map(({ number }) => lines.label(5, 'add-label', number, 'merge-ready')),
  },
]

const inSituation = ({ judged }: View, name: Judged['situation']): Judged[] =>
  judged.filter(({ situation }) => situation === name)

/** Conflicts that the snapshot shows, and those that the answer to a merge shows. */
const conflicting = (view: View): PullRequest[] =>
  [
    ...inSituation(view, 'conflicting'),
    ...inSituation(view, 'eligible').filter(({ pull }) => view.given.merges?.[pull.number] === 'conflict'),
  ].map(({ pull }) => pull)

const gates = (view: View): PullRequest[] =>
  [
    ...inSituation(view, 'gate'),
    ...inSituation(view, 'eligible').filter(({ pull }) => view.given.merges?.[pull.number] === 'gate'),
  ].map(({ pull }) => pull)

/** The first of each base; a fork's branch and a trunk are never written. */
function behind(view: View): PullRequest[] {
  const bases = new Set<string>()
  return inSituation(view, 'behind').flatMap(({ pull, standing: { base } }) => {
    if (pull.isFork || isTrunkHead(view.given.snapshot, pull) || bases.has(base)) return []
    bases.add(base)
    return [pull]
  })
}

const situations: Rule[] = [
  {
    step: 6,
    cites: PAGE.changesRequested,
    expects: (view) =>
      inSituation(view, 'changes-requested').flatMap(({ pull }) => [
        ...(has(pull, 'needs-rework') ? [] : [lines.label(6, 'add-label', pull.number, 'needs-rework')]),
        ...post(view, 6, pull, 'operations', 'changes-requested'),
        lines.label(6, 'remove-label', pull.number, 'merge-ready'),
      ]),
  },
  {
    step: 6,
    cites: PAGE.conflicting,
    expects: (view) =>
      conflicting(view).flatMap((pull) => [
        ...post(view, 6, pull, 'engineering', 'conflicting', { mentions: true }),
        lines.label(6, 'add-label', pull.number, 'needs-restack'),
      ]),
  },
  {
    step: 6,
    cites: PAGE.checksFailed,
    expects: (view) =>
      inSituation(view, 'checks-failed').flatMap(({ pull }) => [
        ...(pull.reportedHeads.includes(pull.head) ? [] : [lines.comment(pull.number, pull.head)]),
        ...post(view, 6, pull, 'operations', 'checks-failed', { key: `checks-failed #${pull.number} @${pull.head}` }),
        lines.label(6, 'remove-label', pull.number, 'merge-ready'),
      ]),
  },
  {
    step: 6,
    cites: PAGE.noApprovals,
    expects: (view) =>
      inSituation(view, 'no-approvals').flatMap(({ pull }) =>
        post(view, 6, pull, 'operations', 'review-needed', { key: `review-needed #${pull.number}` }),
      ),
  },
  {
    step: 6,
    cites: PAGE.gate,
    expects: (view) =>
      gates(view).flatMap((pull) =>
        post(view, 6, pull, 'engineering', 'gate', { key: `gate #${pull.number} @${pull.head}` }),
      ),
  },
  {
    step: 6,
    cites: PAGE.behind,
    expects: (view) => behind(view).map(({ number, head }) => lines.updateBranch(number, head)),
  },
]

/** A conflict of a dependent is escalated instead of the announcement. */
const isAnnounced = ({ movesAfterMerge }: View, { number }: PullRequest): boolean =>
  !movesAfterMerge.some(({ fate, merged }) => fate === 'conflict' && merged.number === number)

const merges: Rule[] = [
  {
    step: 6,
    cites: PAGE.merge,
    expects: (view) => inSituation(view, 'eligible').map(({ pull }) => lines.merge(pull.number, pull.head)),
  },
  { step: 6, cites: PAGE.restack, expects: ({ movesAfterMerge }) => restacks(movesAfterMerge) },
  { step: 6, cites: PAGE.retarget, expects: ({ movesAfterMerge }) => retargets(movesAfterMerge) },
  { step: 6, cites: PAGE.rebaseConflict, expects: (view) => conflicts(view, view.movesAfterMerge) },
  { step: 6, cites: PAGE.deletion, expects: (view) => view.merged.flatMap((pull) => deletion(view, 6, pull)) },
  {
    step: 6,
    cites: PAGE.announce,
    expects: (view) =>
      view.merged
        .filter((pull) => isAnnounced(view, pull))
        .map(({ number }) => lines.post({ step: 6, number, room: 'operations', about: 'merged', mention: null })),
  },
]

/** Steps 1 to 6 up to the table of situations. */
export const QUEUE_RULES: readonly Rule[] = [...firstStep, ...itemSteps, ...situations, ...merges]
