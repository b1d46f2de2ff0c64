// A level of a generation as its rows are read, in any order.
import type { Level } from '../../../../schemas/code-index/search.ts'
import { GrowingArray } from '../growing-array.ts'
import type { GenerationAbout, Section } from '../port.ts'
import type { Names } from '../rows.ts'
import type { ReadRows } from './messages.ts'

interface Shared {
  about: GenerationAbout
  words: Names
  types: Names
  languages: Names
  /** Place of each file. */
  files: ReadonlyMap<string, number>
}

export class SectionReader {
  readonly #shared: Shared
  readonly #count: number
  readonly #paths: string[] = []
  readonly #files: Int32Array
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  readonly #typeOf: Uint8Array
  readonly #languageOf: Uint8Array
  readonly #symbols: (string | null)[]
  readonly #vectors: Int8Array
  readonly #scales: Float32Array
  /** Words as they came; of each row where they begin, and how many they are. */
  readonly #words = new GrowingArray((length) => new Uint32Array(length))
  readonly #all = new GrowingArray((length) => new Uint8Array(length))
  readonly #name = new GrowingArray((length) => new Uint8Array(length))
  readonly #begins: Uint32Array
  readonly #counts: Uint32Array
  readonly #isRead: Uint8Array
  #read = 0

  constructor(shared: Shared, level: Level) {
    this.#shared = shared
    const count = shared.about.rows[level]
    this.#count = count
    this.#files = new Int32Array(count)
    this.#starts = new Uint32Array(count)
    this.#ends = new Uint32Array(count)
    this.#typeOf = new Uint8Array(count)
    this.#languageOf = new Uint8Array(count)
    this.#symbols = Array.from({ length: count }, () => null)
    this.#vectors = new Int8Array(count * shared.about.model.dim)
    this.#scales = new Float32Array(count)
    this.#begins = new Uint32Array(count)
    this.#counts = new Uint32Array(count)
    this.#isRead = new Uint8Array(count)
  }

  /** Row `k` of what was read is the one at this place; its weights begin at `weight`. How many words it has. */
  put(at: number, rows: ReadRows, k: number, weight: number): number {
    const { words, types, languages, files, about } = this.#shared
    const { dim } = about.model
    if (this.#isRead[at]!++ === 0) this.#read++
    const path = rows.paths[k]!
    this.#files[at] = files.get(path) ?? -1
    if (this.#files[at] === -1) this.#paths[at] = path
    this.#starts[at] = rows.starts[k]!
    this.#ends[at] = rows.ends[k]!
    this.#typeOf[at] = types.place(rows.types[k]!)
    this.#languageOf[at] = languages.place(rows.languages[k]!)
    this.#symbols[at] = rows.symbols[k]!
    this.#vectors.set(rows.vectors.subarray(k * dim, (k + 1) * dim), at * dim)
    this.#scales[at] = rows.scales[k]!
    const tokens = rows.tokens[k] ? rows.tokens[k].split(' ') : []
    this.#begins[at] = this.#words.length
    this.#counts[at] = tokens.length
    for (const [place, word] of tokens.entries()) {
      this.#words.push(words.place(word))
      this.#all.push(rows.weights[weight + 2 * place]!)
      this.#name.push(rows.weights[weight + 2 * place + 1]!)
    }
    return tokens.length
  }

  /** Null unless every row was read, and each once. */
  section(rows: Section['rows']): Section | null {
    if (this.#read < this.#count || this.#isRead.some((times) => times > 1)) return null
    const { about } = this.#shared
    return {
      count: this.#count,
      files: this.#files,
      starts: this.#starts,
      ends: this.#ends,
      typeOf: this.#typeOf,
      languageOf: this.#languageOf,
      symbols: this.#symbols,
      vectors: this.#vectors,
      scales: this.#scales,
      ...this.#inOrder(),
      path: (at) => about.files[this.#files[at]!]?.path ?? this.#paths[at]!,
      rows,
    }
  }

  #inOrder(): Pick<Section, 'offsets' | 'words' | 'all' | 'name'> {
    const offsets = new Uint32Array(this.#count + 1)
    for (let at = 0; at < this.#count; at++) offsets[at + 1] = offsets[at]! + this.#counts[at]!
    const [words, all, name] = [this.#words.view(), this.#all.view(), this.#name.view()]
    // As they mostly come.
    if (this.#begins.every((begins, at) => begins === offsets[at]))
      return { offsets, words: words.slice(), all: all.slice(), name: name.slice() }
    const sorted = {
      offsets,
      words: new Uint32Array(words.length),
      all: new Uint8Array(words.length),
      name: new Uint8Array(words.length),
    }
    for (let at = 0; at < this.#count; at++) {
      const [from, to] = [this.#begins[at]!, this.#begins[at]! + this.#counts[at]!]
      sorted.words.set(words.subarray(from, to), offsets[at])
      sorted.all.set(all.subarray(from, to), offsets[at])
      sorted.name.set(name.subarray(from, to), offsets[at])
    }
    return sorted
  }
}
