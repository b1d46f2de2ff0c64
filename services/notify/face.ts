import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { Listed, Part } from '../../platform/store/page.ts'
import type { Notification, NotificationInput } from '../../schemas/notify/notification.ts'
import type { Delivery, Sink, SinkTest } from '../../schemas/notify/sinks.ts'
import type { Notifications } from './notifications.ts'

export interface Notify {
  readonly records: Pick<
    Notifications,
    'list' | 'listActionable' | 'listHistory' | 'count' | 'get' | 'update' | 'delete'
  >
  /** Throws 400 if the expiry is in the past. */
  create(input: NotificationInput): Promise<Notification>
  subscribe(listener: (notification: Notification) => void): Unsubscribe
  sinks(): Promise<Sink[]>
  /** Throws 404 for an unknown sink, 409 while it is being tested. A failed test is an outcome. */
  testSink(name: string): Promise<SinkTest>
  /** Newest first. */
  deliveries<P extends Part>(
    filter: { status?: Delivery['status']; sink?: string },
    part: P,
  ): Promise<Listed<Delivery, P>>
  /** Throws 409 if the delivery has succeeded. */
  retry(id: string): Promise<Delivery>
}
