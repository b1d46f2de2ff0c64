// Call from the agent's `lifecycle` queue.
import { ownActor, type Actor } from '../../../platform/core/actor.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { AgentSpec } from '../../../schemas/agent.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import type { RecordWorld } from '../record/world.ts'
import type { SessionWorld } from '../session/world.ts'
import { dropQueuedInitial, failSent } from '../record/prompt-store.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import { settleSends } from '../tools/approval-store.ts'
import type { ApprovalBook } from '../tools/approvals.ts'
import { launchedSpec, type Launched, type Launcher } from './launch.ts'
import { failedStart, sandboxCode } from './sandbox/sandboxes.ts'
import { promptIsDue, type AgentRow, type AgentStatus } from '../record/agent-store.ts'
import { newToken } from '../session/launch-token.ts'
import { openSession } from '../record/usage.ts'
import type { TranscriptRecorder } from '../transcript/recorder.ts'
import { deleteEntries } from '../transcript/rows.ts'

/** Audit field of a removal in progress. */
const PURGE = 'purge_due'

/** `reason` is recorded on lost prompts and approvals; default: `error`. */
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
  transcript: Pick<TranscriptRecorder, 'forget'>
}

export class Lifecycle {
  readonly #record: RecordWorld
  readonly #parts: Parts
  #created = 0

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  get created(): number {
    return this.#created
  }

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

  /** `resume: false` begins a new conversation. */
  async relaunch(agent: AgentRow, by: Actor, { resume = true } = {}): Promise<AgentRow> {
    const { token, hash } = newToken()
    await this.#parts.launcher.killSession(agent.id)
    await write(this.#record.db, async (transaction) => {
      await dropQueuedInitial(this.#record, transaction, agent.id)
      // The process may have ended unnoticed.
      await failSent(this.#record, transaction, agent.id, 'a new process was started')
      // Read in the transaction so that recorded and launched specs match.
      const present = await this.#record.agents.get(agent.id, transaction)
      await this.#record.agents.update(transaction, agent.id, nextLaunch(present, hash, resume))
      await this.#recordUnguarded(transaction, agent.id, ['status'], by)
    })
    return this.#start(await this.#announce(agent.id), token)
  }

  /** Call before ending the process, so that a crash cannot lose the restart. */
  async markRestartDue(agent: AgentRow): Promise<void> {
    await this.#note(agent, { restart_due: true })
  }

  /**
   * Keeps `restart_due` unless the outcome sets it. Closes the approvals of a stopped agent; a crashed one may resume
   * them.
   */
  async end(agent: AgentRow, outcome: Outcome, by: Actor): Promise<AgentRow> {
    const { status, error, reason = error ?? 'the agent ended', restart_due = agent.restart_due } = outcome
    await this.#parts.launcher.killSession(agent.id)
    await this.#parts.launcher.removeFile(agent)
    await this.#leave(agent.id, reason)
    const closed = await write(this.#record.db, async (transaction) => {
      const columns = { status, last_error: error, restart_due, launch_file: null }
      await this.#record.agents.update(transaction, agent.id, columns)
      await this.#recordUnguarded(transaction, agent.id, ['status'], by)
      await settleSends(this.#record, transaction, agent.id)
      return status === 'stopped' ? this.#parts.approvals.close(transaction, agent.id, reason) : []
    })
    this.#parts.approvals.announce(closed)
    return this.#announce(agent.id)
  }

  /**
   * Records the removal and its author first: after a crash, the next daemon completes it instead of seeing a stopped
   * agent.
   */
  async purge(agent: AgentRow, by: Actor): Promise<void> {
    await write(this.#record.db, async (transaction) => {
      await this.#record.agents.note(transaction, agent.id, { purge_due: true })
      await this.#recordUnguarded(transaction, agent.id, [PURGE], by)
    })
    try {
      await this.#purge(agent, by)
    } catch (error) {
      // The caller gets the error; the next daemon must not complete the removal.
      await this.#note(agent, { purge_due: false }).catch(() => undefined)
      throw error
    }
    this.#parts.announcer.announceAgent(agent)
    await this.#parts.launcher.removePrivateFolder(agent)
    await this.#parts.launcher.dropWorktree(agent)
  }

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
      await this.#record.tables.toolCalls.delete(agent.id, transaction)
      await this.#record.agents.delete(transaction, agent.id)
      // After the agent: inserts of entries lock it, so none can follow.
      await deleteEntries(transaction, agent.id)
      await this.#recordUnguarded(transaction, agent.id, [''], by)
      return dispatches
    })
    this.#parts.dispatches.announce(skipped)
    this.#parts.sessions.remove(agent.id)
    this.#parts.secrets.forget(agent.id)
    this.#parts.transcript.forget(agent.id)
  }

  /** Bypasses write guards: a start violates no manifest, and an end was checked before. */
  #recordUnguarded(transaction: Knex.Transaction, id: string, members: readonly string[], by: Actor): Promise<void> {
    return this.#record.audit.recordAll(transaction, [{ kind: 'agents', id, members, by, isFree: true }])
  }

  async #note(
    { id }: AgentRow,
    marks: Partial<Pick<AgentRow, 'purge_due' | 'restart_due' | 'sandbox'>>,
  ): Promise<void> {
    await write(this.#record.db, (transaction) => this.#record.agents.note(transaction, id, marks))
  }

  async #start(agent: AgentRow, token: string): Promise<AgentRow> {
    const session = this.#parts.sessions.of(agent.id)
    session.reset(this.#record.clock.now())
    let launched: Launched
    try {
      launched = await this.#parts.launcher.launch(agent, token, (sandbox) => this.#note(agent, { sandbox }))
    } catch (error) {
      return this.#failLaunch(agent, error)
    }
    try {
      await write(this.#record.db, (transaction) => recordLaunch(this.#record, transaction, agent, launched))
    } catch (error) {
      // A session that is not recorded as running must not survive.
      await this.#parts.launcher.killSession(agent.id)
      throw error
    }
    const running = await this.#announce(agent.id)
    if (!launchedSpec(running).interactive && !session.connected) session.expectConnection()
    return running
  }

  async #failLaunch(agent: AgentRow, error: unknown): Promise<AgentRow> {
    const message = this.#parts.secrets.maskText(agent, (error as Error).message)
    if (!(error instanceof Problem)) this.#record.log.error({ agent_id: agent.id, error: message }, 'launch failed')
    const code = sandboxCode(error)
    const sandbox = code === null ? {} : { sandbox: failedStart(agent.sandbox, { code, message }) }
    const failed = { status: 'failed', last_error: `the launch failed: ${message}`, ...sandbox } as const
    await write(this.#record.db, (transaction) => this.#record.agents.update(transaction, agent.id, failed))
    return this.#announce(agent.id)
  }

  /** Disconnects, and fails the current prompt after frames that have already arrived. */
  async #leave(agentId: string, reason: string): Promise<void> {
    const session = this.#parts.sessions.of(agentId)
    session.leave()
    await session.frames.run(async () => {
      await this.#parts.prompts.abandon(session, reason)
      session.rest()
    })
  }

  async #announce(id: string): Promise<AgentRow> {
    const agent = await this.#record.agents.get(id)
    this.#parts.announcer.announceStatus(agent)
    return agent
  }
}

/** The conversation is resumed only in the same directory and runtime. */
function nextLaunch(agent: AgentRow, hash: string, resume: boolean): Partial<AgentRow> {
  const resumes =
    resume && agent.launched?.working_dir === agent.spec.working_dir && agent.launched.runtime === agent.spec.runtime
  return {
    status: 'pending',
    token_hash: hash,
    launches: agent.launches + 1,
    restarts: agent.restarts + 1,
    launched: agent.spec,
    purge_due: false,
    prompt_due: promptIsDue(agent.spec),
    ...(resumes ? {} : { program_session: null, cost_seen: 0, api_ms_seen: 0 }),
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
