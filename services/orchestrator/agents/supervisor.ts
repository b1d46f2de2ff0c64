// Watches agents' processes, and restarts those that are kept running.
//
//   running ── exit 0 ─────────► stopped
//   running ── exit n ─────────► failed
//   running ── no session ─────► failed
//   running ── no connection ──► failed
//
// Kept running: `restart: always`, `on-failure` after a failure, or an enabled workflow. After MOST_FAILURES in a row the
// agent stays failed. GOOD_LIFE_MS of uptime, restart and terminate reset the count.
import { ownActor, type Actor } from '../../../platform/core/actor.ts'
import { background, type Background } from '../../../platform/async/background.ts'
import { write } from '../../../platform/database/database.ts'
import type { MuxSession } from '../../../platform/terminal/mux.ts'
import { isAlive } from '../../../platform/peer/alive.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Reading, RecordWorld } from '../record/world.ts'
import type { SilentAgent } from '../session/agent-session.ts'
import type { SessionWorld } from '../session/world.ts'
import type { Lifecycle } from './lifecycle.ts'
import { sessionName, type AgentRow } from '../record/agent-store.ts'
import { lastOutputOf, withRemedy } from './known-failures.ts'
import { terminalText } from './terminal.ts'

const SWEEP_MS = 2000
/** Query interval while all known processes live: each query spawns a process. */
const ASK_MS = 10_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
const GOOD_LIFE_MS = 5 * 60_000
const MOST_FAILURES = 8

interface Parts extends Omit<SessionWorld, 'freed'>, Pick<World, 'mux'> {
  lifecycle: Lifecycle
}

export class Supervisor {
  readonly #record: RecordWorld
  readonly #parts: Parts
  #sweep: Background | null = null
  readonly #processes = new Map<string, number>()
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
    parts.sessions.silent.subscribe((silent) => void this.#background(silent.agentId, this.#endSilent(silent)))
  }

  start(): void {
    if (this.#parts.stopping.aborted) return
    const { clock, log } = this.#record
    const work = () => this.#checkAll()
    this.#sweep = background({ clock, log, name: 'supervision', everyMs: SWEEP_MS, longestMs: SWEEP_MS, work })
  }

  async stop(): Promise<void> {
    for (const session of this.#parts.sessions.all()) {
      session.cancelRelaunch()
      session.cancelDeadline()
    }
    await this.#sweep?.stop()
  }

  async check(agentId: string): Promise<void> {
    if (this.#parts.stopping.aborted) return
    const found = await this.#parts.mux.get(sessionName(agentId))
    if (!found || found.dead) await this.#recordEnd(agentId, found)
  }

  /** Schedules a restart if the agent is kept running. `forget` resets the count of failures. */
  async keep(agent: AgentRow, { forget = false } = {}): Promise<void> {
    const { clock, log } = this.#record
    const session = this.#parts.sessions.of(agent.id)
    session.cancelRelaunch()
    if (this.#parts.stopping.aborted || !(await isKept(this.#record, agent))) return
    if (forget || clock.now() - session.launchedAt > GOOD_LIFE_MS) session.forgetFailures()
    if (session.failures >= MOST_FAILURES) return this.#giveUp(agent)
    const wait = Math.min(FIRST_WAIT_MS * 2 ** session.failures, LONGEST_WAIT_MS)
    session.recordFailure()
    log.info(
      { agent_id: agent.id, name: agent.name, wait_ms: wait, failures: session.failures },
      'agent restart scheduled',
    )
    session.planRelaunch(clock.after(wait, () => void this.#background(agent.id, this.#relaunch(agent.id))))
  }

  /** Call from the agent's `lifecycle` queue. */
  async startAgain(agent: AgentRow, by: Actor): Promise<AgentRow> {
    const started = await this.#parts.lifecycle.relaunch(agent, by)
    if (started.status === 'failed') await this.keep(started)
    return started
  }

  #relaunch(agentId: string): Promise<void> {
    return this.#parts.sessions.of(agentId).lifecycle.run(async () => {
      const agent = await this.#record.agents.find(agentId)
      if (this.#parts.stopping.aborted || !agent || agent.status === 'running') return
      if (await isKept(this.#record, agent)) await this.startAgain(agent, this.#actor())
    })
  }

  async #checkAll(): Promise<void> {
    const running = await this.#record.agents.idsOf('running')
    if (running.length === 0 || this.#allLive(running)) return
    const found = new Map((await this.#parts.mux.list()).map((muxSession) => [muxSession.name, muxSession]))
    this.#askedAt = this.#record.clock.monotonic()
    this.#processes.clear()
    const over: Promise<void>[] = []
    for (const id of running) {
      const session = found.get(sessionName(id)) ?? null
      if (session && !session.dead) this.#processes.set(id, session.pid)
      else over.push(this.#recordEnd(id, session))
    }
    await Promise.all(over)
  }

  /** The result expires: a process id may be reused and a session renamed. */
  #allLive(running: readonly string[]): boolean {
    if (this.#record.clock.monotonic() - this.#askedAt >= ASK_MS) return false
    return running.every((id) => this.#processes.has(id) && isAlive(this.#processes.get(id)!))
  }

  #recordEnd(agentId: string, found: MuxSession | null): Promise<void> {
    const session = this.#parts.sessions.of(agentId)
    return session.lifecycle.run(async () => {
      const agent = await this.#record.agents.find(agentId)
      if (this.#parts.stopping.aborted || agent?.status !== 'running') return
      // The agent may have been restarted while this was queued.
      const present = await this.#parts.mux.get(sessionName(agentId))
      if (present && !present.dead) return
      const outcome = await this.#outcomeOf(agent, present ?? found)
      this.#record.log.warn({ agent_id: agentId, name: agent.name, ...outcome }, 'agent ended')
      if (outcome.status === 'failed' && !session.connection.hasConnected && agent.program_session)
        await this.#forgetConversation(agent)
      await this.keep(await this.#parts.lifecycle.end(agent, outcome, this.#actor()))
    })
  }

  #endSilent({ agentId, adopted }: SilentAgent): Promise<void> {
    const session = this.#parts.sessions.of(agentId)
    return session.lifecycle.run(async () => {
      const agent = await this.#record.agents.find(agentId)
      if (this.#parts.stopping.aborted || agent?.status !== 'running' || session.connected) return
      const error = adopted ? 'the agent did not reconnect within 60 s' : 'the agent did not connect within 60 s'
      const failed = await this.#parts.lifecycle.end(agent, { status: 'failed', error }, this.#actor())
      if (adopted) await this.startAgain(failed, this.#actor())
      else await this.keep(failed)
    })
  }

  #actor(): Actor {
    return ownActor('supervisor', this.#record.ids())
  }

  async #background(agentId: string, work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#record.log.error({ agent_id: agentId, error: (error as Error).message }, 'supervision failed, retrying'),
    )
  }

  terminalText(agent: AgentRow, lines: number): Promise<string> {
    return terminalText(this.#parts, agent, lines)
  }

  async #outcomeOf(
    agent: AgentRow,
    found: MuxSession | null,
  ): Promise<{ status: 'stopped' | 'failed'; error: string | null }> {
    if (!found) return { status: 'failed', error: 'its session no longer exists' }
    if (found.exitCode === 0) return { status: 'stopped', error: null }
    const words = lastOutputOf(await this.terminalText(agent, 20))
    const error = withRemedy(`it ended with exit code ${found.exitCode}${words ? `: ${words}` : ''}`)
    return { status: 'failed', error }
  }

  /** The program may have failed because the conversation to resume no longer exists. */
  async #forgetConversation({ id }: AgentRow): Promise<void> {
    const { agents, db } = this.#record
    await write(db, (transaction) => agents.note(transaction, id, { program_session: null }))
  }

  async #giveUp(agent: AgentRow): Promise<void> {
    const { agents, db, log } = this.#record
    const error = `gave up after ${MOST_FAILURES} failures in a row; last: ${agent.last_error ?? 'it ended'}`
    log.error({ agent_id: agent.id, name: agent.name, error }, 'agent is no longer restarted')
    const failed = { status: 'failed', last_error: error } as const
    await write(db, (transaction) => agents.update(transaction, agent.id, failed))
    this.#parts.announcer.announceAgent(agent)
  }
}

async function isKept({ tables }: Reading, agent: AgentRow): Promise<boolean> {
  if (agent.restart_due) return true
  if (agent.spec.restart === 'always') return true
  if (agent.spec.restart === 'on-failure' && agent.status === 'failed') return true
  return (await tables.workflows.find({ agent_id: agent.id, enabled: true })) !== null
}
