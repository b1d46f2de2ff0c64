// Worker thread that keeps slow work off the daemon's event loop.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { EmbeddingSettings } from '../embedding/embedder.ts'
import type { Reranked } from '../search/rerank.ts'
import type { Question } from '../search/search.ts'
import type { StoreChoice } from '../store/port.ts'
import { selectStore, type SelectedStore } from '../store/selection.ts'
import { SummaryBook } from '../summaries/book.ts'
import { summarise, type SummaryOutcome } from '../summaries/summarise.ts'
import { index, type IndexJob, type IndexOutcome, type Progress } from './indexer.ts'
import { Parser } from '../parsing/parser.ts'
import { answer } from '../workers/rpc.ts'
import { Searcher, type Loaded, type Place, type TalkSettings } from './searcher.ts'

export interface EngineData {
  folder: string
  store: StoreChoice
  embedding: EmbeddingSettings
  talk: TalkSettings
}

const PROGRESS_MS = 200

const programBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** A failed selection is retried at the next call. */
function storeOf({ folder, store: choice }: EngineData): () => Promise<SelectedStore> {
  const program = programBeside('svc-index-lancedb.js')
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
  let parser: Parser | null = null
  return {
    index: async (job: IndexJob, note: (progress: Progress) => void): Promise<IndexOutcome> => {
      parser ??= new Parser({ program: programBeside('svc-index-parser.js'), folder })
      const journals = join(folder, 'journals')
      return index(job, { store: (await store()).store, parser, journals, progress: throttle(note) })
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
