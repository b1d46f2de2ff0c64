// Where frames of agents arrive: each is relayed to the streams, then taken in order by the part it concerns.
import type { WebSocket } from 'ws'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { storable } from '../../../platform/store/columns.ts'
import { announceActivity, announceAgent } from '../session/announcements.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import type { TurnsWorld } from './world.ts'
import type { ApprovalBook } from '../tools/approvals.ts'
import { takeToolRequest } from '../tools/tool-requests.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { CLOSE } from '../session/connection.ts'
import { wantsClearing, type ContextClearing } from '../agents/context-clearing.ts'
import { errorFrame, type Frame } from '../session/frame.ts'
import { abandonPrompt, queueInitialPrompt, sendNext, takeBackUnreceived } from '../dispatch/prompt-sender.ts'
import { recordReplaced } from '../session/replaced-connections.ts'
import { isNewReset, rememberProgram, takeResult } from './results.ts'
import { attachSocket } from '../session/agent-socket.ts'
import { takeInTurn } from '../session/database-retry.ts'
import { TurnEnds } from './turn-ends.ts'

interface Parts {
  approvals: ApprovalBook
  supervisor: Supervisor
  context: ContextClearing
}

export class FrameHandler {
  readonly #service: TurnsWorld
  readonly #parts: Parts
  readonly #ends: TurnEnds

  constructor(service: TurnsWorld, parts: Parts) {
    this.#service = service
    this.#parts = parts
    this.#ends = new TurnEnds(service)
  }

  /** Takes an upgraded socket over; a former one of the same agent is closed with 4000. */
  attach(agentId: string, socket: WebSocket): void {
    if (this.#service.stopping.aborted) return socket.close(CLOSE.goingAway, 'the orchestrator is stopping')
    attachSocket(this.#service, this.#service.sessions.of(agentId), socket, {
      onOpen: (session, replaced) => this.#opened(session, replaced),
      onFrame: (session, frame, length) => this.#arrived(session, frame, length),
      onGone: ({ agentId }) => this.#gone(agentId),
      onClose: (session) => void this.#closed(session),
    })
  }

  #opened(session: AgentSession, replaced: boolean): void {
    session.cancelDeadline()
    if (replaced) void takeInTurn(this.#service, session, () => recordReplaced(this.#service, session))
    void takeInTurn(this.#service, session, () => this.#introduce(session))
  }

  async #introduce(session: AgentSession): Promise<void> {
    const service = this.#service
    const agent = await service.agents.find(session.agentId)
    if (!agent || agent.status === 'stopped' || agent.status === 'failed')
      return session.connection.close(CLOSE.ended, 'the agent has ended')
    service.log.info({ agent_id: agent.id, name: agent.name }, 'agent connected')
    announceAgent(service, agent)
    service.events.publish({ type: 'AgentConnected', agent_id: agent.id })
    const connection = session.connection.number
    session.connection.ask(
      service.ids(),
      { subtype: 'initialize' },
      (response) => void takeInTurn(service, session, () => this.#resync(session, response, connection)),
    )
    await queueInitialPrompt(service, agent)
    await sendNext(service, session)
  }

  /** The answer to `initialize`: open tool requests, and whether the agent is at work. */
  async #resync(session: AgentSession, response: Frame, connection: number): Promise<void> {
    if (connection !== session.connection.number) return
    const said = (response.response ?? {}) as Frame
    await rememberProgram(this.#service, session, { version: said.claude_code_version ?? said.agent_version })
    for (const request of (response.pending_permission_requests ?? []) as Frame[])
      await takeToolRequest(this.#service, this.#parts.approvals, session, request)
    if (typeof said.session_state === 'string') session.reportWork(said.session_state !== 'idle')
    // Results come before this answer: a prompt of an earlier connection without one is lost.
    if (said.session_state === 'idle' && session.sentBefore(connection))
      await abandonPrompt(this.#service, session, 'the connection was lost, and the agent is idle without a result')
    session.confirmSync()
    await this.#settled(session)
  }

  /** After anything that may have made the agent idle. */
  async #settled(session: AgentSession): Promise<void> {
    const agent = await this.#service.agents.find(session.agentId)
    if (!agent) return
    announceActivity(this.#service, agent, session)
    if (session.synced && (await wantsClearing(this.#service, session, agent)))
      await this.#parts.context.clearByItself(session, agent)
    await this.#goOn(session)
  }

  /** What waits in the agent's queue goes out; when nothing does, a task may be fetched. */
  async #goOn(session: AgentSession): Promise<void> {
    await sendNext(this.#service, session)
    if (!session.busy) this.#service.freed.publish(session.agentId)
  }

  /** A daemon that stops hangs up; its agents are still there. */
  #gone(agentId: string): void {
    if (!this.#service.stopping.aborted) this.#service.events.publish({ type: 'AgentDisconnected', agent_id: agentId })
  }

  async #closed(session: AgentSession): Promise<void> {
    const { agentId } = session
    try {
      const agent = await this.#service.agents.find(agentId)
      if (agent) announceAgent(this.#service, agent)
      if (!this.#service.stopping.aborted) await this.#parts.supervisor.check(agentId)
    } catch (error) {
      this.#service.log.error(
        { agent_id: agentId, error: (error as Error).message },
        'a closed connection could not be looked into',
      )
    }
  }

  /** Resolves when the frame is dealt with; never rejects. */
  #arrived(session: AgentSession, frame: Frame, length: number): Promise<void> | void {
    try {
      this.#service.streams.relay(session.agentId, frame, length)
      if (frame.type === 'control_response') session.connection.settle(frame)
      else return takeInTurn(this.#service, session, () => this.#take(session, frame))
    } catch (error) {
      unexpected(this.#service.log, 'frame', error, { agent_id: session.agentId, type: frame.type })
    }
  }

  async #take(session: AgentSession, frame: Frame): Promise<void> {
    switch (frame.type) {
      case 'system':
        return this.#takeSystem(session, frame)
      case 'control_request':
        return this.#takeControl(session, frame)
      case 'control_cancel_request':
        return this.#parts.approvals.withdraw(session.agentId, storable(String(frame.request_id)))
      case 'conversation_reset':
        if (await isNewReset(this.#service, session, frame)) await this.#parts.context.noteReset(session)
        return
      case 'result':
        if (await takeResult(this.#service, this.#ends, session, frame)) await this.#settled(session)
    }
  }

  async #takeSystem(session: AgentSession, frame: Frame): Promise<void> {
    switch (frame.subtype) {
      case 'bridge':
        return this.#takeCapabilities(session, frame)
      case 'init':
        return rememberProgram(this.#service, session, {
          conversation: frame.session_id,
          version: frame.claude_code_version ?? frame.agent_version,
        })
      case 'session_state_changed':
        session.reportWork(frame.state !== 'idle')
        return this.#settled(session)
    }
  }

  /** What the bridge found out; a bridge of an earlier version says less. */
  async #takeCapabilities(session: AgentSession, frame: Frame): Promise<void> {
    const clearsContext: unknown = frame.capabilities?.clears_context
    session.learnCapabilities({
      guarded: typeof frame.guarded === 'boolean' ? frame.guarded : null,
      guardReason: typeof frame.guard_reason === 'string' ? frame.guard_reason : null,
      clearsContext: typeof clearsContext === 'boolean' ? clearsContext : null,
    })
    await rememberProgram(this.#service, session, { version: frame.agent_version })
    if (frame.last_prompt !== undefined) await takeBackUnreceived(this.#service, session, frame.last_prompt)
    const agent = await this.#service.agents.find(session.agentId)
    if (agent) announceAgent(this.#service, agent)
    await this.#goOn(session)
  }

  async #takeControl(session: AgentSession, frame: Frame): Promise<void> {
    if (frame.request?.subtype === 'can_use_tool')
      return takeToolRequest(this.#service, this.#parts.approvals, session, frame)
    const error = `Unsupported control request subtype: ${String(frame.request?.subtype)}`
    session.connection.send(errorFrame(frame.request_id, error))
  }
}
