// Which agent asks: told by its id, or by where the process that asks comes from.
import type { Caller, Callers } from '../../../platform/peer/callers.ts'
import { lineageOf, type Lineage } from '../../../platform/peer/processes.ts'
import type { MuxPane } from '../../../platform/mux.ts'
import { Problem } from '../../../platform/problem.ts'
import type { ServiceParts } from '../parts.ts'
import { SESSION_PREFIX } from './store.ts'

/** Of our terminals, and of no agent on record: one that is purged, or a session that an agent opened beside its own. */
const UNNAMED: Caller = { id: null, actor: 'agent:?', may: [] }

/** The user's own tmux server, where most of what runs is no agent. */
const SHARED_SOCKET = 'default'

export class AgentCallers implements Callers {
  readonly #service: Pick<ServiceParts, 'agents' | 'mux' | 'config'>
  #own: Promise<Lineage> | null = null

  constructor(service: Pick<ServiceParts, 'agents' | 'mux' | 'config'>) {
    this.#service = service
  }

  async find(id: string): Promise<Caller | null> {
    const agent = await this.#service.agents.find(id)
    return agent && { id, actor: `agent:${agent.name}`, may: agent.spec.may }
  }

  /**
   * By a terminal it descends from, else by the session of one that it is still in, else by what its environment says. A
   * terminal that the daemon itself was started in says nothing of who asks.
   */
  async ofProcess({ processes, sessions, agentIds }: Lineage): Promise<Caller | null> {
    if (processes[0] === process.pid) return null
    const own = await (this.#own ??= lineageOf(process.pid))
    const panes = (await this.#panes()).filter((pane) => !own.processes.includes(pane.pid))
    const at = (pid: number) => panes.find((pane) => pane.pid === pid)
    const pane = first(processes, at) ?? first(sessions, at)
    const named = [...(pane ? [agentOf(pane)] : []), ...agentIds].filter((id) => id !== null)
    for (const id of named) {
      const caller = await this.find(id)
      if (caller) return caller
    }
    const isOurs = ({ server }: MuxPane) => processes.includes(server) && !own.processes.includes(server)
    const isInside = this.#service.config.muxSocket !== SHARED_SOCKET && panes.some(isOurs)
    return isInside || (pane && agentOf(pane) !== null) ? UNNAMED : null
  }

  /** Without the program there are no terminals. */
  #panes(): Promise<MuxPane[]> {
    return this.#service.mux.panes().catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'program-missing') return []
      throw error
    })
  }
}

function first<T>(pids: readonly number[], find: (pid: number) => T | undefined): T | undefined {
  for (const pid of pids) {
    const found = find(pid)
    if (found !== undefined) return found
  }
  return undefined
}

const agentOf = ({ session }: MuxPane): string | null =>
  session.startsWith(SESSION_PREFIX) ? session.slice(SESSION_PREFIX.length) : null
