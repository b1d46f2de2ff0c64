import type { LiveItem } from '../../schemas/gateway/live.ts'

type Listener = () => void

/**
 * Records of one topic by id. A record that changes notifies only the listeners of its id; the list of ids changes only
 * with its membership, so that a row renders alone.
 */
export class TopicCache<Item> {
  readonly #records = new Map<string, Item>()
  #ids: readonly string[] = []
  /** Made on demand, the same array until a record changes. */
  #values: readonly Item[] | null = null
  /** Ids that changed while the records are read; null otherwise. */
  #changedWhileReading: Set<string> | null = null
  #read = new Map<string, Item>()
  readonly #listeners = new Set<Listener>()
  readonly #byId = new Map<string, Set<Listener>>()

  get ids(): readonly string[] {
    return this.#ids
  }

  get(id: string): Item | undefined {
    return this.#records.get(id)
  }

  get values(): readonly Item[] {
    this.#values ??= [...this.#records.values()]
    return this.#values
  }

  /** Calls the listener after every change. Returns a function that ends it. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls the listener after changes of one record. */
  subscribeTo(id: string, listener: Listener): () => void {
    const listeners = this.#byId.get(id) ?? new Set()
    this.#byId.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#byId.delete(id)
    }
  }

  /** Start of a read of all records. Known records stay until it ends. */
  beginRead(): void {
    this.#changedWhileReading = new Set()
    this.#read = new Map()
  }

  /** A page of the read. Records that have changed since its start are newer and stay. */
  addRead(records: readonly (readonly [id: string, item: Item])[]): void {
    const changed = this.#changedWhileReading
    const fresh = records.filter(([id]) => !changed?.has(id))
    for (const [id, item] of fresh) this.#read.set(id, item)
    this.#change(fresh.map(([id, item]) => [id, item]))
  }

  /** End of the read: removes records that it did not contain, except those that `isKept` names. */
  endRead(isKept: (item: Item) => boolean = () => false): void {
    const changed = this.#changedWhileReading ?? new Set()
    const isLeft = (id: string) => !this.#read.has(id) && !changed.has(id) && !isKept(this.#records.get(id)!)
    const missing = this.#ids.filter(isLeft)
    this.#changedWhileReading = null
    this.#read = new Map()
    this.#change(missing.map((id) => [id, null]))
  }

  /** The read failed: what it contained stays. */
  abortRead(): void {
    this.#changedWhileReading = null
    this.#read = new Map()
  }

  /** Changes of the live topic, in order; of several changes of a record the last one counts. */
  patch(items: readonly Pick<LiveItem, 'id' | 'item'>[]): void {
    const last = new Map(items.map(({ id, item }) => [id, item as Item | null]))
    for (const id of last.keys()) this.#changedWhileReading?.add(id)
    this.#change([...last])
  }

  #change(changes: readonly (readonly [id: string, item: Item | null])[]): void {
    if (changes.length === 0) return
    const records = this.#records
    let isSameMembership = true
    for (const [id, item] of changes) {
      if (item === null) isSameMembership = !records.delete(id) && isSameMembership
      else {
        isSameMembership &&= records.has(id)
        records.set(id, item)
      }
    }
    if (!isSameMembership) this.#ids = [...records.keys()]
    this.#values = null
    for (const [id] of changes) for (const listener of this.#byId.get(id) ?? []) listener()
    for (const listener of this.#listeners) listener()
  }
}
