// What the monitor sees of the machine, and what it makes of it.
import * as Type from 'typebox'

const percent = Type.Number({ minimum: 0, maximum: 100 })
const bytes = Type.Integer({ minimum: 0 })
const time = Type.String({ format: 'date-time' })
const closed = { additionalProperties: false }

export const CpuMetrics = Type.Object(
  { usage_percent: percent, core_count: Type.Integer(), per_core: Type.Array(percent) },
  closed,
)
export const MemoryMetrics = Type.Object(
  { total_bytes: bytes, used_bytes: bytes, available_bytes: bytes, usage_percent: percent },
  closed,
)
export const DiskMetrics = Type.Object(
  {
    name: Type.String(),
    mount_point: Type.String(),
    total_bytes: bytes,
    available_bytes: bytes,
    used_bytes: bytes,
    usage_percent: percent,
  },
  closed,
)
export const LoadAverage = Type.Object({ one: Type.Number(), five: Type.Number(), fifteen: Type.Number() }, closed)

export const SystemMetrics = Type.Object(
  {
    collected_at: time,
    cpu: CpuMetrics,
    memory: MemoryMetrics,
    disks: Type.Array(DiskMetrics),
    load_average: LoadAverage,
  },
  { $id: 'SystemMetrics', additionalProperties: false },
)
export type SystemMetrics = Type.Static<typeof SystemMetrics>

export const Alert = Type.Object(
  {
    metric: Type.String({ description: 'cpu, memory or disk:<mount point>' }),
    current_value: Type.Number(),
    threshold: Type.Number(),
    message: Type.String(),
    raised_at: time,
  },
  { $id: 'Alert', additionalProperties: false },
)
export type Alert = Type.Static<typeof Alert>

export const Collected = Type.Object(
  { metrics: SystemMetrics, alerts: Type.Array(Alert) },
  { $id: 'Collected', additionalProperties: false },
)
export type Collected = Type.Static<typeof Collected>

export const MONITOR_STATUSES = ['healthy', 'degraded', 'critical'] as const

export const MonitorStatus = Type.Object(
  {
    status: Type.Enum([...MONITOR_STATUSES]),
    alerts: Type.Array(Alert),
    last_collected_at: Type.Union([time, Type.Null()]),
  },
  { $id: 'MonitorStatus', additionalProperties: false },
)
export type MonitorStatus = Type.Static<typeof MonitorStatus>

export const AgentLoad = Type.Object(
  {
    agent_id: Type.String(),
    name: Type.String(),
    cpu_percent: Type.Number({ description: 'Of one core, since the collection before' }),
    cpu_seconds: Type.Number({ description: 'Of the processes that live' }),
    memory_bytes: bytes,
    processes: Type.Integer(),
  },
  { $id: 'AgentLoad', additionalProperties: false },
)
export type AgentLoad = Type.Static<typeof AgentLoad>
