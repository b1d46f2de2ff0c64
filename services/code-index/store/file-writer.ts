// Writes a generation: rows go to disk immediately, columns for search at the end.
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LEVELS, type Level } from '../../../schemas/code-index/search.ts'
import { GrowingArray } from './growing-array.ts'
import { LevelRows } from './level-rows.ts'
import type { Generation, GenerationAbout, GenerationWriter, IndexedFile, NewRow, Section, StoredRow } from './port.ts'
import { byLevel, MOST_WEIGHT, Names, RowIds } from './rows.ts'

const WRITE_AT = 1024 * 1024

/** In the order of the file. */
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

class FileRows extends LevelRows {
  readonly lengths = new GrowingArray((length) => new Uint32Array(length))
  readonly files = new GrowingArray((length) => new Int32Array(length))
  readonly typeOf = new GrowingArray((length) => new Uint8Array(length))
  readonly languageOf = new GrowingArray((length) => new Uint8Array(length))
  readonly counts = new GrowingArray((length) => new Uint32Array(length))
  readonly words = new GrowingArray((length) => new Uint32Array(length))
  readonly all = new GrowingArray((length) => new Uint8Array(length))
  readonly name = new GrowingArray((length) => new Uint8Array(length))
  readonly #file: number
  #waiting: Buffer[] = []
  #bytes = 0

  constructor(path: string, dim: number) {
    super(dim)
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
  readonly levels: Record<Level, FileRows>
  readonly #words = new Names()
  readonly #types = new Names()
  readonly #languages = new Names()
  readonly #ids: RowIds
  readonly #publish: () => void
  readonly #old: Generation | null
  /** Maps words of the previous generation to indexes here; -1 if not seen yet. */
  readonly #places: Int32Array

  constructor(folder: string, about: GenerationAbout, old: Generation | null, publish: () => void) {
    this.#folder = folder
    this.#about = about
    this.#ids = new RowIds(about.root)
    this.#publish = publish
    this.#old = old
    this.#places = new Int32Array(old?.words.length ?? 0).fill(-1)
    const { dim } = about.model
    this.levels = byLevel((level) => new FileRows(join(folder, `${level}.jsonl`), dim))
  }

  add(level: Level, row: NewRow): number {
    const rows = this.levels[level]
    const { path, language, type, symbol, start, end, content, hash } = row
    const id = this.#ids.next(level, row)
    for (const [word, weight] of row.words) {
      rows.words.push(this.#words.place(word))
      rows.all.push(Math.min(MOST_WEIGHT, weight.all))
      rows.name.push(Math.min(MOST_WEIGHT, weight.name))
    }
    rows.counts.push(row.words.size)
    rows.line(JSON.stringify({ id, hash, path, language, type, symbol, start, end, content }))
    return this.#push(rows, row)
  }

  async keep({ from, to }: IndexedFile, place: number): Promise<void> {
    const section = this.#old!.section('symbol')
    const taken = await section.rows(Array.from({ length: to - from }, (_each, k) => from + k))
    for (const [k, row] of taken.entries()) this.#copy(section, from + k, { ...row, file: place })
  }

  /** Never waits: `add` writes the rows. */
  async room(): Promise<void> {}

  async commit(files: IndexedFile[]): Promise<GenerationAbout> {
    const about = { ...this.#about, files }
    for (const level of LEVELS) {
      const rows = this.levels[level]
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

  async discard(): Promise<void> {
    for (const level of LEVELS) this.levels[level].close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #push(rows: FileRows, row: Pick<NewRow, 'file' | 'start' | 'end' | 'type' | 'language' | 'symbol'>): number {
    rows.files.push(row.file)
    rows.typeOf.push(this.#types.place(row.type))
    rows.languageOf.push(this.#languages.place(row.language))
    return rows.push(row)
  }

  #copy(section: Section, at: number, row: StoredRow & { file: number }): void {
    const rows = this.levels.symbol
    const [first, last] = [section.offsets[at]!, section.offsets[at + 1]!]
    for (let k = first; k < last; k++) {
      const word = section.words[k]!
      if (this.#places[word] === -1) this.#places[word] = this.#words.place(this.#old!.words[word]!)
      rows.words.push(this.#places[word]!)
    }
    rows.all.pushAll(section.all.subarray(first, last))
    rows.name.pushAll(section.name.subarray(first, last))
    rows.counts.push(last - first)
    const { file: _file, ...stored } = row
    rows.line(JSON.stringify(stored))
    rows.copyVector(this.#push(rows, row), section, at)
  }
}

const bytesOf = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength)

/** Writes one part as plain bytes. Several parts are columns, each preceded by its length and padded to 8 bytes. */
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
