import type { Drift } from '../../../schemas/resource.ts'
import type { Id } from '../desired.ts'
import { keyOf } from '../memory.ts'
import { memberOf, same, type Law, type Situation } from './situation.ts'

const idOf = ({ kind, name }: Drift): Id => `${kind}/${name}` as Id
const isOpen = ({ resolution }: Drift): boolean => resolution === null

function actors(record: Drift): (string | null)[] {
  return [record.actor, ...record.writers.map(({ actor }) => actor)]
}

export const driftEndsWithItsResource: Law = ({ now }) =>
  now.drift
    .filter((record) => isOpen(record) && !now.inventory.some(({ id }) => id === idOf(record)))
    .map((record) => ({
      law: 'drift closed',
      what: `${record.kind} no longer owned`,
      detail: `${idOf(record)} ${record.path} by ${record.actor} is open`,
    }))

export const recordsAreKept: Law = ({ memory, now }) =>
  [...memory.seenDrift.values()]
    .filter(
      ({ id, path, actor }) =>
        !now.drift.some((record) => idOf(record) === id && record.path === path && actors(record).includes(actor)),
    )
    .map(({ id, path, actor }) => ({
      law: 'drift records kept',
      what: id.split('/', 1)[0]!,
      detail: `${id} ${path} by ${actor}`,
    }))

/** Only manual changes are drift, not the partial work of a crashed run. */
export const ownChangesAreNotDrift: Law = ({ now }) =>
  now.drift
    .filter(({ actor }) => !actor?.startsWith('hand-'))
    .map((record) => ({
      law: 'own changes are not drift',
      what: `${record.kind} by ${record.actor}`,
      detail: `${idOf(record)} ${record.path}: desired ${text(record.desired)}, live ${text(record.live)}`,
    }))

export const resolutionsAreCorrect: Law = (situation) =>
  (situation.before?.drift ?? []).filter(isOpen).flatMap((was) => {
    const is = situation.now.drift.find((record) => isSame(record, was))
    if (!is || is.resolution === null) return []
    const ends = possibleEnds(situation, was)
    if (ends.length === 0 || ends.includes(is.resolution)) return []
    const detail = `${idOf(was)} ${was.path || '(gone)'} by ${was.actor}: got ${is.resolution}, expected ${ends.join(' or ')}`
    return [{ law: 'drift resolution correct', what: `${is.resolution} instead of ${ends.join(' or ')}`, detail }]
  })

const isSame = (one: Drift, other: Drift): boolean =>
  idOf(one) === idOf(other) && one.path === other.path && one.first_seen === other.first_seen

/** Possible resolutions; empty if unknown. Those of a declaration that was removed since may come first. */
function possibleEnds(situation: Situation, was: Drift): string[] {
  const { notes, desired } = situation.memory
  const [id, member] = [idOf(was), memberOf(was.path)]
  const declared = desired.get(id)
  const last = declared ? { ...declared, wanted: desired.wanted(declared) } : notes.removed.get(id)
  if (notes.rules.size > 0) return []
  const ends: string[] = []
  if (notes.remade.has(id)) ends.push('pruned', 'overwritten', 'accepted', 'superseded')
  // The orchestrator starts a terminated agent again, unless it is removed first.
  if (member === 'status') ends.push('resolved')
  if (!last) return ends
  if (desired.rules(last).drift === 'heal' && !(declared && situation.isUndone(declared))) ends.push('healed')
  if (notes.moved.has(keyOf(id, member)) || member === '') ends.push('overwritten', 'accepted', 'superseded')
  if (situation.wasAsked(id)) ends.push('reverted')
  const wanted = member === 'status' ? 'running' : last.wanted[member]
  const isReturned = (hand: { id: Id; member: string; value: unknown }) =>
    hand.id === id && ((hand.member === member && same(hand.value, wanted)) || hand.member === '' || member === '')
  if (notes.hands.some(isReturned)) ends.push('resolved', 'superseded')
  return ends
}

const text = (value: unknown): string => JSON.stringify(value ?? null)
