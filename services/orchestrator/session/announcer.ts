// Call after the commit.
import type { EventsWorld } from '../events/world.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Activity, AgentSession } from './agent-session.ts'
import type { Sessions } from './sessions.ts'

type Named = Pick<AgentRow, 'id' | 'name'>
type Shown = Pick<AgentRow, 'id' | 'name' | 'status'>

export class Announcer {
  readonly #world: Omit<EventsWorld, 'dispatches'>
  readonly #sessions: Sessions

  constructor(world: Omit<EventsWorld, 'dispatches'>, sessions: Sessions) {
    this.#world = world
    this.#sessions = sessions
  }

  announceAgent({ id, name }: Named): void {
    this.#world.feed.publish({ kind: 'agents', id, name })
  }

  announceConnected(agent: Named): void {
    this.announceAgent(agent)
    this.#world.events.publish({ type: 'AgentConnected', agent_id: agent.id })
  }

  announceDisconnected(agentId: string): void {
    this.#world.events.publish({ type: 'AgentDisconnected', agent_id: agentId })
  }

  announceStatus(agent: Shown): void {
    const session = this.#sessions.find(agent.id)
    session?.showActivity()
    this.announceAgent(agent)
    this.#publish(agent, session?.activity ?? 'idle')
  }

  /** Publishes `idle` to the change feed as well. */
  announceActivity(agent: Shown, session: AgentSession): void {
    if (!session.showActivity()) return
    this.#publish(agent, session.activity)
    if (session.activity === 'idle')
      this.#world.feed.publish({ kind: 'agents', id: agent.id, name: agent.name, idle: true })
  }

  #publish({ id, status }: Shown, activity: Activity): void {
    this.#world.streams.publish(id, 'agent_status', `${status}, ${activity}`, { status, activity })
  }
}
