// Step 6: the table of situations, alone and with several pull requests.
import { ago, commit, HOUR, label, mergedPullRequest, MINUTE, pullRequest, TIME } from '../../../snapshots.ts'
import type { MergedPullRequest, PullRequest } from '../../../../../../services/conductor/snapshot/facts.ts'
import type { Case, MergeFailure } from '../facts.ts'
import { caseOf, flags, memoryOf, listIf, product } from './product.ts'
import { AGES, check, CHECKS, seenSince, VERDICTS } from './ages.ts'

const MERGE_STATES: Record<string, Pick<PullRequest, 'mergeable' | 'mergeState'>> = {
  clean: { mergeable: 'MERGEABLE', mergeState: 'CLEAN' },
  behind: { mergeable: 'MERGEABLE', mergeState: 'BEHIND' },
  blocked: { mergeable: 'MERGEABLE', mergeState: 'BLOCKED' },
  conflicting: { mergeable: 'CONFLICTING', mergeState: 'DIRTY' },
  unknown: { mergeable: 'UNKNOWN', mergeState: 'UNKNOWN' },
  'unknown rules': { mergeable: 'MERGEABLE', mergeState: 'UNKNOWN' },
}

/** Base branches, with the pull requests that own them. */
const PARENTS: Record<string, { base: string; open?: PullRequest; merged?: MergedPullRequest }> = {
  main: { base: 'main' },
  pipeline: { base: 'next' },
  open: { base: 'change-2', open: pullRequest({ number: 2, labels: [], verdicts: [] }) },
  merged: { base: 'change-2', merged: mergedPullRequest({ number: 2 }) },
  closed: { base: 'change-2' },
  'open fork': {
    base: 'patch-2',
    open: pullRequest({ number: 2, labels: [], verdicts: [], branch: 'patch-2', isFork: true }),
  },
  'merged fork': { base: 'patch-2', merged: mergedPullRequest({ number: 2, branch: 'patch-2', isFork: true }) },
  'merged and open': {
    base: 'change-2',
    open: pullRequest({ number: 4, labels: [], verdicts: [], branch: 'change-2' }),
    merged: mergedPullRequest({ number: 2 }),
  },
}

/** Parents with each combination of facts; others with two facts at most that hold a pull request. */
const FULL: readonly string[] = ['main', 'open']

/** Every two situations that can hold at once do so here. Ages of heads are varied where they matter. */
export function* table(): Generator<Case> {
  const choices = {
    verdicts: VERDICTS.slice(0, 4),
    needs: [null, 'needs-rework', 'needs-restack'],
    draft: flags,
    queued: flags,
    parent: Object.keys(PARENTS),
    mergeState: Object.keys(MERGE_STATES),
    checks: ['unread', 'none', 'success', 'error', 'pending', 'gate', 'failure and pending'],
    human: flags,
    age: [HOUR, ...AGES],
  }
  for (const chosen of product(choices)) {
    const { needs, draft, queued, human, age } = chosen
    const held = [needs !== null, draft, queued, human].filter(Boolean).length
    if (!FULL.includes(chosen.parent) && held > 2) continue
    const isAgeable = chosen.checks === 'none' || chosen.mergeState === 'blocked'
    if (age !== HOUR && !(isAgeable && chosen.parent === 'main' && needs === null && !draft && !queued)) continue
    const parent = PARENTS[chosen.parent]!
    const pull = pullRequest({
      number: 5,
      labels: [
        'merge-ready',
        ...listIf(chosen.human, 'human-gate'),
        ...listIf(chosen.needs !== null, label(chosen.needs ?? '', ago(10 * MINUTE))),
      ],
      verdicts: chosen.verdicts,
      isDraft: chosen.draft,
      isQueued: chosen.queued,
      base: parent.base,
      checks: CHECKS[chosen.checks]!,
      ...MERGE_STATES[chosen.mergeState],
    })
    const pullRequests = parent.open === undefined ? [pull] : [parent.open, pull]
    const merged = parent.merged === undefined ? [] : [parent.merged]
    const reported = chosen.parent === 'merged' ? memoryOf(TIME, {}) : seenSince(pull, age)
    yield caseOf('table', chosen, { pullRequests, merged, pipelineBase: 'next' }, { reported })
  }
}

/** One pull request for each situation. */
export const EXAMPLES: Record<string, Partial<Omit<PullRequest, 'labels'>> & { labels?: string[] }> = {
  'changes-requested': { verdicts: ['CHANGES_REQUESTED'] },
  held: { labels: ['merge-ready', 'needs-restack'] },
  draft: { isDraft: true },
  queued: { isQueued: true },
  'parent-open': { base: 'elsewhere' },
  conflicting: MERGE_STATES.conflicting!,
  'checks-failed': { checks: [check('FAILURE')] },
  'no-approvals': { verdicts: [] },
  unknown: MERGE_STATES.unknown!,
  'checks-pending': { checks: [check('PENDING')] },
  gate: { labels: ['merge-ready', 'human-gate'] },
  behind: MERGE_STATES.behind!,
  eligible: {},
}
export const EXAMPLE_NAMES = Object.keys(EXAMPLES)

export const exampleOf = (name: string, given: Given = {}): PullRequest => pullRequest({ ...given, ...EXAMPLES[name] })

/** Situations by what memory, comments, mention and the labels of the item say. */
export function* remembered(): Generator<Case> {
  const choices = {
    situation: EXAMPLE_NAMES,
    memory: ['empty', 'this', 'other head', 'unreachable'],
    commented: [null, 'this', 'other head'],
    security: [null, 'security-agent'],
    mention: [null, '@ada'],
    base: ['main', 'next'],
    squash: flags,
    fork: flags,
  }
  for (const { mention, ...chosen } of product(choices)) {
    const made = exampleOf(chosen.situation, { number: 5, base: chosen.base, isFork: chosen.fork })
    const labels = [...made.labels, ...listIf(chosen.security !== null, label(chosen.security ?? '', ago(HOUR)))]
    const reportedHeads = listIf(chosen.commented !== null, chosen.commented === 'this' ? made.head : commit(99))
    const pull: PullRequest = { ...made, labels, reportedHeads }
    const head = chosen.memory === 'this' ? made.head : commit(99)
    const ages = {
      [`gate #5 @${head}`]: HOUR,
      [`checks-failed #5 @${head}`]: HOUR,
      [`review-needed ${chosen.memory === 'this' ? '#5' : '#6'}`]: HOUR,
      ...(chosen.memory === 'this' ? { 'queue-blocked': HOUR } : {}),
    }
    const reported = memoryOf(TIME, chosen.memory === 'unreachable' ? null : chosen.memory === 'empty' ? {} : ages)
    const snapshot = { pullRequests: [pull], pipelineBase: 'next', isSquashAllowed: chosen.squash }
    yield caseOf('remembered', chosen, snapshot, { reported, mention })
  }
}

/** Three pull requests in all situations, with numbers that rise, or fall and gates that are reported. */
export function* trios(): Generator<Case> {
  const choices = { first: EXAMPLE_NAMES, second: EXAMPLE_NAMES, third: EXAMPLE_NAMES, known: flags }
  for (const chosen of product(choices)) {
    const numbers = chosen.known ? [7, 6, 5] : [5, 6, 7]
    const pullRequests = [chosen.first, chosen.second, chosen.third].map((name, at) =>
      exampleOf(name, { number: numbers[at]! }),
    )
    const ages = chosen.known
      ? Object.fromEntries(pullRequests.map(({ number, head }) => [`gate #${number} @${head}`, HOUR]))
      : {}
    yield caseOf('trios', chosen, { pullRequests }, { reported: memoryOf(TIME, ages) })
  }
}

/** Stacks of three; `null`: without merge-ready. Depth and number give different orders. */
export function* stacks(): Generator<Case> {
  const names = [null, ...EXAMPLE_NAMES.filter((name) => name !== 'parent-open')]
  const choices = {
    bottom: names,
    middle: names,
    top: names,
    numbers: [
      [5, 6, 7],
      [7, 6, 5],
    ],
  }
  for (const chosen of product(choices)) {
    const pullRequests = [chosen.bottom, chosen.middle, chosen.top].map((name, at) => {
      const base = at === 0 ? 'main' : `change-${chosen.numbers[at - 1]}`
      const given = { number: chosen.numbers[at]!, base }
      return name === null ? pullRequest({ ...given, labels: ['review-agent'], verdicts: [] }) : exampleOf(name, given)
    })
    yield caseOf('stacks', chosen, { pullRequests })
  }
}

const MERGE_FAILURES: (MergeFailure | undefined)[] = [undefined, 'moved', 'closed', 'conflict', 'gate', 'error']

/** Answers to merges, beside another pull request and with a reported gate or not. */
export function* mergeAnswers(): Generator<Case> {
  const choices = {
    answer: MERGE_FAILURES,
    second: EXAMPLE_NAMES,
    secondAnswer: MERGE_FAILURES,
    dependent: flags,
    known: flags,
    security: flags,
  }
  for (const chosen of product(choices)) {
    const labels = ['merge-ready', ...listIf(chosen.security, 'security')]
    const first = pullRequest({ number: 5, labels })
    const pullRequests = [
      first,
      exampleOf(chosen.second, { number: 6 }),
      ...listIf(chosen.dependent, pullRequest({ number: 4, base: first.branch })),
    ]
    const ages = chosen.known ? { [`gate #5 @${first.head}`]: HOUR } : {}
    const merges: Record<number, MergeFailure> = {}
    if (chosen.answer !== undefined) merges[5] = chosen.answer
    if (chosen.secondAnswer !== undefined && chosen.second === 'eligible') merges[6] = chosen.secondAnswer
    if (chosen.secondAnswer !== undefined && chosen.second !== 'eligible') continue
    yield caseOf('merge answers', chosen, { pullRequests }, { reported: memoryOf(TIME, ages), merges })
  }
}

/** Gates of the snapshot and of a refused merge: what becomes of the post, and what the memory knows. */
export function* gateStops(): Generator<Case> {
  const choices = {
    gate: ['gate', 'eligible', 'unknown'],
    post: [undefined, 'error', 'missing'] as const,
    known: [[], ['gate'], ['gate-stop'], ['gate', 'gate-stop'], null],
    beside: EXAMPLE_NAMES,
  }
  for (const chosen of product(choices)) {
    const first = exampleOf(chosen.gate, { number: 5 })
    const pullRequests = [first, exampleOf(chosen.beside, { number: 6 })]
    const { known, post } = chosen
    const ages = known && Object.fromEntries(known.map((subject) => [`${subject} #5 @${first.head}`, HOUR]))
    const given = { reported: memoryOf(TIME, ages), merges: { 5: 'gate' } as const }
    yield caseOf('gate stops', chosen, { pullRequests }, { ...given, ...(post && { announcements: { 5: post } }) })
  }
}

type Given = Parameters<typeof pullRequest>[0]

/** Second readings that are no situation. */
const READS: Record<string, (given: Given) => PullRequest | null> = {
  'no check': (given) => pullRequest({ ...given, checks: [] }),
  blocked: (given) => pullRequest({ ...given, mergeState: 'BLOCKED' }),
  'unknown rules': (given) => pullRequest({ ...given, ...MERGE_STATES['unknown rules'] }),
  closed: () => null,
  'label gone': (given) => pullRequest({ ...given, labels: ['bug'] }),
}

/** What a second reading before a merge shows. */
export function* rereads(): Generator<Case> {
  const choices = {
    again: [...EXAMPLE_NAMES, ...Object.keys(READS)],
    sameHead: flags,
    gained: flags,
    known: flags,
    dependent: flags,
    beside: EXAMPLE_NAMES,
  }
  for (const chosen of product(choices)) {
    const first = pullRequest({ number: 5, labels: listIf(!chosen.gained, 'merge-ready') })
    const head = chosen.sameHead ? first.head : commit(55)
    const read = (READS[chosen.again] ?? ((given) => exampleOf(chosen.again, given)))({ number: 5, head })
    const pullRequests = [
      exampleOf(chosen.beside, { number: 6 }),
      first,
      ...listIf(chosen.dependent, pullRequest({ number: 4, base: first.branch })),
    ]
    const ages = chosen.known ? { [`gate #5 @${head}`]: HOUR, [`seen #5 @${head}`]: HOUR, 'queue-blocked': HOUR } : {}
    const given = { reported: memoryOf(TIME, ages), rereads: { 5: read } }
    yield caseOf('rereads', chosen, { pullRequests }, given)
  }
}
