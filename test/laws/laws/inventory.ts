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
      { law: 'inventory', what: `${declared.kind} in another file`, detail: `${id}: got ${place}, expected ${wanted}` },
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
    // Declared and removed in one batch: either source may own it.
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
      found.push({ law: 'inventory', what: 'pruned despite the rules', detail: `${id} of ${before.source}` })
  return found
}

const wasOwned = ({ before }: Situation, id: Id): boolean =>
  before !== null && before.inventory.some((entry) => entry.id === id)

/** Manually created resources stay unchanged unless adopted. */
export const unownedIsKept: Law = ({ memory, before, now }) =>
  [...memory.handMade].flatMap(([liveId, { kind, name }]): Violation[] => {
    const find = (snapshot: Snapshot | null) =>
      snapshot?.live.find((each) => each.kind === kind && each.liveId === liveId)
    const [was, is] = [find(before), find(now)]
    const isOwned = now.inventory.some((entry) => entry.kind === kind && entry.live_id === liveId)
    if (isOwned || (is && (!was || same(membersOf(was), membersOf(is))))) return []
    if (is)
      return [
        { law: 'unowned resources kept', what: `${kind} changed`, detail: `${kind}/${name}: ${text(is.members)}` },
      ]
    return [
      {
        law: 'unowned resources kept',
        what: kind,
        detail: `${kind}/${name} (${liveId}), created manually, does not exist`,
      },
    ]
  })

export const noDuplicates: Law = ({ memory, now }) =>
  now.inventory.flatMap((entry): Violation[] => {
    const strangers = now.live.filter(
      ({ kind, name, liveId }) =>
        kind === entry.kind && name === entry.name && liveId !== entry.live_id && !memory.handMade.has(liveId),
    )
    if (strangers.length === 0) return []
    const detail = `${entry.id}: ${entry.live_id} is owned, also found ${strangers.map(({ liveId }) => liveId).join(', ')}`
    return [{ law: 'no duplicates', what: entry.kind, detail }]
  })

export const noLeftovers: Law = ({ memory, now }) =>
  now.live
    .filter(({ kind, liveId }) => {
      const isOwned = now.inventory.some((entry) => entry.kind === kind && entry.live_id === liveId)
      return !isOwned && !memory.handMade.has(liveId)
    })
    .map(({ kind, name, liveId }) => ({ law: 'no leftovers', what: kind, detail: `${kind}/${name} (${liveId})` }))

/** Without references, whose names depend on the inventory. */
function membersOf({ members }: Live): unknown {
  const { agent: _, after: __, ...own } = members
  return own
}

const text = (value: unknown): string => JSON.stringify(value ?? null)
