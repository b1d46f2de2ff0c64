import type { WebSocket } from 'ws'
import { READER_BACKLOG_LIMIT } from '../../../platform/http/limits.ts'
import { RecentSet } from '../../../platform/core/recent.ts'
import { FrameMasking } from './frame-masking.ts'
import { strictJson } from '../../../schemas/validation/text.ts'
import type { Frame } from './frame.ts'

export const CLOSE = { goingAway: 1001, replaced: 4000, ended: 4001 } as const

const REMEMBERED_FRAMES = 20_000
/** Unsent frames of an agent that does not read. Closing a socket takes about 20 µs for each. */
const MOST_UNSENT = 10_000

export class AgentConnection {
  readonly masking = new FrameMasking()
  #socket: WebSocket | null = null
  #unsent = { count: 0 }
  #number = 0
  #hasConnected = false
  #replacedAt: number | null = null
  readonly #seenFrames = new RecentSet(REMEMBERED_FRAMES)
  readonly #asked = new Map<string, (response: Frame) => void>()
  /** Request ids of tool requests whose answer was sent on this socket; a repeated request needs another answer. */
  readonly answered = new RecentSet(REMEMBERED_FRAMES)

  get open(): boolean {
    return this.#socket?.readyState === 1
  }

  /** Changes with each socket. */
  get number(): number {
    return this.#number
  }

  get hasConnected(): boolean {
    return this.#hasConnected
  }

  /** Milliseconds since 1970, or null. */
  get replacedAt(): number | null {
    return this.#replacedAt
  }

  forgetReplaced(): void {
    this.#replacedAt = null
  }

  /** Closes the former socket with code 4000. Returns true if it was open. */
  replaceSocket(socket: WebSocket, now: number): boolean {
    const former = this.#socket
    const wasOpen = this.open
    this.#socket = socket
    this.#unsent = { count: 0 }
    this.#number++
    this.#asked.clear()
    this.answered.clear()
    this.#hasConnected = true
    if (wasOpen) this.#replacedAt = now
    former?.close(CLOSE.replaced, 'replaced by a new connection')
    return wasOpen
  }

  isCurrent(socket: WebSocket): boolean {
    return this.#socket === socket
  }

  dropSocket(): void {
    this.#socket = null
    this.#asked.clear()
  }

  close(code: number, reason: string): void {
    const socket = this.#socket
    this.dropSocket()
    socket?.close(code, reason)
  }

  reset(): void {
    this.close(CLOSE.replaced, 'a new process is starting')
    this.masking.forget()
    this.#hasConnected = false
  }

  /** Returns false for a repeated frame. */
  isNews(frame: Frame): boolean {
    return typeof frame.uuid !== 'string' || frame.uuid === '' || this.#seenFrames.add(frame.uuid)
  }

  /** Returns false without an open socket. Disconnects an agent that does not read. */
  send(frame: Frame): boolean {
    if (!this.open) return false
    const unsent = this.#unsent
    if (this.#socket!.bufferedAmount > READER_BACKLOG_LIMIT || unsent.count > MOST_UNSENT) {
      this.#socket!.terminate()
      return false
    }
    unsent.count++
    this.#socket!.send(`${strictJson(frame)}\n`, () => unsent.count--)
    return true
  }

  /** Calls `onAnswer` with the inner response if it arrives on this socket. */
  ask(requestId: string, request: Frame, onAnswer: (response: Frame) => void = () => undefined): void {
    this.#asked.set(requestId, onAnswer)
    this.send({ type: 'control_request', request_id: requestId, request })
  }

  settle(frame: Frame): void {
    const response = (frame.response ?? {}) as Frame
    const requestId = String(response.request_id)
    const onAnswer = this.#asked.get(requestId)
    this.#asked.delete(requestId)
    onAnswer?.(response)
  }
}
