// Resources that an automatic pass must check: those changed since the last pass, and those it left unsettled. Full
// passes find changes without an event.
import type { OpenIntents } from '../planning/intents.ts'
import { namedBy } from '../planning/pass-scope.ts'
import type { Owned, OwnedResources } from '../planning/ownership.ts'
import type { PassOptions, Preview } from '../planning/preview.ts'
import type { DesiredResource, DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Run } from '../../schemas/run.ts'

/** Above this number of resources and this share of the source, a pass checks everything. */
const FEW = 20
const SHARE = 0.02

interface Marks {
  /** Null before the first pass. */
  state: DesiredState | null
  /** The next pass checks everything. */
  everything: boolean
  /** `everything` for the pass after the running one. */
  again: boolean
  /** Number of the last unchecked move, by kind/name. */
  moved: Map<string, number>
  /** Resources (kind/name) that the last pass left unsettled. */
  open: Set<string>
}

interface Parts {
  inventory: OwnedResources & { all(): Iterable<Owned> }
  /** Unfinished steps are checked until closed. */
  intents: Pick<OpenIntents, 'all'>
}

export class Dirty {
  readonly #parts: Parts
  readonly #marks = new Map<string, Marks>()
  #moves = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Call when live state or the owner of a resource changed: sources that own or declare it check it. */
  markMoved(id: string): void {
    this.#moves++
    for (const { moved } of this.#marks.values()) moved.set(id, this.#moves)
  }

  /** Read this before observing a resource, for `confirm`. */
  get moves(): number {
    return this.#moves
  }

  /** The observation found the resource as desired; moves after `moves` remain unchecked. */
  confirm(id: string, moves: number): void {
    const moved = this.#marks.get(this.#parts.inventory.find(id)?.source ?? '')?.moved
    if (moved && (moved.get(id) ?? 0) <= moves) moved.delete(id)
  }

  /** Call when events may be lost: the next pass checks everything. */
  markAll(source: string): void {
    const marks = this.#marks.get(source)
    if (marks) marks.everything = marks.again = true
  }

  forget(source: string): void {
    this.#marks.delete(source)
  }

  /** Null before the first pass. */
  stateOf(source: string): DesiredState | null {
    return this.#marks.get(source)?.state ?? null
  }

  /** Resources to check, as kind/name; undefined: all. Without a later `endPass`, the next pass checks everything. */
  beginPass(source: string, state: DesiredState, owed: Iterable<string>): PassOptions['only'] {
    const marks = this.#marksOf(source)
    const ids = this.#idsOf(marks, source, state, owed)
    Object.assign(marks, { everything: true, again: false, moved: new Map(), open: new Set() })
    return ids
  }

  /** Call when the pass has planned for everything it had to check. */
  endPass(source: string, state: DesiredState, preview: Preview): void {
    const marks = this.#marksOf(source)
    Object.assign(marks, { state, everything: marks.again, open: this.#unsettled(source, state, preview) })
  }

  /** Marks the resources of a run, and dependents that know them by id. */
  recordRun({ steps }: Pick<Run, 'steps'>): void {
    if (steps.length === 0 || this.#marks.size === 0) return
    for (const step of steps) {
      this.markMoved(idOf(step))
      // A done step needs only one confirming check.
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

  /** Drops ids that the source neither owns nor declares. */
  #wanted(ids: Set<string>, source: string, { resources }: DesiredState): Set<string> {
    const isOwned = (id: string) => this.#parts.inventory.find(id)?.source === source
    const others = new Set([...ids].filter((id) => !isOwned(id)))
    if (others.size === 0) return ids
    const declared = new Set(namedBy(others, resources).map(idOf))
    return new Set([...ids].filter((id) => !others.has(id) || declared.has(id)))
  }

  /** Resources with a step, a plan error or a failed observation, and owned ones no longer declared. */
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

/** Resources in only one list; unchanged ones are the same object. */
function movedResources(
  before: readonly DesiredResource[],
  now: readonly DesiredResource[],
): Iterable<DesiredResource> {
  if (before === now) return []
  const moved = new Set(before)
  for (const resource of now) if (!moved.delete(resource)) moved.add(resource)
  return moved
}
