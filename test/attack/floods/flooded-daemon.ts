// A daemon, an agent that floods it, and a person who reads meanwhile.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'

const PROGRAM = join(root, 'test', 'attack', 'floods', 'flood.mjs')
/** Time until the flood begins. */
const START_SECS = 2
/** Kernel clock ticks per second, on all Linux systems. */
const TICKS = 100
const WINDOW_MS = 250
/** CPU share of the main thread below which the event loop counts as idle. */
const IDLE = 0.3

export class FloodedDaemon {
  readonly stand: DaemonStand
  readonly #pid: number

  private constructor(stand: DaemonStand, pid: number) {
    this.stand = stand
    this.#pid = pid
  }

  static async start(env: Record<string, string>): Promise<FloodedDaemon> {
    const stand = await DaemonStand.create({ env })
    const { pid } = await stand.start()
    return new FloodedDaemon(stand, pid!)
  }

  at(service: string, path: string): string {
    return this.stand.urls[service]! + path
  }

  async create(name: string, command: string[], more: object = {}): Promise<string> {
    const { body, status } = await this.stand.ask<AgentRecord>('POST', this.at('orchestrator', '/agents'), {
      name,
      working_dir: this.stand.home,
      runtime: 'command',
      command,
      tool_policy: { mode: 'require_approval' },
      ...more,
    })
    if (status !== 201) throw new Error(`the agent was not created: ${JSON.stringify(body)}`)
    const { id } = body
    await eventually(
      async () => (await this.stand.get<AgentRecord>(this.at('orchestrator', `/agents/${id}`))).connected,
    )
    return id
  }

  /** Starts an agent that floods for some seconds. */
  flood(name: string, seconds: number, kind: string, url = '', body = ''): Promise<string> {
    return this.create(name, [process.execPath, PROGRAM, kind, String(seconds), url, body])
  }

  /** Reads these addresses in turn, before and during the flood; returns the 99th percentiles in milliseconds. */
  async read(seconds: number, urls: readonly string[]): Promise<{ before: number; during: number }> {
    const before: number[] = []
    const during: number[] = []
    const start = performance.now() + START_SECS * 1000
    for (let at = 0; performance.now() < start + seconds * 1000; at++) {
      const begun = performance.now()
      const response = await fetch(urls[at % urls.length]!)
      await response.text()
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
      const took = begun < start ? before : during
      took.push(performance.now() - begun)
      await sleep(5)
    }
    return { before: percentile(before), during: percentile(during) }
  }

  /** Ends the agent; returns the milliseconds until the event loop is idle. */
  async end(id: string): Promise<number> {
    await this.stand.ask('DELETE', this.at('orchestrator', `/agents/${id}`))
    const ended = performance.now()
    for (;;) {
      const [began, before] = [performance.now(), this.#ticks()]
      await sleep(WINDOW_MS)
      const busy = ((this.#ticks() - before) * 1000) / TICKS / (performance.now() - began)
      if (busy < IDLE) return began - ended
    }
  }

  /** CPU time of the main thread. */
  #ticks(): number {
    const text = readFileSync(`/proc/${this.#pid}/task/${this.#pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  }

  /** MiB of the data folder. */
  disk(): number {
    const files = readdirSync(this.stand.dataDir, { recursive: true, encoding: 'utf8' })
    const size = (file: string) => statSync(join(this.stand.dataDir, file), { throwIfNoEntry: false })?.size ?? 0
    return files.reduce((sum, file) => sum + size(file), 0) / 1024 / 1024
  }

  async total(service: string, path: string): Promise<number> {
    const list = await this.stand.get<{ total: number }>(this.at(service, `${path}limit=1`))
    return list.total
  }

  close(): Promise<void> {
    return this.stand.close()
  }
}

const percentile = (took: readonly number[]): number =>
  took.toSorted((one, other) => one - other)[Math.ceil(took.length * 0.99) - 1] ?? 0
