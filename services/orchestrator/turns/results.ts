// What the agent program reports: the results of its turns, a conversation it began anew, and what it says of itself.
import { write, type Knex } from '../../../platform/database/database.ts'
import { PROMPTS_FAIL } from '../../../schemas/agent.ts'
import { announceActivity, announceAgent } from '../session/announcements.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { remedyFor, withRemedy } from '../agents/known-failures.ts'
import { costReason } from '../record/usage.ts'
import type { TurnsWorld } from './world.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Frame } from '../session/frame.ts'
import { outcomeOf, withFrame, type TurnEnds } from './turn-ends.ts'

const LONGEST_ERROR = 500

/**
 * A result ends the turn and completes the prompt in hand; one with an `origin` was not asked for, and completes
 * nothing. False when it was counted before.
 */
export async function takeResult(
  service: TurnsWorld,
  ends: TurnEnds,
  session: AgentSession,
  frame: Frame,
): Promise<boolean> {
  const agent = await service.agents.find(session.agentId)
  if (!agent) return false
  const prompt = frame.origin ? null : session.prompt
  const ended = await ends.record({ agent, prompt, frame })
  if (ended.repeated) return false
  if (!frame.origin) session.endTurn()
  if (ended.dispatch) announceDispatch(service, ended.dispatch)
  announceActivity(service, agent, session)
  await noteInability(service, agent, frame)
  await noteCost(service, agent)
  return true
}

/** True when this frame was counted before; else remembers it in the same transaction. */
async function countedBefore(
  service: TurnsWorld,
  transaction: Knex.Transaction,
  agent: AgentRow,
  frame: Frame,
): Promise<boolean> {
  const seen_frames = withFrame(agent, frame)
  if (seen_frames === null) return true
  if (seen_frames !== agent.seen_frames) await service.agents.note(transaction, agent.id, { seen_frames })
  return false
}

/** Errors with a remedy stand on the agent's record, until a prompt is answered: every prompt fails of them. */
async function noteInability(service: TurnsWorld, { id }: AgentRow, frame: Frame): Promise<void> {
  const error = outcomeOf(frame).error?.slice(0, LONGEST_ERROR) ?? null
  const isKnown = error !== null && remedyFor(error) !== null
  const agent = await service.agents.find(id)
  const last_error = isKnown ? withRemedy(`${PROMPTS_FAIL}${error}`) : null
  if (!agent || last_error === agent.last_error) return
  if (last_error === null && (error !== null || !agent.last_error?.startsWith(PROMPTS_FAIL))) return
  await write(service.db, (transaction) => service.agents.update(transaction, id, { last_error }))
  announceAgent(service, agent)
}

/** For the record of a cost limit that was just passed. */
async function noteCost(service: TurnsWorld, before: AgentRow): Promise<void> {
  const agent = await service.agents.find(before.id)
  const reason = agent && (await costReason(service, agent))
  if (!agent || !reason || reason === agent.last_error) return
  await write(service.db, (transaction) => service.agents.update(transaction, agent.id, { last_error: reason }))
  announceAgent(service, agent)
}

/** True when this reset of the conversation is news, and not our own `/clear`. */
export async function isNewReset(service: TurnsWorld, session: AgentSession, frame: Frame): Promise<boolean> {
  const ours = session.prompt?.kind === 'clear'
  const repeated = await write(service.db, async (transaction) => {
    const agent = await service.agents.find(session.agentId, transaction)
    return !agent || countedBefore(service, transaction, agent, frame)
  })
  return !ours && !repeated
}

/** Remembers what the agent program says about itself: the conversation to go on with, the version to show. */
export async function rememberProgram(
  service: TurnsWorld,
  session: AgentSession,
  found: { conversation?: unknown; version?: unknown },
): Promise<void> {
  const agent = await service.agents.find(session.agentId)
  if (!agent) return
  const { conversation, version } = found
  const news: Partial<Pick<AgentRow, 'program_session' | 'program_version'>> = {}
  if (typeof conversation === 'string' && conversation !== '' && conversation !== agent.program_session)
    news.program_session = conversation
  if (typeof version === 'string' && version !== agent.program_version) news.program_version = version
  if (Object.keys(news).length > 0)
    await write(service.db, (transaction) => service.agents.note(transaction, agent.id, news))
}
