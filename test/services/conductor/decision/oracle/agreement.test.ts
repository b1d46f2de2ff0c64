// The decision of the code against a second statement of its rules, on an enumeration.
import { describe, expect, test } from 'vitest'
import { decision } from '../../../../../services/conductor/decision/decide.ts'
import { disagreement, explained } from './agreement.ts'
import { GROUPS, pairs } from './cases.ts'
import type { Case } from './facts.ts'

const counts = new Map<string, number>()

/** Explains the first case on which both differ; the empty string if there is none. */
function firstDifference(name: string, cases: Iterable<Case>): string {
  let [count, wrong] = [0, 0]
  let first: Case | undefined
  for (const given of cases) {
    count += 1
    if (disagreement(decision, given) === null) continue
    wrong += 1
    first ??= given
  }
  counts.set(name, count)
  return first === undefined ? '' : `${wrong} of ${count} cases\n${explained(decision, first)}`
}

describe('the decision', () => {
  test.each(Object.entries({ ...GROUPS, pairs }))('agrees with the pages on all cases of %s', (name, generate) => {
    expect(firstDifference(name, generate())).toBe('')
  })

  test('is compared on tens of thousands of cases', () => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    console.log(`decision table: ${total} cases (${[...counts].map((each) => each.join(' ')).join(', ')})`)
    expect(total).toBeGreaterThan(50_000)
  })
})
