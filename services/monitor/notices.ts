// Keeps one notification per active alert, and dismisses it when the alert clears.
import type { Log } from '../../platform/core/log/log.ts'
import type { ClientOf } from '../../platform/http/client.ts'
import { Problem } from '../../platform/core/problem.ts'
import type { Alert } from '../../schemas/monitor/metrics.ts'
import type { notifyOperations } from '../../schemas/operations/notify.ts'
import { LARGEST_PAGE } from '../../schemas/operations/page.ts'

export class Notices {
  readonly #notify: ClientOf<typeof notifyOperations>
  readonly #log: Log
  /** Notification ids by metric. */
  readonly #notified = new Map<string, string>()
  /** Ids of notifications to dismiss. */
  readonly #over = new Set<string>()
  #isLoaded = false

  constructor(notify: ClientOf<typeof notifyOperations>, log: Log) {
    this.#notify = notify
    this.#log = log
  }

  /** Failures are retried at the next call. */
  async settle(active: readonly Alert[]): Promise<void> {
    try {
      if (!this.#isLoaded) await this.#loadEarlier()
      for (const [metric, id] of this.#notified) {
        if (active.some((alert) => alert.metric === metric)) continue
        this.#notified.delete(metric)
        this.#over.add(id)
      }
      for (const id of this.#over) await this.#putAside(id)
      for (const alert of active)
        if (!this.#notified.has(alert.metric)) this.#notified.set(alert.metric, await this.#create(alert))
    } catch (error) {
      // The daemon is stopping; the next one continues.
      if (error instanceof Problem && error.code === 'stopping') return
      this.#log.warn(
        { error: (error as Error).message },
        'failed to update alert notifications; retrying at the next collection',
      )
    }
  }

  /** Alerts of an earlier daemon may have cleared. */
  async #loadEarlier(): Promise<void> {
    for (let offset = 0, total = 1; offset < total; offset += LARGEST_PAGE) {
      const page = await this.#notify.listActionable({ query: { limit: LARGEST_PAGE, offset } })
      for (const { id, source } of page.items) {
        const metric = alertType(source)
        if (metric === null) continue
        if (this.#notified.has(metric)) this.#over.add(id)
        else this.#notified.set(metric, id)
      }
      total = page.total
    }
    this.#isLoaded = true
  }

  async #create({ metric, message }: Alert): Promise<string> {
    const { id } = await this.#notify.createNotification({
      body: {
        source: { MonitorService: { alert_type: metric } },
        lifetime: 'Persistent',
        priority: 'High',
        title: `Alert: ${metric}`.slice(0, 1000),
        message,
        requires_response: false,
      },
    })
    return id
  }

  async #putAside(id: string): Promise<void> {
    try {
      await this.#notify.updateNotification({ params: { id }, body: { status: 'Dismissed' } })
    } catch (error) {
      if (!(error instanceof Problem && error.status === 404)) throw error
    }
    this.#over.delete(id)
  }
}

const alertType = (source: object | string): string | null =>
  typeof source === 'object' && 'MonitorService' in source
    ? (source as { MonitorService: { alert_type: string } }).MonitorService.alert_type
    : null
