// Clearing an agent's context: by `/clear` where that empties it, by a new process where it does not.
import { ownActor, type Actor } from '../../platform/actor.ts'
import { write } from '../../platform/database.ts'
import { conflict, invalid } from '../../platform/problem.ts'
import type { ContextCleared, Usage } from '../../schemas/usage.ts'
import { record } from './audit.ts'
import { deliver } from './conversation.ts'
import type { Core } from './core.ts'
import type { Lifecycle } from './lifecycle.ts'
import { addPrompt, countQueued } from './prompts.ts'
import { isBusy, isConnected, type Seat } from './seats.ts'
import { inTalk } from './stall.ts'
import { getAgent, type AgentRow } from './store.ts'
import { rollSession } from './usage.ts'

/** The first version of the CLI whose `/clear` drops the old messages. */
const CLEARS_SINCE = [2, 1, 329]

export interface Context {
  /** 400 when not connected, 409 when busy. */
  clear(agentId: string, by: Actor): Promise<ContextCleared>
  /** The agent's own threshold was passed. Call in the `talk` lane. */
  clearByItself(seat: Seat, agent: AgentRow): Promise<void>
  /** The agent program cleared its context of its own accord. Call in the `talk` lane. */
  noteReset(seat: Seat): Promise<void>
}

export function createContext(core: Core, lifecycle: Lifecycle): Context {
  const announce = (agent: AgentRow, { ended, number }: { ended: Usage; number: number }): ContextCleared => {
    core.streams.publish(agent.id, 'context_cleared', `context cleared, session ${number} begins`)
    core.log.info({ agent_id: agent.id, session: number }, 'context cleared')
    return { agent_id: agent.id, session_usage: ended, new_session_number: number }
  }

  const clearByPrompt = async (seat: Seat, agent: AgentRow, by: Actor) => {
    const { prompt, rolled } = await write(core.db, async (transaction) => {
      await record(core, transaction, 'agents', agent.id, ['context'], by)
      return {
        prompt: await addPrompt(
          core,
          transaction,
          { agentId: agent.id, kind: 'clear', content: '/clear', dispatchId: null, policy: null },
          'sent',
        ),
        rolled: await rollSession(core, transaction, agent),
      }
    })
    await deliver(core, seat, agent, prompt)
    return announce(agent, rolled)
  }

  const clearByRestart = (seat: Seat, by: Actor) =>
    seat.lifecycle.run(async () => {
      const agent = await getAgent(core, seat.agentId)
      const rolled = await write(core.db, (transaction) => rollSession(core, transaction, agent))
      await lifecycle.relaunch(await lifecycle.end(agent, { status: 'stopped', error: null }, by), by, {
        resume: false,
      })
      return announce(agent, rolled)
    })

  /** Null when a restart must do it, which cannot be waited for inside the `talk` lane. */
  const tryPrompt = async (seat: Seat, by: Actor): Promise<ContextCleared | null> => {
    const agent = await getAgent(core, seat.agentId)
    if (agent.status !== 'running') throw invalid(`agent ${agent.id} is ${agent.status}, not running`)
    if (!isConnected(seat)) throw invalid(`agent ${agent.id} is not connected`)
    if (isBusy(seat) || (await countQueued(core.db, agent.id)) > 0)
      throw conflict(`agent ${agent.id} is busy: clear its context when it is idle, or interrupt it first`)
    if (!keepsMessages(agent)) return clearByPrompt(seat, agent, by)
    seat.synced = false
    return null
  }

  return {
    clear: async (agentId, by) => {
      await getAgent(core, agentId)
      const seat = core.seats.of(agentId)
      return (await inTalk(seat, () => tryPrompt(seat, by))) ?? clearByRestart(seat, by)
    },
    clearByItself: async (seat, agent) => {
      const by = ownActor('auto-clear', core.ids())
      if (!keepsMessages(agent)) return void (await clearByPrompt(seat, agent, by))
      // Until the new process is there, nothing more goes to the old one.
      seat.synced = false
      void clearByRestart(seat, by).catch((error: unknown) =>
        core.log.error({ agent_id: agent.id, error: (error as Error).message }, 'the context could not be cleared'),
      )
    },
    noteReset: async (seat) => {
      const agent = await getAgent(core, seat.agentId)
      announce(agent, await write(core.db, (transaction) => rollSession(core, transaction, agent)))
    },
  }
}

/** Older versions answer `/clear` and go on sending the old messages. */
function keepsMessages(agent: AgentRow): boolean {
  if (agent.spec.runtime !== 'claude-code') return false
  const parts = (agent.programVersion ?? '').split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, least] of CLEARS_SINCE.entries()) {
    const part = parts[index] ?? 0
    if (!(part >= least)) return true
    if (part > least) return false
  }
  return false
}
