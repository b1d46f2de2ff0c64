import { background, type Background } from '../../platform/async/background.ts'
import { ChangeFeed, type Unsubscribe } from '../../platform/async/change-feed.ts'
import { counter, gauge } from '../../platform/metrics/metrics.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { limit, seconds, type Settings } from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import type { ChangeSource } from '../../platform/store/change-triggers.ts'
import { Outbox, type OutboxEntry } from '../../platform/store/outbox.ts'
import type { Notification, NotificationInput } from '../../schemas/notify/notification.ts'
import type { Delivery, NotifyConfig, Sink } from '../../schemas/notify/sinks.ts'
import { notifyOperations } from '../../schemas/operations/notify.ts'
import type { Notify } from './face.ts'
import { migrations } from './migrations.ts'
import { Notifications } from './notifications.ts'
import { channelsOf, digestOf, sendersOf, sinksFor } from './sinks/channels.ts'
import { sinkRecord } from './sinks/sink-records.ts'
import { SinkTests } from './sinks/sink-tests.ts'

const settings = {
  cleanupSecs: seconds({ default: 300, least: 1 }),
  mostOpen: limit({ default: 500, variable: 'SVC_LIMIT_OPEN_NOTIFICATIONS' }),
} satisfies Settings

export const DEDUPLICATE_SECS = 300
const TOPIC = 'notify.notifications'

export type NotifyParts = NotifyConfig

export const notify = defineService({
  operations: notifyOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>, config: NotifyParts): Notify & Opened => new NotifyService(world, config),
})

class NotifyService implements Notify, Opened {
  readonly #world: World<typeof settings>
  readonly #config: NotifyConfig
  readonly records: Notifications
  readonly #outbox: Outbox
  readonly #tests: SinkTests
  readonly #feed: ChangeFeed<Notification>
  #made = 0
  #cleaning: Background | null = null
  #hearing: (() => void) | null = null

  constructor(world: World<typeof settings>, config: NotifyConfig) {
    this.#world = world
    this.#config = config
    this.#feed = new ChangeFeed(world.log)
    const { variable } = settings.mostOpen
    const next = 'dismiss some'
    const open = { what: 'open notifications', most: world.settings.mostOpen, variable, next }
    this.records = new Notifications(world, open, (ids, transaction) =>
      world.bus.publish(TOPIC, ids.join(), transaction),
    )
    const senders = sendersOf(config, world.config)
    this.#tests = new SinkTests(world, { sinks: config.sinks ?? [], senders })
    this.#outbox = new Outbox(world, {
      prefix: migrations.prefix,
      channels: channelsOf(config, senders, () => world.clock.now()),
      deduplicateMs: (config.deduplicate_secs ?? DEDUPLICATE_SECS) * 1000,
    })
  }

  readonly inboxSources: readonly ChangeSource[] = [
    { table: 'notify_notifications', topic: 'inbox', kind: 'notification', id: ['id'] },
  ]

  readonly metrics = [
    gauge(
      'svc_notify_notifications',
      'Stored notifications',
      async () => (await this.records.count()).by_status,
      'status',
    ),
    gauge(
      'svc_notify_deliveries_waiting',
      'Deliveries that a sink has not accepted yet',
      () => this.#outbox.waiting(),
      'sink',
    ),
    counter('svc_notify_created_total', 'Notifications created since start', () => this.#made),
  ]

  async start(): Promise<void> {
    const { clock, log, settings, bus } = this.#world
    this.#hearing = bus.subscribe(TOPIC, { heard: (ids) => void this.#tell(ids.split(',')) })
    this.#outbox.start()
    this.#cleaning = background({
      clock,
      log,
      name: 'notification cleanup',
      everyMs: settings.cleanupSecs * 1000,
      work: (signal) => this.records.cleanUp(signal),
    })
  }

  async stop(): Promise<void> {
    this.#hearing?.()
    this.#tests.stop()
    await Promise.all([this.#cleaning?.stop(), this.#outbox.stop()])
  }

  async health(): Promise<Record<string, unknown>> {
    return { sinks: (this.#config.sinks ?? []).map(({ name }) => name) }
  }

  async create(input: NotificationInput): Promise<Notification> {
    const made = await this.records.create(input, (notification, transaction) => {
      const digest = digestOf(notification)
      const entry = { subject: notification.id, payload: notification, digest }
      return this.#outbox.put(sinksFor(this.#config, notification), entry, transaction)
    })
    this.#made++
    this.#outbox.wake()
    return made
  }

  subscribe(listener: (notification: Notification) => void): Unsubscribe {
    return this.#feed.subscribe(listener)
  }

  async sinks(): Promise<Sink[]> {
    const waiting = await this.#outbox.waiting()
    return (this.#config.sinks ?? []).map((sink) => sinkRecord(sink, waiting[sink.name] ?? 0))
  }

  readonly testSink: Notify['testSink'] = (name) => this.#tests.test(name)

  readonly deliveries: Notify['deliveries'] = ({ status, sink }, part) =>
    this.#outbox.list({ status, channel: sink }, part, toDelivery)

  readonly retry: Notify['retry'] = async (id) => toDelivery(await this.#outbox.retry(id))

  async #tell(ids: readonly string[]): Promise<void> {
    if (this.#feed.idle) return
    try {
      for (const each of await this.records.some(ids)) this.#feed.publish(each)
    } catch (error) {
      this.#world.log.warn({ error: (error as Error).message }, 'failed to read changed notifications for the stream')
    }
  }
}

const toDelivery = ({ channel, subject, payload: _payload, digest: _digest, ...rest }: OutboxEntry): Delivery => ({
  ...rest,
  sink: channel,
  notification_id: subject,
})
