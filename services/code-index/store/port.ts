// Where chunks are kept, whatever keeps them: whole generations of a directory, the newest complete one in force.
import type { Level } from '../../../schemas/code-index/search.ts'

/** What made the vectors. Vectors of different models are never compared. */
export interface ModelId {
  provider: string
  model: string
  /** Members of a vector. */
  dim: number
}

export interface IndexedFile {
  /** Within the directory. */
  path: string
  language: string
  size: number
  mtime: number
  /** Its rows of level symbol: from the first up to, and without, the last. */
  from: number
  to: number
}

/** What a generation says of itself. */
export interface GenerationAbout {
  /** Counts up with every generation of the directory. */
  generation: number
  /** The directory. */
  root: string
  model: ModelId
  /** Versions of what made chunks and words, languages and patterns: another one makes everything anew. */
  recipe: string
  files: IndexedFile[]
  rows: Record<Level, number>
}

/** A row as it is written. */
export interface NewRow {
  /** Place of its file in `files`; -1 for directories and repositories. */
  file: number
  path: string
  language: string
  type: string
  symbol: string | null
  start: number
  end: number
  content: string
  /** Of what was embedded: the same text has the same vector. */
  hash: string
  /** Words with their weights: in all, and of its name and path alone. */
  words: ReadonlyMap<string, { all: number; name: number }>
}

/** A row as it is found. */
export interface StoredRow extends Pick<
  NewRow,
  'path' | 'language' | 'type' | 'symbol' | 'start' | 'end' | 'content' | 'hash'
> {
  id: string
}

/** The rows of a level, held for search. */
export interface Section {
  readonly count: number
  /** Place of each row's file. */
  readonly files: Int32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Place of each row's type in `types`, and of its language in `languages`. */
  readonly typeOf: Uint8Array
  readonly languageOf: Uint8Array
  readonly symbols: readonly (string | null)[]
  /** Whole numbers; a vector is these times its scale. */
  readonly vectors: Int8Array
  readonly scales: Float32Array
  /** Words of row r: `words[k]`, with their weights, for k from `offsets[r]` up to `offsets[r + 1]`. */
  readonly offsets: Uint32Array
  readonly words: Uint32Array
  readonly all: Uint8Array
  readonly name: Uint8Array
  /** Path of a row, without a look into the store. */
  path(at: number): string
  /** Whole rows, in the order of their places. Throws where the store has lost one. */
  rows(places: readonly number[]): Promise<StoredRow[]>
}

export interface Generation {
  readonly about: GenerationAbout
  readonly words: readonly string[]
  readonly types: readonly string[]
  readonly languages: readonly string[]
  section(level: Level): Section
  /** Lets go of what it holds; nothing is asked of it any more. */
  close(): void
}

export type RowPlace = Pick<NewRow, 'symbol' | 'start' | 'end'>

/** Rows of a level while they are written. */
export interface WrittenRows {
  /** Throws for a vector of another length than the model's, and for one with what is no number. */
  setVector(at: number, vector: Float32Array): void
  vector(at: number): Float32Array
  place(at: number): RowPlace
}

export interface GenerationWriter {
  /** Adds a row; its vector is set before `commit`. Returns its place. */
  add(level: Level, row: NewRow): number
  /**
   * Takes over the rows of level symbol of a file of the generation this one was begun from, with their vectors; `place`
   * is that of the file in this one.
   */
  keep(was: IndexedFile, place: number): Promise<void>
  /** The rows that were added. */
  readonly levels: Readonly<Record<Level, WrittenRows>>
  /** Resolves when there is room for more rows; throws where what was added cannot be written. */
  room(): Promise<void>
  /** Makes this the generation in force, wholly or not at all. */
  commit(files: IndexedFile[]): Promise<GenerationAbout>
  discard(): Promise<void>
}

export const STORES = ['files', 'lancedb'] as const
export type StoreKind = (typeof STORES)[number]

/** Values of the setting; `auto` is LanceDB if it can run, else files. */
export const STORE_CHOICES = ['auto', ...STORES] as const
export type StoreChoice = (typeof STORE_CHOICES)[number]

export interface ChunkStore {
  readonly kind: StoreKind
  /**
   * The generation in force of a directory; null where there is none that can be read. One that is only taken over
   * needs no words.
   */
  open(root: string, how?: { words: boolean }): Promise<Generation | null>
  /** What `open` would say of itself, without its rows. */
  about(root: string): GenerationAbout | null
  /** Begins the next one, from `old` where rows of it are taken over. One at a time for a directory. */
  begin(about: Pick<GenerationAbout, 'root' | 'model' | 'recipe'>, old: Generation | null): Promise<GenerationWriter>
  /** Drops what a crash left behind, and every generation but the one in force. */
  tidy(root: string): Promise<void>
  /** Lets go of all it holds. */
  close(): Promise<void>
}
