import type { DiskUse } from '../../../schemas/monitor/disk.ts'
import type { AgentLoad, MonitorStatus, SystemMetrics } from '../../../schemas/monitor/metrics.ts'
import { age } from '../../output/duration.ts'
import { paint, visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'

const BAR = 24
const WARM = 70
const HOT = 90

export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

function bar(percent: number): string {
  const full = Math.round((percent / 100) * BAR)
  const colours = paint()
  const colour = percent >= HOT ? colours.red : percent >= WARM ? colours.yellow : colours.green
  return `${colour('█'.repeat(full))}${colours.dim('░'.repeat(BAR - full))} ${percent.toFixed(1).padStart(5)} %`
}

export function metricsText({ collected_at, cpu, memory, disks, load_average }: SystemMetrics): string {
  const rows: [string, number, string][] = [
    ['CPU', cpu.usage_percent, `${cpu.core_count} cores`],
    ...cpu.per_core.map((percent, core): [string, number, string] => [`  ${core}`, percent, '']),
    ['Memory', memory.usage_percent, `${size(memory.used_bytes)} of ${size(memory.total_bytes)}`],
    ...disks.map((disk): [string, number, string] => [
      visible(disk.mount_point),
      disk.usage_percent,
      `${size(disk.used_bytes)} of ${size(disk.total_bytes)}`,
    ]),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const { one, five, fifteen } = load_average
  return [
    ...rows.map(([name, percent, about]) => `${name.padEnd(width)}  ${bar(percent)}  ${about}`.trimEnd()),
    `Load  ${[one, five, fifteen].map((load) => load.toFixed(2)).join('  ')}   ${paint().dim(`collected ${age(collected_at)} ago`)}`,
  ].join('\n')
}

export function statusText({ status, alerts }: MonitorStatus): string {
  const colours = paint()
  const colour = { healthy: colours.green, degraded: colours.yellow, critical: colours.red }[status]
  return [
    colour(status),
    ...alerts.map(({ message, raised_at }) => `  ${visible(message)}, for ${age(raised_at)}`),
  ].join('\n')
}

export function diskText({ path, space, forecast, folder, measuring }: DiskUse): string {
  const colours = paint()
  const full = forecast?.full_at ? `full ${forecast.full_at}` : 'not shrinking'
  const trend = forecast ? `${full} (${rate(forecast.bytes_per_hour)})` : 'no forecast yet'
  const head = space
    ? `${size(space.available_bytes)} of ${size(space.total_bytes)} available, ${trend}`
    : 'unknown space'
  const entries = folder?.entries.map(({ name, bytes }) => `  ${size(bytes).padStart(10)}  ${visible(name)}`) ?? []
  const other = folder && folder.other_bytes > 0 ? [`  ${size(folder.other_bytes).padStart(10)}  (others)`] : []
  const measured = folder
    ? `measured ${age(folder.measured_at)} ago${folder.complete ? '' : ', incomplete'}`
    : 'not measured yet'
  return [
    `${visible(path)}: ${head}`,
    ...entries,
    ...other,
    colours.dim(measuring ? `${measured}, measuring now` : measured),
  ].join('\n')
}

const rate = (bytes: number): string => `${bytes < 0 ? '-' : '+'}${size(Math.abs(bytes))} an hour`

export const agentTable = (loads: readonly AgentLoad[]): string =>
  renderTable(
    loads,
    [
      { title: 'AGENT', value: ({ name }) => name },
      { title: 'CPU', value: ({ cpu_percent }) => `${cpu_percent.toFixed(1)} %` },
      { title: 'MEMORY', value: ({ memory_bytes }) => size(memory_bytes) },
      { title: 'PROCESSES', value: ({ processes }) => processes },
      { title: 'ID', value: ({ agent_id }) => agent_id, kind: 'id' },
    ],
    'No agents are running.',
  )
