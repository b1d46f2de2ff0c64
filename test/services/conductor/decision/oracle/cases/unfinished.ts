// Merges that a crash or an error left to the next run, and errors after a merge.
import { ago, commit, HOUR, mergedPullRequest, pullRequest, TIME } from '../../../snapshots.ts'
import { SECOND, type Case } from '../facts.ts'
import { caseOf, flags, memoryOf, listIf, product } from './product.ts'
import { exampleOf } from './queue.ts'
import { answersOf } from './stacks.ts'

/** Intents, also of merges that did not happen. */
export function* intents(): Generator<Case> {
  const choices = {
    reported: flags,
    state: [
      'merged',
      'merged fork',
      'merged trunk',
      'open',
      'closed',
      'merged at another head',
      'waiting',
      'waiting at another head',
    ],
    age: [null, HOUR, 24 * HOUR, 24 * HOUR + SECOND],
    dependent: [null, 'plain', 'needs-restack'],
    answer: [undefined, 'moved', 'unchanged', 'conflict', 'error'] as const,
    beside: ['eligible', 'gate', 'no-approvals'],
    memory: ['empty', 'unreachable'],
  }
  for (const chosen of product(choices)) {
    if (chosen.age !== null && chosen.state !== 'open' && !chosen.state.startsWith('waiting')) continue
    const branch = chosen.state === 'merged trunk' ? 'next' : 'change-2'
    const merged = listIf(
      chosen.state.startsWith('merged'),
      mergedPullRequest({ number: 2, branch, isFork: chosen.state === 'merged fork' }),
    )
    const pullRequests = [
      ...listIf(chosen.state === 'open', pullRequest({ number: 2 })),
      ...listIf(chosen.state.startsWith('waiting'), pullRequest({ number: 2, labels: [], verdicts: [] })),
      ...listIf(
        chosen.dependent !== null,
        pullRequest({
          number: 6,
          base: branch,
          baseHead: commit(2),
          labels: listIf(chosen.dependent !== 'plain', 'needs-restack'),
        }),
      ),
      exampleOf(chosen.beside, { number: 7 }),
    ]
    const head = commit(chosen.state.endsWith('at another head') ? 22 : 2)
    const at = chosen.age === null ? 0 : ago(chosen.age)
    const given = {
      intents: [{ number: 2, head, at, isReported: chosen.reported }],
      restacks: answersOf({ 6: chosen.answer }),
      reported: memoryOf(TIME, chosen.memory === 'empty' ? {} : null),
    }
    yield caseOf('intents', chosen, { pullRequests, merged, pipelineBase: 'next' }, given)
  }
}

/** What fails after a merge: of a dependent, of the branch, of the announcement. */
export function* unfinished(): Generator<Case> {
  const choices = {
    parent: ['eligible', 'interrupted', 'reported'],
    merged: [HOUR, 24 * HOUR, 24 * HOUR + SECOND],
    deletion: [undefined, 'error', 'moved'] as const,
    announcement: [undefined, 'error', 'missing'] as const,
    dependent: [null, 'plain', 'fork', 'needs-restack'],
    answer: [undefined, 'error', 'moved', 'conflict'] as const,
    second: flags,
    beside: ['none', 'held', 'eligible', 'interrupted'],
  }
  for (const chosen of product(choices)) {
    const { parent, dependent, beside } = chosen
    if (dependent !== 'plain' && (chosen.answer !== undefined || (chosen.second && dependent === null))) continue
    const isMerged = parent !== 'eligible'
    if (!isMerged && chosen.merged !== HOUR) continue
    const labels = ['bug', ...listIf(dependent === 'needs-restack', 'needs-restack')]
    const pullRequests = [
      ...listIf(!isMerged, pullRequest({ number: 2 })),
      ...listIf(
        dependent !== null,
        pullRequest({ number: 6, base: 'change-2', isFork: dependent === 'fork', labels, verdicts: [] }),
      ),
      ...listIf(chosen.second, pullRequest({ number: 8, base: 'change-2', labels: [], verdicts: [] })),
      ...listIf(beside === 'held' || beside === 'eligible', exampleOf(beside, { number: 7 })),
    ]
    const merged = [
      ...listIf(isMerged, mergedPullRequest({ number: 2, mergedAt: ago(chosen.merged) })),
      ...listIf(beside === 'interrupted', mergedPullRequest({ number: 3 })),
    ]
    const intents = [
      ...listIf(beside === 'interrupted', { number: 3, head: commit(3), at: TIME }),
      ...listIf(isMerged, { number: 2, head: commit(2), at: TIME, isReported: parent === 'reported' }),
    ]
    const given = {
      intents,
      restacks: answersOf({ 6: chosen.answer }),
      ...(chosen.deletion !== undefined && { deletions: { 2: chosen.deletion } }),
      ...(chosen.announcement !== undefined && { announcements: { 2: chosen.announcement } }),
    }
    yield caseOf('unfinished', chosen, { pullRequests, merged }, given)
  }
}
