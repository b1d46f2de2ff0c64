import type { DiskUse } from '../../schemas/monitor/disk.ts'
import type { AgentLoad, Collected, HistoryQuery, MonitorStatus, SystemMetrics } from '../../schemas/monitor/metrics.ts'

export interface Monitor {
  /** Throws 503 before the first collection. */
  latest(): Promise<SystemMetrics>
  collect(): Promise<Collected>
  /** Newest first: the last collections, or the means of a time. Throws 400 if `until` is not after `since`. */
  history(query?: HistoryQuery): Promise<SystemMetrics[]>
  status(): Promise<MonitorStatus>
  /** Measures the data folder in the background; waits at most two seconds for the first result. */
  disk(): Promise<DiskUse>
  /** Busiest first. */
  agents(): Promise<AgentLoad[]>
}
