import { openEmbedder } from '../embedding/selection.ts'
import type { Embedder, EmbeddingSettings } from '../embedding/embedder.ts'
import { Searchable } from '../search/searchable.ts'
import type { ChatModel } from '../provider/chat.ts'
import { rerank, type Reranked, type Reranker } from '../search/rerank.ts'
import { search, type Question } from '../search/search.ts'
import type { SelectedStore } from '../store/selection.ts'
import type { Generation, GenerationAbout, ModelId, StoreKind } from '../store/port.ts'
import { SummaryBook } from '../summaries/book.ts'

/** Rows checked before a generation is used. */
const SAMPLES = 20

/** Chat models; null if disabled. */
export interface TalkSettings {
  summary: ChatModel | null
  rerank: Reranker | null
}

export interface Place {
  repoId: string
  root: string
}

export interface FaultyFile {
  path: string
  fault: string
}

export interface Loaded extends Pick<GenerationAbout, 'generation' | 'model' | 'rows'> {
  files: number
  store: StoreKind
  /** Why another store than configured is used; null otherwise. */
  instead: string | null
  /** Files that ended the parser and are split by lines. */
  faulty: FaultyFile[]
}

interface SearcherOptions {
  embedding: EmbeddingSettings
  talk: TalkSettings
  summaries: string
}

export class Searcher {
  readonly #selected: SelectedStore
  readonly #options: SearcherOptions
  readonly #repositories = new Map<string, Searchable>()
  readonly #embedders = new Map<string, Embedder>()
  readonly #loading = new Map<string, Promise<unknown>>()

  constructor(selected: SelectedStore, options: SearcherOptions) {
    this.#selected = selected
    this.#options = options
  }

  /** Loads the current generation of a directory; null if there is none. Throws if sample rows cannot be found. */
  load({ repoId, root }: Place): Promise<Loaded | null> {
    const loading = this.#load(repoId, root)
    if (!this.#repositories.has(repoId))
      this.#loading.set(
        repoId,
        loading.catch(() => undefined),
      )
    return loading.finally(() => this.#loading.delete(repoId))
  }

  /** Resolves after pending reads. */
  async unload(repoId: string): Promise<void> {
    const held = this.#repositories.get(repoId)
    this.#repositories.delete(repoId)
    await held?.close()
  }

  /** Searches the repositories `among`. Throws an EmbeddingFailure. */
  async search(among: readonly Place[], question: Question): Promise<Reranked> {
    await Promise.all(among.map((place) => this.#held(place)))
    const vectors = question.mode === 'keyword' ? new Map() : await this.#vectors(among, question.query)
    // No await from here to the search, so that results come from one generation each.
    const found = among.flatMap(({ repoId }) => this.#repositories.get(repoId) ?? [])
    for (const { summaries } of found) summaries?.refresh()
    // Keyword searches must work without an endpoint.
    const reranker = question.mode === 'keyword' ? null : this.#options.talk.rerank
    const { limit, explain, query } = question
    const searching = search(
      found,
      { ...question, limit: Math.max(limit, reranker?.candidates ?? 0) },
      found.map(({ generation }) => vectors.get(keyOf(generation.about.model)) ?? null),
    )
    for (const one of found) one.readUntil(searching)
    const results = await searching
    if (reranker === null || results.length < 2) return { results, reranked: false, skipped: null }
    const put = await rerank(query, results, { reranker, explain })
    return { ...put, results: put.results.slice(0, limit) }
  }

  /** Loads a repository that a restarted thread has not loaded yet. Failures are reported by the indexing. */
  async #held(place: Place): Promise<void> {
    if (this.#repositories.has(place.repoId)) return
    await (this.#loading.get(place.repoId) ?? this.load(place).catch(() => undefined))
  }

  async #load(repoId: string, root: string): Promise<Loaded | null> {
    const generation = await this.#selected.store.open(root)
    if (!generation) return null
    try {
      const model = this.#options.talk.summary?.model
      const summaries = model === undefined ? null : new SummaryBook(this.#options.summaries, root, model)
      const searchable = await Searchable.of(repoId, generation, summaries)
      refuseLost(searchable)
      const held = this.#repositories.get(repoId)?.generation
      // A newer generation was loaded meanwhile.
      if (held && held.about.generation > generation.about.generation) {
        generation.close()
        return this.#loaded(held)
      }
      const before = this.#repositories.get(repoId)
      this.#repositories.set(repoId, searchable)
      // Older generations can be deleted after this.
      await before?.close()
    } catch (error) {
      generation.close()
      throw error
    }
    return this.#loaded(generation)
  }

  #loaded({ about: { generation, model, rows, files } }: Generation): Loaded {
    return {
      generation,
      model,
      rows,
      files: files.length,
      store: this.#selected.store.kind,
      instead: this.#selected.instead,
      faulty: files.flatMap(({ path, fault }) => (fault === undefined ? [] : [{ path, fault }])),
    }
  }

  async #vectors(among: readonly Place[], query: string): Promise<Map<string, Float32Array>> {
    const found = among.flatMap(({ repoId }) => this.#repositories.get(repoId) ?? [])
    const models = new Map(found.map(({ generation }) => [keyOf(generation.about.model), generation.about.model]))
    const made = await Promise.all(
      [...models].map(async ([key, model]) => [key, await this.#embedder(key, model).query(query)] as const),
    )
    return new Map(made)
  }

  #embedder(key: string, model: ModelId): Embedder {
    const known = this.#embedders.get(key) ?? openEmbedder(model, this.#options.embedding)
    this.#embedders.set(key, known)
    return known
  }
}

const keyOf = ({ provider, model, dim }: ModelId): string => `${provider}\0${model}\0${dim}`

/** Throws unless sample rows are found by their own words and vector. */
function refuseLost(searchable: Searchable): void {
  const { generation } = searchable
  const { count } = generation.section('symbol')
  for (let k = 0; k < Math.min(SAMPLES, count); k++) {
    const at = Math.floor((k * count) / Math.min(SAMPLES, count))
    const lost = isLost(searchable, generation, at)
    if (lost !== null) throw new Error(`row ${at} of ${count} cannot be found by its own ${lost}: the index is damaged`)
  }
}

function isLost(searchable: Searchable, generation: Generation, at: number): 'words' | 'vector' | null {
  const section = generation.section('symbol')
  const words = [...section.words.subarray(section.offsets[at], section.offsets[at + 1])]
  const statistics = { rows: 0, length: 0, frequencies: words.map(() => 0) }
  const keywords = searchable.keywords('symbol')
  keywords.count('all', words, statistics)
  if (words.length > 0 && !(keywords.scores('all', words, statistics)[at]! > 0)) return 'words'
  const { dim } = generation.about.model
  let square = 0
  for (const each of section.vectors.subarray(at * dim, (at + 1) * dim)) square += (each * section.scales[at]!) ** 2
  // A zero vector means that the model knows none of the words.
  return square === 0 || Math.abs(square - 1) < 0.1 ? null : 'vector'
}
