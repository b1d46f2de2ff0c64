// A socket of the rooms as its session sees it: who is at the other end, and the line there.
import type { Actor } from '../../../platform/core/actor.ts'
import type { Writer } from '../../../platform/http/live-streams.ts'
import type { Presence } from '../../../schemas/communicate/room.ts'
import type { Asker } from '../asker.ts'

/** The other end of a socket. */
export interface Line extends Writer {
  /** Takes no more from the other side until `resume`. */
  pause(): void
  resume(): void
  /** Ends the connection: whoever is there connects again. */
  restart(reason: string): void
}

/** Who is at the other end. */
export interface Visitor {
  presence: Presence
  asker: Asker
  actor: Actor
}
