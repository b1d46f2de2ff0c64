// What can be asked of the monitor.
import { AgentLoad, Collected, MonitorStatus, SystemMetrics } from '../monitor/metrics.ts'
import { list, operation, operations } from './operation.ts'

export const getMetrics = operation({
  id: 'monitor.getMetrics',
  summary: 'The latest figures of the machine',
  method: 'GET',
  path: '/metrics',
  reply: { 200: SystemMetrics },
})

export const collect = operation({
  id: 'monitor.collect',
  summary: 'Collect the figures now, with the alerts they raise',
  method: 'POST',
  path: '/collect',
  guard: 'none',
  reply: { 200: Collected },
})

export const listHistory = list({
  id: 'monitor.listHistory',
  summary: 'The figures collected so far, newest first',
  path: '/history',
  item: SystemMetrics,
})

export const getStatus = operation({
  id: 'monitor.getStatus',
  summary: 'How the machine is, and the alerts that are active',
  method: 'GET',
  path: '/status',
  reply: { 200: MonitorStatus },
})

export const listAgentLoads = list({
  id: 'monitor.listAgentLoads',
  summary: 'What the agents of this machine take, the busiest first',
  path: '/agents',
  item: AgentLoad,
})

export const monitorOperations = operations(
  { service: 'monitor', port: 17003 },
  { getMetrics, collect, listHistory, getStatus, listAgentLoads },
)
