import { loadavg } from 'node:os'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'
import { average, Cores, firstUsage } from './cores.ts'
import { diskLook } from './disks.ts'

export type Figures = Omit<SystemMetrics, 'collected_at'>

export interface Collector {
  /** The first collection may wait; `stopping` ends the wait. */
  collect(stopping?: AbortSignal): Promise<Figures>
}

interface CollectorOptions {
  /** The first collection waits for a usage of at most this percentage. Default: it does not wait. */
  calmPercent?: number
  /** Replaceable for tests. */
  cores?: Pick<Cores, 'look'>
}

/**
 * Uses `systeminformation` for memory only: for cores and disks, it starts shells and blocks the process. (On macOS,
 * memory needs a shell for the page size.)
 */
async function open(cores: Pick<Cores, 'look'>, calmPercent: number) {
  const memory = await import('systeminformation/lib/memory.js')
  await cores.look()
  let isFirst = true
  const usage = (stopping?: AbortSignal) => {
    if (!isFirst) return cores.look()
    isFirst = false
    return firstUsage(cores, { calmPercent, stopping })
  }
  return { usage, memory: memory.default.mem, disks: diskLook() }
}

export function systemCollector({ calmPercent = 100, cores: own = new Cores() }: CollectorOptions = {}): Collector {
  let opened: ReturnType<typeof open> | null = null
  return {
    async collect(stopping) {
      const machine = await (opened ??= open(own, calmPercent))
      const cores = await machine.usage(stopping)
      const [memory, disks] = await Promise.all([machine.memory(), machine.disks()])
      const [one = 0, five = 0, fifteen = 0] = loadavg()
      const used = memory.total - memory.available
      return {
        cpu: {
          usage_percent: percent(average(cores)),
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
