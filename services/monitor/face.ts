import type { AgentLoad, Collected, MonitorStatus, SystemMetrics } from '../../schemas/monitor/metrics.ts'

export interface Monitor {
  /** Throws 503 before the first collection. */
  latest(): Promise<SystemMetrics>
  collect(): Promise<Collected>
  /** Newest first. */
  history(): Promise<SystemMetrics[]>
  status(): Promise<MonitorStatus>
  /** Busiest first. */
  agents(): Promise<AgentLoad[]>
}
