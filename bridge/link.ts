// The socket to the orchestrator: dials, dials again after a drop, and sends what the server may have missed.
import type { Buffer } from 'node:buffer'
import { WebSocket } from 'ws'
import type { Frame } from './frames.ts'
import { Outbox } from './outbox.ts'
import type { Timer, Timers } from './timers.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000
/** A connection that lived this long was a good one: the next wait starts small again. */
const GOOD_AFTER_MS = 1000
const HANDSHAKE_MS = 10_000
const PING_MS = 10_000
/** Silence after which a connection counts as dead, though nobody closed it. */
const DEAD_AFTER_MS = 30_000
/** How long the end of an agent waits for a server that is away to come back for the last frames. */
const FLUSH_MS = 5000
const CLOSE_MS = 2000

/** Bytes. The server accepts frames up to 16 MiB; a longer one would only get the connection closed. */
export const LONGEST_FRAME = 15 * 1024 * 1024

/** Close codes after which the agent is over. Any other close, and any refused upgrade, is a reason to dial again. */
const ENDING: Record<number, string> = {
  1002: 'the server found a protocol error',
  4000: 'another connection of this agent replaced this one',
  4001: 'the server ended this agent',
  4003: 'the server does not want this agent',
}

export interface LinkOptions {
  url: string
  token: string
  timers: Timers
  /** Gives up when there was no connection for so long. */
  giveUpMs: number
  /** The first frame of every connection; null when it is not known yet. */
  greeting(): Frame | null
  /** The text of one frame of the server. */
  onText(text: string): void
  onNotice(text: string): void
  /** The agent is over: with exit code 0 the server said so, with 75 it could not be reached. */
  onEnd(exitCode: number, reason: string): void
}

export class Link {
  readonly outbox = new Outbox()
  readonly #options: LinkOptions
  #socket: WebSocket | null = null
  #openedAt: number | null = null
  /** When there was a connection last, and a sign of life on it. */
  #lastSeen: number
  #wait = FIRST_WAIT_MS
  /** Frames that went out on the present connection: the server names one that it refuses by its number. */
  #count = 0
  #retry: Timer | null = null
  #closing = false
  #whenConnected: (() => void) | null = null

  /** Dials at once. */
  constructor(options: LinkOptions) {
    this.#options = options
    this.#lastSeen = this.#options.timers.now()
    this.#dial()
  }

  /** Sends a frame now, or with the next connection. */
  send(frame: Frame, line: string): void {
    if (this.#isOpen) this.#put(line)
    else if (frame['type'] === 'keep_alive') return
    this.outbox.keep(frame, line, this.#isOpen, this.#isOpen ? this.#count : null)
  }

  /** Sends a frame now, or not at all. */
  sendIfConnected(frame: Frame): void {
    if (this.#isOpen) this.#put(JSON.stringify(frame))
  }

  /** Delivers what is left, if that takes no longer than five seconds, and closes with 1000. */
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
    // A failed write needs no answer of its own: the close that follows brings the frame again.
    this.#socket!.send(`${line}\n`, () => {})
    this.#count++
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
    if (this.outbox.lost > 0) this.#options.onNotice(`${this.outbox.lost} frames were lost while the server was away`)
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
    if (this.#closing) return
    const ending = ENDING[code]
    if (ending) return this.#end(0, `${ending} (${code}${reason ? `: ${reason}` : ''})`)
    const { giveUpMs, url } = this.#options
    if (now - this.#lastSeen >= giveUpMs)
      return this.#end(75, `no connection to ${url} for ${giveUpMs / 1000} s; last: ${reason || code}`)
    this.#options.onNotice(`not connected (${reason || code}); trying again in ${this.#wait} ms`)
    // Spread out, because every agent of a daemon that restarts comes back at the same moment.
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
