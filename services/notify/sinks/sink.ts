// What a sink is: a way for one notification to somebody outside.
import type { Notification } from '../../../schemas/notify/notification.ts'

/** One notification on its way: resolves when it was taken, throws when it was not. */
export interface Sending {
  /** The same over all attempts, so that a receiver knows what it has. */
  id: string
  notification: Notification
  /** Milliseconds since 1970. */
  now: number
  signal: AbortSignal
}
export type Send = (sending: Sending) => Promise<void>
