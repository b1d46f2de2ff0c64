// Who asks for a change, and through which door: recorded with every write, shown with every drift.

export interface Actor {
  /** The token's subject, the X-Svc-Actor header, or `anonymous`; `controller` and `daemon` are our own. */
  actor: string
  requestId: string
  /** `PUT /agents/{id}/policy`, or the name of the part that acted. */
  endpoint: string
}

/** The daemon acting for itself: the part that acts stands in `endpoint`. */
export function ownActor(part: string, requestId: string): Actor {
  return { actor: part, requestId, endpoint: part }
}
