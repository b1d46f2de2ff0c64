// The connection of one agent: the socket in use, and what was said over it and over those before it.
import type { WebSocket } from 'ws'
import { READER_BACKLOG_LIMIT } from '../../../platform/http/limits.ts'
import { RecentSet } from '../../../platform/core/recent.ts'
import { FrameMasking } from './frame-masking.ts'
import type { Frame } from './frame.ts'

/** Close codes of ours. */
export const CLOSE = { goingAway: 1001, replaced: 4000, ended: 4001 } as const

const REMEMBERED_FRAMES = 20_000

export class AgentConnection {
  /** Masks what comes over it. */
  readonly masking = new FrameMasking()
  #socket: WebSocket | null = null
  #number = 0
  #hasConnected = false
  #replacedAt: number | null = null
  readonly #seenFrames = new RecentSet(REMEMBERED_FRAMES)
  readonly #asked = new Map<string, (response: Frame) => void>()

  get open(): boolean {
    return this.#socket?.readyState === 1
  }

  /** Counts sockets, so that who waits can tell whether the connection still stands. */
  get number(): number {
    return this.#number
  }

  /** True once the present process has connected. */
  get hasConnected(): boolean {
    return this.#hasConnected
  }

  /** When a socket last took the place of one that was open, in milliseconds since 1970; null when none did. */
  get replacedAt(): number | null {
    return this.#replacedAt
  }

  /** Somebody has seen that the socket was replaced. */
  forgetReplaced(): void {
    this.#replacedAt = null
  }

  /** Takes a new socket; the former one is closed with 4000. True when that one was still open. */
  replaceSocket(socket: WebSocket, now: number): boolean {
    const former = this.#socket
    const wasOpen = this.open
    this.#socket = socket
    this.#number++
    this.#asked.clear()
    this.#hasConnected = true
    if (wasOpen) this.#replacedAt = now
    former?.close(CLOSE.replaced, 'replaced by a new connection')
    return wasOpen
  }

  /** True for the socket in use: what comes over a former one counts no more. */
  isCurrent(socket: WebSocket): boolean {
    return this.#socket === socket
  }

  /** The socket was lost. */
  dropSocket(): void {
    this.#socket = null
    this.#asked.clear()
  }

  /** Closes the socket for good: the process behind it is over, or shall be. */
  close(code: number, reason: string): void {
    const socket = this.#socket
    this.dropSocket()
    socket?.close(code, reason)
  }

  /** The next socket is that of a new process. */
  startAnew(): void {
    this.close(CLOSE.replaced, 'the agent is started anew')
    this.masking.forget()
    this.#hasConnected = false
  }

  /** False for a frame that was seen before. */
  isNews(frame: Frame): boolean {
    return typeof frame.uuid !== 'string' || this.#seenFrames.add(frame.uuid)
  }

  /** Sends a frame with its newline; false when no socket is open. An agent that does not read is hung up. */
  send(frame: Frame): boolean {
    if (!this.open) return false
    if (this.#socket!.bufferedAmount > READER_BACKLOG_LIMIT) {
      this.#socket!.terminate()
      return false
    }
    this.#socket!.send(`${JSON.stringify(frame)}\n`, () => undefined)
    return true
  }

  /** Sends a control request; `onAnswer` gets the inner response, if one ever comes over this socket. */
  ask(requestId: string, request: Frame, onAnswer: (response: Frame) => void = () => undefined): void {
    this.#asked.set(requestId, onAnswer)
    this.send({ type: 'control_request', request_id: requestId, request })
  }

  /** Hands an answer to whoever asked. */
  settle(frame: Frame): void {
    const response = (frame.response ?? {}) as Frame
    const requestId = String(response.request_id)
    const onAnswer = this.#asked.get(requestId)
    this.#asked.delete(requestId)
    onAnswer?.(response)
  }
}
