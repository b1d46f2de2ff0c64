import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'
import { Cores } from './cores.ts'
import { diskLook } from './disks.ts'

export type Figures = Omit<SystemMetrics, 'collected_at'>

export interface Collector {
  collect(): Promise<Figures>
}

/** CPU usage is measured between two samples. */
const BETWEEN_LOOKS_MS = 250

/**
 * Uses `systeminformation` for memory only: for cores and disks, it starts shells and blocks the process. (On macOS,
 * memory needs a shell for the page size.)
 */
async function open() {
  const [cores, memory] = [new Cores(), await import('systeminformation/lib/memory.js')]
  await cores.look()
  await sleep(BETWEEN_LOOKS_MS)
  return { cores: () => cores.look(), memory: memory.default.mem, disks: diskLook() }
}

export function systemCollector(): Collector {
  let opened: ReturnType<typeof open> | null = null
  return {
    async collect() {
      const machine = await (opened ??= open())
      const [cores, memory, disks] = await Promise.all([machine.cores(), machine.memory(), machine.disks()])
      const [one = 0, five = 0, fifteen = 0] = loadavg()
      const used = memory.total - memory.available
      return {
        cpu: {
          usage_percent: percent(cores.reduce((all, each) => all + each, 0) / Math.max(cores.length, 1)),
          core_count: cores.length,
          per_core: cores.map(percent),
        },
        memory: {
          total_bytes: memory.total,
          used_bytes: used,
          available_bytes: memory.available,
          usage_percent: memory.total === 0 ? 0 : percent((used / memory.total) * 100),
        },
        disks,
        load_average: { one, five, fifteen },
      }
    },
  }
}

const percent = (value: number): number => Math.min(100, Math.max(0, Math.round(value * 100) / 100))
