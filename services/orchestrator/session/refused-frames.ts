// Frames that are not taken: each is answered and counted, told of once, and dropped.
import { write } from '../../../platform/database/database.ts'
import type { FrameRefused } from '../../../schemas/frames/refusal.ts'
import { announceAgent } from './announcements.ts'
import type { SessionWorld } from './world.ts'
import type { AgentSession } from './agent-session.ts'
import { errorFrame, type Frame } from './frame.ts'
import type { Refused } from './frame-reader.ts'
import { takeInTurn } from './database-retry.ts'

const LONGEST_ID = 256

/**
 * Answers a frame that does not fit; the first of its reason since the launch is logged, and told in the agent's
 * `last_error`. A refused `result` still ends its turn: `take` gets an error in its place.
 */
export function takeRefusal(
  service: SessionWorld,
  session: AgentSession,
  refused: Refused,
  take: (frame: Frame, length: number) => Promise<void> | void,
): Promise<void> | void {
  const { reason, message, number } = refused
  const type = textOf(refused.frame?.type)
  const answer: FrameRefused = { type: 'frame_refused', frame: number, reason, message, of: type }
  const requestId: unknown = refused.frame?.request_id
  if (type === 'control_request' && isId(requestId)) session.connection.send(errorFrame(requestId, message))
  session.connection.send(answer)
  // The bridge may send it once more before it reads the answer.
  if (refused.frame && textOf(refused.frame.uuid) !== null && !session.connection.isNews(refused.frame)) return
  service.refusals.add(reason)
  const told = tellOnce(service, session, refused, type)
  if (type !== 'result') return told
  const errors = [`the result of the agent was refused: ${message}`]
  const ended = { type, subtype: 'error_during_execution', is_error: true, errors, terminal_reason: 'frame_refused' }
  return Promise.all([told, take(ended, 0)]).then(() => undefined)
}

function tellOnce(
  service: SessionWorld,
  session: AgentSession,
  { reason, message }: Refused,
  type: string | null,
): Promise<void> | void {
  if (!session.noteRefusal(reason)) return
  service.log.warn({ agent_id: session.agentId, type, reason, fault: message }, 'a frame of the agent was refused')
  const error = `a frame of the agent${type === null ? '' : ` (${type})`} was refused: ${message} [${reason}]`
  return takeInTurn(service, session, async () => {
    const agent = await service.agents.find(session.agentId)
    if (!agent || agent.last_error === error) return
    await write(service.db, (transaction) => service.agents.update(transaction, agent.id, { last_error: error }))
    announceAgent(service, agent)
  })
}

function isId(value: unknown): value is string | number {
  return typeof value === 'number' || textOf(value) !== null
}

/** A text short enough to be sent back and remembered. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST_ID ? value : null
}
