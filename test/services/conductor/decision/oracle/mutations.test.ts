// Seeded mutations of the rules: the enumeration catches each of them.
import { describe, expect, test } from 'vitest'
import { disagreement } from './agreement.ts'
import type { Decide } from './answers.ts'
import { GROUP_NAMES, GROUPS, sampleOf, type GroupName } from './cases.ts'
import type { Case } from './facts.ts'
import { decisionWith } from './mutants.ts'
import { MUTATIONS, type Mutation } from './mutations.ts'

const SAMPLE = 1000
const samples = new Map<GroupName, Case[]>()

function sampled(name: GroupName): Case[] {
  const sample = samples.get(name) ?? sampleOf(name, SAMPLE)
  samples.set(name, sample)
  return sample
}

/** A decision that throws or does not end differs as well. */
function differs(decide: Decide, given: Case): boolean {
  try {
    return disagreement(decide, given) !== null
  } catch {
    return true
  }
}

/** By a sample first, because most mutations change many cases. */
function isCaught(decide: Decide, { groups }: Mutation): boolean {
  const isDifferent = (given: Case): boolean => differs(decide, given)
  if (groups.some((name) => sampled(name).some(isDifferent))) return true
  return groups.some((name) => [...GROUPS[name]()].some(isDifferent))
}

describe('a mutation of the rules', () => {
  test.each(MUTATIONS)('is caught: $name', async (mutation) => {
    expect(isCaught(await decisionWith(mutation), mutation), `survived: ${mutation.name}`).toBe(true)
  })

  test('is the only difference of a mutant', async () => {
    const same = MUTATIONS[0]!.find
    const unchanged = await decisionWith({ ...MUTATIONS[0]!, replace: same })
    const different = GROUP_NAMES.flatMap((name) => sampled(name).slice(0, 20)).filter((given) =>
      differs(unchanged, given),
    )
    expect(different).toEqual([])
  })

  test('is one of at least thirty', () => {
    console.log(`mutations of the decision: ${MUTATIONS.length}`)
    expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(30)
  })
})
