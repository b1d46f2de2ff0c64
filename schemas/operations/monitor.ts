import { DiskUse } from '../monitor/disk.ts'
import { AgentLoad, Collected, HistoryQuery, MonitorStatus, SystemMetrics } from '../monitor/metrics.ts'
import { list, operation, operations } from './operation.ts'

export const getMetrics = operation('monitor.getMetrics', 'GET /metrics', {
  identity: 'none',
  summary: 'Show the latest machine metrics',
  reply: { 200: SystemMetrics },
})

export const collect = operation('monitor.collect', 'POST /collect', {
  summary: 'Collect metrics now and evaluate the alerts',
  guard: 'none',
  reply: { 200: Collected },
})

export const listHistory = list('monitor.listHistory', '/history', {
  identity: 'none',
  summary: 'List collected metrics, or means by time, newest first',
  query: HistoryQuery,
  item: SystemMetrics,
})

export const getStatus = operation('monitor.getStatus', 'GET /status', {
  identity: 'none',
  summary: 'Show machine status and active alerts',
  reply: { 200: MonitorStatus },
})

export const getDisk = operation('monitor.getDisk', 'GET /disk', {
  identity: 'none',
  summary: 'Show the space of the data folder and when it ends',
  reply: { 200: DiskUse },
})

export const listAgentLoads = list('monitor.listAgentLoads', '/agents', {
  identity: 'none',
  summary: 'List resource usage per agent, busiest first',
  item: AgentLoad,
})

export const monitorOperations = operations(
  { service: 'monitor', port: 17003 },
  { getMetrics, collect, listHistory, getStatus, getDisk, listAgentLoads },
)
