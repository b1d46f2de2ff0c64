// Uses the names of node_exporter where they exist.
import { cpus, uptime } from 'node:os'
import type { Clock } from '../../platform/core/clock.ts'
import { counter, gauge, type Metric, type Sample } from '../../platform/metrics/metrics.ts'
import type { AgentLoad, Alert, SystemMetrics } from '../../schemas/monitor/metrics.ts'

export interface Collections {
  clock: Clock
  latest(): SystemMetrics | null
  alerts(): readonly Alert[]
  agents(): readonly AgentLoad[]
  collections(): number
}

type Figure<T> = [name: string, help: string, read: (of: T) => number]

const MACHINE: Figure<SystemMetrics>[] = [
  ['node_load1', '1m load average', ({ load_average }) => load_average.one],
  ['node_load5', '5m load average', ({ load_average }) => load_average.five],
  ['node_load15', '15m load average', ({ load_average }) => load_average.fifteen],
  ['node_memory_total_bytes', 'Memory of the machine', ({ memory }) => memory.total_bytes],
  ['svc_monitor_memory_available_bytes', 'Memory available to programs', ({ memory }) => memory.available_bytes],
  ['svc_monitor_memory_used_bytes', 'Memory in use', ({ memory }) => memory.used_bytes],
  ['svc_monitor_cpu_usage_percent', 'Share of all CPUs in use', ({ cpu }) => cpu.usage_percent],
]

const DISK: Figure<SystemMetrics['disks'][number]>[] = [
  ['node_filesystem_size_bytes', 'Size of the file system', (disk) => disk.total_bytes],
  ['node_filesystem_avail_bytes', 'Free space available to users other than root', (disk) => disk.available_bytes],
  ['node_filesystem_free_bytes', 'Free space', (disk) => disk.total_bytes - disk.used_bytes],
]

const AGENT: Figure<AgentLoad>[] = [
  ['svc_agent_cpu_usage_percent', 'CPU usage of the agent, in percent of one CPU', (load) => load.cpu_percent],
  ['svc_agent_cpu_seconds', 'CPU time of the agent’s running processes', (load) => load.cpu_seconds],
  ['svc_agent_memory_bytes', 'Resident memory of the agent’s processes', (load) => load.memory_bytes],
  ['svc_agent_processes', 'Processes of the agent', (load) => load.processes],
]

const MODES = { user: 'user', nice: 'nice', system: 'sys', idle: 'idle', irq: 'irq' } as const

export function exposition({ clock, latest, alerts, agents, collections }: Collections): Metric[] {
  const boot = () => Math.round(clock.now() / 1000 - uptime())
  const active = () => alerts().map(({ metric }) => ({ labels: { metric }, value: 1 }))
  const machine = () => [latest() ?? []].flat()
  const disks = () => latest()?.disks ?? []
  return [
    counter('node_cpu_seconds_total', 'Seconds the CPUs spent in each mode', cpuSeconds, ['cpu', 'mode']),
    gauge('node_boot_time_seconds', 'Boot time', boot),
    ...gauges(MACHINE, machine, {}),
    ...gauges(DISK, disks, { device: ({ name }) => name, mountpoint: ({ mount_point }) => mount_point }),
    counter('svc_monitor_collections_total', 'Collections since start', collections),
    gauge('svc_monitor_alert_active', '1 while the alert is active', active, 'metric'),
    ...gauges(AGENT, agents, { agent_id: ({ agent_id }) => agent_id, agent: ({ name }) => name }),
  ]
}

function gauges<T>(
  figures: readonly Figure<T>[],
  items: () => readonly T[],
  labels: Record<string, (item: T) => string>,
): Metric[] {
  const labelsOf = (item: T) => Object.fromEntries(Object.entries(labels).map(([name, read]) => [name, read(item)]))
  const samples = (read: (item: T) => number) => items().map((item) => ({ labels: labelsOf(item), value: read(item) }))
  return figures.map(([name, help, read]) => gauge(name, help, () => samples(read), Object.keys(labels)))
}

function cpuSeconds(): Sample[] {
  return cpus().flatMap(({ times }, cpu) =>
    Object.entries(MODES).map(([mode, name]) => ({ labels: { cpu: String(cpu), mode }, value: times[name] / 1000 })),
  )
}
