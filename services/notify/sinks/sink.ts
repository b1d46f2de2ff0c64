import type { Notification } from '../../../schemas/notify/notification.ts'

export interface Sending {
  /** The same for every attempt, so that receivers can drop duplicates. */
  id: string
  notification: Notification
  /** Milliseconds since 1970. */
  now: number
  signal: AbortSignal
}
/** Resolves on success, throws on failure. */
export type Send = (sending: Sending) => Promise<void>
