import { timingSafeEqual } from 'node:crypto'
import { agentOfToken } from '../../../platform/peer/callers.ts'
import type { AgentStore } from '../record/agent-store.ts'
import type { AgentRow } from '../record/tables.ts'
import { hashOf, toolsToken } from '../session/launch-token.ts'
import type { SessionWorld } from '../session/world.ts'

/** Returns the agent whose current launch was given this token, or null. */
export async function findAskingAgent(agents: AgentStore, token: string): Promise<AgentRow | null> {
  const id = agentOfToken(token)
  const agent = id === null ? null : await findLive(agents, id)
  if (!agent) return null
  const wanted = Buffer.from(toolsToken(agent.id, agent.token_hash))
  const given = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? agent : null
}

async function findLive(agents: AgentStore, id: string): Promise<(AgentRow & { token_hash: string }) | null> {
  const agent = await agents.find(id)
  if (!agent || agent.token_hash === null || !['running', 'pending'].includes(agent.status)) return null
  return { ...agent, token_hash: agent.token_hash }
}

export async function admitAgent(
  agents: AgentStore,
  { secrets, stopping }: Pick<SessionWorld, 'secrets' | 'stopping'>,
  agentId: string,
  token: string | null,
): Promise<boolean> {
  if (token === null || stopping.aborted) return false
  const agent = await findLive(agents, agentId)
  if (!agent) return false
  const admitted = timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(agent.token_hash))
  // Redaction must work from the first frame.
  if (admitted) secrets.learn(agent, token)
  return admitted
}
