import type { LiveFrame, LiveItem } from '../../schemas/gateway/live.ts'

/** The part of a WebSocket that the connection uses. */
export interface LiveSocket {
  send(text: string): void
  close(): void
}

export interface SocketEvents {
  opened(): void
  received(text: string): void
  closed(code: number): void
}

export interface ConnectionWorld {
  open(events: SocketEvents): LiveSocket
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Returns a function that cancels. */
  after(ms: number, run: () => void): () => void
  /** 0 to 1. */
  random(): number
  /** Null with tokens off. */
  sessionKey(): string | null
}

export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** `retryAt`: by the clock of the world. */
  | { kind: 'lost'; retryAt: number }
  /** The session or its token has ended. */
  | { kind: 'signed-out' }

export interface ConnectionEvents {
  changed(state: ConnectionState): void
  /** The daemon accepted the subscription; changes follow. `isResumed`: none was missed. */
  subscribed(topic: string, isResumed: boolean): void
  items(topic: string, items: readonly LiveItem[]): void
  refused(topic: string, error: { code: string; message: string }): void
  /** `at`: time of the daemon. */
  tick(at: string): void
}

/** Ticks come every 5 s. */
const SILENCE_MS = 12_000
const SHORTEST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000
/** Close code of the daemon for a session that has ended. */
const UNAUTHORIZED = 4401

interface Topic {
  /** Last position that was received; null before the first. */
  after: string | null
  isAccepted: boolean
}

/** One socket for all topics of the page. Reconnects with jitter and continues every topic where it stopped. */
export class LiveConnection {
  readonly #world: ConnectionWorld
  readonly #events: ConnectionEvents
  readonly #topics = new Map<string, Topic>()
  #state: ConnectionState = { kind: 'connecting' }
  #socket: LiveSocket | null = null
  #isOpen = false
  #lostSince: number | null = null
  /** Counts sockets: events of a replaced one are ignored. */
  #generation = 0
  #failures = 0
  #heardAt = 0
  #cancel: () => void = () => undefined

  constructor(world: ConnectionWorld, events: ConnectionEvents) {
    this.#world = world
    this.#events = events
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Time of the last frame before the loss, until the connection is live again; else null. */
  get lostSince(): number | null {
    return this.#lostSince
  }

  start(): void {
    this.#connect()
  }

  /** Connects now instead of at the next retry, or after a sign-in. */
  retry(): void {
    if (this.#state.kind !== 'live') this.#connect()
  }

  /** The daemon refused the session in an answer: ends the socket, which may still be open. */
  signOut(): void {
    if (this.#state.kind === 'signed-out') return
    this.#cancel()
    this.#drop()
    this.#generation += 1
    this.#socket?.close()
    this.#socket = null
    this.#change({ kind: 'signed-out' })
  }

  /** After the page was hidden, when timers may have slept: reconnects if no tick has come in time. */
  check(): void {
    if (this.#state.kind === 'live' && this.#world.now() - this.#heardAt >= SILENCE_MS) this.#connect()
    else this.retry()
  }

  subscribe(topic: string): void {
    if (this.#topics.has(topic)) return
    this.#topics.set(topic, { after: null, isAccepted: false })
    if (this.#isOpen) this.#sendSubscribe(topic)
  }

  unsubscribe(topic: string): void {
    if (this.#topics.delete(topic) && this.#isOpen) this.#send({ subscribe: false, topic })
  }

  #connect(): void {
    this.#cancel()
    this.#drop()
    this.#socket?.close()
    const generation = ++this.#generation
    const isCurrent = () => generation === this.#generation
    this.#change({ kind: 'connecting' })
    this.#hear()
    this.#socket = this.#world.open({
      opened: () => isCurrent() && this.#opened(),
      received: (text) => isCurrent() && this.#received(text),
      closed: (code) => isCurrent() && this.#lost(code),
    })
  }

  #opened(): void {
    this.#isOpen = true
    const key = this.#world.sessionKey()
    if (key !== null) this.#send({ key })
    for (const topic of this.#topics.keys()) this.#sendSubscribe(topic)
  }

  #received(text: string): void {
    this.#hear()
    if (this.#state.kind !== 'live') {
      this.#failures = 0
      this.#lostSince = null
      this.#change({ kind: 'live' })
    }
    const frame = frameOf(text)
    if (frame !== null) this.#take(frame)
  }

  #take(frame: LiveFrame): void {
    if ('tick' in frame) {
      if (frame.seq !== null) for (const topic of this.#topics.values()) if (topic.isAccepted) topic.after = frame.seq
      return this.#events.tick(frame.at)
    }
    const { topic: name } = frame
    const topic = this.#topics.get(name)
    // It has been unsubscribed since.
    if (topic === undefined) return
    if ('seq' in frame) {
      const isResumed = topic.after !== null
      Object.assign(topic, { isAccepted: true, after: topic.after ?? frame.seq })
      this.#events.subscribed(name, isResumed)
    } else if ('items' in frame) {
      topic.after = frame.items.findLast(({ seq }) => seq !== null)?.seq ?? topic.after
      this.#events.items(name, frame.items)
    } else if ('gone' in frame) {
      Object.assign(topic, { after: null, isAccepted: false })
      this.#sendSubscribe(name)
    } else {
      // Its changes are missed from now on: a later subscription must not continue from here.
      Object.assign(topic, { after: null, isAccepted: false })
      this.#events.refused(name, frame.error)
    }
  }

  /** Restarts the time after which a silent connection counts as lost. */
  #hear(): void {
    this.#heardAt = this.#world.now()
    this.#cancel()
    this.#cancel = this.#world.after(SILENCE_MS, () => this.#connect())
  }

  #lost(code: number): void {
    this.#cancel()
    this.#drop()
    // A connection that was never live is lost too.
    this.#lostSince ??= this.#heardAt
    this.#socket = null
    if (code === UNAUTHORIZED) return this.#change({ kind: 'signed-out' })
    const most = Math.min(SHORTEST_RETRY_MS * 2 ** this.#failures++, LONGEST_RETRY_MS)
    const delay = Math.max(most * (0.5 + this.#world.random() / 2), SHORTEST_RETRY_MS)
    this.#change({ kind: 'lost', retryAt: this.#world.now() + delay })
    this.#cancel = this.#world.after(delay, () => this.#connect())
  }

  #drop(): void {
    if (this.#state.kind === 'live') this.#lostSince = this.#heardAt
    this.#isOpen = false
    for (const topic of this.#topics.values()) topic.isAccepted = false
  }

  #sendSubscribe(topic: string): void {
    this.#send({ subscribe: true, topic, after: this.#topics.get(topic)?.after ?? null })
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  #change(state: ConnectionState): void {
    this.#state = state
    this.#events.changed(state)
  }
}

function frameOf(text: string): LiveFrame | null {
  try {
    return JSON.parse(text) as LiveFrame
  } catch {
    return null
  }
}
