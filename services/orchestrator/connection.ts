// One agent's socket: lines in, frames out. What a frame means is decided elsewhere.
import type { WebSocket } from 'ws'
import type { Core } from './core.ts'
import { isConnected, type Seat } from './seats.ts'

export type Frame = Record<string, any>

/** Close codes of ours. */
export const CLOSE = { goingAway: 1001, replaced: 4000, ended: 4001 } as const

export interface ConnectionListeners {
  onOpen(seat: Seat): void
  onFrame(seat: Seat, frame: Frame): void
  onClose(seat: Seat): void
}

/** Takes an upgraded socket over; the former one of the same agent is closed with 4000. */
export function attach(core: Core, seat: Seat, socket: WebSocket, listeners: ConnectionListeners): void {
  const former = seat.socket
  seat.socket = socket
  seat.connection++
  seat.asked.clear()
  seat.hasConnected = true
  former?.close(CLOSE.replaced, 'replaced by a new connection')
  socket.on('message', (data) => {
    if (seat.socket !== socket) return
    for (const frame of readFrames(core, seat, String(data))) listeners.onFrame(seat, frame)
  })
  socket.on('error', (error) => core.log.warn({ agent_id: seat.agentId, error: error.message }, 'agent socket failed'))
  socket.on('close', () => {
    if (seat.socket !== socket) return
    seat.socket = null
    listeners.onClose(seat)
  })
  listeners.onOpen(seat)
}

/** One frame a line; a repeat (same uuid) and what is not JSON are left out. */
function readFrames(core: Core, seat: Seat, text: string): Frame[] {
  const frames: Frame[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const frame = parse(line)
    if (frame === null)
      core.log.warn({ agent_id: seat.agentId, length: line.length }, 'agent sent a line that is not a JSON object')
    else if (typeof frame.uuid !== 'string' || seat.seenFrames.add(frame.uuid)) frames.push(frame)
  }
  return frames
}

function parse(line: string): Frame | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Sends a frame with its newline; false when there is no open connection. */
export function send(seat: Seat, frame: Frame): boolean {
  if (!isConnected(seat)) return false
  seat.socket!.send(`${JSON.stringify(frame)}\n`, () => undefined)
  return true
}

/** Sends a control request; `onAnswer` gets the inner response, if one ever comes on this connection. */
export function ask(
  core: Core,
  seat: Seat,
  request: Frame,
  onAnswer: (response: Frame) => void = () => undefined,
): boolean {
  const requestId = core.ids()
  seat.asked.set(requestId, onAnswer)
  return send(seat, { type: 'control_request', request_id: requestId, request })
}

/** Hands an answer to whoever asked. */
export function settle(seat: Seat, frame: Frame): void {
  const response = (frame.response ?? {}) as Frame
  const onAnswer = seat.asked.get(String(response.request_id))
  seat.asked.delete(String(response.request_id))
  onAnswer?.(response)
}

/** Drops the connection for good: the process behind it is over, or shall be. */
export function disconnect(seat: Seat, code: number, reason: string): void {
  const { socket } = seat
  seat.socket = null
  seat.asked.clear()
  socket?.close(code, reason)
}
