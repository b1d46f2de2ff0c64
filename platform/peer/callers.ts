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
  /** The one that was given this token when it was started. */
  ofToken(token: string): Promise<Caller | null>
}

/** What a token begins with that a program of ours was given; its id follows, and a dot. */
export const AGENT_TOKEN = 'agent.'

/** The id in a token of a program of ours; null for a token of somebody else. */
export const agentOfToken = (token: string): string | null =>
  /^agent\.([0-9a-f-]{36})\.[\w-]+$/.exec(token)?.[1] ?? null
