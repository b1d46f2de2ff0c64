import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { Notification, NotificationInput } from '../../schemas/notify/notification.ts'
import type { Delivery } from '../../schemas/notify/sinks.ts'
import type { Notifications } from './notifications.ts'

export interface Notify {
  readonly records: Pick<
    Notifications,
    'list' | 'listActionable' | 'listHistory' | 'count' | 'get' | 'update' | 'delete'
  >
  /** Throws 400 if the expiry is in the past. */
  create(input: NotificationInput): Promise<Notification>
  subscribe(listener: (notification: Notification) => void): Unsubscribe
  deliveries(filter: { status?: Delivery['status']; sink?: string }, part: Partial<PageLimits>): Promise<Page<Delivery>>
  /** Throws 409 if the delivery has succeeded. */
  retry(id: string): Promise<Delivery>
}
