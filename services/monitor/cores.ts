// What the cores of the machine do, between one look and the next.
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'

/** Of one core, since the machine started. */
interface Ticks {
  total: number
  idle: number
}

export class Cores {
  #before: readonly Ticks[] = []

  /** Percent of the time since the look before that each core was busy; of the first look, since the machine started. */
  async look(): Promise<number[]> {
    const now = await ticks()
    // Cores that came or went have no look before.
    const before = this.#before.length === now.length ? this.#before : []
    this.#before = now
    return now.map(({ total, idle }, core) => {
      const passed = total - (before[core]?.total ?? 0)
      const rested = idle - (before[core]?.idle ?? 0)
      return passed <= 0 ? 0 : (1 - rested / passed) * 100
    })
  }
}

/** On Linux what a hypervisor took away counts as busy, and waiting for a disk as idle. */
async function ticks(): Promise<Ticks[]> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => null)
  if (stat === null) return cpus().map(({ times }) => ({ total: sum(Object.values(times)), idle: times.idle }))
  return [...stat.matchAll(/^cpu\d+ (.+)$/gm)].map(([, figures]) => {
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted as user already.
    const each = figures!.split(' ').slice(0, 8).map(Number)
    return { total: sum(each), idle: each[3]! + (each[4] ?? 0) }
  })
}

const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0)
