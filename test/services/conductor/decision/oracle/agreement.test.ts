// The decision of the code against a second statement of its rules, on an enumeration.
import { describe, expect, test } from 'vitest'
import { decision } from '../../../../../services/conductor/decision/decide.ts'
import { disagreement, explained } from './agreement.ts'
import { GROUPS, pairs } from './cases.ts'
import type { Case } from './facts.ts'

const counts = new Map<string, number>()
/** Cases with a comparison that is left out, by reason. */
const exemptions = new Map<string, number>()

/** Explains the first case on which both differ; the empty string if there is none. */
function firstDifference(name: string, cases: Iterable<Case>): string {
  let [count, wrong] = [0, 0]
  let first: Case | undefined
  for (const given of cases) {
    count += 1
    const reasons = new Set<string>()
    const isDifferent = disagreement(decision, given, (reason) => reasons.add(reason)) !== null
    for (const reason of reasons) exemptions.set(reason, (exemptions.get(reason) ?? 0) + 1)
    if (!isDifferent) continue
    wrong += 1
    first ??= given
  }
  counts.set(name, count)
  return first === undefined ? '' : `${wrong} of ${count} cases\n${explained(decision, first)}`
}

/** Most cases with an exemption, by reason: the present counts, so that none grows unseen. */
const MOST_EXEMPT: Readonly<Record<string, number>> = {
  'item that a stop left out': 4644,
  'item that left the queue': 468,
  'key of checks-failed': 162,
  'key of checks-failing': 470,
  'key of gate': 5853,
  'key of gate-stop': 144,
  'key of no-linked-issue': 253,
  'key of nudge': 208,
  'key of review-needed': 130,
  'key of seen': 403,
  'remember without a memory': 9530,
  'rule checks beside a gate check': 7838,
  'rule gate of a head of this run': 316,
}

describe('the decision', () => {
  test.each(Object.entries({ ...GROUPS, pairs }))('agrees with the pages on all cases of %s', (name, generate) => {
    expect(firstDifference(name, generate())).toBe('')
  })

  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0)

  test('is compared on tens of thousands of cases', () => {
    console.log(`decision table: ${total()} cases (${[...counts].map((each) => each.join(' ')).join(', ')})`)
    expect(total()).toBeGreaterThan(50_000)
  })

  test('is compared in full on most of them, for each reason of an exemption', () => {
    const lines = [...exemptions].map(([reason, count]) => `${reason}: ${count}`)
    console.log(`not compared, as the pages do not say it, in cases of ${total()}: ${lines.toSorted().join(', ')}`)
    const tooMany = [...exemptions].filter(([reason, count]) => count > (MOST_EXEMPT[reason] ?? 0))
    expect(tooMany).toEqual([])
  })
})
