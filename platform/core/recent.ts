// A set and a map that remember the latest so many entries.

/** Forgets what was set longest ago once it holds more than `size` entries; reading does not count. */
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

/** Forgets what was added longest ago once it holds more than `size` keys. */
export class RecentSet {
  readonly #keys: RecentMap<true>

  constructor(size: number) {
    this.#keys = new RecentMap(size)
  }

  /** False when the key is there already. */
  add(key: string): boolean {
    if (this.#keys.get(key)) return false
    this.#keys.set(key, true)
    return true
  }
}
