// A client of /api/live that resumes, as the web page does.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { LiveItem } from '../../../../schemas/gateway/live.ts'
import { eventually } from '../../../support/eventually.ts'

export class LiveSocket {
  readonly frames: any[] = []
  closed: number | null = null
  readonly #socket: WebSocket

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (bytes: Buffer) => this.frames.push(JSON.parse(bytes.toString())))
    socket.once('close', (code) => (this.closed = code))
    socket.on('error', () => undefined)
  }

  /** `url`: of the gateway. Rejects if the connection is refused. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, { headers })
    const client = new LiveSocket(socket)
    await once(socket, 'open')
    return client
  }

  say(frame: object | string): void {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  async subscribe(topic: string, after: string | null = null): Promise<any> {
    const from = this.frames.length
    this.say({ subscribe: true, topic, after })
    return eventually(() => this.frames.slice(from).find((frame) => frame.topic === topic))
  }

  items(topic: string): LiveItem[] {
    return this.frames.flatMap((frame) => (frame.topic === topic && frame.items ? frame.items : []))
  }

  /** Resolves with the first item that matches. */
  next(topic: string, matches: (item: any, id: string) => unknown): Promise<LiveItem> {
    return eventually(() => this.items(topic).find(({ item, id }) => matches(item, id)))
  }

  ended(): Promise<number> {
    return eventually(() => this.closed)
  }

  pause(): void {
    this.#socket.pause()
  }

  close(): void {
    this.#socket.terminate()
  }
}

/** Follows a topic over restarts of the daemon. */
export class ResumingClient {
  readonly items: LiveItem[] = []
  gone = 0
  resumed = 0
  #after: string | null = null
  #isOver = false
  #socket: WebSocket | null = null
  readonly #url: string
  readonly #topic: string

  constructor(url: string, topic: string) {
    this.#url = url
    this.#topic = topic
  }

  /** Resolves when the topic is subscribed for the first time. */
  async start(): Promise<void> {
    this.#connect()
    await eventually(() => this.#after !== null)
  }

  stop(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #connect(): void {
    const socket = new WebSocket(`${this.#url.replace(/^http/, 'ws')}/live`, { headers: { 'x-svc-actor': 'operator' } })
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.once('open', () => {
      if (this.#after !== null) this.resumed++
      socket.send(JSON.stringify({ subscribe: true, topic: this.#topic, after: this.#after }))
    })
    socket.on('message', (bytes: Buffer) => this.#take(JSON.parse(bytes.toString())))
    socket.once('close', () => {
      if (!this.#isOver) setTimeout(() => this.#connect(), 50)
    })
  }

  #take(frame: any): void {
    if (frame.gone) this.gone++
    if (frame.topic !== this.#topic) return
    this.items.push(...(frame.items ?? []))
    this.#after = this.items.at(-1)?.seq ?? frame.seq ?? this.#after
  }
}
