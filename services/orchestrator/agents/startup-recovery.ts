// Startup reconciliation: what the last daemon left behind is compared with what lives, once, before work begins.
import { ownActor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import type { MuxSession } from '../../../platform/terminal/mux.ts'
import type { AgentsWorld } from './world.ts'
import { failSent, sentPrompt } from '../record/prompt-store.ts'
import { settleInFlight } from '../dispatch/restart-rules.ts'
import { announceStatus } from '../session/announcements.ts'
import { forgetLaunch, launchedSpec } from './launch.ts'
import { sweepLaunchFiles } from './launch-file.ts'
import { SESSION_PREFIX, sessionName, type AgentRow } from '../record/agent-store.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Supervisor } from './supervisor.ts'

/**
 * Failed first, relaunched afterwards: an agent on record as running whose session is gone is marked
 * before anything may start it again. One whose session lives is adopted, with its process.
 */
export async function reconcileStartup(
  service: AgentsWorld,
  { supervisor, lifecycle }: { supervisor: Supervisor; lifecycle: Lifecycle },
): Promise<void> {
  await finishPurges(service, lifecycle)
  const muxSessions = new Map((await service.mux.list()).map((muxSession) => [muxSession.name, muxSession]))
  const agents = await service.agents.list()
  const adoptable = new Set(agents.filter((agent) => goesOn(agent, muxSessions)).map(({ id }) => id))
  await settleInFlight(service, (agentId) => adoptable.has(agentId))
  const adopted: AgentRow[] = []
  const over: AgentRow[] = []
  const promised: AgentRow[] = []
  for (const agent of agents) {
    const found = muxSessions.get(sessionName(agent.id))
    if (adoptable.has(agent.id)) adopted.push(agent)
    else if (agent.restart_due)
      promised.push(agent.status === 'running' ? await markEnded(service, agent, found) : agent)
    else if (agent.status === 'running') over.push(await markEnded(service, agent, found))
    else if (agent.status === 'pending') promised.push(agent)
    else over.push(agent)
  }
  reportStrangers(service, muxSessions, agents)
  await sweepLaunchFiles(service, new Set(adopted.map(({ id }) => id)))
  for (const agent of over) if (agent.launch_file !== null) await forgetLaunch(service, agent)
  for (const agent of adopted) await adopt(service, supervisor, agent)
  for (const agent of promised) startPromised(service, supervisor, agent)
  for (const agent of over) await supervisor.keep(agent)
}

/** What was being removed is removed, before anything looks at what there is. */
async function finishPurges(service: AgentsWorld, lifecycle: Lifecycle): Promise<void> {
  for (const agent of await service.agents.list({ purge_due: true })) {
    const { lifecycle: turns } = service.sessions.of(agent.id)
    const { id, name } = agent
    await turns
      .run(() => lifecycle.finishPurge(agent))
      .then(() => service.log.warn({ agent_id: id, name }, 'an agent whose removal was begun is removed'))
      .catch((error: Error) =>
        service.log.error({ agent_id: id, name, error: error.message }, 'an agent could not be removed'),
      )
  }
}

/**
 * Its session lives, and nothing has to replace it. Pending and alive is the new process: the former was ended
 * first.
 */
function goesOn({ id, status, restart_due }: AgentRow, muxSessions: ReadonlyMap<string, MuxSession>): boolean {
  const found = muxSessions.get(sessionName(id))
  if (!found || found.dead) return false
  return status === 'pending' || (status === 'running' && !restart_due)
}

/** A start that was on record and never came about is owed; nobody waits for it. */
function startPromised(service: AgentsWorld, supervisor: Supervisor, agent: AgentRow): void {
  service.sessions
    .of(agent.id)
    .lifecycle.run(() => supervisor.startAgain(agent, ownActor('recovery', service.ids())))
    .catch((error: unknown) =>
      service.log.error({ agent_id: agent.id, error: (error as Error).message }, 'an agent could not be started'),
    )
}

async function markEnded(service: AgentsWorld, agent: AgentRow, found: MuxSession | undefined): Promise<AgentRow> {
  const { status, error } = outcomeOf(found)
  await write(service.db, async (transaction) => {
    await service.agents.update(transaction, agent.id, { status, last_error: error })
    await failSent(service, transaction, agent.id, error ?? 'the agent ended')
    await service.audit.record(transaction, 'agents', agent.id, ['status'], ownActor('recovery', service.ids()))
  })
  if (found) await service.mux.kill(found.name)
  const ended = await service.agents.get(agent.id)
  const { id, name } = ended
  service.log.warn({ agent_id: id, name, status, error }, 'agent did not outlive the last orchestrator')
  announceStatus(service, ended)
  return ended
}

function outcomeOf(found: MuxSession | undefined): { status: 'stopped' | 'failed'; error: string | null } {
  if (!found) return { status: 'failed', error: 'its session was gone when the orchestrator started' }
  if (!found.dead) return { status: 'stopped', error: null }
  if (found.exitCode === 0) return { status: 'stopped', error: null }
  return { status: 'failed', error: `it ended with exit code ${found.exitCode} while the orchestrator was down` }
}

async function adopt(service: AgentsWorld, supervisor: Supervisor, agent: AgentRow): Promise<void> {
  const session = service.sessions.of(agent.id)
  session.adopt(service.clock.now(), await sentPrompt(service, agent.id))
  // A process of an earlier version, which did not record what it was started with, counts as running what is
  // configured.
  const launched = launchedSpec(agent)
  if (agent.status === 'pending' || agent.launched === null) {
    const running = { status: 'running', launched, restart_due: false } as const
    await write(service.db, (transaction) => service.agents.update(transaction, agent.id, running))
    announceStatus(service, { ...agent, status: 'running' })
  }
  service.log.info({ agent_id: agent.id, name: agent.name }, 'agent adopted')
  if (!launched.interactive) supervisor.expectConnection(session, { adopted: true })
}

/** Sessions that carry our prefix and are on no record: somebody else's, perhaps. Named, never killed. */
function reportStrangers(service: AgentsWorld, muxSessions: Map<string, MuxSession>, agents: AgentRow[]): void {
  const known = new Set(agents.map((agent) => sessionName(agent.id)))
  for (const name of muxSessions.keys()) {
    if (name.startsWith(SESSION_PREFIX) && !known.has(name))
      service.log.warn({ session: name }, 'a session with our prefix has no record; it is left alone')
  }
}
