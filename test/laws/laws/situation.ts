import { idOf, type Declared, type Id, type Members } from '../desired.ts'
import { isKept, type Memory } from '../memory.ts'
import { liveOf, type Live, type Snapshot } from '../snapshot.ts'

export interface Violation {
  law: string
  /** Identical in every run, to compare violations. */
  what: string
  detail: string
}

export type Law = (situation: Situation) => Violation[]

export class Situation {
  readonly memory: Memory
  readonly now: Snapshot

  constructor(memory: Memory, now: Snapshot) {
    this.memory = memory
    this.now = now
  }

  get before(): Snapshot | null {
    return this.memory.before
  }

  get declared(): Declared[] {
    return this.memory.desired.all()
  }

  entry(id: Id) {
    return this.now.inventory.find((entry) => entry.id === id)
  }

  live(id: Id): Live | undefined {
    return liveOf(this.now, id)
  }

  wanted(declared: Declared): Members {
    return this.memory.desired.wanted(declared)
  }

  /** Whether a former source may still own it. */
  isContested(id: Id): boolean {
    const left = this.memory.left.get(id)
    return left !== undefined && (isKept(this.memory.desired, left) || left.uncertain)
  }

  isManual(declared: Declared): boolean {
    return this.memory.desired.rules(declared).mode === 'manual'
  }

  heals(declared: Declared): boolean {
    return this.memory.desired.rules(declared).drift === 'heal' && !this.isUndone(declared)
  }

  /** Whether the controller no longer writes it. */
  isUndone(declared: Declared): boolean {
    return Boolean(this.entry(idOf(declared))?.contested)
  }

  /** Whether the value of each field is determined. */
  isExact(declared: Declared): boolean {
    const isOpen = this.isManual(declared) || this.isContested(idOf(declared)) || this.isUndone(declared)
    return !isOpen && !this.isHeldUp(declared)
  }

  /** Whether its agent or source workflow is unavailable. */
  isHeldUp({ kind, members }: Declared): boolean {
    if (kind !== 'workflows') return false
    const agent = this.live(`agents/${String(members.agent)}`)
    const chain = members.after === undefined || this.live(`workflows/${String(members.after)}`) !== undefined
    return agent?.agent?.status !== 'running' || !chain
  }

  /** Whether a revert was requested. */
  wasAsked(id: Id): boolean {
    const { asked } = this.memory.notes
    const source = this.memory.desired.get(id)?.source ?? this.memory.left.get(id)?.source
    return asked.has(id) || (source !== undefined && asked.has(source))
  }
}

/** Maps a path of a spec to the API field. */
export function memberOf(path: string): string {
  const top = path.split('.', 1)[0]!
  return top === 'trigger' ? 'after' : top
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
