import { expect, test } from 'vitest'
import { driftOf } from '../../../controller/planning/drift.ts'
import { sortMembers, type MaskedSpec } from '../../../controller/planning/masking.ts'

type Members = Record<string, unknown>

const masked = (value: Members): MaskedSpec => ({ value, digest: JSON.stringify(sortMembers(value)) })

/** Paths of drifted fields. */
function drift(desired: Members, applied: Members | null, live: Members | null, ignored: string[] = []): string[] {
  const sides = { desired: masked(desired), applied: applied && masked(applied), live: live && masked(live) }
  return driftOf({ ...sides, atoms: ['whole'] }, ignored).map(({ path }) => path)
}

const [one, two, three] = [{ size: 1 }, { size: 2 }, { size: 3 }]

test.each<[string, string[], string[]]>([
  ['finds no drift if live equals desired', drift(one, one, one), []],
  ['finds no drift before the first apply', drift(one, null, two), []],
  ['finds drift of a field that changed live', drift(one, one, two), ['size']],
  ['finds no drift of a field that only the manifest changed', drift(two, one, one), []],
  ['finds drift of a field that manifest and live changed differently', drift(two, one, three), ['size']],
  ['finds no drift of a field that both changed equally', drift(two, one, two), []],
  ['finds drift of the whole resource if it was deleted', drift(one, one, null), ['']],
  ['finds no drift of a deleted resource whose manifest changed', drift(two, one, null), []],
  ['finds no drift of an ignored field', drift(one, one, two, ['size']), []],
  ['finds no drift of an ignored field that the manifest changed', drift(two, one, three, ['size']), []],
  [
    'finds drift of an atomic value as a whole',
    drift({ whole: { a: 1 } }, { whole: { a: 1 } }, { whole: {} }),
    ['whole'],
  ],
])('%s', (_, found, expected) => {
  expect(found).toEqual(expected)
})
