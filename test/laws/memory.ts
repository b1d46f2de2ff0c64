// What the player of a seed knows beside the manifests: what it did by hand, and what of a batch may explain what is seen.
import { SOURCES, idOf, type Desired, type Id, type Kind, type Members, type SourceName, type Sync } from './desired.ts'
import type { Snapshot } from './snapshot.ts'

/** A member that somebody wrote by hand and nobody since. */
export interface Hand {
  id: Id
  member: string
  value: unknown
  actor: string
}

/** What happened since the laws were last seen to hold. */
export class Notes {
  /** Members that a commit moved, as `id member`. */
  readonly moved = new Set<string>()
  /** Declared, removed, renamed or given to another source. */
  readonly remade = new Set<Id>()
  /** Whose rules or faults are others now. */
  readonly rules = new Set<Id | SourceName>()
  /** Whom somebody asked to be put back. */
  readonly asked = new Set<Id | SourceName>()
  /** Agents whose process somebody ended or started. */
  readonly started = new Set<Id>()
  /** By live id: turns that had ended before, and prompts accepted since. */
  readonly prompts = new Map<string, { before: number; accepted: number }>()
  readonly hands: Hand[] = []
}

/** A resource that no manifest of `source` declares any more. */
export interface Left {
  source: SourceName
  /** Of the resource itself. */
  sync: Sync | undefined
  /** The rules were others while it was left: what became of it may be either. */
  uncertain: boolean
}

export interface Memory {
  desired: Desired
  /** By `id member`. */
  hands: Map<string, Hand>
  /** Made by hand and owned by nobody, by live id. */
  handMade: Map<string, { kind: Kind; name: string; members: Members }>
  /** What a source declared before, and may still own. */
  left: Map<Id, Left>
  /** Drift that was seen open, as `kind/name path actor`. */
  seenDrift: Map<string, { id: Id; path: string; actor: string | null }>
  notes: Notes
  /** When the laws were last seen to hold. */
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

/** Has `change` change what is desired, and notes what became others by it. */
export function noteChange({ desired, left, notes }: Memory, change: () => void): void {
  const [before, rulesBefore] = [picturesOf(desired), rulesOf(desired)]
  change()
  const [after, rulesAfter] = [picturesOf(desired), rulesOf(desired)]
  for (const [index, source] of SOURCES.entries()) if (rulesBefore[index] !== rulesAfter[index]) notes.rules.add(source)
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)]
    if (was?.source !== is?.source) noteOwner({ notes, left }, id, was, is)
    if (was && is) noteMembers(notes, id, was, is)
  }
  for (const entry of left.values()) if (notes.rules.has(entry.source)) entry.uncertain = true
}

function noteOwner(
  { notes, left }: Pick<Memory, 'notes' | 'left'>,
  id: Id,
  was: Picture | undefined,
  is: Picture | undefined,
): void {
  // Whom it was taken from keeps it while its own files or rules say so: then it has never been `was`'s.
  const kept = left.get(id)
  if (kept) kept.uncertain ||= notes.remade.has(id)
  else if (was) left.set(id, { source: was.source, sync: was.sync, uncertain: notes.rules.has(id) })
  notes.remade.add(id)
  if (is && left.get(id)?.source === is.source) left.delete(id)
}

function noteMembers(notes: Notes, id: Id, was: Picture, is: Picture): void {
  if (JSON.stringify(was.sync) !== JSON.stringify(is.sync)) notes.rules.add(id)
  for (const member of new Set([...Object.keys(was.wanted), ...Object.keys(is.wanted)]))
    if (was.wanted[member] !== is.wanted[member]) notes.moved.add(keyOf(id, member))
}

/** True where the rules let a source keep what it declares no more. */
export function isKept(desired: Desired, { source, sync }: Left): boolean {
  const rules = { ...desired.sourceRules(source), ...sync }
  return desired.fault(source) !== null || !rules.prune || rules.mode === 'manual'
}
