// The monitor with given metrics and a test clock; optionally with the notification service.
import { services } from '../../../daemon/services.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import type { Collector, Figures } from '../../../services/monitor/collector.ts'
import type { spaceIn } from '../../../services/monitor/disk/data-folder.ts'
import { ask as askUrl, type Reply } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

export const FIGURES: Figures = {
  cpu: { usage_percent: 10, core_count: 2, per_core: [5, 15] },
  memory: { total_bytes: 1000, used_bytes: 200, available_bytes: 800, usage_percent: 20 },
  disks: [
    { name: '/dev/a', mount_point: '/', total_bytes: 100, available_bytes: 70, used_bytes: 30, usage_percent: 30 },
  ],
  load_average: { one: 1, five: 2, fifteen: 3 },
}

/** A machine with given metrics. After `close()`, collections wait for `open()`. */
export class FakeMachine implements Collector {
  figures = FIGURES
  #held: Promise<void> | null = null
  open: () => void = () => undefined

  close(): void {
    this.#held = new Promise((resolve) => (this.open = resolve))
  }

  async collect(): Promise<Figures> {
    await this.#held
    return this.figures
  }

  cpu(usage_percent: number): void {
    this.figures = { ...this.figures, cpu: { ...FIGURES.cpu, usage_percent } }
  }

  memory(usage_percent: number): void {
    this.figures = { ...this.figures, memory: { ...FIGURES.memory, usage_percent } }
  }

  disk(usage_percent: number): void {
    this.figures = { ...this.figures, disks: FIGURES.disks.map((disk) => ({ ...disk, usage_percent })) }
  }
}

export interface MonitorStand extends ServiceStand {
  clock: TestClock
  machine: FakeMachine
  ask<T = any>(request: string, body?: unknown, service?: string): Promise<Reply<T>>
}

export interface MonitorStandOptions {
  env?: Record<string, string>
  /** Services to run; default only the monitor. */
  names?: string[]
  machine?: FakeMachine
  spaceIn?: typeof spaceIn
}

export async function startMonitor(
  url: string,
  { env = {}, names = ['monitor'], machine = new FakeMachine(), ...parts }: MonitorStandOptions = {},
): Promise<MonitorStand> {
  const clock = new TestClock()
  const served = services({ sources: [], monitor: { collector: machine, ...parts } }).filter(({ name }) =>
    names.includes(name),
  )
  const stand = await startServices(served, { url, clock, env })
  return Object.assign(stand, {
    clock,
    machine,
    ask: (request: string, body?: unknown, service = 'monitor') => {
      const [method, path] = request.split(' ') as [string, string]
      return askUrl(method, stand.host.urls[service]! + path, body)
    },
  })
}
