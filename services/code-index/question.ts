// A search as it is asked over the wire, put to the thread that searches.
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { Problem, unavailable, unprocessable } from '../../platform/core/problem.ts'
import { queryFault, type SearchReply, type SearchRequest } from '../../schemas/code-index/search.ts'
import { WorkerFailure } from './engine/rpc.ts'
import type { Place } from './engine/searcher.ts'
import type { Engines } from './engines.ts'

const LIMIT = 10
const MOST = 100
/** A glob can be written that takes for ever. */
const DEADLINE_MS = 60_000

interface Asking {
  engines: Engines
  clock: Clock
  log: Log
  /** How many results were put into order by a model, and how many were to be. */
  reranks: { done: number; skipped: number }
}

/** Throws 422 for a query that is none, 500 where embedding or the store fails. */
export async function askEngine(
  request: SearchRequest,
  among: Place[],
  { engines, clock, log, reranks }: Asking,
): Promise<SearchReply> {
  const fault = queryFault(request.query)
  if (fault !== null) throw unprocessable(fault)
  const began = clock.monotonic()
  const question = {
    query: request.query,
    mode: request.search_mode ?? 'vector',
    level: request.hierarchy_level ?? 'symbol',
    limit: Math.min(MOST, Math.max(1, request.limit ?? LIMIT)),
    explain: request.explain ?? false,
    ...(request.language === undefined ? {} : { language: request.language }),
    ...(request.file_pattern === undefined ? {} : { filePattern: request.file_pattern }),
  } as const
  const asked = () => engines.searching.call('search', { among, question }, { deadlineMs: DEADLINE_MS })
  // Nothing is registered: nothing need be started to find nothing.
  const nothing = { results: [], reranked: false, skipped: null }
  const { results, reranked, skipped } = among.length === 0 ? nothing : await asked().catch(refused)
  if (reranked) reranks.done++
  if (skipped !== null) {
    reranks.skipped++
    log.warn({ rerank: 'skipped', error: skipped }, 'results keep the order that they were found in')
  }
  return { results, total: results.length, query_time_ms: Math.round(clock.monotonic() - began) }
}

function refused(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  if (error.kind === 'Stopped') throw unavailable('the daemon is stopping', error, 'stopping')
  throw new Problem(500, `the search failed: ${error.message}`, { cause: error })
}
