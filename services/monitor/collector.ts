// Reads the figures of the machine.
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemMetrics } from '../../schemas/monitor/metrics.ts'

export type Figures = Omit<SystemMetrics, 'collected_at'>

export interface Collector {
  collect(): Promise<Figures>
}

/** A load is that between two looks, which lie at least so far apart. */
const BETWEEN_LOOKS_MS = 250

/** The parts of `systeminformation` that are needed, loaded when they first are; a load is known from then on. */
async function openLibrary() {
  const [cpu, memory, filesystem] = await Promise.all([
    import('systeminformation/lib/cpu.js'),
    import('systeminformation/lib/memory.js'),
    import('systeminformation/lib/filesystem.js'),
  ])
  await cpu.default.currentLoad()
  await sleep(BETWEEN_LOOKS_MS)
  return { ...cpu.default, ...memory.default, ...filesystem.default }
}

export function systemCollector(): Collector {
  let library: ReturnType<typeof openLibrary> | null = null
  return {
    async collect() {
      const system = await (library ??= openLibrary())
      const [load, memory, disks] = await Promise.all([system.currentLoad(), system.mem(), system.fsSize()])
      const [one = 0, five = 0, fifteen = 0] = loadavg()
      const used = memory.total - memory.available
      return {
        cpu: {
          usage_percent: percent(load.currentLoad),
          core_count: load.cpus.length,
          per_core: load.cpus.map((core) => percent(core.load)),
        },
        memory: {
          total_bytes: memory.total,
          used_bytes: used,
          available_bytes: memory.available,
          usage_percent: share(used, memory.total),
        },
        disks: disks.map(({ fs, mount, size, used: taken, available }) => ({
          name: fs,
          mount_point: mount,
          total_bytes: size,
          available_bytes: available,
          used_bytes: taken,
          // As df does: what root keeps for itself counts for neither.
          usage_percent: share(taken, taken + available),
        })),
        load_average: { one, five, fifteen },
      }
    },
  }
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : percent((part / whole) * 100))
const percent = (value: number): number => Math.min(100, Math.max(0, Math.round(value * 100) / 100))
