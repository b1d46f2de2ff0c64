import * as Type from 'typebox'
import { closedObject, namedObject, orNull } from '../shapes.ts'

const percent = Type.Number({ minimum: 0, maximum: 100 })
const bytes = Type.Integer({ minimum: 0 })
const time = Type.String({ format: 'date-time' })

export const CpuMetrics = closedObject({
  usage_percent: percent,
  core_count: Type.Integer(),
  per_core: Type.Array(percent),
})
export const MemoryMetrics = closedObject({
  total_bytes: bytes,
  used_bytes: bytes,
  available_bytes: bytes,
  usage_percent: percent,
})
export const DiskMetrics = closedObject({
  name: Type.String(),
  mount_point: Type.String(),
  total_bytes: bytes,
  available_bytes: bytes,
  used_bytes: bytes,
  usage_percent: percent,
})
export const LoadAverage = closedObject({ one: Type.Number(), five: Type.Number(), fifteen: Type.Number() })

export const SystemMetrics = namedObject('SystemMetrics', {
  collected_at: time,
  cpu: CpuMetrics,
  memory: MemoryMetrics,
  disks: Type.Array(DiskMetrics),
  load_average: LoadAverage,
})
export type SystemMetrics = Type.Static<typeof SystemMetrics>

export const Alert = namedObject('Alert', {
  metric: Type.String({ description: 'cpu, memory or disk:<mount point>' }),
  current_value: Type.Number(),
  threshold: Type.Number(),
  message: Type.String(),
  raised_at: time,
})
export type Alert = Type.Static<typeof Alert>

export const Collected = namedObject('Collected', { metrics: SystemMetrics, alerts: Type.Array(Alert) })
export type Collected = Type.Static<typeof Collected>

export const MONITOR_STATUSES = ['healthy', 'degraded', 'critical'] as const

export const MonitorStatus = namedObject('MonitorStatus', {
  status: Type.Enum([...MONITOR_STATUSES]),
  alerts: Type.Array(Alert),
  last_collected_at: orNull(time),
})
export type MonitorStatus = Type.Static<typeof MonitorStatus>

export const AgentLoad = namedObject('AgentLoad', {
  agent_id: Type.String(),
  name: Type.String(),
  cpu_percent: Type.Number({ description: 'Percent of one core since the previous collection' }),
  cpu_seconds: Type.Number({ description: 'CPU time of the running processes' }),
  memory_bytes: bytes,
  processes: Type.Integer(),
})
export type AgentLoad = Type.Static<typeof AgentLoad>

/** Without parameters: the last collections. */
export const HistoryQuery = Type.Object({
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Means from this time on; default 24 hours before until' }),
  ),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Means until this time; default now' })),
  step: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400, description: 'Seconds of each mean; default 60' })),
})
export type HistoryQuery = Type.Static<typeof HistoryQuery>
