// The decision of the code against a second statement of its rules, on an enumeration.
import { describe, expect, test } from 'vitest'
import { decision } from '../../../../../services/conductor/decision/decide.ts'
import { decide } from '../driver.ts'
import { disagreement, explained } from './agreement.ts'
import { answerOf } from './answers.ts'
import { enumerate } from './cases.ts'
import type { Case } from './facts.ts'

const { groups, pairs } = enumerate()
const all = [...groups, ['pairs', pairs] as const]

function firstOf(cases: readonly Case[]): string {
  const wrong = cases.filter((given) => disagreement(decision, given) !== null)
  return wrong.length === 0 ? '' : `${wrong.length} of ${cases.length} cases\n${explained(decision, wrong[0]!)}`
}

describe('the decision', () => {
  test.each(all)('agrees with the pages on all cases of %s', (_, cases) => {
    expect(firstOf(cases)).toBe('')
  })

  test('lists the same actions in a dry run', () => {
    const isDry = ({ restacks, merges, rereads }: Case) => Object.keys({ ...restacks, ...merges, ...rereads }).length === 0
    for (const given of pairs.filter(isDry)) {
      const listed = decide(given).actions.map(({ outcome: _, ...action }) => action)
      expect(listed).toEqual(answerOf(decision, given).actions.map(({ outcome: _, ...action }) => action))
    }
  })

  test('is compared on tens of thousands of cases', () => {
    const counts = all.map(([name, { length }]) => `${name} ${length}`)
    const total = all.reduce((sum, [, { length }]) => sum + length, 0)
    console.log(`decision table: ${total} cases (${counts.join(', ')})`)
    expect(total).toBeGreaterThan(20_000)
  })
})
