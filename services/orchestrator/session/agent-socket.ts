// One agent's socket: messages in, frames out. What a frame means is decided elsewhere.
import type { WebSocket } from 'ws'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import type { SessionWorld } from './world.ts'
import type { AgentSession } from './agent-session.ts'
import type { Frame } from './frame.ts'
import { FrameReader } from './frame-reader.ts'
import { takeRefusal } from './refused-frames.ts'

export interface SocketListeners {
  /** `replaced`: it took the place of a connection that was alive. */
  onOpen(session: AgentSession, replaced: boolean): void
  /** Resolves when the frame is dealt with; `length` in characters. */
  onFrame(session: AgentSession, frame: Frame, length: number): Promise<void> | void
  /** No connection of the agent is left, whoever closed it. */
  onGone(session: AgentSession): void
  /** The connection in use was lost. */
  onClose(session: AgentSession): void
}

/** Takes an upgraded socket over; the former one of the same agent is closed with 4000. */
export function attachSocket(
  service: SessionWorld,
  session: AgentSession,
  socket: WebSocket,
  listeners: SocketListeners,
): void {
  const { agentId, connection } = session
  const replaced = connection.replaceSocket(socket, service.clock.now())
  const onFrame = (frame: Frame, length: number) => listeners.onFrame(session, frame, length)
  const reader = new FrameReader(socket, {
    // A repeat (same uuid) is left out; the rest is masked before anything is made of it.
    prepare: function* (frame) {
      return connection.isNews(frame) ? yield* connection.capture.taking(frame, service.secrets.masker(agentId)) : []
    },
    onFrame,
    onRefused: (refused) => takeRefusal(service, session, refused, onFrame),
    onFault: (error) => unexpected(service.log, 'frame', error, { agent_id: agentId }),
  })
  socket.on('message', (bytes: Buffer, isBinary: boolean) => {
    if (connection.isCurrent(socket)) reader.take({ bytes, isBinary })
  })
  socket.on('error', (error) => service.log.warn({ agent_id: agentId, error: error.message }, 'agent socket failed'))
  socket.on('close', () => {
    const lost = connection.isCurrent(socket)
    if (lost) connection.dropSocket()
    if (!connection.open) listeners.onGone(session)
    if (lost) listeners.onClose(session)
  })
  listeners.onOpen(session, replaced)
}
