import type { Caller, Callers } from '../../../platform/peer/callers.ts'
import { lineageOf, type Lineage } from '../../../platform/peer/processes.ts'
import type { MuxPane } from '../../../platform/terminal/mux.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { World } from '../../../platform/service/world.ts'
import { SESSION_PREFIX, type AgentRow, type AgentStore } from '../record/agent-store.ts'
import { findAskingAgent } from './admission.ts'

/** A process in our terminals without an agent record: the agent was purged, or opened a session. */
const UNNAMED: Caller = { id: null, actor: 'agent:?', may: [] }

/** The user's own tmux server, where most sessions are not agents. */
const SHARED_SOCKET = 'default'

/** The audit column has 256 characters. */
const MOST_NAME = 200

interface Place {
  /** Most likely first. */
  ids: readonly string[]
  /** Whether it runs in one of our terminals. */
  isInside: boolean
}

export class AgentCallers implements Callers {
  readonly #agents: AgentStore
  readonly #machine: Pick<World, 'mux' | 'config'>
  readonly #places = new WeakMap<Lineage, Promise<Place>>()
  #own: Promise<Lineage> | null = null

  constructor(agents: AgentStore, machine: Pick<World, 'mux' | 'config'>) {
    this.#agents = agents
    this.#machine = machine
  }

  async find(id: string): Promise<Caller | null> {
    return callerOf(await this.#agents.find(id))
  }

  async ofToken(token: string): Promise<Caller | null> {
    return callerOf(await findAskingAgent(this.#agents, token))
  }

  async ofProcess(lineage: Lineage): Promise<Caller | null> {
    if (lineage.processes[0] === process.pid) return null
    let place = this.#places.get(lineage)
    if (place === undefined) {
      this.#places.set(lineage, (place = this.#placeOf(lineage)))
      place.catch(() => this.#places.delete(lineage))
    }
    const { ids, isInside } = await place
    for (const id of ids) {
      const caller = await this.find(id)
      if (caller) return caller
    }
    return isInside ? UNNAMED : null
  }

  /**
   * Finds the agent by the terminal of an ancestor, else of the session, else by environment. Ignores terminals that
   * the daemon runs in.
   */
  async #placeOf({ processes, sessions, agentIds }: Lineage): Promise<Place> {
    const own = await (this.#own ??= lineageOf(process.pid))
    const panes = (await this.#panes()).filter((pane) => !own.processes.includes(pane.pid))
    const at = (pid: number) => panes.find((pane) => pane.pid === pid)
    const pane = [...processes, ...sessions].map(at).find((each) => each !== undefined)
    const id = pane ? agentOf(pane) : null
    const isOurs = ({ server }: MuxPane) => processes.includes(server) && !own.processes.includes(server)
    const isInside = this.#machine.config.muxSocket !== SHARED_SOCKET && panes.some(isOurs)
    return { ids: [...(id === null ? [] : [id]), ...agentIds], isInside: isInside || id !== null }
  }

  /** Without tmux there are no terminals. */
  #panes(): Promise<MuxPane[]> {
    return this.#machine.mux.panes().catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'program-missing') return []
      throw error
    })
  }
}

const callerOf = (agent: AgentRow | null): Caller | null =>
  agent && { id: agent.id, actor: `agent:${agent.name.slice(0, MOST_NAME)}`, may: agent.spec.may }

const agentOf = ({ session }: MuxPane): string | null =>
  session.startsWith(SESSION_PREFIX) ? session.slice(SESSION_PREFIX.length) : null
