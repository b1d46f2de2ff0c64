import { GrowingArray } from './growing-array.ts'
import type { RowPlace, Section, WrittenRows } from './port.ts'
import { quantise } from './rows.ts'

export class LevelRows implements WrittenRows {
  readonly starts = new GrowingArray((length) => new Uint32Array(length))
  readonly ends = new GrowingArray((length) => new Uint32Array(length))
  readonly scales = new GrowingArray((length) => new Float32Array(length))
  readonly vectors = new GrowingArray((length) => new Int8Array(length))
  readonly symbols: (string | null)[] = []
  readonly #dim: number

  constructor(dim: number) {
    this.#dim = dim
  }

  /** Adds a row with a zero vector, and returns its index. */
  push({ symbol, start, end }: RowPlace): number {
    this.starts.push(start)
    this.ends.push(end)
    this.scales.push(1)
    this.vectors.pushAll(new Int8Array(this.#dim))
    return this.symbols.push(symbol) - 1
  }

  setVector(at: number, vector: Float32Array): void {
    this.scales.view()[at] = quantise(vector, this.whole(at))
  }

  /** Copies the vector of row `was` of `section`. */
  copyVector(at: number, section: Section, was: number): void {
    this.whole(at).set(section.vectors.subarray(was * this.#dim, (was + 1) * this.#dim))
    this.scales.view()[at] = section.scales[was]!
  }

  vector(at: number): Float32Array {
    const scale = this.scales.at(at)
    return Float32Array.from(this.whole(at), (each) => each * scale)
  }

  /** Quantised vector of a row; valid until rows are added. */
  whole(at: number): Int8Array {
    return this.vectors.view().subarray(at * this.#dim, (at + 1) * this.#dim)
  }

  place(at: number): RowPlace {
    return { symbol: this.symbols[at]!, start: this.starts.at(at), end: this.ends.at(at) }
  }
}
