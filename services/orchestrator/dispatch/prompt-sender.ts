import { refuseAbove, type Owner } from '../../../platform/core/limits.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'
import type { DispatchRecorder } from '../events/dispatch-recorder.ts'
import type { StreamHub } from '../events/streams.ts'
import type { AgentRow } from '../record/agent-store.ts'
import {
  addPrompt,
  agentsWithSent,
  countOwned,
  failPrompt,
  failSent,
  markSent,
  nextPrompt,
  requeuePrompt,
} from '../record/prompt-store.ts'
import type { DispatchRow, Prompt } from '../record/tables.ts'
import { costReason } from '../record/usage.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { awaitsVerdict, guardFault, policiesFor } from '../session/guard.ts'
import type { SessionWorld } from '../session/world.ts'
import { settings } from '../settings.ts'
import type { TranscriptRecorder } from '../transcript/recorder.ts'
import type { Draining } from './draining.ts'

interface Parts extends Pick<SessionWorld, 'sessions' | 'announcer'>, Pick<World<typeof settings>, 'settings'> {
  dispatches: DispatchRecorder
  streams: StreamHub
  draining: Draining
  transcript: Pick<TranscriptRecorder, 'begin'>
}

const NEXT = 'wait until some have been sent'

export class PromptSender {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  /** Throws 429 if the sender would have too many messages waiting, over all agents. */
  async addMessage(
    transaction: Knex,
    sender: Owner | null,
    message: Pick<Prompt, 'agent_id' | 'content'>,
  ): Promise<Prompt> {
    const { variable } = settings.mostMessages
    const limit = { what: 'waiting messages', most: this.#parts.settings.mostMessages, variable, next: NEXT }
    if (sender !== null) refuseAbove(sender, limit, (await countOwned(this.#record, sender.id, transaction)) + 1)
    return addPrompt(this.#record, transaction, { ...message, kind: 'message', owner: sender?.id ?? null })
  }

  /** Call from the agent's frame queue. */
  async sendNext(session: AgentSession): Promise<void> {
    if (this.#parts.draining.active || session.busy || !session.synced || !session.connected) return
    const { agents, log } = this.#record
    const agent = await agents.find(session.agentId)
    if (!agent || agent.status === 'stopped' || agent.status === 'failed') return
    const prompt = await nextPrompt(this.#record, agent.id)
    const policies = policiesFor(prompt, agent.spec)
    // No warning: the bridge reports its capabilities next, which calls this again.
    if (prompt && policies.some((policy) => awaitsVerdict(session.capabilities, agent.spec, policy))) return
    const faults = policies.map((policy) => guardFault(session.capabilities, agent.spec, policy))
    const fault = prompt && (faults.find((each) => each !== null) ?? null)
    const held = prompt && (fault ?? (await costReason(this.#record, agent)))
    if (session.holdPrompts(held)) log.warn({ agent_id: agent.id, reason: held }, 'prompts are held')
    if (prompt && !held) await this.#send(session, agent, prompt)
  }

  wake(agentId: string): void {
    const session = this.#parts.sessions.find(agentId)
    if (session) void session.frames.take(() => this.sendNext(session))
  }

  /** Sends a prompt already recorded as sent. Takes it back if disconnected. */
  async deliver(session: AgentSession, agent: AgentRow, prompt: Prompt): Promise<void> {
    session.beginTurn(prompt)
    this.#parts.transcript.begin(prompt)
    const message = { role: 'user', content: prompt.content }
    const frame = { type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: prompt.id }
    if (!session.connection.send(frame))
      await this.#takeBack(session, prompt, 'the connection closed before the prompt was sent')
    this.#parts.announcer.announceActivity(agent, session)
  }

  /** Takes back a prompt lost with an earlier connection: the bridge last received another one. */
  async takeBackUnreceived(session: AgentSession, lastReceived: string | null): Promise<void> {
    const { prompt } = session
    if (!prompt || prompt.id === lastReceived || !session.sentBefore(session.connection.number)) return
    const facts = { agent_id: session.agentId, prompt_id: prompt.id }
    this.#record.log.warn(facts, 'prompt did not reach its agent')
    await this.#takeBack(session, prompt, 'the connection was lost before the prompt arrived')
  }

  /** Fails the current prompt. */
  async abandon(session: AgentSession, reason: string): Promise<void> {
    const { prompt } = session
    if (!prompt) return
    await this.#giveUp(session, prompt, 'failed', reason)
    if (prompt.kind !== 'message') return
    this.#parts.streams.publish(prompt.agent_id, 'message_lost', `a message got no result: ${reason}`)
    const agent = await this.#record.agents.find(prompt.agent_id)
    if (agent) this.#parts.announcer.announceAgent(agent)
  }

  /** Fails sent prompts of ended agents. Call before any agent is started. */
  async settleSent(): Promise<void> {
    const { agents, db } = this.#record
    for (const agentId of await agentsWithSent(this.#record)) {
      const agent = await agents.find(agentId)
      if (agent?.status !== 'stopped' && agent?.status !== 'failed') continue
      await write(db, (transaction) => failSent(this.#record, transaction, agentId, 'the agent ended'))
      this.#parts.announcer.announceAgent(agent)
    }
  }

  async queueInitial({ id, spec, prompt_due }: AgentRow): Promise<void> {
    if (!prompt_due) return
    const { agents, db } = this.#record
    await write(db, async (transaction) => {
      await agents.note(transaction, id, { prompt_due: false })
      await addPrompt(this.#record, transaction, { agent_id: id, kind: 'initial', content: spec.prompt! })
    })
  }

  async #send(session: AgentSession, agent: AgentRow, prompt: Prompt): Promise<void> {
    const { dispatches } = this.#parts
    const { waited, dispatch } = await write(this.#record.db, async (transaction) => {
      if (!(await markSent(this.#record, transaction, prompt))) return { waited: false, dispatch: null }
      return { waited: true, dispatch: prompt.dispatch_id && (await dispatches.send(transaction, prompt.dispatch_id)) }
    })
    // The prompt has been skipped or changed.
    if (!waited) return this.sendNext(session)
    dispatches.announce([dispatch || null])
    await this.deliver(session, agent, prompt)
  }

  /** For an undelivered prompt: fails its dispatch, or queues it again if it has none. */
  #takeBack(session: AgentSession, prompt: Prompt, reason: string): Promise<void> {
    const waitsAgain = prompt.kind === 'message' || prompt.kind === 'initial'
    return this.#giveUp(session, prompt, waitsAgain ? 'queued' : 'failed', reason)
  }

  async #giveUp(session: AgentSession, prompt: Prompt, status: 'queued' | 'failed', reason: string): Promise<void> {
    const { dispatches } = this.#parts
    const ended = await write(this.#record.db, async (transaction: Knex.Transaction): Promise<DispatchRow[]> => {
      if (status === 'queued') await requeuePrompt(this.#record, transaction, prompt.id, reason)
      else await failPrompt(this.#record, transaction, prompt, reason)
      if (prompt.dispatch_id === null) return []
      const verdict = { status: 'failed', error: reason } as const
      return dispatches.endAttempts(transaction, new Map([[prompt.dispatch_id, verdict]]))
    })
    session.dropPrompt()
    dispatches.announce(ended)
  }
}
