import type { WebSocket } from 'ws'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { ownActor } from '../../../platform/core/actor.ts'
import { write } from '../../../platform/database/database.ts'
import type { StreamHub } from '../events/streams.ts'
import type { RecordWorld } from '../record/world.ts'
import type { AgentSession } from './agent-session.ts'
import { CLOSE } from './connection.ts'
import type { Frame } from './frame.ts'
import { FrameReader, type Refused } from './frame-reader.ts'
import type { RefusedFrames } from './refused-frames.ts'
import type { SessionWorld } from './world.ts'

export interface SocketListeners {
  onOpen(session: AgentSession): void
  /** Called again while the database refuses writes. */
  onFrame(session: AgentSession, frame: Frame): Promise<void>
  onRefused(session: AgentSession, refused: Refused): void
  /** No connection is left. Not called while the orchestrator stops. */
  onGone(session: AgentSession): void
  /** The current connection was lost. */
  onClose(session: AgentSession): Promise<void>
}

type Parts = Omit<SessionWorld, 'freed'> & { streams: StreamHub; refusals: RefusedFrames }

export class AgentSocketServer {
  readonly #record: RecordWorld
  readonly #parts: Parts

  constructor(record: RecordWorld, parts: Parts) {
    this.#record = record
    this.#parts = parts
  }

  attach(agentId: string, socket: WebSocket, listeners: SocketListeners): void {
    const { sessions, secrets, refusals, stopping } = this.#parts
    const { clock, log } = this.#record
    if (stopping.aborted) return socket.close(CLOSE.goingAway, 'the orchestrator is stopping')
    const session = sessions.of(agentId)
    const { connection } = session
    const replaced = connection.replaceSocket(socket, clock.now())
    // A request cannot be answered on a closed connection; the agent repeats it on the next one.
    const isStale = (frame: Frame) => frame.type === 'control_request' && !connection.isCurrent(socket)
    const handle = async (frame: Frame) => (isStale(frame) ? undefined : listeners.onFrame(session, frame))
    const onFrame = (frame: Frame, length: number) =>
      isStale(frame) ? undefined : this.#take(session, frame, length, handle)
    const reader = new FrameReader(socket, {
      // Drops repeats (same uuid) and redacts the rest before any use.
      prepare: function* (frame, isSuspect) {
        if (!connection.isNews(frame)) return []
        const frames = yield* connection.masking.mask(frame, secrets.masker(agentId), isSuspect)
        refusals.noteReplaced(session, connection.masking.takeReplaced())
        return frames
      },
      onFrame,
      onReplaced: (count) => refusals.noteReplaced(session, count),
      onRefused: (refused) => {
        listeners.onRefused(session, refused)
        return refusals.refuse(session, refused, onFrame)
      },
      onFault: (error) => unexpected(log, 'frame', error, { agent_id: agentId }),
    })
    socket.on('message', (bytes: Buffer) => {
      if (connection.isCurrent(socket)) reader.take(bytes)
    })
    socket.on('error', (error) => log.warn({ agent_id: agentId, error: error.message }, 'agent socket failed'))
    socket.on('close', () => {
      const lost = connection.isCurrent(socket)
      if (lost) connection.dropSocket()
      // A stopping daemon closes the sockets; its agents keep running.
      if (!connection.open && !stopping.aborted) listeners.onGone(session)
      if (lost) void listeners.onClose(session)
    })
    session.cancelDeadline()
    if (replaced) void session.frames.take(() => this.#recordReplaced(session))
    listeners.onOpen(session)
  }

  /** Never rejects. */
  #take(
    session: AgentSession,
    frame: Frame,
    length: number,
    handle: (frame: Frame) => Promise<void>,
  ): Promise<void> | void {
    try {
      // Published with its text once it is recorded.
      if (frame.type !== 'sandbox_refused') this.#parts.streams.relay(session.agentId, frame, length)
      if (frame.type !== 'control_response') return session.frames.take(() => handle(frame))
      session.connection.settle(frame)
    } catch (error) {
      unexpected(this.#record.log, 'frame', error, { agent_id: session.agentId, type: frame.type })
    }
  }

  /** Either the program connected twice, or its secret has leaked. */
  async #recordReplaced(session: AgentSession): Promise<void> {
    const { agents, audit, db, ids, log } = this.#record
    const agent = await agents.find(session.agentId)
    if (!agent) return
    const { id, name } = agent
    log.warn({ agent_id: id, name }, 'a second connection of the agent replaced an open one')
    const by = ownActor('agent-socket', ids())
    await write(db, (transaction) => audit.record(transaction, 'connections', id, ['replaced'], by))
    const text = 'a second connection replaced an open one'
    this.#parts.streams.publish(id, 'connection_replaced', text)
    this.#parts.announcer.announceAgent(agent)
  }
}
