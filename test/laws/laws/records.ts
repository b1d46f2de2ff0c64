// Records of drift stay, name the hands it was in and say how it ended; what we did ourselves is none.
import type { Drift } from '../../../schemas/resource.ts'
import type { Id } from '../desired.ts'
import { keyOf } from '../memory.ts'
import { memberOf, same, type Law, type Situation } from './situation.ts'

const idOf = ({ kind, name }: Drift): Id => `${kind}/${name}` as Id
const isOpen = ({ resolution }: Drift): boolean => resolution === null

/** Everybody a record names: who did it last, and whose hands it was in before. */
function actors(record: Drift): (string | null)[] {
  return [record.actor, ...record.writers.map(({ actor }) => actor)]
}

/** Of what is owned no more nothing is open. */
export const driftEndsWithItsResource: Law = ({ now }) =>
  now.drift
    .filter((record) => isOpen(record) && !now.inventory.some(({ id }) => id === idOf(record)))
    .map((record) => ({
      law: 'drift closed',
      what: `${record.kind} no longer owned`,
      detail: `${idOf(record)} ${record.path} by ${record.actor} is open`,
    }))

/** What was seen on record stays there, in the name of who did it. */
export const recordsStay: Law = ({ memory, now }) =>
  [...memory.seenDrift.values()]
    .filter(
      ({ id, path, actor }) =>
        !now.drift.some((record) => idOf(record) === id && record.path === path && actors(record).includes(actor)),
    )
    .map(({ id, path, actor }) => ({
      law: 'drift stays on record',
      what: id.split('/', 1)[0]!,
      detail: `${id} ${path} by ${actor}`,
    }))

/** Only a hand makes drift: what a crash left half done is not in anybody's name, nor in the controller's. */
export const nothingOfOursIsDrift: Law = ({ now }) =>
  now.drift
    .filter(({ actor }) => !actor?.startsWith('hand-'))
    .map((record) => ({
      law: 'nothing of ours is drift',
      what: `${record.kind} by ${record.actor}`,
      detail: `${idOf(record)} ${record.path}: desired ${text(record.desired)}, live ${text(record.live)}`,
    }))

/** What was open when the laws were last seen to hold, and is closed now, says what ended it. */
export const recordsSayHowTheyEnded: Law = (situation) =>
  (situation.before?.drift ?? []).filter(isOpen).flatMap((was) => {
    const is = situation.now.drift.find((record) => isSame(record, was))
    if (!is || is.resolution === null) return []
    const ends = possibleEnds(situation, was)
    if (ends.length === 0 || ends.includes(is.resolution)) return []
    const detail = `${idOf(was)} ${was.path || '(gone)'} by ${was.actor}: ${is.resolution}, was ${ends.join(' or ')}`
    return [{ law: 'drift closed as it ended', what: `${is.resolution} in place of ${ends.join(' or ')}`, detail }]
  })

const isSame = (one: Drift, other: Drift): boolean =>
  idOf(one) === idOf(other) && one.path === other.path && one.first_seen === other.first_seen

/** What of the batch may have ended it; none where that is not known. */
function possibleEnds(situation: Situation, was: Drift): string[] {
  const { notes, desired } = situation.memory
  const [id, member] = [idOf(was), memberOf(was.path)]
  const declared = desired.get(id)
  if (notes.rules.size > 0) return []
  const ends: string[] = []
  if (notes.remade.has(id)) ends.push('pruned', 'overwritten', 'accepted', 'superseded')
  if (!declared) return ends
  if (situation.heals(declared)) ends.push('healed')
  if (notes.moved.has(keyOf(id, member)) || member === '') ends.push('overwritten', 'accepted', 'superseded')
  if (situation.wasAsked(id)) ends.push('reverted')
  const wanted = member === 'status' ? 'running' : desired.wanted(declared)[member]
  const isUndone = (hand: { id: Id; member: string; value: unknown }) =>
    hand.id === id && ((hand.member === member && same(hand.value, wanted)) || hand.member === '' || member === '')
  if (notes.hands.some(isUndone)) ends.push('resolved', 'superseded')
  return ends
}

const text = (value: unknown): string => JSON.stringify(value ?? null)
