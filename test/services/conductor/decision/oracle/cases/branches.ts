// Branches that are no part of a stack: trunks as heads of pull requests, and branches that live on after a merge.
import { commit, mergedPullRequest, pullRequest } from '../../../snapshots.ts'
import type { Case } from '../facts.ts'
import { caseOf, flags, listIf, product } from './product.ts'

/** Main or the pipeline base as the head of a pull request on a merged one, or above such a one. */
export function* trunkHeads(): Generator<Case> {
  const choices = {
    branch: ['main', 'next'],
    pipeline: [null, 'next'],
    place: ['dependent', 'above', 'behind'],
    parent: ['merged', 'interrupted', 'eligible'],
    onto: ['main', 'next', 'release'],
    fork: flags,
    beside: flags,
    above: flags,
  }
  for (const chosen of product(choices)) {
    const { branch, parent, onto, place, fork: isFork } = chosen
    if (parent === 'eligible' && onto === 'release') continue
    const base = { dependent: 'change-2', above: 'change-5', behind: branch === 'main' ? 'next' : 'main' }[place]!
    const pullRequests = [
      pullRequest({ number: 6, branch, base, isFork, mergeState: place === 'behind' ? 'BEHIND' : 'CLEAN' }),
      ...listIf(place === 'above' || chosen.beside, pullRequest({ number: 5, base: 'change-2' })),
      ...listIf(chosen.above, pullRequest({ number: 7, base: branch })),
      ...listIf(parent === 'eligible', pullRequest({ number: 2, base: onto })),
    ]
    const merged = listIf(parent !== 'eligible', mergedPullRequest({ number: 2, base: onto }))
    const intents = listIf(parent === 'interrupted', { number: 2, head: commit(2), at: 0 })
    yield caseOf('trunk heads', chosen, { pullRequests, merged, pipelineBase: chosen.pipeline }, { intents })
  }
}

const ENDS = ['kept', 'moved on', 'gone']
const headOf = (number: number, end: string): string | null =>
  end === 'gone' ? null : commit(end === 'kept' ? number : 90 + number)

/** Merged branches that still have the merged head, live on, or are gone; so may be the branch below. */
export function* ends(): Generator<Case> {
  const choices = {
    end: ENDS,
    below: [null, 'merged', 'open'],
    belowEnd: ENDS,
    first: ['plain', 'needs-restack', 'fork'],
    above: flags,
    second: flags,
    interrupted: flags,
    answer: [undefined, 'conflict', 'moved'] as const,
  }
  for (const chosen of product(choices)) {
    if (chosen.below === 'open' && chosen.belowEnd !== 'kept') continue
    const baseHead = headOf(2, chosen.end)
    const labels = ['merge-ready', ...listIf(chosen.first === 'needs-restack', 'needs-restack')]
    const pullRequests = [
      pullRequest({ number: 6, base: 'change-2', baseHead, isFork: chosen.first === 'fork', labels }),
      ...listIf(chosen.second, pullRequest({ number: 8, base: 'change-2', baseHead })),
      ...listIf(chosen.above, pullRequest({ number: 4, base: 'change-6' })),
      ...listIf(chosen.below === 'open', pullRequest({ number: 1, labels: [], verdicts: [] })),
    ]
    const merged = [
      mergedPullRequest({ number: 2, base: 'change-1', baseHead: headOf(1, chosen.belowEnd) }),
      ...listIf(chosen.below === 'merged', mergedPullRequest({ number: 1 })),
    ]
    const intents = listIf(chosen.interrupted, { number: 2, head: commit(2), at: 0 })
    const restacks: Case['restacks'] = chosen.answer === undefined ? {} : { 6: chosen.answer }
    yield caseOf('ends', chosen, { pullRequests, merged }, { intents, restacks })
  }
}
