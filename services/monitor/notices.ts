// One notification for each alert, from when it is raised until it clears; a sibling that is down gets it later.
import type { Log } from '../../platform/core/log/log.ts'
import type { ClientOf } from '../../platform/http/client.ts'
import { Problem } from '../../platform/core/problem.ts'
import type { Alert } from '../../schemas/monitor/metrics.ts'
import type { notifyOperations } from '../../schemas/operations/notify.ts'
import { LARGEST_PAGE } from '../../schemas/operations/page.ts'

export class Notices {
  readonly #notify: ClientOf<typeof notifyOperations>
  readonly #log: Log
  /** Of each alert that was told of, by its metric. */
  readonly #told = new Map<string, string>()
  /** Notifications of alerts that have cleared, and are to be put aside. */
  readonly #over = new Set<string>()
  /** What earlier ones left is known. */
  #hasLooked = false

  constructor(notify: ClientOf<typeof notifyOperations>, log: Log) {
    this.#notify = notify
    this.#log = log
  }

  /** Brings the notifications in line with what is active; what fails is left for the next time. */
  async settle(active: readonly Alert[]): Promise<void> {
    try {
      if (!this.#hasLooked) await this.#lookForEarlier()
      for (const [metric, id] of this.#told) {
        if (active.some((alert) => alert.metric === metric)) continue
        this.#told.delete(metric)
        this.#over.add(id)
      }
      for (const id of this.#over) await this.#putAside(id)
      for (const alert of active)
        if (!this.#told.has(alert.metric)) this.#told.set(alert.metric, await this.#tell(alert))
    } catch (error) {
      // The next one finds what is on record, and goes on.
      if (error instanceof Problem && error.code === 'stopping') return
      this.#log.warn({ error: (error as Error).message }, 'notifications of alerts wait for the next collection')
    }
  }

  /** What an earlier monitor has told of, and nobody has put aside: its alert goes on, or has cleared meanwhile. */
  async #lookForEarlier(): Promise<void> {
    for (let offset = 0, total = 1; offset < total; offset += LARGEST_PAGE) {
      const page = await this.#notify.listActionable({ query: { limit: LARGEST_PAGE, offset } })
      for (const { id, source } of page.items) {
        const metric = alertType(source)
        if (metric === null) continue
        if (this.#told.has(metric)) this.#over.add(id)
        else this.#told.set(metric, id)
      }
      total = page.total
    }
    this.#hasLooked = true
  }

  async #tell({ metric, message }: Alert): Promise<string> {
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
