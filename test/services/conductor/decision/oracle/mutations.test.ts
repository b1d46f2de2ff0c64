// Seeded mutations of the rules: the enumeration catches each of them.
import { describe, expect, test } from 'vitest'
import { disagreement } from './agreement.ts'
import type { Decide } from './answers.ts'
import { enumerate, sampleOf } from './cases.ts'
import type { Case } from './facts.ts'
import { decisionWith } from './mutants.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'

const { groups } = enumerate()
const SAMPLE = 4000

/** A decision that throws or does not end differs as well. */
function differs(decide: Decide, given: Case): boolean {
  try {
    return disagreement(decide, given) !== null
  } catch {
    return true
  }
}

const isCaught = (decide: Decide, { groups: names }: Mutation): boolean =>
  names.some((name) => sampleOf(groups.get(name)!, SAMPLE).some((given) => differs(decide, given)))

describe('a mutation of the rules', () => {
  test.each(MUTATIONS)('is caught: $name', async (mutation) => {
    expect(isCaught(await decisionWith(mutation), mutation), `survived: ${mutation.name}`).toBe(true)
  })

  test('is no difference of the build', async () => {
    const unchanged = await decisionWith({ name: 'none', file: 'decide.ts', find: 'if (run.stopped) break', replace: 'if (run.stopped) break', groups: [] })
    const sample = [...groups.values()].flatMap((cases) => sampleOf(cases, 50))
    expect(sample.filter((given) => differs(unchanged, given))).toEqual([])
  })

  test('is one of at least thirty', () => {
    expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(30)
  })
})
