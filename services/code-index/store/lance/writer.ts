import type { Level } from '../../../../schemas/code-index/search.ts'
import type { Client } from '../../workers/rpc.ts'
import { GrowingArray } from '../growing-array.ts'
import { LevelRows } from '../level-rows.ts'
import type { GenerationAbout, GenerationWriter, IndexedFile, NewRow, RowPlace } from '../port.ts'
import { byLevel, MOST_WEIGHT, RowIds } from '../rows.ts'
import type { LanceGeneration } from './generation.ts'
import type { Held } from './held.ts'
import type { NewRows } from './messages.ts'
import type { Lance } from './process.ts'

/** Rows per batch; each batch creates files in the table. */
const BATCH = 4096
/** The process counts as hung after this time. */
const DEADLINE_MS = 300_000

class LanceRows extends LevelRows {
  readonly isMade = new GrowingArray((length) => new Uint8Array(length))

  override push(place: RowPlace): number {
    this.isMade.push(0)
    return super.push(place)
  }

  override setVector(at: number, vector: Float32Array): void {
    super.setVector(at, vector)
    this.isMade.view()[at] = 1
  }
}

interface Waiting {
  level: Level
  at: number
  number: number
  id: string
  row: NewRow
}

interface Beginning {
  old: LanceGeneration | null
  table: string
  next: number
  publish(held: Held): void
}

export class LanceWriter implements GenerationWriter {
  readonly #client: Client<Lance>
  readonly #about: GenerationAbout
  readonly #old: LanceGeneration | null
  readonly #oldFiles: ReadonlyMap<string, number>
  readonly #publish: (held: Held) => void
  readonly #ids: RowIds
  readonly levels: Record<Level, LanceRows>
  readonly #firsts: number[] = []
  readonly #firstOf: Record<Level, number>
  readonly #table: string
  #next: number
  #waiting: Waiting[] = []
  #sending: Promise<void> = Promise.resolve()

  constructor(client: Client<Lance>, about: GenerationAbout, { old, table, next, publish }: Beginning) {
    this.#client = client
    this.#about = about
    this.#old = old
    this.#oldFiles = new Map(old?.about.files.map(({ path }, at) => [path, at]))
    this.#table = table
    this.#next = next
    this.#publish = publish
    this.#ids = new RowIds(about.root)
    const { dim } = about.model
    this.levels = byLevel(() => new LanceRows(dim))
    this.#firstOf = byLevel(() => 0)
  }

  add(level: Level, row: NewRow): number {
    const at = this.levels[level].push(row)
    const number = this.#next++
    if (level === 'symbol') this.#firsts[row.file] ??= number
    else if (at === 0) this.#firstOf[level] = number
    this.#waiting.push({ level, at, number, id: this.#ids.next(level, row), row })
    return at
  }

  async keep({ path, from, to }: IndexedFile, place: number): Promise<void> {
    const section = this.#old!.section('symbol')
    this.#firsts[place] = this.#old!.held.firsts[this.#oldFiles.get(path)!]!
    const rows = this.levels.symbol
    for (let was = from; was < to; was++) {
      const [symbol, start, end] = [section.symbols[was]!, section.starts[was]!, section.ends[was]!]
      rows.copyVector(rows.push({ symbol, start, end }), section, was)
    }
  }

  async room(): Promise<void> {
    const isReady = ({ level, at }: Waiting) => this.levels[level].isMade.at(at) === 1
    // Vectors are set in row order, so the last one of a batch suffices.
    if (this.#waiting.length >= BATCH && isReady(this.#waiting[BATCH - 1]!)) await this.#send(BATCH)
  }

  async commit(files: IndexedFile[]): Promise<GenerationAbout> {
    while (this.#waiting.length > 0) await this.#send(BATCH)
    await this.#sending
    const about = { ...this.#about, files, rows: byLevel((level) => this.levels[level].symbols.length) }
    const firsts = files.map((_file, at) => this.#firsts[at] ?? 0)
    this.#publish({ about, table: this.#table, firsts, levels: this.#firstOf, next: this.#next })
    return about
  }

  async discard(): Promise<void> {
    this.#waiting = []
    // Rows already sent belong to no generation; the next `begin` deletes them.
    await this.#sending.catch(() => undefined)
  }

  /** Sends one batch while the next is prepared. Throws the error of the previous batch. */
  async #send(most: number): Promise<void> {
    const batch = this.#waiting.splice(0, most)
    await this.#sending
    this.#sending = this.#client.call('add', this.#batchOf(batch), { deadlineMs: DEADLINE_MS })
    // Rejections are handled at the next await.
    this.#sending.catch(() => undefined)
  }

  #batchOf(batch: readonly Waiting[]): NewRows {
    const { dim } = this.#about.model
    const vectors = new Int8Array(batch.length * dim)
    const scales = new Float32Array(batch.length)
    const weights = new GrowingArray((length) => new Uint8Array(length))
    for (const [k, { level, at, row }] of batch.entries()) {
      vectors.set(this.levels[level].whole(at), k * dim)
      scales[k] = this.levels[level].scales.at(at)
      for (const { all, name } of row.words.values())
        weights.pushAll([Math.min(MOST_WEIGHT, all), Math.min(MOST_WEIGHT, name)])
    }
    return {
      root: this.#about.root,
      table: this.#table,
      dim,
      numbers: Float64Array.from(batch, ({ number }) => number),
      ids: batch.map(({ id }) => id),
      levels: batch.map(({ level }) => level),
      hashes: batch.map(({ row }) => row.hash),
      paths: batch.map(({ row }) => row.path),
      languages: batch.map(({ row }) => row.language),
      types: batch.map(({ row }) => row.type),
      symbols: batch.map(({ row }) => row.symbol),
      starts: Uint32Array.from(batch, ({ row }) => row.start),
      ends: Uint32Array.from(batch, ({ row }) => row.end),
      contents: batch.map(({ row }) => row.content),
      tokens: batch.map(({ row }) => [...row.words.keys()].join(' ')),
      weights: weights.view(),
      vectors,
      scales,
    }
  }
}
