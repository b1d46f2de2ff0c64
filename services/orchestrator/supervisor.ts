// Watches processes: notices how they end, and starts again those that are to be kept running.
//
// running ── exit 0 ──► stopped        An agent that is kept (restart: always, or on-failure after a failure, or owned by an
// running ── exit n ──► failed         enabled workflow) is started again after 1 s, 2 s, 4 s … 60 s. Five minutes of life
// running ── gone ────► failed         forget earlier failures; after eight in a row it stays failed. A start by hand
// running ── silent ──► failed         (restart, terminate) forgets them too.
import { ownActor } from '../../platform/actor.ts'
import type { Timer } from '../../platform/clock.ts'
import type { MuxSession } from '../../platform/mux.ts'
import type { Core } from './core.ts'
import { isOwned, type Lifecycle } from './lifecycle.ts'
import { isConnected, type Seat } from './seats.ts'
import { AGENTS, findAgent, sessionName, updateAgent, type AgentRow } from './store.ts'
import { write } from '../../platform/database.ts'
import { announceAgent } from './announce.ts'

export const SWEEP_MS = 2000
export const CONNECT_WITHIN_MS = 60_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
const GOOD_LIFE_MS = 5 * 60_000
const MOST_FAILURES = 8

export interface Supervisor {
  /** Begins to look at all sessions every two seconds. */
  start(): void
  stop(): void
  /** One look at all sessions: what a tick of the sweep does. */
  sweep(): Promise<void>
  /** Looks at one agent's process at once. */
  check(agentId: string): Promise<void>
  /** Gives a process 60 s to connect; `adopted` ones are then relaunched whatever their restart rule says. */
  expectConnection(seat: Seat, options?: { adopted?: boolean }): void
  /** Starts the agent again after its back-off, if it is to be kept running. */
  keep(agent: AgentRow, options?: { forget?: boolean }): Promise<void>
  /** Forgets a start that was planned. */
  cancel(seat: Seat): void
}

export function createSupervisor(core: Core, lifecycle: Lifecycle): Supervisor {
  let timer: Timer | null = null
  const actor = () => ownActor('supervisor', core.ids())

  const keep: Supervisor['keep'] = async (agent, { forget = false } = {}) => {
    const seat = core.seats.of(agent.id)
    cancel(seat)
    if (core.stopping || !(await isKept(core, agent))) return
    if (forget || core.clock.now() - seat.launchedAt > GOOD_LIFE_MS) seat.failures = 0
    if (seat.failures >= MOST_FAILURES) return giveUp(core, agent)
    const wait = Math.min(FIRST_WAIT_MS * 2 ** seat.failures, LONGEST_WAIT_MS)
    seat.failures++
    core.log.info(
      { agent_id: agent.id, name: agent.name, wait_ms: wait, failures: seat.failures },
      'agent is started again',
    )
    seat.relaunch = core.clock.after(wait, () => void background(core, agent.id, relaunch(agent.id)))
  }

  const relaunch = (agentId: string) =>
    core.seats.of(agentId).lifecycle.run(async () => {
      const agent = await findAgent(core, agentId)
      if (core.stopping || !agent || agent.status === 'running' || !(await isKept(core, agent))) return
      const started = await lifecycle.relaunch(agent, actor())
      if (started.status === 'failed') await keep(started)
    })

  /** Records that a process has ended, and keeps the agent running if it is to be. */
  const ended = (agentId: string, session: MuxSession | null) =>
    core.seats.of(agentId).lifecycle.run(async () => {
      const agent = await findAgent(core, agentId)
      if (core.stopping || agent?.status !== 'running') return
      // Looked at again inside the lane: it may have been restarted since.
      const present = await core.mux.get(sessionName(agentId))
      if (present && !present.dead) return
      const outcome = await outcomeOf(core, agentId, present ?? session)
      core.log.warn({ agent_id: agentId, name: agent.name, ...outcome }, 'agent ended')
      const seat = core.seats.of(agentId)
      if (outcome.status === 'failed' && !seat.hasConnected && agent.programSession)
        await forgetConversation(core, agent)
      await keep(await lifecycle.end(agent, outcome, actor()))
    })

  const sweep = async () => {
    const running: string[] = await core.db(AGENTS).where({ status: 'running' }).pluck('id')
    if (running.length === 0) return
    const sessions = new Map((await core.mux.list()).map((session) => [session.name, session]))
    const over = running.filter((id) => sessions.get(sessionName(id))?.dead ?? true)
    await Promise.all(over.map((id) => ended(id, sessions.get(sessionName(id)) ?? null)))
  }

  const tick = () => {
    timer = core.clock.after(
      SWEEP_MS,
      () => void background(core, null, sweep()).then(() => (core.stopping ? undefined : tick())),
    )
  }

  const silent = (seat: Seat, adopted: boolean) =>
    seat.lifecycle.run(async () => {
      const agent = await findAgent(core, seat.agentId)
      if (core.stopping || agent?.status !== 'running' || isConnected(seat)) return
      const error = adopted ? 'the agent did not reconnect within 60 s' : 'no connection came within 60 s'
      const failed = await lifecycle.end(agent, { status: 'failed', error }, actor())
      if (!adopted) return keep(failed)
      const started = await lifecycle.relaunch(failed, actor())
      if (started.status === 'failed') await keep(started)
    })

  const cancel = (seat: Seat) => {
    seat.relaunch?.cancel()
    seat.relaunch = null
  }

  return {
    start: tick,
    stop: () => {
      timer?.cancel()
      for (const seat of core.seats.all()) {
        cancel(seat)
        seat.deadline?.cancel()
      }
    },
    sweep,
    check: async (agentId) => {
      const session = await core.mux.get(sessionName(agentId))
      if (!session || session.dead) await ended(agentId, session)
    },
    expectConnection: (seat, { adopted = false } = {}) => {
      seat.deadline?.cancel()
      if (core.stopping) return
      seat.deadline = core.clock.after(
        CONNECT_WITHIN_MS,
        () => void background(core, seat.agentId, silent(seat, adopted)),
      )
    },
    keep,
    cancel,
  }
}

async function isKept(core: Core, agent: AgentRow): Promise<boolean> {
  if (agent.spec.restart === 'always') return true
  if (agent.spec.restart === 'on-failure' && agent.status === 'failed') return true
  return isOwned(core, agent.id)
}

async function outcomeOf(
  core: Core,
  agentId: string,
  session: MuxSession | null,
): Promise<{ status: 'stopped' | 'failed'; error: string | null }> {
  if (!session) return { status: 'failed', error: 'its session is gone' }
  if (session.exitCode === 0) return { status: 'stopped', error: null }
  const shown = await core.mux.capture(sessionName(agentId), 20)
  const words = shown.split('\n').filter((line) => line.trim() !== '')
  return {
    status: 'failed',
    error: `it ended with exit code ${session.exitCode}${words.length > 0 ? `: ${words.at(-1)!.trim().slice(0, 300)}` : ''}`,
  }
}

/** A process that ended before it connected may have been given a conversation that is no more. */
async function forgetConversation(core: Core, agent: AgentRow): Promise<void> {
  await write(core.db, (transaction) => transaction(AGENTS).where({ id: agent.id }).update({ program_session: null }))
}

async function giveUp(core: Core, agent: AgentRow): Promise<void> {
  const error = `gave up after ${MOST_FAILURES} failures in a row; last: ${agent.lastError ?? 'it ended'}`
  core.log.error({ agent_id: agent.id, name: agent.name, error }, 'agent is not started again')
  await write(core.db, (transaction) =>
    updateAgent(core, transaction, agent.id, { status: 'failed', last_error: error }),
  )
  announceAgent(core, agent)
}

/** Work nobody waits for: its failure is logged. */
async function background(core: Core, agentId: string | null, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) =>
    core.log.error({ agent_id: agentId, error: (error as Error).message }, 'supervision failed; it is tried again'),
  )
}
