import type { Drift } from '../../../schemas/resource.ts'
import { idOf, type Declared, type Id } from '../desired.ts'
import { keyOf, type Hand } from '../memory.ts'
import { goneName } from '../snapshot.ts'
import { memberOf, same, type Law, type Situation, type Violation } from './situation.ts'

/** An empty field name means the whole resource. */
function deviations(situation: Situation, declared: Declared): { member: string; live: unknown }[] {
  const live = situation.live(idOf(declared))
  if (!live) return situation.entry(idOf(declared)) ? [{ member: '', live: null }] : []
  const moved = Object.entries(situation.wanted(declared))
    .filter(([member, value]) => !same(live.members[member], value))
    .map(([member]) => ({ member, live: live.members[member] ?? null }))
  return live.agent?.status === 'stopped' ? [...moved, { member: 'status', live: 'stopped' }] : moved
}

/** Whether the last manual value is live; the resource that it names may be deleted. */
const isWritten = ({ value }: Hand, live: unknown): boolean => same(live, value) || live === goneName(value)

const lastHand = ({ memory }: Situation, id: Id, member: string): Hand | undefined =>
  memory.hands.get(keyOf(id, member))

/** Live state differs from desired state only by the last manual changes. */
export const liveIsDesired: Law = (situation) =>
  situation.declared
    .filter((declared) => situation.isExact(declared))
    .flatMap((declared) =>
      deviations(situation, declared).flatMap(({ member, live }): Violation[] => {
        const hand = lastHand(situation, idOf(declared), member)
        const detail = `${idOf(declared)} ${member}: live ${text(live)}, desired ${text(situation.wanted(declared)[member])}, manual change ${text(hand?.value)}`
        if (situation.heals(declared)) return [{ law: 'live as desired', what: `${declared.kind} with heal`, detail }]
        if (hand && (isWritten(hand, live) || member === '' || member === 'status')) return []
        return [{ law: 'live as desired', what: declared.kind, detail }]
      }),
    )

/** Changes are kept until the manifest changes, a rule heals them or a revert is requested. */
export const manualChangesAreKept: Law = (situation) =>
  [...situation.memory.hands.values()].flatMap((hand): Violation[] => {
    const { id, member } = hand
    const declared = situation.memory.desired.get(id)
    const live = situation.live(id)
    if (!declared || !live || member === '' || member === 'status' || !situation.isExact(declared)) return []
    if (isWritten(hand, live.members[member]) || mayBeOverwritten(situation, declared, member)) return []
    const detail = `${id} ${member}: ${hand.actor} wrote ${text(hand.value)}, live ${text(live.members[member])}`
    return [{ law: 'manual changes kept', what: declared.kind, detail }]
  })

function mayBeOverwritten(situation: Situation, declared: Declared, member: string): boolean {
  const { notes, desired } = situation.memory
  const id = idOf(declared)
  return (
    notes.moved.has(keyOf(id, member)) ||
    notes.remade.has(id) ||
    notes.rules.has(id) ||
    notes.rules.has(declared.source) ||
    notes.started.has(id) ||
    situation.wasAsked(id) ||
    desired.rules(declared).drift === 'heal'
  )
}

const isOpen = ({ resolution }: Drift): boolean => resolution === null

/** One open record per difference, with the last actor. */
export const driftIsRecorded: Law = (situation) =>
  situation.declared
    .filter((declared) => situation.isExact(declared))
    .flatMap((declared) => {
      const id = idOf(declared)
      const open = situation.now.drift.filter((record) => isOpen(record) && `${record.kind}/${record.name}` === id)
      const found = deviations(situation, declared)
      return [...notRecorded(situation, id, open, found), ...notClosed(id, open, found)]
    })

function notRecorded(
  situation: Situation,
  id: Id,
  open: readonly Drift[],
  found: readonly { member: string; live: unknown }[],
): Violation[] {
  return found.flatMap(({ member, live }): Violation[] => {
    const records = open.filter(({ path }) => memberOf(path) === member)
    const detail = `${id} ${member || '(gone)'}: live ${text(live)}, ${records.length} open records`
    if (records.length !== 1) return [{ law: 'drift recorded once', what: kindOf(id), detail }]
    const [hand, record] = [lastHand(situation, id, member), records[0]!]
    if (!hand || record.actor === hand.actor) return []
    return [
      {
        law: 'drift attributed',
        what: kindOf(id),
        detail: `${detail}: expected actor ${hand.actor}, got ${record.actor}`,
      },
    ]
  })
}

function notClosed(id: Id, open: readonly Drift[], found: readonly { member: string }[]): Violation[] {
  return open
    .filter(({ path }) => !found.some(({ member }) => member === memberOf(path)))
    .map(({ path, live }) => ({
      law: 'drift closed',
      what: `${kindOf(id)} without a difference`,
      detail: `${id} ${path}: open with live ${text(live)}`,
    }))
}

const kindOf = (id: Id): string => id.split('/', 1)[0]!
const text = (value: unknown): string => JSON.stringify(value ?? null)
