// The secrets of one launch of an agent: the process has them, the record has the hash that both follow from.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { AGENT_TOKEN } from '../../../platform/peer/callers.ts'

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
