import type { LiveItem } from '../../schemas/gateway/live.ts'
import type { PatchQueue } from './patch-queue.ts'
import { TopicCache } from './topic-cache.ts'

export type TopicState =
  | { kind: 'loading' }
  | { kind: 'ready' }
  /** The records could not be read, or the topic was refused. */
  | { kind: 'failed'; error: unknown }

/** Records that a read could not contain, such as those of a service that does not answer. */
export interface Gap {
  kind: string
  service: string
  /** In the words of the daemon. */
  detail: string
}

/** Reads all records of a topic by pages, and reports what is missing. */
export type TopicReader<Item> = (
  signal: AbortSignal,
  report: (gaps: readonly Gap[]) => void,
) => AsyncIterable<readonly (readonly [id: string, item: Item])[]>

export type Patch = Pick<LiveItem, 'id' | 'item'>

export interface TopicDefinition<Item> {
  /** Name on the socket. */
  name: string
  read: TopicReader<Item>
  /** Turns the items of the socket into changes of records. Default: an item is a record. */
  adapt?(items: readonly Patch[], known: Pick<TopicCache<Item>, 'get' | 'values'>): readonly Patch[]
  /** True if a known record stays although a read with these gaps does not contain it. */
  isKept?(item: Item, gaps: readonly Gap[]): boolean
}

export interface Topic<Item> {
  readonly cache: TopicCache<Item>
  readonly state: TopicState
  /** True once all records have been read at least once. */
  readonly isKnown: boolean
  /** Of the last read. */
  readonly gaps: readonly Gap[]
}

interface Entry extends Topic<any> {
  state: TopicState
  isKnown: boolean
  gaps: readonly Gap[]
  /** The daemon refused or ended the subscription. */
  isRefused: boolean
  users: number
  definition: TopicDefinition<any>
  reading: AbortController | null
  listeners: Set<() => void>
  expire: (() => void) | null
}

export interface TopicListener {
  /** The topic has changes, or was subscribed. */
  changed(): void
  /** The daemon refused or ended the subscription: no changes follow. */
  refused(error: unknown): void
}

export interface StoreWorld {
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Returns a function that cancels. */
  after(ms: number, run: () => void): () => void
  queue: PatchQueue
}

/** A topic that no screen uses stays for this time, so that going back needs no request. Milliseconds. */
const KEPT_MS = 60_000

/** The records of the live topics that screens use. */
export class LiveStore {
  readonly #world: StoreWorld
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Map<string, TopicListener>()

  constructor(world: StoreWorld) {
    this.#world = world
  }

  /** The topic, or null before its first use. */
  find(name: string): Topic<unknown> | null {
    return this.#entries.get(name) ?? null
  }

  /** Follows a topic. `listener` is called when its state changes. Returns a function that ends it. */
  use<Item>(definition: TopicDefinition<Item>, listener: () => void): () => void {
    const { name } = definition
    const entry = this.#entries.get(name) ?? this.#open(definition)
    entry.expire?.()
    entry.expire = null
    entry.users += 1
    entry.listeners.add(listener)
    return () => {
      entry.listeners.delete(listener)
      entry.users -= 1
      if (entry.users === 0) entry.expire = this.#world.after(KEPT_MS, () => this.#close(name, entry))
    }
  }

  /**
   * Reports changes of a topic to a caller that reads its records by cursor. One listener per topic. Returns a function
   * that ends it.
   */
  listen(name: string, listener: TopicListener): () => void {
    this.#listeners.set(name, listener)
    this.#world.subscribe(name)
    return () => {
      this.#listeners.delete(name)
      this.#world.unsubscribe(name)
    }
  }

  /** Reads the records again, after a failure. A topic that was refused is subscribed first, else it would not be live. */
  readAgain(name: string): void {
    if (this.#listeners.has(name)) this.#subscribeAgain(name)
    const entry = this.#entries.get(name)
    if (!entry) return
    if (!entry.isRefused) return void this.#read(entry)
    change(entry, { kind: 'loading' })
    this.#subscribeAgain(name)
  }

  #subscribeAgain(name: string): void {
    this.#world.unsubscribe(name)
    this.#world.subscribe(name)
  }

  /** The daemon accepted the subscription. Without a position to continue from, all records are read. */
  accepted(name: string, isResumed: boolean): void {
    // Earlier changes must not overwrite what is read now.
    this.#world.queue.flush()
    this.#listeners.get(name)?.changed()
    const entry = this.#entries.get(name)
    if (entry) entry.isRefused = false
    if (entry && !(isResumed && entry.state.kind === 'ready')) void this.#read(entry)
  }

  patch(name: string, items: readonly LiveItem[]): void {
    const listener = this.#listeners.get(name)
    if (listener) this.#world.queue.add(listener.changed)
    const entry = this.#entries.get(name)
    if (!entry) return
    const { cache, definition } = entry
    const adapted = () => definition.adapt?.(items, cache) ?? items
    this.#world.queue.add(() => cache.patch(adapted()))
  }

  refused(name: string, error: unknown): void {
    this.#listeners.get(name)?.refused(error)
    const entry = this.#entries.get(name)
    if (!entry) return
    entry.isRefused = true
    entry.reading?.abort()
    change(entry, { kind: 'failed', error })
  }

  #open(definition: TopicDefinition<any>): Entry {
    const entry: Entry = {
      cache: new TopicCache(),
      state: { kind: 'loading' },
      isKnown: false,
      gaps: [],
      isRefused: false,
      users: 0,
      definition,
      reading: null,
      listeners: new Set(),
      expire: null,
    }
    this.#entries.set(definition.name, entry)
    this.#world.subscribe(definition.name)
    return entry
  }

  #close(name: string, entry: Entry): void {
    entry.reading?.abort()
    this.#entries.delete(name)
    this.#world.unsubscribe(name)
  }

  async #read(entry: Entry): Promise<void> {
    entry.reading?.abort()
    const reading = new AbortController()
    entry.reading = reading
    entry.cache.beginRead()
    change(entry, { kind: 'loading' })
    const { read, isKept } = entry.definition
    const gaps: Gap[] = []
    try {
      for await (const page of read(reading.signal, (found) => gaps.push(...found))) {
        if (reading.signal.aborted) return
        entry.cache.addRead(page)
      }
      if (reading.signal.aborted) return
      entry.cache.endRead((item) => gaps.length > 0 && isKept?.(item, gaps) === true)
      entry.gaps = gaps
      entry.isKnown = true
      change(entry, { kind: 'ready' })
    } catch (error) {
      if (reading.signal.aborted) return
      entry.cache.abortRead()
      change(entry, { kind: 'failed', error })
    }
  }
}

function change(entry: Entry, state: TopicState): void {
  entry.state = state
  for (const listener of entry.listeners) listener()
}
