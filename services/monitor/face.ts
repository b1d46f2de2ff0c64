// The face of the monitor: what its routes may ask of it.
import type { AgentLoad, Collected, MonitorStatus, SystemMetrics } from '../../schemas/monitor/metrics.ts'

export interface Monitor {
  /** Throws 503 before the first collection. */
  latest(): Promise<SystemMetrics>
  collect(): Promise<Collected>
  /** Newest first. */
  history(): Promise<SystemMetrics[]>
  status(): Promise<MonitorStatus>
  /** The busiest first. */
  agents(): Promise<AgentLoad[]>
}
