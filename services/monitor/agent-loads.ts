// Measures the process trees below agent terminals. Reads /proc, which exists only on Linux.
import { readdir, readFile } from 'node:fs/promises'
import type { Mux } from '../../platform/terminal/mux.ts'
import type { AgentLoad } from '../../schemas/monitor/metrics.ts'

const SESSION = /^svc-orch-([0-9a-f-]{36})$/
/** The same on every Linux. */
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

interface Process {
  pid: number
  parent: number
  seconds: number
  memory: number
}

export class AgentLoads {
  readonly #mux: Pick<Mux, 'panes'>
  readonly #names: () => Promise<ReadonlyMap<string, string>>
  #before = new Map<string, { seconds: number; at: number }>()

  constructor(mux: Pick<Mux, 'panes'>, names: () => Promise<ReadonlyMap<string, string>>) {
    this.#mux = mux
    this.#names = names
  }

  /** Busiest first. `now` in milliseconds; `cpu_percent` covers the time since the previous call. */
  async look(now: number): Promise<AgentLoad[]> {
    const roots = new Map<string, number[]>()
    for (const { session, pid } of await this.#mux.panes()) {
      const id = SESSION.exec(session)?.[1]
      if (id !== undefined) roots.set(id, [...(roots.get(id) ?? []), pid])
    }
    if (roots.size === 0) {
      this.#before.clear()
      return []
    }
    const [processes, names] = await Promise.all([readProcesses(), this.#names()])
    const children = new Map<number, Process[]>()
    for (const each of processes) children.set(each.parent, [...(children.get(each.parent) ?? []), each])
    const loads = [...roots].map(([id, pids]) => {
      const tree = below(pids, processes, children)
      const total = (member: 'seconds' | 'memory') => tree.reduce((sum, each) => sum + each[member], 0)
      const cpu_seconds = total('seconds')
      const cpu_percent = this.#share(id, cpu_seconds, now)
      const memory_bytes = total('memory')
      return { agent_id: id, name: names.get(id) ?? id, cpu_percent, cpu_seconds, memory_bytes, processes: tree.length }
    })
    this.#before = new Map(loads.map(({ agent_id, cpu_seconds }) => [agent_id, { seconds: cpu_seconds, at: now }]))
    return loads.sort((one, other) => other.cpu_percent - one.cpu_percent)
  }

  #share(id: string, seconds: number, now: number): number {
    const before = this.#before.get(id)
    if (!before || now <= before.at) return 0
    // Negative if a process has exited.
    return Math.max(0, Math.round(((seconds - before.seconds) / ((now - before.at) / 1000)) * 10_000) / 100)
  }
}

function below(pids: readonly number[], all: readonly Process[], children: ReadonlyMap<number, Process[]>): Process[] {
  const found = all.filter(({ pid }) => pids.includes(pid))
  for (const each of found) found.push(...(children.get(each.pid) ?? []))
  return found
}

async function readProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)))
  return texts.flatMap((text) => (text === null ? [] : [parseStat(text)]))
}

/** The program name is in parentheses and may contain spaces and parentheses. */
function parseStat(text: string): Process {
  const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const number = (at: number) => Number(rest[at])
  return {
    pid: Number.parseInt(text, 10),
    parent: number(1),
    seconds: (number(11) + number(12)) / TICKS_PER_SECOND,
    memory: number(21) * PAGE_BYTES,
  }
}
