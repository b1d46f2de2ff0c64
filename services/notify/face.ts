// The face of the notifications: what their routes may ask of them.
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type {
  Notification,
  NotificationCount,
  NotificationInput,
  NotificationStatus,
  NotificationUpdate,
} from '../../schemas/notify/notification.ts'
import type { Delivery } from '../../schemas/notify/sinks.ts'

/** A list takes the part that is wanted; all of it where none is named. */
type Part = Partial<PageLimits>

export interface Notify {
  /** Throws 400 for one that has expired already. */
  create(input: NotificationInput): Promise<Notification>
  /** Newest first. */
  list(filter: { status?: NotificationStatus }, part: Part): Promise<Page<Notification>>
  /** Pending or viewed, and not expired; the most urgent first, of these the newest. */
  actionable(part: Part): Promise<Page<Notification>>
  /** Dismissed, responded or expired, newest first. */
  history(part: Part): Promise<Page<Notification>>
  count(): Promise<NotificationCount>
  get(id: string): Promise<Notification>
  /** Throws 400 for an answer that nobody asked for, 409 for one that comes too late. */
  update(id: string, update: NotificationUpdate): Promise<Notification>
  delete(id: string): Promise<void>
  /** Each new or changed notification from now on. */
  subscribe(listener: (notification: Notification) => void): Unsubscribe
  deliveries(filter: { status?: Delivery['status']; sink?: string }, part: Part): Promise<Page<Delivery>>
  /** Throws 409 for what was delivered. */
  retry(id: string): Promise<Delivery>
}
