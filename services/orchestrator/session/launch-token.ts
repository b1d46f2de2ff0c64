// Only a hash of the random token is stored.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { AGENT_TOKEN } from '../../../platform/peer/callers.ts'

export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * The agent program's token for the daemon's services. It does not open the agent's socket; neither secret reveals the
 * other.
 */
export function toolsToken(agentId: string, hash: string): string {
  return `${AGENT_TOKEN}${agentId}.${createHmac('sha256', hash).update('tools').digest('base64url')}`
}
