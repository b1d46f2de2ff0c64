import { counter, histogram, type Metric } from '../../../platform/metrics/metrics.ts'
import type { DispatchRow } from '../record/tables.ts'

/** Seconds. */
const BUCKETS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600, 14_400, 86_400]

export class DispatchMetrics {
  readonly #ended = { completed: 0, failed: 0, skipped: 0 }
  readonly #waits = histogram('dispatch_wait_seconds', 'Seconds from the creation of a task to its prompt', BUCKETS)
  readonly #runs = histogram('dispatch_run_seconds', 'Seconds from the prompt to the end of its dispatch', BUCKETS)

  /** Call with a dispatch whose status has just changed. */
  count({ status, created_at, dispatched_at, completed_at }: DispatchRow): void {
    if (status === 'pending') return
    if (status === 'dispatched') return this.#waits.observe(secondsBetween(created_at, dispatched_at))
    this.#ended[status]++
    if (dispatched_at !== null) this.#runs.observe(secondsBetween(dispatched_at, completed_at))
  }

  get metrics(): Metric[] {
    const ended = counter('dispatches_ended_total', 'Ended dispatches by status', () => ({ ...this.#ended }), 'status')
    return [ended, this.#waits.metric, this.#runs.metric]
  }
}

const secondsBetween = (from: string, to: string | null): number =>
  to === null ? 0 : (Date.parse(to) - Date.parse(from)) / 1000
