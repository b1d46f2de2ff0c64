// Changes of the rules' source, each with the groups of cases that have to notice it.
import type { GroupName } from './cases.ts'

export interface Mutation {
  name: string
  /** In services/conductor/decision. */
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  groups: readonly GroupName[]
}

type Row = readonly [name: string, find: string, replace: string, ...groups: GroupName[]]

const FILES: Readonly<Record<string, readonly Row[]>> = {
  'rules.ts': [
    ['checks appear within 6 minutes', 'CHECKS_APPEAR = 5 *', 'CHECKS_APPEAR = 6 *', 'youngHeads'],
    ['no check is pending at 5 minutes', '< CHECKS_APPEAR', '<= CHECKS_APPEAR', 'youngHeads'],
    ['blocked is a gate after 31 minutes', 'BLOCKED_BECOMES_GATE = 30 *', 'BLOCKED_BECOMES_GATE = 31 *', 'youngHeads'],
    ['blocked is no gate at 30 minutes', '>= BLOCKED_BECOMES_GATE', '> BLOCKED_BECOMES_GATE', 'youngHeads'],
    [
      'the age of a head is the earlier time',
      'Math.max(headAt, createdAt)',
      'Math.min(headAt, createdAt)',
      'youngHeads',
    ],
    ['an error is no failure', "state === 'FAILURE' || state === 'ERROR'", "state === 'FAILURE'", 'table'],
    ['the pipeline base is no trunk', ' || branch === pipelineBase', '', 'table'],
    ['a rebased head keeps failed checks', 'isRestacked ? [] : (', 'false ? [] : (', 'movedSituations'],
    ['unread reviews approve', "unknown('has too many reviews to read')", 'FULFILLED', 'approvals'],
    ['unread checks have passed', "unknown('has too many checks to read')", 'FULFILLED', 'table'],
    ['requested changes are overruled', "verdicts.includes('CHANGES_REQUESTED')", 'false', 'approvals'],
    ['pending checks are fine', "state === 'PENDING'", "state === 'SKIPPED'", 'table'],
    ['human-gate is no gate', "hasLabel(pullRequest, 'human-gate')", 'false', 'table'],
    ['a gate check is no gate', "state === 'GATE'", "state === 'ERROR'", 'table'],
    ['forbidden squash merges are no gate', '!repository.isSquashAllowed', 'false', 'remembered'],
    ['needs-restack holds nothing', "['needs-restack', 'needs-rework']", "['needs-rework']", 'table'],
    ['drafts are judged', "pullRequest.isDraft ? broken('is a draft') : FULFILLED", 'FULFILLED', 'table'],
  ],
  'situations.ts': [
    [
      'held precedes changes-requested',
      "  ['changes-requested',",
      "  ['held', (_, { clear }) => clear.holds === false],\n  ['changes-requested',",
      'table',
    ],
    [
      'conflicting precedes parent-open',
      "  ['parent-open',",
      "  ['conflicting', ({ mergeable }) => mergeable === 'CONFLICTING'],\n  ['parent-open',",
      'table',
    ],
    [
      'checks-failed precedes conflicting',
      "  ['conflicting',",
      "  ['checks-failed', (_, { checks }) => checks.holds === false],\n  ['conflicting',",
      'approvals',
    ],
    [
      'no-approvals precedes checks-failed',
      "  ['checks-failed',",
      "  ['no-approvals', (_, { reviews }) => reviews.holds === false],\n  ['checks-failed',",
      'approvals',
    ],
    [
      'unknown precedes no-approvals',
      "  ['no-approvals',",
      "  ['unknown', ({ mergeable }) => mergeable === 'UNKNOWN'],\n  ['no-approvals',",
      'table',
    ],
    [
      'gate precedes checks-pending',
      "  ['checks-pending',",
      "  ['gate', (_, { gate }) => gate.holds === false],\n  ['checks-pending',",
      'table',
    ],
    [
      'behind precedes gate',
      "  ['gate',",
      "  ['behind', ({ mergeState }) => mergeState === 'BEHIND'],\n  ['gate',",
      'youngHeads',
    ],
    ['queued ones are judged', '({ isQueued }) => isQueued', '() => false', 'table'],
    ['behind is eligible', "mergeState === 'BEHIND'", "mergeState === 'DIRTY'", 'youngHeads'],
    ['mergeability is known', "mergeable === 'UNKNOWN' || ", '', 'approvals'],
  ],
  'stack.ts': [
    ['needs-restack is rebased', " || hasLabel(pullRequest, 'needs-restack')", '', 'dependents'],
    ['forks are rebased', 'pullRequest.isFork || hasLabel', 'hasLabel', 'dependents'],
    ['a pipeline base is deleted', 'if (isFork || run.isTrunk(branch))', 'if (isFork)', 'intents'],
    ["a fork's branch is deleted", 'if (isFork || run.isTrunk(branch))', 'if (run.isTrunk(branch))', 'remembered'],
    ['a base in use is deleted', 'open.base === branch || ', '', 'dependents'],
    [
      'a conflict is announced as merged',
      'if (run.stopped || isConflicted) return',
      'if (isConflicted) return',
      'dependents',
    ],
    ['a conflict onto main mentions nobody', 'isBottom && run.isTrunk(onto)', 'false', 'dependents'],
    ['a conflict stops nothing', "run.stop({ step, number, code: 'rebase-conflict', reason })", '', 'dependents'],
    ['a lost lease is a conflict', "if (reply.code !== 'conflict') return null", '', 'dependents'],
    ['a trunk on a merged one is moved', 'if (run.isTrunkHead(dependent)) return', '', 'trunkHeads'],
    ['a trunk moves with a stack', ' || run.isTrunkHead(pullRequest)', '', 'trunkHeads'],
    ['the stack above stays', 'stack.push(branchOf(above, number))', '', 'dependents'],
  ],
  'run.ts': [
    ['pull requests on a trunk are moved', 'if (this.isTrunk(base) || this', 'if (this', 'trunks'],
    ['a branch that lives on is a merged one', 'tip === null || tip === merged?.head ? ', 'true ? ', 'ends'],
    ['a branch that is gone lives on', 'tip === null || tip', 'tip', 'ends'],
    ['pull requests move onto a branch that is gone', 'this.#tips.get(lowest.base) === null ? null : ', '', 'ends'],
    ['a fork of a trunk is the trunk', 'return !isFork && this.isTrunk', 'return this.isTrunk', 'trunkHeads'],
    [
      'an open parent does not count',
      'if (this.isTrunk(base) || this.#openHeads().has(base))',
      'if (this.isTrunk(base))',
      'table',
    ],
    ['forks are parents', '.filter(({ isFork }) => !isFork)\n        .reverse()', '.reverse()', 'table'],
    [
      'merged forks are parents',
      'snapshot.merged.filter(({ isFork }) => !isFork)',
      '[...snapshot.merged]',
      'dependents',
    ],
    ['branches of forks are counted', 'open.filter(({ isFork }) => !isFork)', 'open', 'syncs'],
    ['a blocked queue is healthy', 'stopped !== null || this.isQueueBlocked', 'stopped !== null', 'trios'],
    ['an unreachable memory is healthy', 'this.isDegraded = reported === null', 'this.isDegraded = false', 'nudges'],
  ],
  'steps/approvals.ts': [
    ['needs-restack becomes ready', ", 'needs-restack']", ']', 'approvals'],
    ['drafts become ready', 'pullRequest.isDraft || ', '', 'approvals'],
    ['failed checks become ready', ' && failedChecks(pullRequest, isRestacked).length === 0', '', 'approvals'],
  ],
  'steps/merges.ts': [
    ['depth does not order', 'one.depth - other.depth || ', '', 'stacks'],
    ['higher numbers come first', 'one.number - other.number', 'other.number - one.number', 'trios'],
    ['a merge reads nothing again', 'return isFresh ? null : 0', 'return null', 'rereads'],
    ['branches of forks are updated', 'pullRequest.isFork || run', 'run', 'remembered'],
    ['a trunk is updated', ' || run.isTrunkHead(pullRequest)', '', 'trunkHeads'],
    ['all branches behind are updated', ' || updating.has(pullRequest.base)', '', 'trios'],
    [
      'a gate stops nothing in its step',
      'run.settle(judgement)\n    if (run.stopped) return',
      'run.settle(judgement)',
      'trios',
    ],
    ['a refused merge is no conflict', "if (code === 'conflict')", "if (code === 'closed')", 'mergeAnswers'],
    ['a refused merge is no gate', "if (code !== 'gate')", 'if (code !== undefined)', 'mergeAnswers'],
  ],
  'situation-actions.ts': [
    ['needs-rework is added twice', "!hasLabel(pullRequest, 'needs-rework') && ", '', 'table'],
    ['a conflict mentions nobody', 'wantsPerson: run.isTrunk(base)', 'wantsPerson: false', 'table'],
    ['a head gets two comments', '!reportedHeads.includes(head) && ', '', 'remembered'],
    ['a known gate stops', 'if (!run.reports.isReported(key)) ', '', 'remembered'],
    [
      'a gate is reported once for all heads',
      "reportKey('gate', number, head)",
      "reportKey('gate', number)",
      'remembered',
    ],
  ],
  'queue-reports.ts': [
    ['checks fail for 25 hours', 'LONG_FAILURE = 24 *', 'LONG_FAILURE = 25 *', 'failing'],
    ['checks fail for 24 hours sharp', 'run.age(oldest) <= LONG_FAILURE', 'run.age(oldest) < LONG_FAILURE', 'failing'],
    ['failing drafts are reported', ' || isDraft', '', 'failing'],
    ['the newest failed check counts', 'Math.min(...failed', 'Math.max(...failed', 'failing'],
    ['all failing checks are reported', 'if (!queue.has(number) && ', 'if (false && ', 'failing'],
    ['a queue that merged is blocked', ' || run.merged.size > 0', '', 'trios'],
    ['missing approvals block no queue', " 'no-approvals',", '', 'trios'],
    [
      'a parent outside of the queue blocks it',
      'situation != null && BLOCKED',
      'situation == null || BLOCKED',
      'stacks',
    ],
  ],
  'steps/nudges.ts': [
    ['a nudge after 31 minutes', 'REVIEW_TIME = 30 *', 'REVIEW_TIME = 31 *', 'nudges'],
    ['no nudge at 30 minutes', '< REVIEW_TIME', '<= REVIEW_TIME', 'nudges'],
    ['drafts are nudged', ' || pullRequest.isDraft', '', 'nudges'],
    ['the author is a reviewer', 'author !== pullRequest.author && ', '', 'nudges'],
    ['an old review is activity', ' && submittedAt >= since', '', 'nudges'],
  ],
  'reports.ts': [
    ['a nudge every 61 minutes', 'NUDGE_INTERVAL = 60 *', 'NUDGE_INTERVAL = 61 *', 'nudges'],
    [
      'no nudge after 60 minutes sharp',
      'this.#time - reportedAt >= interval',
      'this.#time - reportedAt > interval',
      'nudges',
    ],
    ['a stop drops reports', 'isStopped || ', '', 'remembered'],
    ['reports are kept for ever', 'if (this.#raised.has(key) ||', 'if (true ||', 'remembered'],
  ],
  'steps/rework.ts': [
    ['rework after 16 minutes', 'REWORK_TIME = 15 *', 'REWORK_TIME = 16 *', 'rework'],
    ['rework at 15 minutes', 'run.age(since) > time', 'run.age(since) >= time', 'rework'],
    ['drafts are reworked', '!pullRequest.isDraft && ', '', 'rework'],
    ['agent is added twice', "item === undefined || !hasLabel(item, 'agent')", 'true', 'rework'],
    ['rework is stale at 3 days', 'run.age(activeAt) <= STALE_TIME', 'run.age(activeAt) < STALE_TIME', 'rework'],
  ],
  'steps/staleness.ts': [
    ['items are stale at 3 days', 'run.age(activeAt) > STALE_TIME', 'run.age(activeAt) >= STALE_TIME', 'staleItems'],
    ['six stale items are few', 'FEW_STALE = 5', 'FEW_STALE = 6', 'staleItems'],
    ['a pull request within 7 hours', 'PULL_REQUEST_TIME = 6 *', 'PULL_REQUEST_TIME = 7 *', 'missingPullRequests'],
    ['not missing at 6 hours', '< PULL_REQUEST_TIME', '<= PULL_REQUEST_TIME', 'missingPullRequests'],
    ['docs-agent writes no pull request', " 'docs-agent',", '', 'missingPullRequests'],
    ['the oldest label counts', 'Math.max(...times)', 'Math.min(...times)', 'missingPullRequests'],
    ['an earlier merge answers', '?? -Infinity) >= since', '?? -Infinity) > -Infinity', 'missingPullRequests'],
  ],
  'steps/triage.ts': [['one label is none', 'labels.length === 0', 'labels.length <= 1', 'issueLabels']],
  'steps/dispatch.ts': [
    ['plan releases nothing', " || hasLabel(issue, 'plan')", '', 'issueLabels'],
    ['research-agent is dispatched again', "  'research-agent',\n", '', 'issueLabels'],
  ],
  'labels.ts': [['case counts in labels', 'one.toLowerCase() === other.toLowerCase()', 'one === other', 'spellings']],
  'steps/memory.ts': [['the request stays', "REQUEST = 'conductor-sync'", "REQUEST = 'sync'", 'syncs']],
  'steps/digest.ts': [['a digest of nothing', 'if (run.transitions.length === 0) return', '', 'syncs']],
  'lock.ts': [['four changes need no lock', 'UNLOCKED_CHANGES = 3', 'UNLOCKED_CHANGES = 4', 'bulk']],
  'actions.ts': [
    ['advisories mention nobody', ", 'security-advisory']", ']', 'nudges'],
    ['operations are mentioned', "(room === 'engineering' && isSecurity)", 'isSecurity', 'remembered'],
  ],
  'decide.ts': [['a stop leaves nothing out', 'if (run.stopped) break', '', 'syncs']],
}

export const MUTATIONS: readonly Mutation[] = Object.entries(FILES).flatMap(([file, rows]) =>
  rows.map(([name, find, replace, ...groups]) => ({ name, file, find, replace, groups })),
)
