// Steps 5 and 7, and the ends of step 6 that depend on ages.
import { ago, commit, DAY, HOUR, issue, label, MINUTE, pullRequest, TIME } from '../../../snapshots.ts'
import type { Check, PullRequest, Verdict } from '../../../../../../services/conductor/snapshot/facts.ts'
import { SECOND, type Case } from '../facts.ts'
import { caseOf, flags, memoryOf, listIf, product } from './product.ts'

export const VERDICTS: (readonly Verdict[] | null)[] = [
  null,
  [],
  ['APPROVED'],
  ['APPROVED', 'CHANGES_REQUESTED'],
  ['CHANGES_REQUESTED'],
  ['DISMISSED'],
  ['DISMISSED', 'APPROVED'],
]

export const check = (state: Check['state'], age = HOUR, name = 'ci'): Check => ({
  name,
  state,
  endedAt: state === 'PENDING' || state === 'GATE' ? null : ago(age),
})

const success = check('SUCCESS', HOUR, 'lint')
export const CHECKS: Record<string, readonly Check[] | null> = {
  unread: null,
  none: [],
  success: [success],
  skipped: [check('SKIPPED')],
  failure: [success, check('FAILURE')],
  error: [check('ERROR'), success],
  pending: [success, check('PENDING')],
  gate: [success, check('GATE')],
  'failure and pending': [check('PENDING', 0, 'e2e'), check('FAILURE')],
}

/** A memory that has this head since an age. */
export const seenSince = ({ number, head }: PullRequest, age: number) =>
  memoryOf(TIME, { [`seen #${number} @${head}`]: age })

export function* approvals(): Generator<Case> {
  const choices = {
    ready: flags,
    rework: flags,
    restack: flags,
    verdicts: VERDICTS,
    checks: Object.keys(CHECKS),
    draft: flags,
    mergeable: ['MERGEABLE', 'CONFLICTING', 'UNKNOWN'] as const,
  }
  for (const chosen of product(choices)) {
    const labels = [
      ...listIf(chosen.ready, label('merge-ready', ago(HOUR))),
      ...listIf(chosen.rework, label('needs-rework', ago(MINUTE))),
      ...listIf(chosen.restack, label('needs-restack', ago(HOUR))),
    ]
    const { verdicts, mergeable, draft: isDraft } = chosen
    const mergeStates = { MERGEABLE: 'CLEAN', CONFLICTING: 'DIRTY', UNKNOWN: 'CLEAN' } as const
    const mergeState = mergeStates[mergeable]
    const checks = CHECKS[chosen.checks]!
    const pull = pullRequest({ number: 5, labels, verdicts, mergeable, mergeState, isDraft, checks })
    yield caseOf('approvals', chosen, { pullRequests: [pull] }, { reported: seenSince(pull, HOUR) })
  }
}

export function* rework(): Generator<Case> {
  const choices = {
    labelled: [15 * MINUTE - SECOND, 15 * MINUTE, 15 * MINUTE + SECOND, 4 * DAY],
    issue: [null, 'unread', 'bug', 'agent', 'docs-agent', 'triaged'],
    draft: flags,
    active: [3 * DAY - SECOND, 3 * DAY, 3 * DAY + SECOND],
    memory: [null, 'empty', 'known'],
    ready: flags,
    security: flags,
  }
  for (const chosen of product(choices)) {
    const labels = [
      label('needs-rework', ago(chosen.labelled)),
      ...listIf(chosen.ready, label('merge-ready', ago(HOUR))),
      ...listIf(chosen.security, label('security', ago(HOUR))),
    ]
    const isUnread = chosen.issue === 'unread'
    const linkedIssue = chosen.issue === null || isUnread ? null : 3
    const pull = pullRequest({
      number: 5,
      labels,
      linkedIssue,
      references: isUnread ? null : [3],
      isDraft: chosen.draft,
      activeAt: ago(chosen.active),
      createdAt: ago(9 * DAY),
      verdicts: chosen.ready ? ['CHANGES_REQUESTED'] : [],
    })
    const issues = listIf(
      chosen.issue !== null,
      issue({ number: 3, labels: [label(chosen.issue ?? '', ago(8 * HOUR))] }),
    )
    const known = { 'no-linked-issue #5': HOUR, 'rework-stale #5': HOUR, 'stale #5': HOUR }
    const ages = chosen.memory === null ? null : chosen.memory === 'known' ? known : {}
    const snapshot = { issues, pullRequests: [pull] }
    yield caseOf('rework', chosen, snapshot, { reported: memoryOf(TIME, ages) })
  }
}

const AROUND_FAILING = [24 * HOUR - SECOND, 24 * HOUR, 24 * HOUR + SECOND]

export function* failing(): Generator<Case> {
  const choices = {
    older: AROUND_FAILING,
    second: [null, 'FAILURE', 'SUCCESS', 'PENDING'] as const,
    state: ['FAILURE', 'ERROR', 'SUCCESS'] as const,
    draft: flags,
    ready: flags,
    reported: [[], ['checks-failed'], ['checks-failing'], ['checks-failed', 'checks-failing'], null],
    head: ['this', 'other'],
    commented: flags,
  }
  for (const chosen of product(choices)) {
    const checks = [
      ...listIf(
        chosen.second !== null,
        check(chosen.second ?? 'SUCCESS', chosen.state === 'SUCCESS' ? 30 * HOUR : HOUR, 'e2e'),
      ),
      check(chosen.state, chosen.older),
    ]
    const [head, other] = ['a'.repeat(40), 'b'.repeat(40)]
    const pull = pullRequest({
      number: 5,
      head,
      checks,
      labels: listIf(chosen.ready, 'merge-ready'),
      isDraft: chosen.draft,
      verdicts: chosen.ready ? ['APPROVED'] : [],
      reportedHeads: listIf(chosen.commented, chosen.head === 'this' ? head : other),
    })
    const suffix = chosen.head === 'this' ? head : other
    const ages =
      chosen.reported === null
        ? null
        : Object.fromEntries(chosen.reported.map((subject) => [`${subject} #5 @${suffix}`, HOUR]))
    yield caseOf('failing', chosen, { pullRequests: [pull] }, { reported: memoryOf(TIME, ages) })
  }
}

const around = (age: number): number[] => [age - SECOND, age, age + SECOND]
/** Before, at and after the ages at which a head counts as checked, and as blocked for good. */
export const AGES = [...around(5 * MINUTE), ...around(30 * MINUTE)]

/** Ages of a head without checks, and of a blocked one: of its commit, its pull request, and its first run. */
export function* youngHeads(): Generator<Case> {
  const choices = {
    head: [5 * MINUTE - SECOND, 5 * MINUTE, 30 * MINUTE - SECOND, 30 * MINUTE, 2 * HOUR],
    created: [5 * MINUTE - SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR],
    seen: [...AGES, 2 * HOUR, 'never', 'another head', 'no memory'],
    checks: ['none', 'success', 'pending', 'gate'],
    mergeState: ['CLEAN', 'BLOCKED', 'BEHIND', 'UNSTABLE', 'HAS_HOOKS'] as const,
    human: flags,
    ready: flags,
  }
  for (const chosen of product(choices)) {
    const { mergeState } = chosen
    const createdAt = ago(chosen.created)
    const labels = [...listIf(chosen.ready, 'merge-ready'), ...listIf(chosen.human, 'human-gate')]
    const verdicts: Verdict[] = chosen.ready ? ['APPROVED'] : []
    const checks = CHECKS[chosen.checks]!
    const headAt = ago(chosen.head)
    const pull = pullRequest({ number: 5, labels, verdicts, createdAt, headAt, checks, mergeState })
    const { seen } = chosen
    const memory = seen === 'another head' ? seenSince({ ...pull, head: commit(55) }, HOUR) : memoryOf(TIME, {})
    const reported = seen === 'no memory' ? null : typeof seen === 'number' ? seenSince(pull, seen) : memory
    yield caseOf('young heads', chosen, { pullRequests: [pull] }, { reported })
  }
}
