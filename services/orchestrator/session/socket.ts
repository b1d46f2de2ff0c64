// One agent's socket: lines in, frames out. What a frame means is decided elsewhere.
import type { WebSocket } from 'ws'
import type { ServiceParts } from '../parts.ts'
import type { AgentSession } from './agent-session.ts'
import { parseFrames, type Frame } from './frame.ts'

export interface SocketListeners {
  onOpen(session: AgentSession): void
  onFrame(session: AgentSession, frame: Frame): void
  onClose(session: AgentSession): void
}

/** Takes an upgraded socket over; the former one of the same agent is closed with 4000. */
export function attachSocket(
  service: ServiceParts,
  session: AgentSession,
  socket: WebSocket,
  listeners: SocketListeners,
): void {
  const { agentId } = session
  session.connection.replaceSocket(socket)
  socket.on('message', (data) => {
    if (!session.connection.isCurrent(socket)) return
    for (const frame of newFrames(service, session, String(data))) listeners.onFrame(session, frame)
  })
  socket.on('error', (error) => service.log.warn({ agent_id: agentId, error: error.message }, 'agent socket failed'))
  socket.on('close', () => {
    if (!session.connection.isCurrent(socket)) return
    session.connection.dropSocket()
    listeners.onClose(session)
  })
  listeners.onOpen(session)
}

/** A repeat (same uuid) and what is not JSON are left out. */
function newFrames(service: ServiceParts, session: AgentSession, text: string): Frame[] {
  const { frames, badLengths } = parseFrames(text)
  for (const length of badLengths)
    service.log.warn({ agent_id: session.agentId, length }, 'agent sent a line that is not a JSON object')
  return frames.filter((frame) => session.connection.isNews(frame))
}
