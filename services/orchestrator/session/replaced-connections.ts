// A connection that takes the place of one that is alive: either a program that dialled twice, or somebody else with
// its secret.
import { ownActor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import { announceAgent } from './announcements.ts'
import type { SessionWorld } from './world.ts'
import type { AgentSession } from './agent-session.ts'

/** Records it, tells those who watch, and has the agent's record shown anew. */
export async function recordReplaced(service: SessionWorld, session: AgentSession): Promise<void> {
  const agent = await service.agents.find(session.agentId)
  if (!agent) return
  const { id, name } = agent
  service.log.warn({ agent_id: id, name }, 'a second connection of the agent took the place of one that was alive')
  const by = ownActor('agent-socket', service.ids())
  await write(service.db, (transaction) => service.audit.record(transaction, 'connections', id, ['replaced'], by))
  service.streams.publish(id, 'connection_replaced', 'a second connection took the place of one that was alive')
  announceAgent(service, agent)
}
