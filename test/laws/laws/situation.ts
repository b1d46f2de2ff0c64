// What a law is held against: what is wanted, what happened, what was and what is; and what of it the rules leave open.
import { idOf, type Declared, type Id, type Members } from '../desired.ts'
import { isKept, type Memory } from '../memory.ts'
import { liveOf, type Live, type Snapshot } from '../snapshot.ts'

export interface Violation {
  law: string
  /** What it is about, without anything that differs from run to run. */
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

  /** Another source declared it before, and may keep it: whose it is and how it is made is open. */
  isContested(id: Id): boolean {
    const left = this.memory.left.get(id)
    return left !== undefined && (isKept(this.memory.desired, left) || left.uncertain)
  }

  /** Nobody asked: what is in manual mode waits. */
  isManual(declared: Declared): boolean {
    return this.memory.desired.rules(declared).mode === 'manual'
  }

  heals(declared: Declared): boolean {
    return this.memory.desired.rules(declared).drift === 'heal' && !this.isUndone(declared)
  }

  /** A hand has undone it so often that nothing is written any more. */
  isUndone(declared: Declared): boolean {
    return Boolean(this.entry(idOf(declared))?.contested)
  }

  /** Whether the laws say for each of its members what it must be. */
  isExact(declared: Declared): boolean {
    const isOpen = this.isManual(declared) || this.isContested(idOf(declared)) || this.isUndone(declared)
    return !isOpen && !this.isHeldUp(declared)
  }

  /** A workflow whose agent or source a hand took away cannot be made, and a rule to report leaves it so. */
  isHeldUp({ kind, members }: Declared): boolean {
    if (kind !== 'workflows') return false
    const agent = this.live(`agents/${String(members.agent)}`)
    const chain = members.after === undefined || this.live(`workflows/${String(members.after)}`) !== undefined
    return agent?.agent?.status !== 'running' || !chain
  }

  /** Somebody asked that it is put back since the laws were last seen to hold. */
  wasAsked(id: Id): boolean {
    const { asked } = this.memory.notes
    const source = this.memory.desired.get(id)?.source ?? this.memory.left.get(id)?.source
    return asked.has(id) || (source !== undefined && asked.has(source))
  }
}

/** The member of the API that a path of a spec speaks of. */
export function memberOf(path: string): string {
  const top = path.split('.', 1)[0]!
  return top === 'trigger' ? 'after' : top
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
