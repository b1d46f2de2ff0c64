// A set and a map that remember the latest so many entries.

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

  clear(): void {
    this.#entries.clear()
  }
}

export class RecentSet {
  readonly #map: RecentMap<true>

  constructor(size: number) {
    this.#map = new RecentMap(size)
  }

  /** False when the key is there already. */
  add(key: string): boolean {
    if (this.#map.get(key)) return false
    this.#map.set(key, true)
    return true
  }
}
