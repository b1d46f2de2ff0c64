// What an automatic pass has to look at: what moved in the manifests or on the live system since the last one, and what
// that one left unsettled. All else is as a pass has found it; what no event told is found when everything is looked at.
import type { OpenIntents } from '../planning/intents.ts'
import { namedBy } from '../planning/pass-scope.ts'
import type { Owned, OwnedResources } from '../planning/ownership.ts'
import type { PassOptions, Preview } from '../planning/preview.ts'
import type { DesiredResource, DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Run } from '../../schemas/run.ts'

/** Up to so many are looked at one by one; of more, at most this share of what a source owns. */
const FEW = 20
const SHARE = 0.02

interface Marks {
  /** As the last pass looked at it; null until a pass has. */
  state: DesiredState | null
  /** The next pass looks at everything. */
  everything: boolean
  /** The pass under way was told so meanwhile. */
  again: boolean
  /** By kind/name: which of all moves was the last that a pass has not looked at. */
  moved: Map<string, number>
  /** By kind/name: what the last look left to be done, told of, or made sure of. */
  open: Set<string>
}

interface Parts {
  inventory: OwnedResources & { all(): Iterable<Owned> }
  /** What came about of a step that was not closed is looked at until it is. */
  intents: Pick<OpenIntents, 'all'>
}

/** Kept by source; sources that no automatic pass goes over have nothing. */
export class Dirty {
  readonly #parts: Parts
  readonly #marks = new Map<string, Marks>()
  /** How many moves there were. */
  #moves = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * A resource moved, on the live system or from one owner to another, or to nobody: whoever owns or declares it looks
   * at it.
   */
  markMoved(id: string): void {
    this.#moves++
    for (const { moved } of this.#marks.values()) moved.set(id, this.#moves)
  }

  /** How many moves there were so far: to be asked before a resource is observed. */
  get moves(): number {
    return this.#moves
  }

  /** A look that began after so many moves found it as its owner desires it; later ones are yet to be looked at. */
  confirm(id: string, moves: number): void {
    const moved = this.#marks.get(this.#parts.inventory.find(id)?.source ?? '')?.moved
    if (moved && (moved.get(id) ?? 0) <= moves) moved.delete(id)
  }

  /** Events may be lost: the next pass over the source looks at everything. */
  markAll(source: string): void {
    const marks = this.#marks.get(source)
    if (marks) marks.everything = marks.again = true
  }

  /** The source is known no more. */
  forget(source: string): void {
    this.#marks.delete(source)
  }

  /** What the last pass over the source took as desired; null where none has yet. */
  stateOf(source: string): DesiredState | null {
    return this.#marks.get(source)?.state ?? null
  }

  /**
   * What the pass that begins now is to look at, by kind/name; undefined: everything. Should it not come to `endPass`,
   * the next one looks at everything.
   */
  beginPass(source: string, state: DesiredState, owed: Iterable<string>): PassOptions['only'] {
    const marks = this.#marksOf(source)
    const ids = this.#idsOf(marks, source, state, owed)
    Object.assign(marks, { everything: true, again: false, moved: new Map(), open: new Set() })
    return ids
  }

  /** A pass has seen what it was to look at, and what is to be done about it. */
  endPass(source: string, state: DesiredState, preview: Preview): void {
    const marks = this.#marksOf(source)
    Object.assign(marks, { state, everything: marks.again, open: this.#unsettled(source, state, preview) })
  }

  /** A run has acted, whoever asked for it: what it meant to change is looked at again, and who knows it by its id. */
  recordRun({ steps }: Pick<Run, 'steps'>): void {
    if (steps.length === 0 || this.#marks.size === 0) return
    for (const step of steps) {
      this.markMoved(idOf(step))
      // What was done is open no longer, but for a look that confirms it.
      if (step.status === 'done' && step.action !== 'delete')
        for (const marks of this.#marks.values()) marks.open.delete(idOf(step))
    }
    const others = new Set(steps.filter(({ action }) => action !== 'update' && action !== 'restart').map(idOf))
    if (others.size === 0) return
    for (const owned of this.#parts.inventory.all())
      if (owned.dependsOn.some((id) => others.has(id))) this.markMoved(idOf(owned))
  }

  #marksOf(source: string): Marks {
    let marks = this.#marks.get(source)
    if (!marks) {
      marks = { state: null, everything: true, again: false, moved: new Map(), open: new Set() }
      this.#marks.set(source, marks)
    }
    return marks
  }

  #idsOf(marks: Marks, source: string, state: DesiredState, owed: Iterable<string>): Set<string> | undefined {
    const { state: before, everything, moved, open } = marks
    if (everything || !before || !sameRules(before, state)) return undefined
    const ids = new Set([...open, ...moved.keys(), ...owed])
    for (const resource of movedResources(before.resources, state.resources)) ids.add(idOf(resource))
    const wanted = this.#wanted(ids, source, state)
    for (const { entry } of this.#parts.intents.all())
      if ((this.#parts.inventory.find(idOf(entry)) ?? entry).source === source) wanted.add(idOf(entry))
    return wanted.size > Math.max(FEW, this.#parts.inventory.ofSource(source).length * SHARE) ? undefined : wanted
  }

  /** Without those that the source neither owns nor declares, such as what was deleted meanwhile. */
  #wanted(ids: Set<string>, source: string, { resources }: DesiredState): Set<string> {
    const isOwned = (id: string) => this.#parts.inventory.find(id)?.source === source
    const others = new Set([...ids].filter((id) => !isOwned(id)))
    if (others.size === 0) return ids
    const declared = new Set(namedBy(others, resources).map(idOf))
    return new Set([...ids].filter((id) => !others.has(id) || declared.has(id)))
  }

  /** What has a step, a fault that only a look shows, could not be looked at, or is ours and not desired any more. */
  #unsettled(source: string, state: DesiredState, { plan, subjects, unknown, waiting }: Preview): Set<string> {
    const open = new Set([...[...plan.steps, ...unknown].map(idOf), ...waiting])
    for (const { kind, name } of plan.diagnostics.slice(state.diagnostics.length))
      if (kind !== null && name !== null) open.add(`${kind}/${name}`)
    const { denied = [], unconfirmed = [], waiting: tied = [] } = plan.held ?? {}
    for (const id of [...(plan.guard?.resources ?? []), ...denied, ...unconfirmed, ...tied]) open.add(id)
    for (const subject of subjects) {
      const isGone = !subject.isDeclared && this.#parts.inventory.find(idOf(subject))?.source === source
      if (isGone || subject.entry?.deferredSince) open.add(idOf(subject))
    }
    return open
  }
}

function sameRules(a: DesiredState, b: DesiredState): boolean {
  return a.sync === b.sync || JSON.stringify(a.sync) === JSON.stringify(b.sync)
}

/** Resources that are in one of two lists and not in the other: what has not changed is the same object. */
function movedResources(
  before: readonly DesiredResource[],
  now: readonly DesiredResource[],
): Iterable<DesiredResource> {
  if (before === now) return []
  const moved = new Set(before)
  for (const resource of now) if (!moved.delete(resource)) moved.add(resource)
  return moved
}
