// The figures for a scraper, by the names of node_exporter where it has one that fits the rules for names.
import { cpus, uptime } from 'node:os'
import type { Clock } from '../../platform/core/clock.ts'
import { counter, gauge, type Metric, type Sample } from '../../platform/metrics/metrics.ts'
import type { AgentLoad, Alert, SystemMetrics } from '../../schemas/monitor/metrics.ts'

export interface Seen {
  clock: Clock
  latest(): SystemMetrics | null
  alerts(): readonly Alert[]
  agents(): readonly AgentLoad[]
  collections(): number
}

const MODES = { user: 'user', nice: 'nice', system: 'sys', idle: 'idle', irq: 'irq' } as const

export const exposition = (seen: Seen): Metric[] => [...machine(seen), ...disks(seen), ...own(seen), ...agents(seen)]

/** A figure of the latest collection; none before there was one. */
const ofLatest =
  ({ latest }: Seen, read: (metrics: SystemMetrics) => number) =>
  (): Sample[] => {
    const metrics = latest()
    return metrics === null ? [] : [{ labels: {}, value: read(metrics) }]
  }

function machine(seen: Seen): Metric[] {
  const of = (read: (metrics: SystemMetrics) => number) => ofLatest(seen, read)
  const boot = () => Math.round(seen.clock.now() / 1000 - uptime())
  return [
    counter('node_cpu_seconds_total', 'Seconds the CPUs spent in each mode', cpuSeconds, ['cpu', 'mode']),
    gauge('node_boot_time_seconds', 'When the machine was started', boot),
    gauge(
      'node_load1',
      '1m load average',
      of(({ load_average }) => load_average.one),
    ),
    gauge(
      'node_load5',
      '5m load average',
      of(({ load_average }) => load_average.five),
    ),
    gauge(
      'node_load15',
      '15m load average',
      of(({ load_average }) => load_average.fifteen),
    ),
    gauge(
      'node_memory_total_bytes',
      'Memory of the machine',
      of(({ memory }) => memory.total_bytes),
    ),
  ]
}

function own(seen: Seen): Metric[] {
  const of = (read: (metrics: SystemMetrics) => number) => ofLatest(seen, read)
  const active = () => seen.alerts().map(({ metric }) => ({ labels: { metric }, value: 1 }))
  return [
    gauge(
      'svc_monitor_memory_available_bytes',
      'Memory that programs can still have',
      of(({ memory }) => memory.available_bytes),
    ),
    gauge(
      'svc_monitor_memory_used_bytes',
      'Memory that is not available',
      of(({ memory }) => memory.used_bytes),
    ),
    gauge(
      'svc_monitor_cpu_usage_percent',
      'Share of all CPUs in use',
      of(({ cpu }) => cpu.usage_percent),
    ),
    counter('svc_monitor_collections_total', 'Collections since the start', seen.collections),
    gauge('svc_monitor_alert_active', '1 while the alert is active', active, 'metric'),
  ]
}

function cpuSeconds(): Sample[] {
  return cpus().flatMap(({ times }, cpu) =>
    Object.entries(MODES).map(([mode, name]) => ({ labels: { cpu: String(cpu), mode }, value: times[name] / 1000 })),
  )
}

function disks({ latest }: Seen): Metric[] {
  const labels = ['device', 'mountpoint']
  const of = (read: (disk: SystemMetrics['disks'][number]) => number) => () =>
    (latest()?.disks ?? []).map((disk) => ({
      labels: { device: disk.name, mountpoint: disk.mount_point },
      value: read(disk),
    }))
  return [
    gauge(
      'node_filesystem_size_bytes',
      'Size of the file system',
      of((disk) => disk.total_bytes),
      labels,
    ),
    gauge(
      'node_filesystem_avail_bytes',
      'Room for those who are not root',
      of((disk) => disk.available_bytes),
      labels,
    ),
    gauge(
      'node_filesystem_free_bytes',
      'Room in all',
      of((disk) => disk.total_bytes - disk.used_bytes),
      labels,
    ),
  ]
}

function agents(seen: Seen): Metric[] {
  const labels = ['agent_id', 'agent']
  const of = (read: (load: AgentLoad) => number) => () =>
    seen.agents().map((load) => ({ labels: { agent_id: load.agent_id, agent: load.name }, value: read(load) }))
  return [
    gauge(
      'svc_agent_cpu_usage_percent',
      'Share of one CPU that the agent takes',
      of((load) => load.cpu_percent),
      labels,
    ),
    gauge(
      'svc_agent_cpu_seconds',
      'CPU time of the agent’s processes that live',
      of((load) => load.cpu_seconds),
      labels,
    ),
    gauge(
      'svc_agent_memory_bytes',
      'Resident memory of the agent’s processes',
      of((load) => load.memory_bytes),
      labels,
    ),
    gauge(
      'svc_agent_processes',
      'Processes of the agent',
      of((load) => load.processes),
      labels,
    ),
  ]
}
