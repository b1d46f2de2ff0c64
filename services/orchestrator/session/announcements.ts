// Tells the listeners that an agent moved; called after the commit, never before.
import type { AgentRow } from '../record/agent-store.ts'
import type { SessionWorld } from './world.ts'
import type { Activity, AgentSession } from './agent-session.ts'

export function announceAgent(service: SessionWorld, agent: Pick<AgentRow, 'id' | 'name'>): void {
  service.feed.publish({ kind: 'agents', id: agent.id, name: agent.name })
}

/** A status change is a change of the live resource, and a frame for those who watch. */
export function announceStatus(service: SessionWorld, agent: Pick<AgentRow, 'id' | 'name' | 'status'>): void {
  const session = service.sessions.find(agent.id)
  session?.showActivity()
  announceAgent(service, agent)
  publishStatus(service, agent, session?.activity ?? 'idle')
}

/**
 * Publishes the agent's activity when it differs from what was published last; who waits for its work to end hears
 * of that.
 */
export function announceActivity(
  service: SessionWorld,
  agent: Pick<AgentRow, 'id' | 'name' | 'status'>,
  session: AgentSession,
): void {
  if (!session.showActivity()) return
  publishStatus(service, agent, session.activity)
  if (session.activity === 'idle') service.feed.publish({ kind: 'agents', id: agent.id, name: agent.name, idle: true })
}

function publishStatus(
  service: SessionWorld,
  { id, status }: Pick<AgentRow, 'id' | 'status'>,
  activity: Activity,
): void {
  service.streams.publish(id, 'agent_status', `${status}, ${activity}`, { status, activity })
}
