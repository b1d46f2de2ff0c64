type Numbers =
  | Uint8Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>

export class GrowingArray<T extends Numbers> {
  #items: T
  length = 0
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#items = make(1024)
  }

  push(value: number): void {
    this.#reserve(1)
    this.#items[this.length++] = value
  }

  pushAll(values: ArrayLike<number>): void {
    this.#reserve(values.length)
    this.#items.set(values, this.length)
    this.length += values.length
  }

  at(index: number): number {
    return this.#items[index]!
  }

  /** Valid until more is added. */
  view(): T {
    return this.#items.subarray(0, this.length) as T
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#items.length) return
    const grown = this.#make(Math.max(this.#items.length * 2, this.length + more))
    grown.set(this.#items.subarray(0, this.length))
    this.#items = grown
  }
}
