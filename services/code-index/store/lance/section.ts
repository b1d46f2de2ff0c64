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
  files: ReadonlyMap<string, number>
}

export class SectionReader {
  readonly #shared: Shared
  readonly #count: number
  readonly #columns
  readonly #paths: string[] = []
  /** Words in order of arrival; `#begins` and `#counts` locate those of a row. */
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
    this.#columns = {
      files: new Int32Array(count),
      starts: new Uint32Array(count),
      ends: new Uint32Array(count),
      typeOf: new Uint8Array(count),
      languageOf: new Uint8Array(count),
      symbols: Array.from({ length: count }, (): string | null => null),
      vectors: new Int8Array(count * shared.about.model.dim),
      scales: new Float32Array(count),
    }
    this.#begins = new Uint32Array(count)
    this.#counts = new Uint32Array(count)
    this.#isRead = new Uint8Array(count)
  }

  /** Stores row `k` of a batch at index `at`; its weights start at `weight`. */
  put(at: number, rows: ReadRows, k: number, weight: number): void {
    const { words, types, languages, files, about } = this.#shared
    const { dim } = about.model
    const columns = this.#columns
    if (this.#isRead[at]!++ === 0) this.#read++
    const path = rows.paths[k]!
    columns.files[at] = files.get(path) ?? -1
    if (columns.files[at] === -1) this.#paths[at] = path
    columns.starts[at] = rows.starts[k]!
    columns.ends[at] = rows.ends[k]!
    columns.typeOf[at] = types.place(rows.types[k]!)
    columns.languageOf[at] = languages.place(rows.languages[k]!)
    columns.symbols[at] = rows.symbols[k]!
    columns.vectors.set(rows.vectors.subarray(k * dim, (k + 1) * dim), at * dim)
    columns.scales[at] = rows.scales[k]!
    const tokens = rows.tokens[k] ? rows.tokens[k].split(' ') : []
    this.#begins[at] = this.#words.length
    this.#counts[at] = tokens.length
    for (const [place, word] of tokens.entries()) {
      this.#words.push(words.place(word))
      this.#all.push(rows.weights[weight + 2 * place]!)
      this.#name.push(rows.weights[weight + 2 * place + 1]!)
    }
  }

  /** Null unless every row was read exactly once. */
  section(rows: Section['rows']): Section | null {
    if (this.#read < this.#count || this.#isRead.some((times) => times > 1)) return null
    const { about } = this.#shared
    return {
      count: this.#count,
      ...this.#columns,
      ...this.#inOrder(),
      path: (at) => about.files[this.#columns.files[at]!]?.path ?? this.#paths[at]!,
      rows,
    }
  }

  #inOrder(): Pick<Section, 'offsets' | 'words' | 'all' | 'name'> {
    const offsets = new Uint32Array(this.#count + 1)
    for (let at = 0; at < this.#count; at++) offsets[at + 1] = offsets[at]! + this.#counts[at]!
    const [words, all, name] = [this.#words.view(), this.#all.view(), this.#name.view()]
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
