// State of a player besides the manifests.
import { SOURCES, idOf, type Desired, type Id, type Kind, type Members, type SourceName, type Sync } from './desired.ts'
import type { Snapshot } from './snapshot.ts'

/** The last manual change of a field. */
export interface Hand {
  id: Id
  member: string
  value: unknown
  actor: string
}

/** Changes since every law last held. */
export class Notes {
  /** Fields changed by a commit, as `id member`. */
  readonly moved = new Set<string>()
  /** Declared, removed, renamed or moved. */
  readonly remade = new Set<Id>()
  /** Last declarations of resources that were removed since. */
  readonly removed = new Map<Id, Picture>()
  /** Resources and sources with changed rules or faults. */
  readonly rules = new Set<Id | SourceName>()
  /** Resources and sources with a requested revert. */
  readonly asked = new Set<Id | SourceName>()
  /** Agents that were stopped or started manually. */
  readonly started = new Set<Id>()
  /** By live id: turns ended before, prompts accepted since. */
  readonly prompts = new Map<string, { before: number; accepted: number }>()
  readonly hands: Hand[] = []
}

/** A resource that `source` no longer declares, as it was declared. */
export interface Left extends Picture {
  /** The rules changed: it may be kept or pruned. */
  uncertain: boolean
}

export interface Memory {
  desired: Desired
  /** By `id member`. */
  hands: Map<string, Hand>
  /** Created manually and not owned, by live id. */
  handMade: Map<string, { kind: Kind; name: string; members: Members }>
  left: Map<Id, Left>
  /** Of all resources ever seen, by live id. */
  names: Map<string, string>
  /** Drift that was open before, by `kind/name path actor`. */
  seenDrift: Map<string, { id: Id; path: string; actor: string | null }>
  notes: Notes
  /** Last snapshot in which every law held. */
  before: Snapshot | null
}

export const keyOf = (id: Id, member: string): string => `${id} ${member}`

interface Picture {
  source: SourceName
  sync: Sync | undefined
  wanted: Members
}

type Pictures = Map<Id, Picture>

function picturesOf(desired: Desired): Pictures {
  const pictures: Pictures = new Map()
  for (const declared of desired.all())
    pictures.set(idOf(declared), {
      source: declared.source,
      sync: declared.sync,
      wanted: structuredClone(desired.wanted(declared)),
    })
  return pictures
}

const rulesOf = (desired: Desired) =>
  SOURCES.map((source) => JSON.stringify([desired.sourceRules(source), desired.fault(source)]))

export function noteChange({ desired, left, notes }: Memory, change: () => void): void {
  const [before, rulesBefore] = [picturesOf(desired), rulesOf(desired)]
  change()
  const [after, rulesAfter] = [picturesOf(desired), rulesOf(desired)]
  for (const [index, source] of SOURCES.entries()) if (rulesBefore[index] !== rulesAfter[index]) notes.rules.add(source)
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)]
    const last = was ?? notes.removed.get(id) ?? left.get(id)
    if (was?.source !== is?.source) noteOwner({ notes, left }, id, was, is)
    if (was && !is) notes.removed.set(id, was)
    if (last && is) noteMembers(notes, id, last, is)
  }
  for (const entry of left.values()) if (notes.rules.has(entry.source)) entry.uncertain = true
}

function noteOwner(
  { notes, left }: Pick<Memory, 'notes' | 'left'>,
  id: Id,
  was: Picture | undefined,
  is: Picture | undefined,
): void {
  // An earlier owner that keeps the resource has not handed it over.
  const kept = left.get(id)
  if (kept) kept.uncertain ||= notes.remade.has(id)
  else if (was) left.set(id, { ...was, uncertain: notes.rules.has(id) })
  notes.remade.add(id)
  if (is && left.get(id)?.source === is.source) left.delete(id)
}

function noteMembers(notes: Notes, id: Id, was: Picture, is: Picture): void {
  if (JSON.stringify(was.sync) !== JSON.stringify(is.sync)) notes.rules.add(id)
  for (const member of new Set([...Object.keys(was.wanted), ...Object.keys(is.wanted)]))
    if (was.wanted[member] !== is.wanted[member]) notes.moved.add(keyOf(id, member))
}

/** Whether a source may keep a resource that it no longer declares. */
export function isKept(desired: Desired, { source, sync }: Left): boolean {
  const rules = { ...desired.sourceRules(source), ...sync }
  return desired.fault(source) !== null || !rules.prune || rules.mode === 'manual'
}
