// Programs that the daemon runs and that may ask something of it in their turn.
import type { Lineage } from './processes.ts'

/** One of them, as far as the door must know it. */
export interface Caller {
  /** Null for one of which only this is known: that it is one. */
  id: string | null
  /** Of the record of a write: `agent:builder`. */
  actor: string
  /** Which guarded operations it may ask for. */
  may: readonly string[]
}

/** What the service that runs them knows. */
export interface Callers {
  find(id: string): Promise<Caller | null>
  /** The one that a process belongs to. */
  ofProcess(lineage: Lineage): Promise<Caller | null>
}
