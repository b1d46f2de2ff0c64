import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Since boot. */
interface Ticks {
  total: number
  idle: number
}

export class Cores {
  #before: readonly Ticks[] = []

  /** Busy percentage per core since the previous call, or since boot. */
  async look(): Promise<number[]> {
    const now = await ticks()
    // Ignored if the number of cores has changed.
    const before = this.#before.length === now.length ? this.#before : []
    this.#before = now
    return now.map(({ total, idle }, core) => {
      const passed = total - (before[core]?.total ?? 0)
      const rested = idle - (before[core]?.idle ?? 0)
      return passed <= 0 ? 0 : (1 - rested / passed) * 100
    })
  }
}

/** CPU usage is measured between two samples. */
const BETWEEN_LOOKS_MS = 250

interface FirstLooks {
  calmPercent: number
  /** Default: as many as fill 20 s. */
  mostLooks?: number
  /** Ends the wait. */
  stopping?: AbortSignal | undefined
}

/**
 * Returns the first usage that is at most `calmPercent` on average: the load of the start of the daemon and its agents
 * is not reported as that of the machine. If it lasts, returns the last usage.
 */
export async function firstUsage(
  cores: Pick<Cores, 'look'>,
  { calmPercent, mostLooks = 80, stopping }: FirstLooks,
): Promise<number[]> {
  for (let look = 1; ; look++) {
    await sleep(BETWEEN_LOOKS_MS, undefined, { signal: stopping }).catch(() => undefined)
    const usage = await cores.look()
    if (look >= mostLooks || stopping?.aborted || average(usage) <= calmPercent) return usage
  }
}

export const average = (usage: readonly number[]): number => sum(usage) / Math.max(usage.length, 1)

/** Time stolen by the hypervisor counts as busy, waiting for I/O as idle. */
async function ticks(): Promise<Ticks[]> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => null)
  if (stat === null) return cpus().map(({ times }) => ({ total: sum(Object.values(times)), idle: times.idle }))
  return [...stat.matchAll(/^cpu\d+ (.+)$/gm)].map(([, figures]) => {
    // user (with guest), nice, system, idle, iowait, irq, softirq, steal
    const each = figures!.split(' ').slice(0, 8).map(Number)
    return { total: sum(each), idle: each[3]! + (each[4] ?? 0) }
  })
}

const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0)
