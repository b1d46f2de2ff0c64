// Writes a generation: rows go to the disk as they come, what search needs of them is kept as numbers until the end.
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LEVELS, type Level } from '../../../schemas/index/search.ts'
import { Growing } from './growing.ts'
import type { Generation, GenerationAbout, GenerationWriter, IndexedFile, NewRow } from './port.ts'

/** Bytes of rows that are written at once. */
const WRITE_AT = 1024 * 1024
const MOST_WEIGHT = 255

/** Columns of a level, in the order of their file. */
export const COLUMNS = [
  'lengths',
  'files',
  'starts',
  'ends',
  'typeOf',
  'languageOf',
  'counts',
  'words',
  'all',
  'name',
  'scales',
  'vectors',
] as const
export type Column = (typeof COLUMNS)[number]

/** Names in the order they were first met. */
class Names {
  readonly names: string[] = []
  readonly #places = new Map<string, number>()

  place(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.names.length)
    return this.names.push(name) - 1
  }
}

class LevelWriter {
  readonly lengths = new Growing((length) => new Uint32Array(length))
  readonly files = new Growing((length) => new Int32Array(length))
  readonly starts = new Growing((length) => new Uint32Array(length))
  readonly ends = new Growing((length) => new Uint32Array(length))
  readonly typeOf = new Growing((length) => new Uint8Array(length))
  readonly languageOf = new Growing((length) => new Uint8Array(length))
  readonly counts = new Growing((length) => new Uint32Array(length))
  readonly words = new Growing((length) => new Uint32Array(length))
  readonly all = new Growing((length) => new Uint8Array(length))
  readonly name = new Growing((length) => new Uint8Array(length))
  readonly scales = new Growing((length) => new Float32Array(length))
  readonly vectors = new Growing((length) => new Int8Array(length))
  readonly symbols: (string | null)[] = []
  /** How often a symbol stood in a file: part of a row's id. */
  readonly ordinals = new Map<string, number>()
  readonly #file: number
  #waiting: Buffer[] = []
  #bytes = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  line(text: string): void {
    const bytes = Buffer.from(`${text}\n`)
    this.lengths.push(bytes.length)
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes >= WRITE_AT) this.flush()
  }

  flush(): void {
    if (this.#bytes > 0) writeWhole(this.#file, Buffer.concat(this.#waiting))
    this.#waiting = []
    this.#bytes = 0
  }

  end(): void {
    this.flush()
    fsyncSync(this.#file)
    this.close()
  }

  close(): void {
    closeSync(this.#file)
  }
}

export class FileWriter implements GenerationWriter {
  readonly #folder: string
  readonly #about: GenerationAbout
  readonly #levels: Record<Level, LevelWriter>
  readonly #words = new Names()
  readonly #types = new Names()
  readonly #languages = new Names()
  readonly #publish: () => void
  /** Places of an earlier generation's words among these; -1 where it was not met yet. */
  #places: { of: Generation; words: Int32Array } | null = null

  /** `publish` makes what is complete in `folder` the one in force. */
  constructor(folder: string, about: GenerationAbout, publish: () => void) {
    this.#folder = folder
    this.#about = about
    this.#publish = publish
    const writers = LEVELS.map((level) => [level, new LevelWriter(join(folder, `${level}.jsonl`))])
    this.#levels = Object.fromEntries(writers) as Record<Level, LevelWriter>
  }

  add(level: Level, row: NewRow): number {
    const rows = this.#levels[level]
    const { path, language, type, symbol, start, end, content, hash } = row
    const key = `${path}\0${symbol ?? ''}\0${type}`
    const ordinal = rows.ordinals.get(key) ?? 0
    rows.ordinals.set(key, ordinal + 1)
    const id = createHash('sha256')
      .update(`${this.#about.root}\0${level}\0${key}\0${ordinal}`)
      .digest('hex')
      .slice(0, 32)
    for (const [word, weight] of row.words) {
      rows.words.push(this.#words.place(word))
      rows.all.push(Math.min(MOST_WEIGHT, weight.all))
      rows.name.push(Math.min(MOST_WEIGHT, weight.name))
    }
    rows.counts.push(row.words.size)
    rows.line(JSON.stringify({ id, hash, path, language, type, symbol, start, end, content }))
    return this.#place(rows, row)
  }

  copy(level: Level, from: Generation, at: number, file: number): number {
    const rows = this.#levels[level]
    const section = from.section(level)
    const places = this.#placesOf(from)
    const [first, last] = [section.offsets[at]!, section.offsets[at + 1]!]
    for (let k = first; k < last; k++) {
      const word = section.words[k]!
      if (places[word] === -1) places[word] = this.#words.place(from.words[word]!)
      rows.words.push(places[word]!)
    }
    rows.all.pushAll(section.all.subarray(first, last))
    rows.name.pushAll(section.name.subarray(first, last))
    rows.counts.push(last - first)
    const row = section.row(at)
    const key = `${row.path}\0${row.symbol ?? ''}\0${row.type}`
    rows.ordinals.set(key, (rows.ordinals.get(key) ?? 0) + 1)
    rows.line(JSON.stringify(row))
    const place = this.#place(rows, { ...row, file })
    const { dim } = this.#about.model
    rows.vectors.view().set(section.vectors.subarray(at * dim, (at + 1) * dim), place * dim)
    rows.scales.view()[place] = section.scales[at]!
    return place
  }

  setVector(level: Level, at: number, vector: Float32Array): void {
    const { vectors, scales } = this.#levels[level]
    const { dim } = this.#about.model
    let most = 0
    for (const each of vector) most = Math.max(most, Math.abs(each))
    const scale = most === 0 ? 1 : most / 127
    const into = vectors.view().subarray(at * dim, (at + 1) * dim)
    for (let d = 0; d < dim; d++) into[d] = Math.round(vector[d]! / scale)
    scales.view()[at] = scale
  }

  vector(level: Level, at: number): Float32Array {
    const { vectors, scales } = this.#levels[level]
    const { dim } = this.#about.model
    const scale = scales.at(at)
    return Float32Array.from(vectors.view().subarray(at * dim, (at + 1) * dim), (each) => each * scale)
  }

  look(level: Level, at: number): Pick<NewRow, 'symbol' | 'start' | 'end'> {
    const { symbols, starts, ends } = this.#levels[level]
    return { symbol: symbols[at]!, start: starts.at(at), end: ends.at(at) }
  }

  commit(files: IndexedFile[]): GenerationAbout {
    const about = { ...this.#about, files }
    for (const level of LEVELS) {
      const rows = this.#levels[level]
      rows.end()
      about.rows[level] = rows.symbols.length
      const columns = COLUMNS.map((column) => rows[column].view()).map(bytesOf)
      write(join(this.#folder, `${level}.bin`), columns)
      write(join(this.#folder, `${level}.symbols.json`), [Buffer.from(JSON.stringify(rows.symbols))])
    }
    const names = { words: this.#words.names, types: this.#types.names, languages: this.#languages.names }
    write(join(this.#folder, 'names.json'), [Buffer.from(JSON.stringify(names))])
    write(join(this.#folder, 'about.json'), [Buffer.from(JSON.stringify(about))])
    this.#publish()
    return about
  }

  discard(): void {
    for (const level of LEVELS) this.#levels[level].close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #place(rows: LevelWriter, row: Pick<NewRow, 'file' | 'start' | 'end' | 'type' | 'language' | 'symbol'>): number {
    rows.files.push(row.file)
    rows.starts.push(row.start)
    rows.ends.push(row.end)
    rows.typeOf.push(this.#types.place(row.type))
    rows.languageOf.push(this.#languages.place(row.language))
    rows.scales.push(1)
    rows.vectors.pushAll(new Int8Array(this.#about.model.dim))
    return rows.symbols.push(row.symbol) - 1
  }

  #placesOf(from: Generation): Int32Array {
    if (this.#places?.of !== from) this.#places = { of: from, words: new Int32Array(from.words.length).fill(-1) }
    return this.#places.words
  }
}

const bytesOf = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength)

/** Column after column, each after the length of it in 8 bytes and filled up to 8 bytes. */
function write(path: string, parts: readonly Buffer[]): void {
  if (parts.length === 1) return writeFileSync(path, parts[0]!, { mode: 0o600, flush: true })
  const file = openSync(path, 'w', 0o600)
  try {
    for (const part of parts) {
      const head = Buffer.alloc(8)
      head.writeBigUInt64LE(BigInt(part.length))
      writeWhole(file, head)
      writeWhole(file, part)
      writeWhole(file, Buffer.alloc((8 - (part.length % 8)) % 8))
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}
