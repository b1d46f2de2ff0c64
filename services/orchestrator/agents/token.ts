// The secret of one launch of an agent: the process has it, the record has its hash.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ServiceParts } from '../parts.ts'

/** A new secret of an agent, and what of it is kept. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** True when `token` is the secret of that agent's current launch. */
export async function admits(service: ServiceParts, agentId: string, token: string | null): Promise<boolean> {
  if (token === null || service.stopping) return false
  const agent = await service.agents.find(agentId)
  const live = agent?.status === 'running' || agent?.status === 'pending'
  const admitted =
    live && agent.token_hash !== null && timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(agent.token_hash))
  // From its first frame on, what it sends is masked.
  if (admitted) service.secrets.learn(agent, token)
  return admitted
}
