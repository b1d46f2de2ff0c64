// Startup reconciliation: what the last daemon left behind is compared with what lives, once, before work begins.
import { ownActor } from '../../platform/actor.ts'
import { write } from '../../platform/database.ts'
import type { MuxSession } from '../../platform/mux.ts'
import { announceStatus } from './announce.ts'
import { record } from './audit.ts'
import type { Core } from './core.ts'
import type { Desk } from './desk.ts'
import { announceDispatch, failInFlight } from './dispatches.ts'
import type { Lifecycle } from './lifecycle.ts'
import { getAgent, listAgents, SESSION_PREFIX, sessionName, updateAgent, type AgentRow } from './store.ts'
import type { Supervisor } from './supervisor.ts'

interface Parts {
  lifecycle: Lifecycle
  supervisor: Supervisor
  desk: Desk
}

/**
 * Failed first, relaunched afterwards: an agent on record as running whose session is gone is marked
 * before anything may start it again. One whose session lives is adopted, with its process.
 */
export async function reconcileStartup(core: Core, parts: Parts): Promise<void> {
  const sessions = new Map((await core.mux.list()).map((session) => [session.name, session]))
  const agents = await listAgents(core)
  for (const dispatch of await write(core.db, (transaction) =>
    failInFlight(core, transaction, 'the orchestrator was restarted'),
  ))
    announceDispatch(core, dispatch)
  const adopted: AgentRow[] = []
  const over: AgentRow[] = []
  const promised: AgentRow[] = []
  for (const agent of agents) {
    const session = sessions.get(sessionName(agent.id))
    if (session && !session.dead && (agent.status === 'running' || agent.status === 'pending')) adopted.push(agent)
    else if (agent.status === 'running') over.push(await markEnded(core, agent, session))
    else if (agent.status === 'pending') promised.push(agent)
    else over.push(agent)
  }
  reportStrangers(core, sessions, agents)
  for (const agent of adopted) await adopt(core, parts, agent)
  // A start that was on record and never came about is owed.
  for (const agent of promised)
    void core.seats
      .of(agent.id)
      .lifecycle.run(() => owed(core, parts, agent))
      .catch(() => core.log.error({ agent_id: agent.id }, 'an agent could not be started'))
  for (const agent of over) await parts.supervisor.keep(agent)
}

async function owed(core: Core, { lifecycle, supervisor }: Parts, agent: AgentRow): Promise<void> {
  const started = await lifecycle.relaunch(agent, ownActor('recovery', core.ids()))
  if (started.status === 'failed') await supervisor.keep(started)
}

async function markEnded(core: Core, agent: AgentRow, session: MuxSession | undefined): Promise<AgentRow> {
  const clean = session?.exitCode === 0
  const error = clean
    ? null
    : session
      ? `it ended with exit code ${session.exitCode} while the orchestrator was down`
      : 'its session was gone when the orchestrator started'
  await write(core.db, async (transaction) => {
    await updateAgent(core, transaction, agent.id, { status: clean ? 'stopped' : 'failed', last_error: error })
    await transaction('orchestrator_prompts')
      .where({ agent_id: agent.id, status: 'sent' })
      .update({ status: 'failed', error: error ?? 'the agent ended' })
    await record(core, transaction, 'agents', agent.id, ['status'], ownActor('recovery', core.ids()))
  })
  if (session) await core.mux.kill(session.name)
  const ended = await getAgent(core, agent.id)
  core.log.warn(
    { agent_id: agent.id, name: agent.name, status: ended.status, error },
    'agent did not outlive the last orchestrator',
  )
  announceStatus(core, ended)
  return ended
}

async function adopt(core: Core, { supervisor, desk }: Parts, agent: AgentRow): Promise<void> {
  const seat = core.seats.of(agent.id)
  seat.launchedAt = core.clock.now()
  await desk.adopt(seat)
  if (agent.status === 'pending') {
    await write(core.db, (transaction) =>
      updateAgent(core, transaction, agent.id, {
        status: 'running',
        launched_config: core.vault.stringify(agent.spec),
      }),
    )
    announceStatus(core, { ...agent, status: 'running' })
  }
  core.log.info({ agent_id: agent.id, name: agent.name }, 'agent adopted')
  if (!agent.spec.interactive) supervisor.expectConnection(seat, { adopted: true })
}

/** Sessions that carry our prefix and are on no record: somebody else's, perhaps. Named, never killed. */
function reportStrangers(core: Core, sessions: Map<string, MuxSession>, agents: AgentRow[]): void {
  const known = new Set(agents.map((agent) => sessionName(agent.id)))
  for (const name of sessions.keys()) {
    if (name.startsWith(SESSION_PREFIX) && !known.has(name))
      core.log.warn({ session: name }, 'a session with our prefix has no record; it is left alone')
  }
}
