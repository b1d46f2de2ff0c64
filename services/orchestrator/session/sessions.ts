import { ChangeFeed } from '../../../platform/async/change-feed.ts'
import { AgentSession, type SilentAgent } from './agent-session.ts'
import type { FrameQueueWorld } from './frame-queue.ts'

export class Sessions {
  readonly #world: FrameQueueWorld
  readonly #sessions = new Map<string, AgentSession>()
  readonly silent: ChangeFeed<SilentAgent>

  constructor(world: FrameQueueWorld) {
    this.#world = world
    this.silent = new ChangeFeed(world.log)
  }

  of(agentId: string): AgentSession {
    let session = this.#sessions.get(agentId)
    if (!session) {
      session = new AgentSession(agentId, this.#world, (silent) => this.silent.publish(silent))
      this.#sessions.set(agentId, session)
    }
    return session
  }

  find(agentId: string): AgentSession | undefined {
    return this.#sessions.get(agentId)
  }

  remove(agentId: string): void {
    this.#sessions.delete(agentId)
  }

  all(): AgentSession[] {
    return [...this.#sessions.values()]
  }

  get connected(): number {
    return this.all().filter((session) => session.connected).length
  }
}
