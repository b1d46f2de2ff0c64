// Caller of a change, recorded with every write.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Role } from '../../schemas/access/token.ts'

export interface Actor {
  /** The token's subject, `agent:<name>`, the X-Svc-Actor header, or `anonymous`. Reserved: `controller`, `daemon`. */
  actor: string
  /** Id of a managed agent. */
  agent?: string
  /** Agent whose process sent the request with the token of another caller. */
  sender?: { agent: string; actor: string }
  role?: Role
  requestId: string
  /** `PUT /agents/{id}/policy`, or the part of the daemon that acted. */
  endpoint: string
  /** Set once the request has an audit row; otherwise its route adds one. */
  audited?: boolean
}

const AGENT = 'agent:'

/** True for a managed agent, and for an unidentified process in an agent's terminal. */
export const isAgent = ({ actor, agent, role }: Pick<Actor, 'actor' | 'agent' | 'role'>): boolean =>
  agent !== undefined || (role === undefined && actor.startsWith(AGENT))

export function ownActor(part: string, requestId: string): Actor {
  return { actor: part, requestId, endpoint: part }
}

const asking = new AsyncLocalStorage<Actor>()

/** Runs `work` as the actor, whose name and request id sibling services receive. */
export function asActor<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
  return asking.run(actor, work)
}

/** Null for the daemon's own work. */
export function currentActor(): Actor | null {
  return asking.getStore() ?? null
}
