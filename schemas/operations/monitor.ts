// What can be asked of the monitor.
import { AgentLoad, Collected, MonitorStatus, SystemMetrics } from '../monitor/metrics.ts'
import { list, operation, operations } from './operation.ts'

export const getMetrics = operation('monitor.getMetrics', 'GET /metrics', {
  summary: 'The latest figures of the machine',
  reply: { 200: SystemMetrics },
})

export const collect = operation('monitor.collect', 'POST /collect', {
  summary: 'Collect the figures now, with the alerts they raise',
  guard: 'none',
  reply: { 200: Collected },
})

export const listHistory = list('monitor.listHistory', '/history', {
  summary: 'The figures collected so far, newest first',
  item: SystemMetrics,
})

export const getStatus = operation('monitor.getStatus', 'GET /status', {
  summary: 'How the machine is, and the alerts that are active',
  reply: { 200: MonitorStatus },
})

export const listAgentLoads = list('monitor.listAgentLoads', '/agents', {
  summary: 'What the agents of this machine take, the busiest first',
  item: AgentLoad,
})

export const monitorOperations = operations(
  { service: 'monitor', port: 17003 },
  { getMetrics, collect, listHistory, getStatus, listAgentLoads },
)
