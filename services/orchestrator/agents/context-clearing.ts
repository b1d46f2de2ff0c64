// Clears a context with `/clear` if the program supports it, else with a new process.
import { ownActor, type Actor } from '../../../platform/core/actor.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { conflict, invalid } from '../../../platform/core/problem.ts'
import type { ContextCleared, Usage } from '../../../schemas/agent/usage.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { currentSession, rollSession } from '../record/usage.ts'
import type { Reading, RecordWorld } from '../record/world.ts'
import type { ApprovalRow } from '../record/tables.ts'
import type { ApprovalBook } from '../tools/approvals.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { addPrompts, countQueued } from '../record/prompt-store.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import type { EventsWorld } from '../events/world.ts'
import type { Sessions } from '../session/sessions.ts'

const CLEARED = 'the context was cleared'

interface Rolled {
  ended: Usage
  number: number
  closed: ApprovalRow[]
}

interface Parts extends Pick<EventsWorld, 'streams' | 'events'> {
  sessions: Sessions
  prompts: PromptSender
  lifecycle: Lifecycle
  approvals: ApprovalBook
}

export class ContextClearing {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  /** Throws 400 if not connected, 409 if busy. */
  async clear(agentId: string, by: Actor): Promise<ContextCleared> {
    await this.#record.agents.get(agentId)
    const session = this.#parts.sessions.of(agentId)
    return (await session.frames.call(() => this.#tryPrompt(session, by))) ?? this.#clearByRestart(session, by)
  }

  /** Call from the agent's frame queue. */
  async clearAutomatically(session: AgentSession, agent: AgentRow): Promise<void> {
    const by = ownActor('auto-clear', this.#record.ids())
    if (clearsByPrompt(session, agent)) return void (await this.#clearByPrompt(session, agent, by))
    // The old process must get no more prompts.
    session.awaitSync()
    this.#clearByRestart(session, by).catch((error: unknown) =>
      this.#record.log.error({ agent_id: agent.id, error: (error as Error).message }, 'failed to clear the context'),
    )
  }

  /** Call from the agent's frame queue. */
  async noteReset(session: AgentSession): Promise<void> {
    const agent = await this.#record.agents.get(session.agentId)
    this.#announce(agent, await write(this.#record.db, (transaction) => this.#roll(transaction, agent)))
  }

  /** Returns null if a restart is needed, which the frame queue must not wait for. */
  async #tryPrompt(session: AgentSession, by: Actor): Promise<ContextCleared | null> {
    const agent = await this.#record.agents.get(session.agentId)
    if (agent.status !== 'running')
      throw invalid(`agent ${agent.name} is ${agent.status}, not running`, undefined, 'agent-not-running')
    if (!session.connected) throw invalid(`agent ${agent.name} is not connected`, undefined, 'agent-not-connected')
    if (session.busy || (await countQueued(this.#record, agent.id)) > 0)
      throw conflict(
        `agent ${agent.name} is busy: clear its context when it is idle, or interrupt it first`,
        'agent-busy',
      )
    if (clearsByPrompt(session, agent)) return this.#clearByPrompt(session, agent, by)
    session.awaitSync()
    return null
  }

  async #clearByPrompt(session: AgentSession, agent: AgentRow, by: Actor): Promise<ContextCleared> {
    const clear = { agent_id: agent.id, kind: 'clear', content: '/clear' } as const
    const { prompt, rolled } = await write(this.#record.db, async (transaction) => {
      await this.#record.audit.record(transaction, 'agents', agent.id, ['context'], by)
      return {
        prompt: (await addPrompts(this.#record, transaction, [clear], 'sent'))[0]!,
        rolled: await this.#roll(transaction, agent),
      }
    })
    await this.#parts.prompts.deliver(session, agent, prompt)
    return this.#announce(agent, rolled)
  }

  #clearByRestart(session: AgentSession, by: Actor): Promise<ContextCleared> {
    return session.lifecycle.run(async () => {
      const agent = await this.#record.agents.get(session.agentId)
      const rolled = await write(this.#record.db, (transaction) => this.#roll(transaction, agent))
      const ended = await this.#parts.lifecycle.end(agent, { status: 'stopped', error: null, reason: CLEARED }, by)
      await this.#parts.lifecycle.relaunch(ended, by, { resume: false })
      return this.#announce(agent, rolled)
    })
  }

  async #roll(transaction: Knex.Transaction, agent: AgentRow): Promise<Rolled> {
    const rolled = await rollSession(this.#record, transaction, agent)
    return { ...rolled, closed: await this.#parts.approvals.close(transaction, agent.id, CLEARED) }
  }

  #announce(agent: AgentRow, { ended, number, closed }: Rolled): ContextCleared {
    this.#parts.approvals.announce(closed)
    this.#parts.streams.publish(agent.id, 'context_cleared', `context cleared, session ${number} begins`)
    this.#parts.events.publish({ type: 'ContextCleared', agent_id: agent.id })
    this.#record.log.info({ agent_id: agent.id, session: number }, 'context cleared')
    return { agent_id: agent.id, session_usage: ended, new_session_number: number }
  }
}

export async function wantsClearing(record: Reading, session: AgentSession, agent: AgentRow): Promise<boolean> {
  const threshold = agent.spec.auto_clear_threshold
  if (threshold === null || session.busy) return false
  return (await currentSession(record, agent)).input_tokens >= threshold
}

/** Assumes support if unreported, except for claude-code: some versions lack it. */
function clearsByPrompt(session: AgentSession, agent: AgentRow): boolean {
  return session.capabilities.clearsContext ?? agent.spec.runtime !== 'claude-code'
}
