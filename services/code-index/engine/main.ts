// Worker thread that keeps slow work off the daemon's event loop.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Chunker } from '../chunks/chunker.ts'
import { BuiltinEmbedder } from '../embedding/builtin.ts'
import type { EmbeddingSettings } from '../embedding/embedder.ts'
import type { Reranked } from '../search/rerank.ts'
import type { Question } from '../search/search.ts'
import type { StoreChoice } from '../store/port.ts'
import { selectStore, type SelectedStore } from '../store/selection.ts'
import { SummaryBook } from '../summaries/book.ts'
import { summarise, type SummaryOutcome } from '../summaries/summarise.ts'
import { index, type IndexJob, type IndexOutcome, type Progress } from './indexer.ts'
import type { Helper } from './preparation.ts'
import { pack, prepare, type Packed, type PreparedChunk } from './prepare.ts'
import { answer, WorkerClient } from '../workers/rpc.ts'
import { Searcher, type Loaded, type Place, type TalkSettings } from './searcher.ts'

export interface EngineData {
  folder: string
  store: StoreChoice
  embedding: EmbeddingSettings
  talk: TalkSettings
}

const PROGRESS_MS = 200

const HELPER_LIMITS = { maxOldGenerationSizeMb: 256 }

function helperOf(data: EngineData): (() => Helper) | null {
  if (availableParallelism() < 2) return null
  return () => {
    const client = new WorkerClient<Pick<Helper, 'prepare'>>(fileURLToPath(import.meta.url), data, HELPER_LIMITS)
    return { prepare: (job) => client.call('prepare', job), stop: () => client.stop() }
  }
}

/** A failed selection is retried at the next call. */
function storeOf({ folder, store: choice }: EngineData): () => Promise<SelectedStore> {
  const program = fileURLToPath(new URL('svc-index-lancedb.js', import.meta.url))
  let chosen: Promise<SelectedStore> | null = null
  return () => {
    chosen ??= selectStore({ choice, folder, program }).catch((error: unknown) => {
      chosen = null
      throw error
    })
    return chosen
  }
}

function engine(data: EngineData) {
  const { folder, embedding, talk } = data
  const summaries = join(folder, 'summaries')
  const store = storeOf(data)
  let searching: Searcher | null = null
  const searcher = async () => {
    const chosen = await store()
    return (searching ??= new Searcher(chosen, { embedding, talk, summaries }))
  }
  let chunker: Promise<Chunker> | null = null
  let builtin: BuiltinEmbedder | null = null
  return {
    index: async (job: IndexJob, note: (progress: Progress) => void): Promise<IndexOutcome> => {
      chunker ??= Chunker.load()
      return index(job, {
        store: (await store()).store,
        chunker: await chunker,
        journals: join(folder, 'journals'),
        progress: throttle(note),
        newHelper: helperOf(data),
      })
    },
    prepare: async ({ embeds, files, ...tree }: Parameters<Helper['prepare']>[0]): Promise<Packed> => {
      chunker ??= Chunker.load()
      builtin ??= embeds ? BuiltinEmbedder.load(embedding.weights) : null
      const prepared: PreparedChunk[][] = []
      for (const file of files)
        prepared.push(await prepare(file, { ...tree, chunker: await chunker, embedder: embeds ? builtin : null }))
      return pack(prepared)
    },
    /** Deletes old generations; call after the current one has been loaded for search. */
    tidy: async (root: string): Promise<void> => (await store()).store.tidy(root),
    summarise: async (root: string): Promise<SummaryOutcome | null> => {
      if (talk.summary === null) return null
      const book = new SummaryBook(summaries, root, talk.summary.model)
      return summarise(root, { store: (await store()).store, book, chat: talk.summary })
    },
    load: async (place: Place): Promise<Loaded | null> => (await searcher()).load(place),
    unload: async (repoId: string): Promise<void> => (await searcher()).unload(repoId),
    search: async ({ among, question }: { among: Place[]; question: Question }): Promise<Reranked> =>
      (await searcher()).search(among, question),
  }
}
export type Engine = ReturnType<typeof engine>

/** Passes on the first and last progress, and others at most every `PROGRESS_MS`. */
function throttle(note: (progress: Progress) => void): (progress: Progress) => void {
  let sentAt = -PROGRESS_MS
  return (progress) => {
    const now = performance.now()
    if (now - sentAt < PROGRESS_MS && progress.files < progress.files_total) return
    sentAt = now
    note(progress)
  }
}

export const serveEngine = (port: MessagePort, data: EngineData): void => answer(port, engine(data))

if (parentPort) serveEngine(parentPort, workerData as EngineData)
