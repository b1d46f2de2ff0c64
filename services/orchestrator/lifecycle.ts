// From record to process and back: launch, adopt, terminate, restart, purge. Call in the `lifecycle` lane.
import type { Actor } from '../../platform/actor.ts'
import { write } from '../../platform/database.ts'
import { Problem } from '../../platform/problem.ts'
import type { AgentSpec } from '../../schemas/agent.ts'
import { announceAgent, announceStatus } from './announce.ts'
import type { ApprovalBook } from './approvals.ts'
import { record } from './audit.ts'
import { CLOSE, disconnect } from './connection.ts'
import { abandonPrompt } from './conversation.ts'
import type { Core } from './core.ts'
import { announceDispatch, skipPending } from './dispatches.ts'
import { dropWorktree, forgetLaunch, launch, newToken, type Launched } from './launcher.ts'
import { dropQueuedInitial } from './prompts.ts'
import type { Seat } from './seats.ts'
import {
  AGENTS,
  getAgent,
  insertAgent,
  promptIsDue,
  sessionName,
  updateAgent,
  type AgentRow,
  type AgentStatus,
} from './store.ts'
import { openSession } from './usage.ts'

export interface Lifecycle {
  /** Records the agent and launches it. */
  create(id: string, spec: AgentSpec, by: Actor): Promise<AgentRow>
  /** A new process under the same id. `resume: false` begins a new conversation of the agent program. */
  relaunch(agent: AgentRow, by: Actor, options?: { resume?: boolean }): Promise<AgentRow>
  /** Ends the process, if there is one, and records why. */
  end(agent: AgentRow, outcome: { status: AgentStatus; error: string | null }, by: Actor): Promise<AgentRow>
  purge(agent: AgentRow, by: Actor): Promise<void>
  /** Called when a process has been started: the connection deadline begins. */
  onLaunched: (seat: Seat, agent: AgentRow) => void
}

export function createLifecycle(core: Core, approvals: ApprovalBook): Lifecycle {
  const start = async (agent: AgentRow, token: string): Promise<AgentRow> => {
    const seat = freshSeat(core, agent.id)
    let launched: Launched
    try {
      launched = await launch(core, agent, token)
    } catch (error) {
      return failLaunch(core, agent, error)
    }
    try {
      await write(core.db, (transaction) => recordLaunch(core, transaction, agent, launched))
    } catch (error) {
      // Not on record as running: the session must not outlive its record.
      await core.mux.kill(sessionName(agent.id))
      throw error
    }
    const running = await getAgent(core, agent.id)
    announceStatus(core, running)
    lifecycle.onLaunched(seat, running)
    return running
  }

  const lifecycle: Lifecycle = {
    onLaunched: () => undefined,
    create: async (id, spec, by) => {
      const { token, hash } = newToken()
      await write(core.db, async (transaction) => {
        await insertAgent(core, transaction, { id, spec, tokenHash: hash })
        await openSession(core, transaction, id, 1)
        await record(core, transaction, 'agents', id, [''], by)
      })
      core.created++
      const agent = await getAgent(core, id)
      announceStatus(core, agent)
      return start(agent, token)
    },
    relaunch: async (agent, by, { resume = true } = {}) => {
      const { token, hash } = newToken()
      await core.mux.kill(sessionName(agent.id))
      await write(core.db, async (transaction) => {
        await dropQueuedInitial(core, transaction, agent.id)
        await updateAgent(core, transaction, agent.id, nextLaunch(agent, hash, resume))
        await record(core, transaction, 'agents', agent.id, ['status'], by)
      })
      const pending = await getAgent(core, agent.id)
      announceStatus(core, pending)
      return start(pending, token)
    },
    end: async (agent, outcome, by) => {
      await core.mux.kill(sessionName(agent.id))
      await forgetLaunch(core, agent)
      await leaveSeat(core, agent.id, outcome.error ?? `the agent is ${outcome.status}`)
      await write(core.db, async (transaction) => {
        await updateAgent(core, transaction, agent.id, {
          status: outcome.status,
          last_error: outcome.error,
          launch_file: null,
        })
        await record(core, transaction, 'agents', agent.id, ['status'], by)
      })
      const ended = await getAgent(core, agent.id)
      announceStatus(core, ended)
      return ended
    },
    purge: async (agent, by) => {
      await lifecycle.end(agent, { status: 'stopped', error: null }, by)
      await approvals.abandon(agent.id, 'the agent was purged')
      const skipped = await write(core.db, async (transaction) => {
        const dispatches = await skipPending(core, transaction, { agent_id: agent.id }, 'the agent was purged')
        for (const table of ['orchestrator_prompts', 'orchestrator_sessions'])
          await transaction(table).where({ agent_id: agent.id }).delete()
        await transaction(AGENTS).where({ id: agent.id }).delete()
        await record(core, transaction, 'agents', agent.id, [''], by)
        return dispatches
      })
      for (const dispatch of skipped) announceDispatch(core, dispatch)
      core.seats.remove(agent.id)
      announceAgent(core, agent)
      await dropWorktree(core, agent)
    },
  }
  return lifecycle
}

/** What a start changes in the record before it begins. A conversation is gone on with only in the same directory. */
function nextLaunch(agent: AgentRow, hash: string, resume: boolean): Record<string, unknown> {
  const goesOn =
    resume && agent.launched?.working_dir === agent.spec.working_dir && agent.launched.runtime === agent.spec.runtime
  return {
    status: 'pending',
    token_hash: hash,
    launches: agent.launches + 1,
    restarts: agent.restarts + 1,
    prompt_due: promptIsDue(agent.spec),
    ...(goesOn ? {} : { program_session: null, cost_seen: 0, api_ms_seen: 0 }),
  }
}

async function recordLaunch(
  core: Core,
  transaction: Parameters<typeof updateAgent>[1],
  agent: AgentRow,
  launched: Launched,
): Promise<void> {
  await updateAgent(core, transaction, agent.id, {
    status: 'running',
    last_error: null,
    warnings: JSON.stringify(launched.warnings),
    launched_config: core.vault.stringify(agent.spec),
    launch_file: launched.launchFile,
    worktree: launched.worktree,
  })
}

/** A launch that fails leaves the agent `failed` with the reason; a fault of ours is thrown on. */
async function failLaunch(core: Core, agent: AgentRow, error: unknown): Promise<AgentRow> {
  if (!(error instanceof Problem))
    core.log.error({ agent_id: agent.id, error: (error as Error).message }, 'launch failed')
  const reason = `the launch failed: ${(error as Error).message}`
  await write(core.db, (transaction) =>
    updateAgent(core, transaction, agent.id, { status: 'failed', last_error: reason }),
  )
  const failed = await getAgent(core, agent.id)
  announceStatus(core, failed)
  return failed
}

/** Nothing that was known of a former process holds for the next. */
function freshSeat(core: Core, agentId: string): Seat {
  const seat = core.seats.of(agentId)
  disconnect(seat, CLOSE.replaced, 'the agent is started anew')
  Object.assign(seat, {
    hasConnected: false,
    synced: true,
    guarded: null,
    guardReason: null,
    inFlight: null,
    turnRunning: false,
    held: null,
    launchedAt: core.clock.now(),
  })
  seat.answers.clear()
  seat.deadline?.cancel()
  seat.deadline = null
  return seat
}

/** The process is over: its socket, its turn and its deadline with it. Waits for frames that came before the end. */
async function leaveSeat(core: Core, agentId: string, reason: string): Promise<void> {
  const seat = core.seats.of(agentId)
  disconnect(seat, CLOSE.ended, 'the agent has ended')
  seat.deadline?.cancel()
  seat.deadline = null
  await seat.talk.run(async () => {
    await abandonPrompt(core, seat, reason)
    Object.assign(seat, { turnRunning: false, held: null, synced: true })
  })
}

/** True when an enabled workflow gives this agent its work: such an agent is kept running. */
export async function isOwned(core: Core, agentId: string): Promise<boolean> {
  return (await core.db('orchestrator_workflows').where({ agent_id: agentId, enabled: true }).first('id')) !== undefined
}
