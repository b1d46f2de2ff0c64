// The worker thread of the code index: everything that takes long happens here, and never on the daemon's loop.
import { join } from 'node:path'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { grep, type GrepAsked, type GrepFound } from '../agentic/grep.ts'
import { Chunker } from '../chunks/chunker.ts'
import type { EmbeddingSettings } from '../embedding/embedder.ts'
import type { Question } from '../search/search.ts'
import { FileStore } from '../store/file-store.ts'
import type { SearchResult } from '../../../schemas/index/search.ts'
import { index, SeenTrees, type IndexJob, type IndexOutcome, type Progress } from './indexer.ts'
import { answer } from './rpc.ts'
import { Searcher, type Loaded, type Place } from './searcher.ts'

/** What a worker is started with. */
export interface EngineData {
  /** Folder of the store. */
  folder: string
  embedding: EmbeddingSettings
  /** Environment of programs that are started. */
  path: string
}

const PROGRESS_MS = 200

function engine({ folder, embedding, path }: EngineData) {
  const store = new FileStore(folder)
  const searcher = new Searcher(store, embedding)
  const seen = new SeenTrees()
  let chunker: Promise<Chunker> | null = null
  return {
    index: async (job: IndexJob, note: (progress: Progress) => void): Promise<IndexOutcome> => {
      chunker ??= Chunker.load()
      const progress = seldom(note)
      return index(job, { store, seen, chunker: await chunker, journals: join(folder, 'journals'), progress })
    },
    /** After the generation in force is searched: what came before it goes. */
    tidy: async (root: string): Promise<void> => store.tidy(root),
    load: (place: Place): Promise<Loaded | null> => searcher.load(place),
    unload: async (repoId: string): Promise<void> => searcher.unload(repoId),
    search: ({ among, question }: { among: Place[]; question: Question }): Promise<SearchResult[]> =>
      searcher.search(among, question),
    grep: (asked: GrepAsked): Promise<GrepFound> => grep(asked, path),
  }
}
export type Engine = ReturnType<typeof engine>

/** Tells the first, the last, and in between not more often than anybody looks. */
function seldom(note: (progress: Progress) => void): (progress: Progress) => void {
  let told = -PROGRESS_MS
  return (progress) => {
    const now = performance.now()
    if (now - told < PROGRESS_MS && progress.files < progress.files_total) return
    told = now
    note(progress)
  }
}

export const serveEngine = (port: MessagePort, data: EngineData): void => answer(port, engine(data))

if (parentPort) serveEngine(parentPort, workerData as EngineData)
