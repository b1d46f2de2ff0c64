// Who asks for a change, and through which door: recorded with every write, shown with every drift.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Role } from '../../schemas/access/token.ts'

export interface Actor {
  /**
   * The token's subject, `agent:<name>`, the X-Svc-Actor header, or `anonymous`; `controller` and `daemon` are our
   * own.
   */
  actor: string
  /** Id of the agent of ours that asks. */
  agent?: string
  /** The role of the token, where one was shown. */
  role?: Role
  requestId: string
  /** `PUT /agents/{id}/policy`, or the name of the part that acted. */
  endpoint: string
  /** Set once an audit row was written for this request: the host adds one for a write that recorded none. */
  audited?: boolean
}

/** The daemon acting for itself: the part that acts stands in `endpoint`. */
export function ownActor(part: string, requestId: string): Actor {
  return { actor: part, requestId, endpoint: part }
}

const asking = new AsyncLocalStorage<Actor>()

/** Runs `work` on behalf of `actor`: calls to sibling services that it makes carry the name and the request id on. */
export function asActor<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
  return asking.run(actor, work)
}

/** On whose behalf the present work is done, or null for work of our own. */
export function currentActor(): Actor | null {
  return asking.getStore() ?? null
}
