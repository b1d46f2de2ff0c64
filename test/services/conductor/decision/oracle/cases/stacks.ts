// Step 1, and dependents of merges: what moves after a merge, intents, and `conductor-sync`.
import { ago, commit, DAY, HOUR, issue, label, mergedPullRequest, pullRequest, TIME } from '../../../snapshots.ts'
import type { PullRequest } from '../../../../../../services/conductor/snapshot/facts.ts'
import type { Case, RestackFailure } from '../facts.ts'
import { caseOf, flags, memoryOf, only, product } from './product.ts'
import { EXAMPLE_NAMES, exampleOf } from './queue.ts'

const ANSWERS: (RestackFailure | undefined)[] = [undefined, 'conflict', 'moved', 'unchanged']

const answersOf = (answers: Record<number, RestackFailure | undefined>): Record<number, RestackFailure> =>
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
        labels: ['merge-ready', ...only(['needs-restack', 'security'].includes(name), name)],
      })
    const pullRequests = [
      ...only(chosen.second, pullRequest({ number: 8, base: 'change-2' })),
      ...only(chosen.parent === 'eligible', pullRequest({ number: 2, base: chosen.onto })),
      ...(chosen.above === null ? [] : [variant(chosen.above, { number: 3, base: 'change-6' })]),
      variant(chosen.first, { number: 6, base: 'change-2' }),
    ]
    const isFork = chosen.parent === 'merged fork'
    const merged = only(chosen.parent !== 'eligible', mergedPullRequest({ number: 2, base: chosen.onto, isFork }))
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
      ...only(chosen.parent === 'eligible', pullRequest({ number: 2 })),
    ]
    const merged = only(chosen.parent === 'merged', mergedPullRequest({ number: 2 }))
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
    const merged = [parent, ...only(chosen.grandparent === 'merged', mergedPullRequest({ number: 1 }))]
    const pullRequests = [
      pullRequest({ number: 5, base: chosen.base, ...(chosen.base === chosen.merged && { baseHead: commit(2) }) }),
      ...only(chosen.above, pullRequest({ number: 4, base: 'change-5' })),
      ...only(chosen.grandparent === 'open', pullRequest({ number: 1, labels: [], verdicts: [] })),
    ]
    yield caseOf('trunks', chosen, { pullRequests, merged, pipelineBase: chosen.pipeline })
  }
}

/** Intents that a crash left open. */
export function* intents(): Generator<Case> {
  const choices = {
    kind: ['merge', 'restack'] as const,
    state: ['merged', 'merged fork', 'merged trunk', 'open', 'closed'],
    dependent: [null, 'plain', 'needs-restack'],
    answer: [undefined, 'moved', 'unchanged', 'conflict'] as const,
    beside: ['eligible', 'gate', 'no-approvals'],
    memory: ['empty', 'unreachable'],
  }
  for (const chosen of product(choices)) {
    const branch = chosen.state === 'merged trunk' ? 'next' : 'change-2'
    const merged = only(
      chosen.state.startsWith('merged'),
      mergedPullRequest({ number: 2, branch, isFork: chosen.state === 'merged fork' }),
    )
    const pullRequests = [
      ...only(chosen.state === 'open', pullRequest({ number: 2 })),
      ...only(
        chosen.dependent !== null,
        pullRequest({
          number: 6,
          base: branch,
          baseHead: commit(2),
          labels: only(chosen.dependent !== 'plain', 'needs-restack'),
        }),
      ),
      exampleOf(chosen.beside, { number: 7 }),
    ]
    const head = '2'.padStart(40, '0')
    const number = chosen.kind === 'merge' || chosen.dependent === null ? 2 : 6
    const intent = { kind: chosen.kind, number, head: number === 2 ? head : '6'.padStart(40, '0') }
    const given = {
      intents: [intent],
      restacks: answersOf({ 6: chosen.answer }),
      reported: memoryOf(TIME, chosen.memory === 'empty' ? {} : null),
    }
    yield caseOf('intents', chosen, { pullRequests, merged, pipelineBase: 'next' }, given)
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
      issue({ number: 9, labels: ['needs-triage', ...only(chosen.issue, sync)] }),
      issue({ number: 8, labels: ['bug', ...only(chosen.issue, sync)] }),
      ...only(chosen.changes, issue({ number: 7, labels: [], createdAt: ago(DAY) })),
    ]
    const pullRequests = [
      pullRequest({
        number: 3,
        verdicts: [],
        labels: [...chosen.labels, ...only(chosen.pull, sync)],
        isFork: chosen.fork,
      }),
      pullRequest({ number: 4, verdicts: [], labels: ['bug'], branch: chosen.sameBranch ? 'change-3' : 'change-4' }),
      ...only(chosen.stop, exampleOf('gate', { number: 5 })),
    ]
    const reported = memoryOf(TIME, chosen.memory === 'empty' ? {} : null)
    yield caseOf('syncs', chosen, { issues, pullRequests }, { reported })
  }
}
