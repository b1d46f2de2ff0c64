import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'

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
