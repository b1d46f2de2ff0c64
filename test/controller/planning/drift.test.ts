import { expect, test } from 'vitest'
import { driftOf } from '../../../controller/planning/drift.ts'
import { sortMembers, type MaskedSpec } from '../../../controller/planning/masking.ts'

type Members = Record<string, unknown>

const masked = (value: Members): MaskedSpec => ({ value, digest: JSON.stringify(sortMembers(value)) })

/** Paths of the drift of these three sides. */
function drift(desired: Members, applied: Members | null, live: Members | null, ignored: string[] = []): string[] {
  const sides = { desired: masked(desired), applied: applied && masked(applied), live: live && masked(live) }
  return driftOf({ ...sides, atoms: ['whole'] }, ignored).map(({ path }) => path)
}

const [one, two, three] = [{ size: 1 }, { size: 2 }, { size: 3 }]

test.each<[string, string[], string[]]>([
  ['what is as desired has not drifted', drift(one, one, one), []],
  ['what was never applied has not drifted', drift(one, null, two), []],
  ['a member that live moved has drifted', drift(one, one, two), ['size']],
  ['a member that only the manifest moved has not', drift(two, one, one), []],
  ['a member that both moved apart has', drift(two, one, three), ['size']],
  ['a member that both moved to the same has not', drift(two, one, two), []],
  ['what is gone has drifted as a whole', drift(one, one, null), ['']],
  ['what is gone and was to change is to be made anew', drift(two, one, null), []],
  ['what is to be ignored has not drifted', drift(one, one, two, ['size']), []],
  ['nor where the manifest moved it as well', drift(two, one, three, ['size']), []],
  [
    'a member of one value drifts as a whole',
    drift({ whole: { a: 1 } }, { whole: { a: 1 } }, { whole: {} }),
    ['whole'],
  ],
])('%s', (_, found, expected) => {
  expect(found).toEqual(expected)
})
