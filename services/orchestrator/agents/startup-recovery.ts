// Reconciles recorded agents with live sessions before work begins.
import { ownActor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import type { MuxSession } from '../../../platform/terminal/mux.ts'
import type { World } from '../../../platform/service/world.ts'
import type { RecordWorld } from '../record/world.ts'
import type { SessionWorld } from '../session/world.ts'
import { failSent, sentPrompt } from '../record/prompt-store.ts'
import { settleInFlight, type Settling } from '../dispatch/restart-rules.ts'
import { launchedSpec, type Launcher } from './launch.ts'
import { SESSION_PREFIX, sessionName, type AgentRow } from '../record/agent-store.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Supervisor } from './supervisor.ts'

interface Parts extends Pick<SessionWorld, 'sessions' | 'announcer'>, Settling, Pick<World, 'mux'> {
  launcher: Launcher
  lifecycle: Lifecycle
  supervisor: Supervisor
}

export class StartupRecovery {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  /** Marks ended agents before anything may relaunch them. */
  async run(): Promise<void> {
    const { mux, launcher, supervisor } = this.#parts
    await this.#finishPurges()
    const muxSessions = new Map((await mux.list()).map((muxSession) => [muxSession.name, muxSession]))
    const agents = await this.#record.agents.list()
    const adoptable = new Set(agents.filter((agent) => isAdoptable(agent, muxSessions)).map(({ id }) => id))
    await settleInFlight(this.#record, this.#parts, (agentId) => adoptable.has(agentId))
    const adopted: AgentRow[] = []
    const over: AgentRow[] = []
    const promised: AgentRow[] = []
    for (const agent of agents) {
      const found = muxSessions.get(sessionName(agent.id))
      if (adoptable.has(agent.id)) adopted.push(agent)
      else if (agent.restart_due)
        promised.push(agent.status === 'running' ? await this.#markEnded(agent, found) : agent)
      else if (agent.status === 'running') over.push(await this.#markEnded(agent, found))
      else if (agent.status === 'pending') promised.push(agent)
      else over.push(agent)
    }
    this.#reportUnknown(muxSessions, agents)
    await launcher.sweepFiles(adoptable)
    for (const agent of over) if (agent.launch_file !== null) await launcher.removeFile(agent)
    for (const agent of adopted) await this.#adopt(agent)
    for (const agent of promised) this.#startPromised(agent)
    for (const agent of over) await supervisor.keep(agent)
  }

  /** Runs first: no other step may see agents that are being removed. */
  async #finishPurges(): Promise<void> {
    const { agents, log } = this.#record
    for (const agent of await agents.list({ purge_due: true })) {
      const { id, name } = agent
      await this.#parts.sessions
        .of(id)
        .lifecycle.run(() => this.#parts.lifecycle.finishPurge(agent))
        .then(() => log.warn({ agent_id: id, name }, 'completed the removal of an agent'))
        .catch((error: Error) => log.error({ agent_id: id, name, error: error.message }, 'failed to remove agent'))
    }
  }

  #startPromised(agent: AgentRow): void {
    const { ids, log } = this.#record
    this.#parts.sessions
      .of(agent.id)
      .lifecycle.run(() => this.#parts.supervisor.startAgain(agent, ownActor('recovery', ids())))
      .catch((error: unknown) =>
        log.error({ agent_id: agent.id, error: (error as Error).message }, 'failed to start agent'),
      )
  }

  async #markEnded(agent: AgentRow, found: MuxSession | undefined): Promise<AgentRow> {
    const { agents, audit, db, ids, log } = this.#record
    const { status, error } = outcomeOf(found)
    await write(db, async (transaction) => {
      await agents.update(transaction, agent.id, { status, last_error: error })
      await failSent(this.#record, transaction, agent.id, error ?? 'the agent ended')
      await audit.record(transaction, 'agents', agent.id, ['status'], ownActor('recovery', ids()))
    })
    if (found) await this.#parts.mux.kill(found.name)
    const ended = await agents.get(agent.id)
    const { id, name } = ended
    log.warn({ agent_id: id, name, status, error }, 'agent did not survive the restart of the orchestrator')
    this.#parts.announcer.announceStatus(ended)
    return ended
  }

  async #adopt(agent: AgentRow): Promise<void> {
    const { agents, clock, db, log } = this.#record
    const session = this.#parts.sessions.of(agent.id)
    session.adopt(clock.now(), await sentPrompt(this.#record, agent.id))
    const launched = launchedSpec(agent)
    if (agent.status === 'pending' || agent.launched === null) {
      const running = { status: 'running', launched, restart_due: false } as const
      await write(db, (transaction) => agents.update(transaction, agent.id, running))
      this.#parts.announcer.announceStatus({ ...agent, status: 'running' })
    }
    log.info({ agent_id: agent.id, name: agent.name }, 'agent adopted')
    if (!launched.interactive) session.expectConnection({ adopted: true })
  }

  /** Never kills unknown sessions: they may not be ours. */
  #reportUnknown(muxSessions: Map<string, MuxSession>, agents: AgentRow[]): void {
    const known = new Set(agents.map((agent) => sessionName(agent.id)))
    for (const name of muxSessions.keys()) {
      if (name.startsWith(SESSION_PREFIX) && !known.has(name))
        this.#record.log.warn({ session: name }, 'ignoring a session with our prefix and no record')
    }
  }
}

/** A live session of a pending agent is the new process: the old one was killed first. */
function isAdoptable({ id, status, restart_due }: AgentRow, muxSessions: ReadonlyMap<string, MuxSession>): boolean {
  const found = muxSessions.get(sessionName(id))
  if (!found || found.dead) return false
  return status === 'pending' || (status === 'running' && !restart_due)
}

function outcomeOf(found: MuxSession | undefined): { status: 'stopped' | 'failed'; error: string | null } {
  if (!found) return { status: 'failed', error: 'its session no longer existed when the orchestrator started' }
  if (!found.dead) return { status: 'stopped', error: null }
  if (found.exitCode === 0) return { status: 'stopped', error: null }
  return { status: 'failed', error: `it ended with exit code ${found.exitCode} while the orchestrator was down` }
}
