// Alerts clear a few percentage points below their threshold, so that they do not flap.
import type { Alert, MonitorStatus, SystemMetrics } from '../../schemas/monitor/metrics.ts'

export interface Thresholds {
  cpu: number
  memory: number
  disk: number
}

const CLEARS_BELOW = 5

interface Watched {
  metric: string
  what: string
  value: number
  threshold: number
}

export class Alerts {
  readonly #thresholds: Thresholds
  readonly #active = new Map<string, Alert>()
  #isSevere = false

  constructor(thresholds: Thresholds) {
    this.#thresholds = thresholds
  }

  /** A missing metric, such as an unmounted disk, clears its alert. */
  look(metrics: SystemMetrics): { raised: Alert[]; cleared: string[] } {
    const watched = this.#watched(metrics)
    const raised = watched.flatMap((each) => this.#judge(each, metrics.collected_at))
    const holds = ({ value, threshold }: Watched) => value > threshold - Math.min(CLEARS_BELOW, threshold)
    const kept = new Set(watched.filter(holds).map(({ metric }) => metric))
    const cleared = [...this.#active.keys()].filter((metric) => !kept.has(metric))
    for (const metric of cleared) this.#active.delete(metric)
    this.#isSevere = watched.some(({ value, threshold }) => value > threshold && value > (threshold + 100) / 2)
    return { raised, cleared }
  }

  /** Oldest first. */
  get active(): Alert[] {
    return [...this.#active.values()]
  }

  get status(): MonitorStatus['status'] {
    if (this.#active.size === 0) return 'healthy'
    return this.#active.size > 1 || this.#isSevere ? 'critical' : 'degraded'
  }

  #watched({ cpu, memory, disks }: SystemMetrics): Watched[] {
    const { cpu: forCpu, memory: forMemory, disk } = this.#thresholds
    return [
      { metric: 'cpu', what: 'CPU', value: cpu.usage_percent, threshold: forCpu },
      { metric: 'memory', what: 'Memory', value: memory.usage_percent, threshold: forMemory },
      ...disks.map(({ mount_point, usage_percent }) => ({
        metric: `disk:${mount_point}`,
        what: `Disk ${mount_point}`,
        value: usage_percent,
        threshold: disk,
      })),
    ]
  }

  /** Returns the alert if it is new. */
  #judge({ metric, what, value, threshold }: Watched, at: string): Alert[] {
    const known = this.#active.get(metric)
    if (!known && value <= threshold) return []
    const relation = value > threshold ? 'exceeds' : 'is still close to'
    const message = `${what} usage ${value.toFixed(1)}% ${relation} threshold ${threshold.toFixed(1)}%`
    const alert = { metric, current_value: value, threshold, message, raised_at: known?.raised_at ?? at }
    this.#active.set(metric, alert)
    return known ? [] : [alert]
  }
}
