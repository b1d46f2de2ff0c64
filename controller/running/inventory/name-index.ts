// Names in alphabetical order, kept so: what is shown in pages is not sorted anew for each of them.

export class NameIndex {
  readonly #names: string[] = []

  get size(): number {
    return this.#names.length
  }

  /** Does nothing for a name that is there. */
  add(name: string): void {
    const at = this.#placeOf(name)
    if (this.#names[at] !== name) this.#names.splice(at, 0, name)
  }

  delete(name: string): void {
    const at = this.#placeOf(name)
    if (this.#names[at] === name) this.#names.splice(at, 1)
  }

  slice(from: number, to: number): string[] {
    return this.#names.slice(from, to)
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#names.values()
  }

  /** Where the name stands, or would. */
  #placeOf(name: string): number {
    let [low, high] = [0, this.#names.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#names[middle]! < name) low = middle + 1
      else high = middle
    }
    return low
  }
}
