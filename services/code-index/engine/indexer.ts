// Indexes a directory: copies unchanged rows, splits and embeds the rest, and commits everything at once.
import { statSync } from 'node:fs'
import { inPieces, nextTurn } from '../../../platform/async/time-slices.ts'
import { CHUNKS_VERSION } from '../chunks/chunk.ts'
import { selectEmbedder, type SelectedEmbedder } from '../embedding/selection.ts'
import type { Embedder, EmbeddingSettings, Passage } from '../embedding/embedder.ts'
import type { OpenTree } from '../../../platform/files/open-file.ts'
import { endingsOf } from '../files/languages.ts'
import { walk, type FoundFile } from '../files/walk.ts'
import type { ChunkStore, Generation, GenerationAbout, GenerationWriter, IndexedFile } from '../store/port.ts'
import { TOKENS_VERSION } from '../text/tokens.ts'
import { VectorJournal } from './journal.ts'
import { addLevels } from './levels.ts'
import { free, preparedFiles, type PreparedChunk, type PreparedFile, type Preparing } from './preparation.ts'

export interface IndexJob extends OpenTree {
  patterns: string[]
  languages: string[]
  embedding: EmbeddingSettings
  /** A requested reindex: selects the embedder again and reads every file. Equal texts keep their vectors. */
  anew: boolean
  /** The current generation is damaged: copy nothing from it. */
  distrusted: boolean
}

export interface IndexOutcome {
  /** Null if nothing changed. */
  about: (Pick<GenerationAbout, 'generation' | 'model' | 'rows'> & { files: number }) | null
  /** Copied vectors do not count. */
  embedded: number
  /** Why another embedder than configured was used; null otherwise. */
  instead: string | null
}

export interface Progress {
  files: number
  files_total: number
  chunks: number
}

interface Tools extends Pick<Preparing, 'parser'> {
  store: ChunkStore
  journals: string
  progress(progress: Progress): void
}

const RECIPE = `tokens ${TOKENS_VERSION}, chunks ${CHUNKS_VERSION}`
/** Passages per request. */
const BATCH = 256
/** Maximum time between two yields to the event loop. */
const STRETCH_MS = 50

/** Throws if the directory is missing, and an EmbeddingFailure if embedding fails. */
export async function index(job: IndexJob, tools: Tools): Promise<IndexOutcome> {
  const { store } = tools
  const files = await filesOf(job)
  const before = job.distrusted ? null : store.about(job.root)
  if (before && !job.anew && isSame(before, files) && isOf(before, job.embedding)) return UNCHANGED
  const { embedder, instead } = await embedderOf(job, before)
  const old = before && isTakenOver(before, embedder) ? await store.open(job.root, { words: false }) : null
  try {
    const writer = await store.begin({ root: job.root, model: embedder.id, recipe: RECIPE }, old)
    const outcome = await new Run(job, tools, { embedder, old, writer }).all(files)
    return { ...outcome, instead }
  } finally {
    old?.close()
  }
}

const UNCHANGED: IndexOutcome = { about: null, embedded: 0, instead: null }

async function filesOf({ root, hidden, patterns, languages }: IndexJob): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${root} is missing or not a directory: restore it, or remove the repository`)
  await inPieces(walk({ root, hidden, patterns, endings: endingsOf(languages) }, (file) => found.push(file)))
  return found
}

const isSame = (before: GenerationAbout, files: readonly FoundFile[]): boolean =>
  before.recipe === RECIPE &&
  before.files.length === files.length &&
  files.every((file, at) => isUnchanged(before.files[at]!, file))

const isUnchanged = (was: IndexedFile, { path, size, mtime, language }: FoundFile): boolean =>
  was.path === path && was.size === size && was.mtime === mtime && was.language === language

/** True if the configured embedder made the generation, or if none is configured and builtin made it. */
function isOf({ model }: GenerationAbout, { provider, model: name, chosen: isChosen }: EmbeddingSettings): boolean {
  if (model.provider === 'builtin') return provider === 'builtin' || !isChosen
  return model.provider === provider && model.model === name
}

/** Keeps the builtin embedder of an existing index until a reindex, unless another is configured. */
async function embedderOf({ embedding, anew }: IndexJob, before: GenerationAbout | null): Promise<SelectedEmbedder> {
  const staysBuiltin = !anew && before?.model.provider === 'builtin' && isOf(before, embedding)
  return selectEmbedder(staysBuiltin ? { ...embedding, provider: 'builtin' } : embedding)
}

function isTakenOver({ recipe, model }: GenerationAbout, { id }: Embedder): boolean {
  return recipe === RECIPE && model.provider === id.provider && model.model === id.model && model.dim === id.dim
}

interface Waiting {
  at: number
  hash: string
  passage: Passage
}

interface Making {
  embedder: Embedder
  old: Generation | null
  writer: GenerationWriter
}

class Run {
  readonly #job: IndexJob
  readonly #tools: Tools
  readonly #embedder: Embedder
  readonly #old: Generation | null
  readonly #oldFiles: ReadonlyMap<string, IndexedFile>
  readonly #writer: GenerationWriter
  readonly #journal: VectorJournal | null
  #waiting: Waiting[] = []
  #embedded = 0
  #progress: Progress = { files: 0, files_total: 0, chunks: 0 }
  #paused = performance.now()

  constructor(job: IndexJob, tools: Tools, { embedder, old, writer }: Making) {
    this.#job = job
    this.#tools = tools
    this.#embedder = embedder
    this.#old = old
    this.#oldFiles = new Map(old?.about.files.map((file) => [file.path, file]))
    this.#writer = writer
    // Free vectors need no journal.
    const isFree = embedder.id.provider === 'builtin'
    this.#journal = isFree ? null : new VectorJournal(tools.journals, job.root, embedder.id)
  }

  async all(files: readonly FoundFile[]): Promise<{ about: NonNullable<IndexOutcome['about']>; embedded: number }> {
    const { root, hidden } = this.#job
    const { parser } = this.#tools
    this.#progress = { files: 0, files_total: files.length, chunks: 0 }
    const changed = files.filter((file) => !this.#isKept(file))
    try {
      const indexed: IndexedFile[] = []
      const prepared = preparedFiles(changed, { root, hidden, parser, embedder: free(this.#embedder) })
      let chunks = 0
      for (const [place, file] of files.entries()) {
        indexed.push(await this.#file(file, place, { first: chunks, prepared }))
        chunks = indexed[place]!.to
        this.#progress = { files: place + 1, files_total: files.length, chunks }
        this.#tools.progress(this.#progress)
        await this.#breathe()
      }
      await this.#embed()
      addLevels(this.#writer, { root, hidden, files: indexed, dim: this.#embedder.id.dim })
      const about = await this.#writer.commit(indexed)
      this.#journal?.end()
      const { generation, model, rows } = about
      return { about: { generation, model, rows, files: files.length }, embedded: this.#embedded }
    } catch (error) {
      await this.#writer.discard()
      throw error
    }
  }

  #isKept(file: FoundFile): boolean {
    const was = this.#oldFiles.get(file.path)
    return was !== undefined && !this.#job.anew && isUnchanged(was, file)
  }

  async #file(
    file: FoundFile,
    place: number,
    { first, prepared }: { first: number; prepared: AsyncIterator<PreparedFile> },
  ): Promise<IndexedFile> {
    const was = this.#oldFiles.get(file.path)
    if (was && this.#isKept(file)) {
      await this.#writer.keep(was, place)
      return { ...was, from: first, to: first + was.to - was.from }
    }
    const { chunks, fault }: PreparedFile = (await prepared.next()).value
    const known = was && this.#old ? await vectorsOf(this.#old, was) : new Map<string, Float32Array>()
    for (const chunk of chunks) this.#add(file, place, chunk, known)
    if (this.#waiting.length >= BATCH) await this.#embed()
    await this.#writer.room()
    return { ...file, from: first, to: first + chunks.length, ...(fault === null ? {} : { fault }) }
  }

  #add(file: FoundFile, place: number, chunk: PreparedChunk, known: ReadonlyMap<string, Float32Array>): void {
    const { symbol, content, hash, words, vector: made } = chunk
    const { path, language } = file
    const at = this.#writer.add('symbol', { ...chunk, file: place, path, language })
    const vector = known.get(hash) ?? this.#journal?.find(hash) ?? made
    if (vector) this.#writer.levels.symbol.setVector(at, vector)
    else this.#waiting.push({ at, hash, passage: { path, symbol, content, words } })
    if (vector && vector === made) this.#embedded++
  }

  async #embed(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    for (let from = 0; from < waiting.length; from += BATCH) {
      const batch = waiting.slice(from, from + BATCH)
      const vectors = await this.#embedder.passages(batch.map(({ passage }) => passage))
      this.#embedded += vectors.length
      this.#tools.progress(this.#progress)
      for (const [at, vector] of vectors.entries()) this.#writer.levels.symbol.setVector(batch[at]!.at, vector)
      this.#journal?.add(vectors.map((vector, at) => [batch[at]!.hash, vector]))
    }
  }

  async #breathe(): Promise<void> {
    if (performance.now() - this.#paused < STRETCH_MS) return
    await nextTurn()
    this.#paused = performance.now()
  }
}

async function vectorsOf(old: Generation, { from, to }: IndexedFile): Promise<Map<string, Float32Array>> {
  const section = old.section('symbol')
  const { dim } = old.about.model
  const places = Array.from({ length: to - from }, (_each, k) => from + k)
  const vectors = new Map<string, Float32Array>()
  for (const [k, { hash }] of (await section.rows(places)).entries()) {
    const [at, scale] = [from + k, section.scales[from + k]!]
    const whole = section.vectors.subarray(at * dim, (at + 1) * dim)
    vectors.set(
      hash,
      Float32Array.from(whole, (each) => each * scale),
    )
  }
  return vectors
}
