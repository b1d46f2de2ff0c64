// From record to process and back: launch, terminate, restart, purge. Call in the agent's `lifecycle` queue.
import { ownActor, type Actor } from '../../../platform/core/actor.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { AgentSpec } from '../../../schemas/agent.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import type { RecordWorld } from '../record/world.ts'
import type { SessionWorld } from '../session/world.ts'
import { dropQueuedInitial, failSent } from '../record/prompt-store.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import type { ApprovalBook } from '../tools/approvals.ts'
import { launchedSpec, type Launched, type Launcher } from './launch.ts'
import { promptIsDue, type AgentRow, type AgentStatus } from '../record/agent-store.ts'
import { newToken } from '../session/launch-token.ts'
import { openSession } from '../record/usage.ts'

/** What the audit calls a removal that has begun. */
const PURGE = 'purge_due'

/** How a process ended; `reason` in words for those who waited for it, where there is no error. */
interface Outcome {
  status: AgentStatus
  error: string | null
  reason?: string
  restart_due?: boolean
}

interface Parts extends Pick<SessionWorld, 'sessions' | 'secrets' | 'announcer'> {
  dispatches: DispatchRecorder
  prompts: PromptSender
  approvals: ApprovalBook
  launcher: Launcher
}

export class Lifecycle {
  readonly #record: RecordWorld
  readonly #parts: Parts
  #created = 0

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  /** Agents created since the daemon started. */
  get created(): number {
    return this.#created
  }

  /** Records the agent and launches it. */
  async create(id: string, spec: AgentSpec, by: Actor): Promise<AgentRow> {
    const { token, hash } = newToken()
    await write(this.#record.db, async (transaction) => {
      await this.#record.agents.insert(transaction, { id, spec, token_hash: hash })
      await openSession(this.#record, transaction, id, 1)
      await this.#record.audit.record(transaction, 'agents', id, [''], by)
    })
    this.#created++
    return this.#start(await this.#announce(id), token)
  }

  /** A new process under the same id. `resume: false` begins a new conversation of the agent program. */
  async relaunch(agent: AgentRow, by: Actor, { resume = true } = {}): Promise<AgentRow> {
    const { token, hash } = newToken()
    await this.#parts.launcher.killSession(agent.id)
    await write(this.#record.db, async (transaction) => {
      await dropQueuedInitial(this.#record, transaction, agent.id)
      // What a process had in hand when it was ended unseen has no result any more.
      await failSent(this.#record, transaction, agent.id, 'the agent was started anew')
      // Read here: the values that the process is started with are those on record at this moment.
      const present = await this.#record.agents.get(agent.id, transaction)
      await this.#record.agents.update(transaction, agent.id, nextLaunch(present, hash, resume))
      await this.#recordFreely(transaction, agent.id, ['status'], by)
    })
    return this.#start(await this.#announce(agent.id), token)
  }

  /**
   * Records that a new process is owed, before the present one is ended: whatever happens in between, it is
   * started.
   */
  async oweRestart(agent: AgentRow): Promise<void> {
    await this.#note(agent, { restart_due: true })
  }

  /**
   * Ends the process, if there is one, and records why; a restart that is owed stays so unless the outcome says
   * otherwise.
   * What a stopped agent asked is closed; a crashed one may resume.
   */
  async end(agent: AgentRow, outcome: Outcome, by: Actor): Promise<AgentRow> {
    const { status, error, reason = error ?? 'the agent ended', restart_due = agent.restart_due } = outcome
    await this.#parts.launcher.killSession(agent.id)
    await this.#parts.launcher.removeFile(agent)
    await this.#leave(agent.id, reason)
    const closed = await write(this.#record.db, async (transaction) => {
      const columns = { status, last_error: error, restart_due, launch_file: null }
      await this.#record.agents.update(transaction, agent.id, columns)
      await this.#recordFreely(transaction, agent.id, ['status'], by)
      return status === 'stopped' ? this.#parts.approvals.close(transaction, agent.id, reason) : []
    })
    this.#parts.approvals.announce(closed)
    return this.#announce(agent.id)
  }

  /**
   * Ends the process and removes the record, with everything that belongs to it. It is on record before it begins: an
   * agent that lost its process on the way and kept its record would look like one that somebody stopped. With who
   * asked: whoever brings it to its end does so in that name.
   */
  async purge(agent: AgentRow, by: Actor): Promise<void> {
    await write(this.#record.db, async (transaction) => {
      await this.#record.agents.note(transaction, agent.id, { purge_due: true })
      await this.#recordFreely(transaction, agent.id, [PURGE], by)
    })
    try {
      await this.#purge(agent, by)
    } catch (error) {
      // Who asked is told that it failed, and may think better of it.
      await this.#note(agent, { purge_due: false }).catch(() => undefined)
      throw error
    }
    this.#parts.announcer.announceAgent(agent)
    await this.#parts.launcher.dropWorktree(agent)
  }

  /** Brings a removal to its end that a daemon before this one began. */
  async finishPurge(agent: AgentRow): Promise<void> {
    const { audit, ids } = this.#record
    await this.purge(agent, (await audit.latestOf('agents', agent.id, PURGE)) ?? ownActor('recovery', ids()))
  }

  async #purge(agent: AgentRow, by: Actor): Promise<void> {
    const outcome = { status: 'stopped', error: null, reason: 'the agent was purged', restart_due: false } as const
    await this.end(agent, outcome, by)
    const skipped = await write(this.#record.db, async (transaction) => {
      const dispatches = await this.#parts.dispatches.skip(transaction, { agent_id: agent.id }, 'the agent was purged')
      await this.#record.tables.prompts.delete({ agent_id: agent.id }, transaction)
      await this.#record.tables.sessions.delete({ agent_id: agent.id }, transaction)
      await this.#record.agents.delete(transaction, agent.id)
      await this.#recordFreely(transaction, agent.id, [''], by)
      return dispatches
    })
    this.#parts.dispatches.announce(skipped)
    this.#parts.sessions.remove(agent.id)
    this.#parts.secrets.forget(agent.id)
  }

  /** A start breaks no manifest's word, and whoever ends an agent was asked before its process was. */
  #recordFreely(transaction: Knex.Transaction, id: string, members: readonly string[], by: Actor): Promise<void> {
    return this.#record.audit.recordAll(transaction, [{ kind: 'agents', id, members, by, isFree: true }])
  }

  async #note({ id }: AgentRow, marks: Partial<Pick<AgentRow, 'purge_due' | 'restart_due'>>): Promise<void> {
    await write(this.#record.db, (transaction) => this.#record.agents.note(transaction, id, marks))
  }

  async #start(agent: AgentRow, token: string): Promise<AgentRow> {
    const session = this.#parts.sessions.of(agent.id)
    session.startAnew(this.#record.clock.now())
    let launched: Launched
    try {
      launched = await this.#parts.launcher.launch(agent, token)
    } catch (error) {
      return this.#failLaunch(agent, error)
    }
    try {
      await write(this.#record.db, (transaction) => recordLaunch(this.#record, transaction, agent, launched))
    } catch (error) {
      // Not on record as running: the terminal session must not outlive its record.
      await this.#parts.launcher.killSession(agent.id)
      throw error
    }
    const running = await this.#announce(agent.id)
    if (!launchedSpec(running).interactive && !session.connected) session.expectConnection()
    return running
  }

  /** A launch that fails leaves the agent `failed` with the reason. */
  async #failLaunch(agent: AgentRow, error: unknown): Promise<AgentRow> {
    const message = this.#parts.secrets.maskText(agent, (error as Error).message)
    if (!(error instanceof Problem)) this.#record.log.error({ agent_id: agent.id, error: message }, 'launch failed')
    const failed = { status: 'failed', last_error: `the launch failed: ${message}` } as const
    await write(this.#record.db, (transaction) => this.#record.agents.update(transaction, agent.id, failed))
    return this.#announce(agent.id)
  }

  /** The process is over: its socket, its turn and its deadline with it. Waits for frames that came before the end. */
  async #leave(agentId: string, reason: string): Promise<void> {
    const session = this.#parts.sessions.of(agentId)
    session.leave()
    await session.frames.run(async () => {
      await this.#parts.prompts.abandon(session, reason)
      session.rest()
    })
  }

  /** The agent as it is on record now, told to all who watch. */
  async #announce(id: string): Promise<AgentRow> {
    const agent = await this.#record.agents.get(id)
    this.#parts.announcer.announceStatus(agent)
    return agent
  }
}

/** What a start changes in the record before it begins. A conversation is gone on with only in the same directory. */
function nextLaunch(agent: AgentRow, hash: string, resume: boolean): Partial<AgentRow> {
  const goesOn =
    resume && agent.launched?.working_dir === agent.spec.working_dir && agent.launched.runtime === agent.spec.runtime
  return {
    status: 'pending',
    token_hash: hash,
    launches: agent.launches + 1,
    restarts: agent.restarts + 1,
    launched: agent.spec,
    purge_due: false,
    prompt_due: promptIsDue(agent.spec),
    ...(goesOn ? {} : { program_session: null, cost_seen: 0, api_ms_seen: 0 }),
  }
}

async function recordLaunch(
  { agents }: RecordWorld,
  transaction: Knex.Transaction,
  agent: AgentRow,
  launched: Launched,
): Promise<void> {
  await agents.update(transaction, agent.id, {
    status: 'running',
    restart_due: false,
    last_error: null,
    warnings: launched.warnings,
    launch_file: launched.launchFile,
    worktree: launched.worktree,
  })
}
