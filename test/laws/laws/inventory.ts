// The inventory holds what each source declares and nothing else, and what nobody owns lives on.
import { fileOf, idOf, type Id } from '../desired.ts'
import { isKept } from '../memory.ts'
import type { Live, Snapshot } from '../snapshot.ts'
import { same, type Law, type Situation, type Violation } from './situation.ts'

export const inventoryIsOwned: Law = (situation) => [...missing(situation), ...tooMuch(situation)]

function missing(situation: Situation): Violation[] {
  return situation.declared.flatMap((declared): Violation[] => {
    const id = idOf(declared)
    const entry = situation.entry(id)
    if (!situation.isExact(declared)) return []
    if (!entry) return [{ law: 'inventory', what: `${declared.kind} not owned`, detail: `${id} of ${declared.source}` }]
    const place = `${entry.source} ${entry.file}`
    const wanted = `${declared.source} ${fileOf(declared)}`
    if (place === wanted) return []
    return [
      { law: 'inventory', what: `${declared.kind} of another place`, detail: `${id}: ${place}, wanted ${wanted}` },
    ]
  })
}

function tooMuch(situation: Situation): Violation[] {
  const { desired, left } = situation.memory
  const found: Violation[] = []
  for (const entry of situation.now.inventory) {
    const id = entry.id as Id
    if (desired.get(id)) continue
    const before = left.get(id)
    // What only exists by name is made and unmade in one batch: whose it was does not matter.
    if (before && (before.uncertain || isKept(desired, before))) continue
    found.push({ law: 'inventory', what: `${entry.kind} no longer declared`, detail: `${id} of ${entry.source}` })
  }
  for (const [id, before] of left)
    if (
      !desired.get(id) &&
      !before.uncertain &&
      isKept(desired, before) &&
      !situation.entry(id) &&
      wasOwned(situation, id)
    )
      found.push({ law: 'inventory', what: 'pruned though the rules keep it', detail: `${id} of ${before.source}` })
  return found
}

const wasOwned = ({ before }: Situation, id: Id): boolean =>
  before !== null && before.inventory.some((entry) => entry.id === id)

/** What was made by hand lives as it was made until somebody changes it by hand; it may have become owned. */
export const unownedLives: Law = ({ memory, before, now }) =>
  [...memory.handMade].flatMap(([liveId, { kind, name }]): Violation[] => {
    const find = (snapshot: Snapshot | null) =>
      snapshot?.live.find((each) => each.kind === kind && each.liveId === liveId)
    const [was, is] = [find(before), find(now)]
    const isOwned = now.inventory.some((entry) => entry.kind === kind && entry.live_id === liveId)
    if (isOwned || (is && (!was || same(membersOf(was), membersOf(is))))) return []
    if (is) return [{ law: 'unowned lives', what: `${kind} as it was`, detail: `${kind}/${name}: ${text(is.members)}` }]
    return [{ law: 'unowned lives', what: kind, detail: `${kind}/${name} (${liveId}), made by hand, is gone` }]
  })

/** Of what we own there is one of its name, beside what people made by hand. */
export const onlyOne: Law = ({ memory, now }) =>
  now.inventory.flatMap((entry): Violation[] => {
    const strangers = now.live.filter(
      ({ kind, name, liveId }) =>
        kind === entry.kind && name === entry.name && liveId !== entry.live_id && !memory.handMade.has(liveId),
    )
    if (strangers.length === 0) return []
    const detail = `${entry.id}: ${entry.live_id} is owned, and there is ${strangers.map(({ liveId }) => liveId).join(', ')}`
    return [{ law: 'one of each', what: entry.kind, detail }]
  })

/** Nothing is live that neither a source nor a hand made. */
export const nothingLeftOver: Law = ({ memory, now }) =>
  now.live
    .filter(({ kind, liveId }) => {
      const isOwned = now.inventory.some((entry) => entry.kind === kind && entry.live_id === liveId)
      return !isOwned && !memory.handMade.has(liveId)
    })
    .map(({ kind, name, liveId }) => ({ law: 'nothing left over', what: kind, detail: `${kind}/${name} (${liveId})` }))

/** Names of others are told by the inventory, which moves. */
function membersOf({ members }: Live): unknown {
  const { agent: _, after: __, ...own } = members
  return own
}

const text = (value: unknown): string => JSON.stringify(value ?? null)
