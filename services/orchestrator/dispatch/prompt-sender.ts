// One prompt at a time: queued prompts are sent when the agent is idle.
import { write, type Knex } from '../../../platform/database/database.ts'
import { announceActivity, announceAgent } from '../session/announcements.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { costReason } from '../record/usage.ts'
import type { DispatchWorld } from './world.ts'
import { awaitsVerdict, guardFault } from '../session/guard.ts'
import { announceDispatch } from '../events/dispatch-announcements.ts'
import { closeAttempts, markDispatched } from '../record/dispatch-store.ts'
import type { AgentSession } from '../session/agent-session.ts'
import {
  addPrompt,
  agentsWithSent,
  failPrompt,
  failSent,
  markSent,
  nextPrompt,
  queueAgain,
} from '../record/prompt-store.ts'
import type { DispatchRow, Prompt } from '../record/tables.ts'
import { takeInTurn } from '../session/database-retry.ts'

/** Sends the next queued prompt when the agent is idle and may have one. Call in the turn of the agent's frames. */
export async function sendNext(service: DispatchWorld, session: AgentSession): Promise<void> {
  if (service.stopping.aborted || service.draining.active || session.busy || !session.synced || !session.connected)
    return
  const agent = await service.agents.find(session.agentId)
  if (!agent || agent.status === 'stopped' || agent.status === 'failed') return
  const prompt = await nextPrompt(service, agent.id)
  const policy = prompt?.policy ?? agent.spec.tool_policy
  // Nothing to warn of: the bridge's word comes next, and calls this again.
  if (prompt && awaitsVerdict(session.capabilities, agent.spec, policy)) return
  const held = prompt && (guardFault(session.capabilities, agent.spec, policy) ?? (await costReason(service, agent)))
  if (session.holdPrompts(held)) service.log.warn({ agent_id: agent.id, reason: held }, 'prompts are held')
  if (prompt && !held) await sendPrompt(service, session, agent, prompt)
}

/** Looks whether something waits, in the agent's own time. */
export function wake(service: DispatchWorld, session: AgentSession): void {
  void takeInTurn(service, session, () => sendNext(service, session))
}

/** Records that the prompt goes out, then sends it. */
async function sendPrompt(
  service: DispatchWorld,
  session: AgentSession,
  agent: AgentRow,
  prompt: Prompt,
): Promise<void> {
  const { waited, dispatch } = await write(service.db, async (transaction) => {
    if (!(await markSent(service, transaction, prompt))) return { waited: false, dispatch: null }
    const dispatched = prompt.dispatch_id && (await markDispatched(service, transaction, prompt.dispatch_id))
    return { waited: true, dispatch: dispatched || null }
  })
  // Skipped or changed since it was read: what waits now may go.
  if (!waited) return sendNext(service, session)
  if (dispatch) announceDispatch(service, dispatch)
  await deliver(service, session, agent, prompt)
}

/** Sends a prompt that is on record as sent. Without a connection its dispatch fails, and a message waits again. */
export async function deliver(
  service: DispatchWorld,
  session: AgentSession,
  agent: AgentRow,
  prompt: Prompt,
): Promise<void> {
  session.beginTurn(prompt)
  const message = { role: 'user', content: prompt.content }
  if (!session.connection.send({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: prompt.id })) {
    await takeBack(service, session, prompt, 'the connection closed before the prompt was sent')
  }
  announceActivity(service, agent, session)
}

/**
 * Where the agent's bridge says what it was handed last, and that is another prompt than the one in hand: that one
 * went out over an earlier connection and never arrived.
 */
export async function takeBackUnreceived(
  service: DispatchWorld,
  session: AgentSession,
  lastReceived: string | null,
): Promise<void> {
  const { prompt } = session
  if (!prompt || prompt.id === lastReceived || !session.sentBefore(session.connection.number)) return
  service.log.warn({ agent_id: session.agentId, prompt_id: prompt.id }, 'a prompt never arrived at its agent')
  await takeBack(service, session, prompt, 'the connection was lost before the prompt arrived')
}

/** The prompt in hand was given to nobody: its dispatch fails, and what has none waits again. */
async function takeBack(service: DispatchWorld, session: AgentSession, prompt: Prompt, reason: string): Promise<void> {
  const waitsAgain = prompt.kind === 'message' || prompt.kind === 'initial'
  const dispatch = await write(service.db, (transaction) =>
    giveUp(service, transaction, prompt, waitsAgain ? 'queued' : 'failed', reason),
  )
  session.dropPrompt()
  if (dispatch) announceDispatch(service, dispatch)
}

/** Records that a prompt comes to nothing, or waits again; a dispatch it belongs to has failed. */
async function giveUp(
  service: DispatchWorld,
  transaction: Knex.Transaction,
  prompt: Prompt,
  status: 'queued' | 'failed',
  reason: string,
): Promise<DispatchRow | null> {
  if (status === 'queued') await queueAgain(service, transaction, prompt.id, reason)
  else await failPrompt(service, transaction, prompt, reason)
  if (prompt.dispatch_id === null) return null
  const verdict = { status: 'failed', error: reason } as const
  const [ended] = await closeAttempts(service, transaction, new Map([[prompt.dispatch_id, verdict]]))
  return ended ?? null
}

/** The prompt in hand will get no result any more. */
export async function abandonPrompt(service: DispatchWorld, session: AgentSession, reason: string): Promise<void> {
  const { prompt } = session
  if (!prompt) return
  const dispatch = await write(service.db, (transaction) => giveUp(service, transaction, prompt, 'failed', reason))
  session.dropPrompt()
  if (dispatch) announceDispatch(service, dispatch)
  await reportLost(service, prompt, reason)
}

/** Tells those who watch that a message got no result; its agent's `warnings` keep it. */
async function reportLost(service: DispatchWorld, prompt: Prompt, reason: string): Promise<void> {
  if (prompt.kind !== 'message') return
  service.streams.publish(prompt.agent_id, 'message_lost', `a message got no result: ${reason}`)
  const agent = await service.agents.find(prompt.agent_id)
  if (agent) announceAgent(service, agent)
}

/** What an earlier daemon had sent to agents that are over comes to nothing. Call before any is started again. */
export async function settleSent(service: DispatchWorld): Promise<void> {
  for (const agentId of await agentsWithSent(service)) {
    const agent = await service.agents.find(agentId)
    if (agent?.status !== 'stopped' && agent?.status !== 'failed') continue
    await write(service.db, (transaction) => failSent(service, transaction, agentId, 'the agent ended'))
    announceAgent(service, agent)
  }
}

/** Queues the initial prompt of a start, once, before anything that waits. */
export async function queueInitialPrompt(service: DispatchWorld, agent: AgentRow): Promise<void> {
  if (!agent.prompt_due) return
  await write(service.db, async (transaction) => {
    await service.agents.note(transaction, agent.id, { prompt_due: false })
    await addPrompt(service, transaction, { agent_id: agent.id, kind: 'initial', content: agent.spec.prompt! })
  })
}
