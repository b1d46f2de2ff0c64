// The sessions of all agents, by the agent's id.
import { AgentSession } from './agent-session.ts'

export class Sessions {
  readonly #sessions = new Map<string, AgentSession>()

  /** The session of an agent; a new one when it has none. */
  of(agentId: string): AgentSession {
    let session = this.#sessions.get(agentId)
    if (!session) this.#sessions.set(agentId, (session = new AgentSession(agentId)))
    return session
  }

  /** The session of an agent that has one already. */
  find(agentId: string): AgentSession | undefined {
    return this.#sessions.get(agentId)
  }

  remove(agentId: string): void {
    this.#sessions.delete(agentId)
  }

  all(): AgentSession[] {
    return [...this.#sessions.values()]
  }

  /** How many agents have a live connection. */
  get connected(): number {
    return this.all().filter((session) => session.connected).length
  }
}
