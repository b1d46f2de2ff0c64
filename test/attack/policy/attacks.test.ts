// No attack of the corpus passes by policy alone, without a person.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { judge } from '../../../services/orchestrator/policy/judge.ts'
import { counted } from '../../support/counts.ts'
import { attacksIn, families } from './corpora/attacks.ts'
import { placeIn, policyOf } from './corpora/policies.ts'
import { makeWorld } from './corpora/world.ts'

const world = makeWorld(join(realpathSync(mkdtempSync(join(tmpdir(), 'svc-attacks-'))), 'world'), 20_000)
afterAll(() => rmSync(join(world.root, '..'), { recursive: true, force: true }))
const attacks = attacksIn(world)

test.each(families.map((family) => [family.group, family.id, family] as const))(
  '%s: %s needs a person or is refused',
  (_group, _id, family) => {
    const passed = family.policies.flatMap((name) =>
      attacks
        .filter((attack) => attack.family === family)
        .filter(({ tool, input }) => judge(policyOf(name), tool, input, placeIn(world, name)).decision === 'allow')
        .map(({ id, input }) => ({ id, policy: name, input })),
    )
    expect(passed).toEqual([])
  },
)

test('contains at least 40 families of ten spellings, half of them blind', () => {
  counted('policy: attacks of the corpus', attacks.length)
  expect(families.length).toBeGreaterThanOrEqual(40)
  expect(new Set(families.map(({ id }) => id)).size).toBe(families.length)
  expect(
    families.filter(({ spellings }) => new Set(spellings.map((each) => JSON.stringify(each))).size !== 10),
  ).toEqual([])
  expect(families.filter(({ author }) => author === 'blind').length * 2).toBeGreaterThanOrEqual(families.length)
})

test('contains six groups, and in each family a case that passed before', () => {
  expect(new Set(families.map(({ group }) => group)).size).toBe(6)
  expect(families.filter(({ before }) => before < 1).map(({ id }) => id)).toEqual([])
})
