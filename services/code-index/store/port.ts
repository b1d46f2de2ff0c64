// The interface of chunk stores: generations per directory, of which the newest complete one is current.
import type { Level } from '../../../schemas/code-index/search.ts'

/** The model that made the vectors. Vectors of different models cannot be compared. */
export interface ModelId {
  provider: string
  model: string
  /** Dimensions. */
  dim: number
}

export interface IndexedFile {
  /** Relative to the directory. */
  path: string
  language: string
  size: number
  mtime: number
  /** Its symbol rows, from inclusive, to exclusive. */
  from: number
  to: number
  /** Why it ended the parser and is split by lines. */
  fault?: string
}

export interface GenerationAbout {
  /** Increases by one per generation of a directory. */
  generation: number
  root: string
  model: ModelId
  /** Versions of the tokens and chunks; a change forces a new index. */
  recipe: string
  files: IndexedFile[]
  rows: Record<Level, number>
}

export interface NewRow {
  /** Index in `files`; -1 for directories and repositories. */
  file: number
  path: string
  language: string
  type: string
  symbol: string | null
  start: number
  end: number
  content: string
  /** Of the embedded text: equal texts have equal vectors. */
  hash: string
  /** Weights in total, and within name and path. */
  words: ReadonlyMap<string, { all: number; name: number }>
}

export interface StoredRow extends Pick<
  NewRow,
  'path' | 'language' | 'type' | 'symbol' | 'start' | 'end' | 'content' | 'hash'
> {
  id: string
}

export interface Section {
  readonly count: number
  /** File indexes, as in `NewRow`. */
  readonly files: Int32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Indexes into `types` and `languages`. */
  readonly typeOf: Uint8Array
  readonly languageOf: Uint8Array
  readonly symbols: readonly (string | null)[]
  /** Quantised; multiply by the scale of the row. */
  readonly vectors: Int8Array
  readonly scales: Float32Array
  /** Words of row r are `words[k]`, of weights `all[k]` and `name[k]`, for `offsets[r] <= k < offsets[r + 1]`. */
  readonly offsets: Uint32Array
  readonly words: Uint32Array
  readonly all: Uint8Array
  readonly name: Uint8Array
  path(at: number): string
  /** Returns rows in the order of `places`. Throws if one is missing. */
  rows(places: readonly number[]): Promise<StoredRow[]>
}

export interface Generation {
  readonly about: GenerationAbout
  readonly words: readonly string[]
  readonly types: readonly string[]
  readonly languages: readonly string[]
  section(level: Level): Section
  /** Releases resources; do not use the generation afterwards. */
  close(): void
}

export type RowPlace = Pick<NewRow, 'symbol' | 'start' | 'end'>

export interface WrittenRows {
  /** Throws for a vector of wrong length or with a non-finite number. */
  setVector(at: number, vector: Float32Array): void
  vector(at: number): Float32Array
  place(at: number): RowPlace
}

export interface GenerationWriter {
  /** Returns the row index; set its vector before `commit`. */
  add(level: Level, row: NewRow): number
  /** Copies the symbol rows of a file, with vectors, from the previous generation; `place` is the new file index. */
  keep(was: IndexedFile, place: number): Promise<void>
  readonly levels: Readonly<Record<Level, WrittenRows>>
  /** Resolves when more rows can be added; throws if earlier rows could not be written. */
  room(): Promise<void>
  /** Makes this generation current, atomically. */
  commit(files: IndexedFile[]): Promise<GenerationAbout>
  discard(): Promise<void>
}

export const STORES = ['files', 'lancedb'] as const
export type StoreKind = (typeof STORES)[number]

/** `auto` is LanceDB if it can run, otherwise files. */
export const STORE_CHOICES = ['auto', ...STORES] as const
export type StoreChoice = (typeof STORE_CHOICES)[number]

export interface ChunkStore {
  readonly kind: StoreKind
  /**
   * The current generation of a directory; null if there is none or it is unreadable. `words: false` omits words,
   * which copying rows does not need.
   */
  open(root: string, how?: { words: boolean }): Promise<Generation | null>
  /** Metadata of the current generation, without its rows. */
  about(root: string): GenerationAbout | null
  /** Starts a generation; `old` is the one to copy rows from. Only one writer per directory at a time. */
  begin(about: Pick<GenerationAbout, 'root' | 'model' | 'recipe'>, old: Generation | null): Promise<GenerationWriter>
  /** Deletes old generations and leftovers of a crash. */
  tidy(root: string): Promise<void>
  close(): Promise<void>
}
