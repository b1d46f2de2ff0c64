// Reconnects, and repeats frames that the server may have missed.
import type { Buffer } from 'node:buffer'
import { WebSocket } from 'ws'
import type { Frame } from './frames.ts'
import { Outbox } from './outbox.ts'
import type { Timer, Timers } from './timers.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000
/** A connection of at least this duration resets the back-off. */
const GOOD_AFTER_MS = 1000
const HANDSHAKE_MS = 10_000
const PING_MS = 10_000
/** Silence after which a connection counts as dead. */
const DEAD_AFTER_MS = 30_000
/** Time for an ending agent to send its last frames. */
const FLUSH_MS = 5000
const CLOSE_MS = 2000

/** Bytes. The server accepts up to 16 MiB and closes the connection on more. */
export const LONGEST_FRAME = 15 * 1024 * 1024

/** Close codes that end the agent; others make it reconnect. */
const ENDING: Record<number, string> = {
  1002: 'the server reported a protocol error',
  4000: 'another connection of this agent replaced this one',
  4001: 'the server ended this agent',
  4003: 'the server rejected this agent',
}

/** Bytes that wait to be sent, above which the connection is congested. */
const MOST_BUFFERED = 1024 * 1024

export interface LinkOptions {
  url: string
  token: string
  timers: Timers
  giveUpMs: number
  /** First frame of every connection; null if unknown. */
  greeting(): Frame | null
  onText(text: string): void
  onNotice(text: string): void
  /** The server reads more slowly than the program writes: stop reading the program, until called with false. */
  onCongestion(isCongested: boolean): void
  /** Exit code 0 if the server ended the agent, 75 if it was unreachable. */
  onEnd(exitCode: number, reason: string): void
}

export class Link {
  readonly outbox = new Outbox()
  readonly #options: LinkOptions
  #socket: WebSocket | null = null
  #openedAt: number | null = null
  #lastSeen: number
  #wait = FIRST_WAIT_MS
  /** Frames sent on this connection; the server refuses them by number. */
  #count = 0
  #retry: Timer | null = null
  #closing = false
  #isCongested = false
  #whenConnected: (() => void) | null = null

  constructor(options: LinkOptions) {
    this.#options = options
    this.#lastSeen = this.#options.timers.now()
    this.#dial()
  }

  /** Sends a frame now or with the next connection. */
  send(frame: Frame, line: string): void {
    if (this.#isOpen) this.#put(line)
    else if (frame['type'] === 'keep_alive') return
    this.outbox.keep(frame, line, this.#isOpen, this.#isOpen ? this.#count : null)
  }

  sendIfConnected(frame: Frame): void {
    if (this.#isOpen) this.#put(JSON.stringify(frame))
  }

  /** Sends pending frames within five seconds, then closes with 1000. */
  async close(): Promise<void> {
    if (!this.#closing && !this.#isOpen && this.outbox.unsent > 0) await this.#connectedWithin(FLUSH_MS)
    this.#closing = true
    this.#retry?.cancel()
    await this.#hangUp()
  }

  get #isOpen(): boolean {
    return this.#openedAt !== null
  }

  #put(line: string): void {
    // Write errors need no handling: the next connection repeats the frame.
    this.#socket!.send(`${line}\n`, () => this.#noteCongestion())
    this.#count++
    this.#noteCongestion()
  }

  #noteCongestion(): void {
    const isCongested = (this.#socket?.bufferedAmount ?? 0) > MOST_BUFFERED
    if (isCongested === this.#isCongested) return
    this.#isCongested = isCongested
    this.#options.onCongestion(isCongested)
  }

  #dial(): void {
    const socket = new WebSocket(this.#options.url, {
      headers: { authorization: `Bearer ${this.#options.token}` },
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: 64 * 1024 * 1024,
    })
    let fault = ''
    this.#socket = socket
    socket.on('error', (error) => (fault = (error as NodeJS.ErrnoException).code || error.message))
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      this.#over(socket, 1006, `refused with ${response.statusCode}`)
    })
    socket.on('open', () => this.#opened(socket))
    socket.on('message', (data: Buffer) => {
      this.#alive()
      this.#options.onText(data.toString())
    })
    socket.on('ping', () => this.#alive())
    socket.on('pong', () => this.#alive())
    socket.on('close', (code, reason) => this.#over(socket, code, String(reason) || fault))
  }

  #alive(): void {
    this.#lastSeen = this.#options.timers.now()
  }

  #opened(socket: WebSocket): void {
    this.#alive()
    this.#openedAt = this.#lastSeen
    this.#options.onNotice(`connected to ${this.#options.url}`)
    this.#count = 0
    const greeting = this.#options.greeting()
    if (greeting) this.#put(JSON.stringify(greeting))
    for (const line of this.outbox.replay(this.#count)) this.#put(line)
    if (this.outbox.lost > 0)
      this.#options.onNotice(`${this.outbox.lost} frames were lost while the server was unreachable`)
    this.#whenConnected?.()
    this.#watch(socket)
  }

  #watch(socket: WebSocket): void {
    this.#options.timers.after(PING_MS, () => {
      if (socket !== this.#socket) return
      if (this.#options.timers.now() - this.#lastSeen > DEAD_AFTER_MS) return socket.terminate()
      socket.ping()
      this.#watch(socket)
    })
  }

  #over(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.#socket) return
    const now = this.#options.timers.now()
    if (this.#openedAt !== null) {
      this.#lastSeen = now
      if (now - this.#openedAt > GOOD_AFTER_MS) this.#wait = FIRST_WAIT_MS
    }
    this.#socket = null
    this.#openedAt = null
    this.#noteCongestion()
    if (this.#closing) return
    const ending = ENDING[code]
    if (ending) return this.#end(0, `${ending} (${code}${reason ? `: ${reason}` : ''})`)
    const { giveUpMs, url } = this.#options
    if (now - this.#lastSeen >= giveUpMs)
      return this.#end(75, `no connection to ${url} for ${giveUpMs / 1000} s; last: ${reason || code}`)
    this.#options.onNotice(`not connected (${reason || code}); retrying in ${this.#wait} ms`)
    // Jitter, because all agents of a restarted daemon reconnect at once.
    this.#retry = this.#options.timers.after(this.#wait * (0.8 + Math.random() * 0.4), () => this.#dial())
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  #end(exitCode: number, reason: string): void {
    this.#closing = true
    this.#options.onEnd(exitCode, reason)
  }

  #connectedWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const patience = this.#options.timers.after(ms, resolve)
      this.#whenConnected = () => {
        patience.cancel()
        resolve()
      }
    })
  }

  #hangUp(): Promise<void> {
    const socket = this.#socket
    if (!socket) return Promise.resolve()
    return new Promise((resolve) => {
      const force = this.#options.timers.after(CLOSE_MS, () => socket.terminate())
      socket.on('close', () => {
        force.cancel()
        resolve()
      })
      socket.close(1000)
    })
  }
}
