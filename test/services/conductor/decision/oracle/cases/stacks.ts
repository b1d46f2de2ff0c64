// Step 1, and dependents of merges: what moves after a merge, and `conductor-sync`.
import { ago, commit, DAY, HOUR, issue, label, mergedPullRequest, pullRequest, TIME } from '../../../snapshots.ts'
import type { PullRequest } from '../../../../../../services/conductor/snapshot/facts.ts'
import type { Case, RestackFailure } from '../facts.ts'
import { caseOf, flags, memoryOf, listIf, product } from './product.ts'
import { EXAMPLE_NAMES, exampleOf } from './queue.ts'

const ANSWERS: (RestackFailure | undefined)[] = [undefined, 'conflict', 'moved', 'unchanged', 'error']

export const answersOf = (answers: Record<number, RestackFailure | undefined>): Record<number, RestackFailure> =>
  Object.fromEntries(
    Object.entries(answers).filter((entry): entry is [string, RestackFailure] => entry[1] !== undefined),
  )

/** A merged parent, or one that this run merges, with two dependents and one above the first. */
export function* dependents(): Generator<Case> {
  const choices = {
    parent: ['merged', 'eligible', 'merged fork'],
    onto: ['main', 'next', 'release'],
    first: ['plain', 'needs-restack', 'fork', 'draft', 'security'],
    above: [null, 'plain', 'needs-restack', 'fork'],
    second: flags,
    answer: ANSWERS,
    secondAnswer: ANSWERS,
  }
  for (const chosen of product(choices)) {
    if (!chosen.second && chosen.secondAnswer !== undefined) continue
    if (chosen.parent === 'eligible' && chosen.onto === 'release') continue
    const variant = (name: string, given: Parameters<typeof pullRequest>[0]): PullRequest =>
      pullRequest({
        ...given,
        isDraft: name === 'draft',
        isFork: name === 'fork',
        labels: ['merge-ready', ...listIf(['needs-restack', 'security'].includes(name), name)],
      })
    const pullRequests = [
      ...listIf(chosen.second, pullRequest({ number: 8, base: 'change-2' })),
      ...listIf(chosen.parent === 'eligible', pullRequest({ number: 2, base: chosen.onto })),
      ...(chosen.above === null ? [] : [variant(chosen.above, { number: 3, base: 'change-6' })]),
      variant(chosen.first, { number: 6, base: 'change-2' }),
    ]
    const isFork = chosen.parent === 'merged fork'
    const merged = listIf(chosen.parent !== 'eligible', mergedPullRequest({ number: 2, base: chosen.onto, isFork }))
    const restacks = answersOf({ 6: chosen.answer, 8: chosen.secondAnswer })
    yield caseOf('dependents', chosen, { pullRequests, merged, pipelineBase: 'next' }, { restacks })
  }
}

/** What a moved pull request is judged as, by its earlier facts. */
export function* movedSituations(): Generator<Case> {
  const names = EXAMPLE_NAMES.filter((name) => name !== 'parent-open')
  const choices = {
    situation: names,
    parent: ['merged', 'eligible'],
    fork: flags,
    ready: flags,
    answer: [undefined, 'unchanged', 'moved'] as const,
    beside: names,
  }
  for (const chosen of product(choices)) {
    const made = exampleOf(chosen.situation, { number: 6, base: 'change-2', isFork: chosen.fork })
    const labels = chosen.ready ? made.labels : made.labels.filter(({ name }) => name !== 'merge-ready')
    const pullRequests = [
      { ...made, labels },
      exampleOf(chosen.beside, { number: 7 }),
      ...listIf(chosen.parent === 'eligible', pullRequest({ number: 2 })),
    ]
    const merged = listIf(chosen.parent === 'merged', mergedPullRequest({ number: 2 }))
    yield caseOf('moved situations', chosen, { pullRequests, merged }, { restacks: answersOf({ 6: chosen.answer }) })
  }
}

/** Branches that never move or go: main and the pipeline base as heads of merged pull requests, chains, cycles. */
export function* trunks(): Generator<Case> {
  const choices = {
    merged: ['main', 'next', 'change-2'],
    mergedBase: ['main', 'next', 'release', 'change-1'],
    grandparent: [null, 'merged', 'open'],
    pipeline: [null, 'next'],
    base: ['main', 'next', 'change-2'],
    above: flags,
  }
  for (const chosen of product(choices)) {
    if (chosen.merged === chosen.mergedBase) continue
    const parent = mergedPullRequest({ number: 2, branch: chosen.merged, base: chosen.mergedBase })
    const merged = [parent, ...listIf(chosen.grandparent === 'merged', mergedPullRequest({ number: 1 }))]
    const pullRequests = [
      pullRequest({ number: 5, base: chosen.base, ...(chosen.base === chosen.merged && { baseHead: commit(2) }) }),
      ...listIf(chosen.above, pullRequest({ number: 4, base: 'change-5' })),
      ...listIf(chosen.grandparent === 'open', pullRequest({ number: 1, labels: [], verdicts: [] })),
    ]
    yield caseOf('trunks', chosen, { pullRequests, merged, pipelineBase: chosen.pipeline })
  }
}

/** `conductor-sync` on items, and counts. */
export function* syncs(): Generator<Case> {
  const choices = {
    issue: flags,
    pull: flags,
    stop: flags,
    changes: flags,
    sameBranch: flags,
    fork: flags,
    labels: [[], ['review-agent'], ['needs-rework'], ['merge-ready']],
    memory: ['empty', 'unreachable'],
  }
  for (const chosen of product(choices)) {
    const sync = label('conductor-sync', ago(HOUR))
    const issues = [
      issue({ number: 9, labels: ['needs-triage', ...listIf(chosen.issue, sync)] }),
      issue({ number: 8, labels: ['bug', ...listIf(chosen.issue, sync)] }),
      ...listIf(chosen.changes, issue({ number: 7, labels: [], createdAt: ago(DAY) })),
    ]
    const pullRequests = [
      pullRequest({
        number: 3,
        verdicts: [],
        labels: [...chosen.labels, ...listIf(chosen.pull, sync)],
        isFork: chosen.fork,
      }),
      pullRequest({ number: 4, verdicts: [], labels: ['bug'], branch: chosen.sameBranch ? 'change-3' : 'change-4' }),
      ...listIf(chosen.stop, exampleOf('gate', { number: 5 })),
    ]
    const reported = memoryOf(TIME, chosen.memory === 'empty' ? {} : null)
    yield caseOf('syncs', chosen, { issues, pullRequests }, { reported })
  }
}
