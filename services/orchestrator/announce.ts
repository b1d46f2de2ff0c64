// Tells the listeners that an agent moved; called after the commit, never before.
import type { AgentRow } from './store.ts'
import type { Core } from './core.ts'
import { isBusy, type Seat } from './seats.ts'

export function announceAgent(core: Core, agent: Pick<AgentRow, 'id' | 'name'>): void {
  core.feed.publish({ kind: 'agents', id: agent.id, name: agent.name })
}

/** A status change is a change of the live resource, and a frame for those who watch. */
export function announceStatus(core: Core, agent: Pick<AgentRow, 'id' | 'name' | 'status'>): void {
  const seat = core.seats.find(agent.id)
  const activity = seat && isBusy(seat) ? 'busy' : 'idle'
  if (seat) seat.shownActivity = activity
  announceAgent(core, agent)
  core.streams.publish(agent.id, 'agent_status', `${agent.status}, ${activity}`, { status: agent.status, activity })
}

/** Publishes the agent's activity when it differs from what was published last. */
export function announceActivity(core: Core, agent: Pick<AgentRow, 'id' | 'status'>, seat: Seat): void {
  const activity = isBusy(seat) ? 'busy' : 'idle'
  if (activity === seat.shownActivity) return
  seat.shownActivity = activity
  core.streams.publish(agent.id, 'agent_status', `${agent.status}, ${activity}`, { status: agent.status, activity })
}
