/** Evicts the oldest entry (by last `set`) above `size` entries. */
export class RecentMap<T> {
  readonly #entries = new Map<string, T>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: T): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#size) this.#entries.delete(this.#entries.keys().next().value!)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  keys(): Iterable<string> {
    return this.#entries.keys()
  }

  clear(): void {
    this.#entries.clear()
  }
}

export class RecentSet {
  readonly #keys: RecentMap<true>

  constructor(size: number) {
    this.#keys = new RecentMap(size)
  }

  /** Returns false if the key is already present. */
  add(key: string): boolean {
    if (this.#keys.get(key)) return false
    this.#keys.set(key, true)
    return true
  }

  has(key: string): boolean {
    return this.#keys.get(key) !== undefined
  }

  delete(key: string): void {
    this.#keys.delete(key)
  }

  clear(): void {
    this.#keys.clear()
  }
}
