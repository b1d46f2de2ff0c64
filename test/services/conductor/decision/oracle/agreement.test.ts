// The decision of the code against a second statement of its rules, on an enumeration.
import { describe, expect, test } from 'vitest'
import { decide } from '../../../../../services/conductor/decision/decide.ts'
import { disagreement, explained } from './agreement.ts'
import { enumerate } from './cases.ts'
import type { Case } from './facts.ts'

const { groups, pairs } = enumerate()
const all = [...groups, ['pairs', pairs] as const]

function firstOf(cases: readonly Case[]): string {
  const wrong = cases.filter((given) => disagreement(decide, given) !== null)
  return wrong.length === 0 ? '' : `${wrong.length} of ${cases.length} cases\n${explained(decide, wrong[0]!)}`
}

describe('the decision', () => {
  test.each(all)('agrees with the pages on all cases of %s', (_, cases) => {
    expect(firstOf(cases)).toBe('')
  })

  test('is compared on tens of thousands of cases', () => {
    const counts = all.map(([name, { length }]) => `${name} ${length}`)
    const total = all.reduce((sum, [, { length }]) => sum + length, 0)
    console.log(`decision table: ${total} cases (${counts.join(', ')})`)
    expect(total).toBeGreaterThan(20_000)
  })
})
