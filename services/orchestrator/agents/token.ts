// The secrets of one launch of an agent: the process has them, the record has the hash that both follow from.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { agentOfToken, AGENT_TOKEN } from '../../../platform/peer/callers.ts'
import type { ServiceParts } from '../parts.ts'
import type { AgentRow } from '../tables.ts'

/** A new secret of an agent, and what of it is kept. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * What a launch asks the daemon's services with, as the agent: its program has it. The agent's own socket does not open
 * with it, and neither secret tells the other.
 */
export function toolsToken(agentId: string, hash: string): string {
  return `${AGENT_TOKEN}${agentId}.${createHmac('sha256', hash).update('tools').digest('base64url')}`
}

/** The agent whose present launch was given this token; null where none was. */
export async function agentAsking(service: Pick<ServiceParts, 'agents'>, token: string): Promise<AgentRow | null> {
  const id = agentOfToken(token)
  const agent = id === null ? null : await service.agents.find(id)
  if (!agent || agent.token_hash === null || !isLive(agent)) return null
  const wanted = Buffer.from(toolsToken(agent.id, agent.token_hash))
  const given = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? agent : null
}

const isLive = ({ status }: AgentRow): boolean => status === 'running' || status === 'pending'

/** True when `token` is the secret of that agent's current launch. */
export async function admits(service: ServiceParts, agentId: string, token: string | null): Promise<boolean> {
  if (token === null || service.stopping) return false
  const agent = await service.agents.find(agentId)
  if (!agent || agent.token_hash === null || !isLive(agent)) return false
  const admitted = timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(agent.token_hash))
  // From its first frame on, what it sends is masked.
  if (admitted) service.secrets.learn(agent, token)
  return admitted
}
