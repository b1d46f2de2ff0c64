// One prompt at a time: queued prompts are sent when the agent is idle, and a result completes the one in hand.
import { write, type Knex } from '../../platform/database.ts'
import type { DispatchRecord } from '../../schemas/workflow.ts'
import type { ToolPolicy } from '../../schemas/tool-policy.ts'
import { announceActivity, announceAgent } from './announce.ts'
import { send, type Frame } from './connection.ts'
import { storable, type Core } from './core.ts'
import { announceDispatch, closeDispatch, markDispatched } from './dispatches.ts'
import { awaitsVerdict, guardFault } from './guard.ts'
import { addPrompt, markPrompt, markSent, nextPrompt, type PromptRow } from './prompts.ts'
import { isBusy, isConnected, type Seat } from './seats.ts'
import { AGENTS, findAgent, updateAgent, type AgentRow } from './store.ts'
import { addTurn, cumulativeCost, currentSession } from './usage.ts'

/** Frames that are counted once and for all, whichever daemon gets their repeats. */
const REMEMBERED_FRAMES = 100

/** The policy that holds now: that of the prompt in hand, else the agent's own. */
export function policyInForce(seat: Seat, agent: AgentRow): ToolPolicy {
  return seat.inFlight?.prompt.policy ?? agent.spec.tool_policy
}

/** Whether the cost limit is reached, in words, or null. */
export async function costReason(core: Core, agent: AgentRow): Promise<string | null> {
  const limit = agent.spec.max_cost_usd
  if (limit === null) return null
  const cost = await cumulativeCost(core.db, agent.id)
  return cost < limit
    ? null
    : `the cumulative cost of ${cost.toFixed(4)} USD has reached max_cost_usd ${limit}: raise it, or purge the agent`
}

/** Sends the next queued prompt when the agent is idle and may have one. Call in the `talk` lane. */
export async function pump(core: Core, seat: Seat): Promise<void> {
  if (core.stopping || isBusy(seat) || !seat.synced || !isConnected(seat)) return
  const agent = await findAgent(core, seat.agentId)
  if (!agent || agent.status === 'stopped' || agent.status === 'failed') return
  const prompt = await nextPrompt(core.db, agent.id)
  const policy = prompt?.policy ?? agent.spec.tool_policy
  // Nothing to warn of: the bridge's word comes next, and calls this again.
  if (prompt && awaitsVerdict(seat, agent.spec, policy)) return
  const held = prompt && (guardFault(seat, agent.spec, policy) ?? (await costReason(core, agent)))
  if (held && held !== seat.held) core.log.warn({ agent_id: agent.id, reason: held }, 'prompts are held')
  seat.held = held
  if (prompt && !held) await sendPrompt(core, seat, agent, prompt)
}

/** Records that the prompt goes out, then sends it. */
async function sendPrompt(core: Core, seat: Seat, agent: AgentRow, prompt: PromptRow): Promise<void> {
  const { waited, dispatch } = await write(core.db, async (transaction) => ({
    waited: await markSent(core, transaction, prompt.id),
    dispatch: prompt.dispatchId === null ? null : await markDispatched(core, transaction, prompt.dispatchId),
  }))
  // Skipped since it was read: the next one may go.
  if (!waited) return pump(core, seat)
  if (dispatch) announceDispatch(core, dispatch)
  await deliver(core, seat, agent, prompt)
}

/** Sends a prompt that is on record as sent. A connection that went meanwhile fails its dispatch; a message waits again. */
export async function deliver(core: Core, seat: Seat, agent: AgentRow, prompt: PromptRow): Promise<void> {
  seat.inFlight = { prompt, connection: seat.connection }
  const message = { role: 'user', content: prompt.content }
  if (!send(seat, { type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: prompt.id })) {
    seat.inFlight = null
    const reason = 'the connection closed before the prompt was sent'
    const dispatch = await write(core.db, async (transaction) => {
      await markPrompt(
        core,
        transaction,
        prompt.id,
        prompt.dispatchId === null && prompt.kind !== 'clear' ? 'queued' : 'failed',
        reason,
      )
      return prompt.dispatchId === null
        ? null
        : closeDispatch(core, transaction, prompt.dispatchId, { status: 'failed', error: reason })
    })
    if (dispatch) announceDispatch(core, dispatch)
  }
  announceActivity(core, agent, seat)
}

/** Queues the initial prompt of a start, once, before anything that waits. */
export async function queueInitialPrompt(core: Core, agent: AgentRow): Promise<void> {
  if (!agent.promptDue) return
  await write(core.db, async (transaction) => {
    await transaction(AGENTS).where({ id: agent.id }).update({ prompt_due: false })
    await addPrompt(core, transaction, {
      agentId: agent.id,
      kind: 'initial',
      content: agent.spec.prompt!,
      dispatchId: null,
      policy: null,
    })
  })
}

/** True when this frame was counted before; else remembers it in the same transaction. */
async function countedBefore(transaction: Knex, agent: AgentRow, frame: Frame): Promise<boolean> {
  if (typeof frame.uuid !== 'string') return false
  if (agent.seenFrames.includes(frame.uuid)) return true
  const seen = [...agent.seenFrames, frame.uuid].slice(-REMEMBERED_FRAMES)
  await transaction(AGENTS)
    .where({ id: agent.id })
    .update({ seen_frames: JSON.stringify(seen) })
  return false
}

/** A result ends the turn and completes the prompt in hand; one with an `origin` was not asked for and completes nothing. */
export async function takeResult(core: Core, seat: Seat, frame: Frame): Promise<boolean> {
  const agent = await findAgent(core, seat.agentId)
  if (!agent) return false
  const prompt = frame.origin ? null : (seat.inFlight?.prompt ?? null)
  const error = frame.is_error ? errorText(frame) : null
  const outcome = await write(core.db, async (transaction) => {
    const fresh = (await findAgent(core, agent.id, transaction)) ?? agent
    if (await countedBefore(transaction, fresh, frame)) return { repeated: true, dispatch: null }
    const figures = await addTurn(transaction, fresh, frame)
    if (prompt) await markPrompt(core, transaction, prompt.id, error === null ? 'done' : 'failed', error)
    const verdict = {
      status: error === null ? ('completed' as const) : ('failed' as const),
      error,
      result: textOrNull(frame.result),
      usage: figures,
    }
    return {
      repeated: false,
      dispatch: prompt?.dispatchId ? await closeDispatch(core, transaction, prompt.dispatchId, verdict) : null,
    }
  })
  if (outcome.repeated) return false
  if (!frame.origin) {
    seat.inFlight = null
    seat.turnRunning = false
  }
  if (outcome.dispatch) announceDispatch(core, outcome.dispatch)
  announceActivity(core, agent, seat)
  return true
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? storable(value) : null
}

function errorText(frame: Frame): string {
  const errors = Array.isArray(frame.errors) ? frame.errors.map(String).join('; ') : ''
  return (
    textOrNull(frame.result) ||
    storable(errors || String(frame.terminal_reason ?? frame.subtype ?? 'the agent reported an error'))
  )
}

/** True when this reset of the conversation is news, and not our own `/clear`. */
export async function isNewReset(core: Core, seat: Seat, frame: Frame): Promise<boolean> {
  const ours = seat.inFlight?.prompt.kind === 'clear'
  const repeated = await write(core.db, async (transaction) => {
    const agent = await findAgent(core, seat.agentId, transaction)
    return !agent || countedBefore(transaction, agent, frame)
  })
  return !ours && !repeated
}

/** True when the session has grown past the agent's threshold and nothing is in hand. */
export async function wantsClearing(core: Core, seat: Seat, agent: AgentRow): Promise<boolean> {
  const threshold = agent.spec.auto_clear_threshold
  if (threshold === null || isBusy(seat)) return false
  return (await currentSession(core.db, agent)).input_tokens >= threshold
}

/** The prompt in hand will get no result any more. */
export async function abandonPrompt(core: Core, seat: Seat, reason: string): Promise<void> {
  const { inFlight } = seat
  if (!inFlight) return
  const { prompt } = inFlight
  const dispatch: DispatchRecord | null = await write(core.db, async (transaction) => {
    await markPrompt(core, transaction, prompt.id, 'failed', reason)
    return prompt.dispatchId === null
      ? null
      : closeDispatch(core, transaction, prompt.dispatchId, { status: 'failed', error: reason })
  })
  seat.inFlight = null
  if (dispatch) announceDispatch(core, dispatch)
}

/** Remembers what the agent program says about itself. */
export async function learn(core: Core, seat: Seat, found: { session?: unknown; version?: unknown }): Promise<void> {
  const agent = await findAgent(core, seat.agentId)
  if (!agent) return
  const columns: Record<string, string> = {}
  if (typeof found.session === 'string' && found.session !== '' && found.session !== agent.programSession)
    columns.program_session = storable(found.session)
  if (typeof found.version === 'string' && found.version !== agent.programVersion)
    columns.program_version = storable(found.version)
  if (Object.keys(columns).length > 0)
    await write(core.db, (transaction) => transaction(AGENTS).where({ id: agent.id }).update(columns))
}

/** For the record of a cost limit that was just passed. */
export async function noteCost(core: Core, agent: AgentRow): Promise<void> {
  const reason = await costReason(core, agent)
  if (reason === null || reason === agent.lastError) return
  await write(core.db, (transaction) => updateAgent(core, transaction, agent.id, { last_error: reason }))
  announceAgent(core, agent)
}
