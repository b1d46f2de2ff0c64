import type { WebSocket } from 'ws'
import { storable } from '../../../platform/store/columns.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import { wantsClearing, type ContextClearing } from '../agents/context-clearing.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import { saidText } from '../events/streams.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { AgentSocketServer, SocketListeners } from '../session/agent-sockets.ts'
import { CLOSE } from '../session/connection.ts'
import { errorFrame, type Frame } from '../session/frame.ts'
import type { Refused } from '../session/frame-reader.ts'
import type { SessionWorld } from '../session/world.ts'
import type { ToolRequests } from '../tools/tool-requests.ts'
import type { TranscriptRecorder } from '../transcript/recorder.ts'
import type { Results } from './results.ts'
import type { SandboxReports } from './sandbox-reports.ts'

interface Parts extends Pick<SessionWorld, 'announcer' | 'freed'> {
  sockets: AgentSocketServer
  prompts: PromptSender
  tools: ToolRequests
  results: Results
  supervisor: Supervisor
  context: ContextClearing
  reports: SandboxReports
  transcript: TranscriptRecorder
}

export class FrameRouter implements SocketListeners {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  attach(agentId: string, socket: WebSocket): void {
    this.#parts.sockets.attach(agentId, socket, this)
  }

  onOpen(session: AgentSession): void {
    void session.frames.take(() => this.#introduce(session))
  }

  onRefused(session: AgentSession, refused: Refused): void {
    this.#parts.transcript.takeRefused(session, refused)
  }

  onGone({ agentId }: AgentSession): void {
    this.#parts.announcer.announceDisconnected(agentId)
  }

  async onClose({ agentId }: AgentSession): Promise<void> {
    const { agents, log } = this.#record
    try {
      const agent = await agents.find(agentId)
      if (agent) this.#parts.announcer.announceAgent(agent)
      await this.#parts.supervisor.check(agentId)
    } catch (error) {
      log.error({ agent_id: agentId, error: (error as Error).message }, 'failed to handle a closed connection')
    }
  }

  async #introduce(session: AgentSession): Promise<void> {
    const { announcer, prompts } = this.#parts
    const { agents, ids, log } = this.#record
    const agent = await agents.find(session.agentId)
    if (!agent || agent.status === 'stopped' || agent.status === 'failed')
      return session.connection.close(CLOSE.ended, 'the agent has ended')
    log.info({ agent_id: agent.id, name: agent.name }, 'agent connected')
    announcer.announceConnected(agent)
    const connection = session.connection.number
    session.connection.ask(
      ids(),
      { subtype: 'initialize' },
      (response) => void session.frames.take(() => this.#resync(session, response, connection)),
    )
    await prompts.queueInitial(agent)
    await prompts.sendNext(session)
  }

  /** Handles the answer to `initialize`. */
  async #resync(session: AgentSession, response: Frame, connection: number): Promise<void> {
    if (connection !== session.connection.number) return
    const said = (response.response ?? {}) as Frame
    await this.#parts.results.rememberProgram(session, { version: said.claude_code_version ?? said.agent_version })
    const open = response.pending_permission_requests as Frame[] | undefined
    for (const request of open ?? []) {
      await this.#parts.transcript.take(session, request)
      await this.#parts.tools.take(session, request)
    }
    if (open) this.#parts.tools.confirm(session, open)
    if (typeof said.session_state === 'string') session.reportWork(said.session_state !== 'idle')
    // The agent sends results before this answer: a prompt of an earlier connection without a result is lost.
    if (said.session_state === 'idle' && session.sentBefore(connection))
      await this.#parts.prompts.abandon(session, 'the connection was lost, and the agent is idle without a result')
    session.confirmSync()
    await this.#settle(session)
  }

  async #settle(session: AgentSession): Promise<void> {
    const agent = await this.#record.agents.find(session.agentId)
    if (!agent) return
    this.#parts.announcer.announceActivity(agent, session)
    if (session.synced && (await wantsClearing(this.#record, session, agent)))
      await this.#parts.context.clearAutomatically(session, agent)
    await this.#continue(session)
  }

  async #continue(session: AgentSession): Promise<void> {
    await this.#parts.prompts.sendNext(session)
    if (!session.busy) this.#parts.freed.publish(session.agentId)
  }

  async onFrame(session: AgentSession, frame: Frame): Promise<void> {
    await this.#parts.transcript.take(session, frame)
    switch (frame.type) {
      case 'system':
        return this.#takeSystem(session, frame)
      case 'assistant':
        return this.#takeText(session, frame)
      case 'control_request':
        return this.#takeControl(session, frame)
      case 'control_cancel_request':
        return this.#parts.tools.withdraw(session, frame)
      case 'sandbox_refused':
        return this.#parts.reports.takeRefused(session, frame)
      case 'conversation_reset':
        if (await this.#parts.results.isNewReset(session, frame)) await this.#parts.context.noteReset(session)
        return
      case 'result':
        if (!(await this.#parts.results.take(session, frame))) return
        await this.#parts.reports.checkGit(session.agentId)
        await this.#settle(session)
    }
  }

  #takeText(session: AgentSession, frame: Frame): void {
    const text = storable(saidText(frame.message?.content))
    if (text !== '') session.noteText(text)
  }

  async #takeSystem(session: AgentSession, frame: Frame): Promise<void> {
    switch (frame.subtype) {
      case 'bridge':
        return this.#takeCapabilities(session, frame)
      case 'init':
        return this.#parts.results.rememberProgram(session, {
          conversation: frame.session_id,
          version: frame.claude_code_version ?? frame.agent_version,
        })
      case 'session_state_changed':
        session.reportWork(frame.state !== 'idle')
        return this.#settle(session)
    }
  }

  /** Earlier versions of the bridge omit some fields. */
  async #takeCapabilities(session: AgentSession, frame: Frame): Promise<void> {
    const clearsContext: unknown = frame.capabilities?.clears_context
    session.learnCapabilities({
      guarded: typeof frame.guarded === 'boolean' ? frame.guarded : null,
      guardReason: typeof frame.guard_reason === 'string' ? frame.guard_reason : null,
      clearsContext: typeof clearsContext === 'boolean' ? clearsContext : null,
    })
    await this.#parts.results.rememberProgram(session, { version: frame.agent_version })
    if (frame.last_prompt !== undefined) await this.#parts.prompts.takeBackUnreceived(session, frame.last_prompt)
    const agent = await this.#record.agents.find(session.agentId)
    if (agent) this.#parts.announcer.announceAgent(agent)
    await this.#continue(session)
  }

  async #takeControl(session: AgentSession, frame: Frame): Promise<void> {
    if (frame.request?.subtype === 'can_use_tool') return this.#parts.tools.take(session, frame)
    const error = `Unsupported control request subtype: ${String(frame.request?.subtype)}`
    session.connection.send(errorFrame(frame.request_id, error))
  }
}
