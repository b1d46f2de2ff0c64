import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log/log.ts'
import { Problem, unavailable, unprocessable } from '../../platform/core/problem.ts'
import {
  queryFault,
  type AgenticReply,
  type AgenticRequest,
  type SearchReply,
  type SearchRequest,
} from '../../schemas/code-index/search.ts'
import type { Place } from './engine/searcher.ts'
import type { IndexWorkers } from './index-workers.ts'
import { openDirectory, type SearchReach } from './search-reach.ts'
import { listOf, type IndexSettings } from './settings.ts'
import { WorkerFailure } from './workers/rpc.ts'

const LIMIT = 10
const MOST = 100
const DEADLINE_MS = 60_000
const AGENTIC_CONTEXT = 2
const AGENTIC_LIMIT = 20
const AGENTIC_MOST = 200
/** The worker checks its deadline between files only. */
const AGENTIC_GRACE_MS = 2000

interface SearchOptions {
  workers: IndexWorkers
  clock: Clock
  log: Log
  reranks: { done: number; skipped: number }
}

/** Throws 422 for an invalid query, 500 if embedding or the store fails. */
export async function search(
  request: SearchRequest,
  among: Place[],
  { workers, clock, log, reranks }: SearchOptions,
): Promise<SearchReply> {
  refuseBlank(request)
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
  const asked = () => workers.searching.call('search', { among, question }, { deadlineMs: DEADLINE_MS })
  // Avoids starting a worker if nothing is registered.
  const nothing = { results: [], reranked: false, skipped: null }
  const { results, reranked, skipped } = among.length === 0 ? nothing : await asked().catch(rethrow)
  if (reranked) reranks.done++
  if (skipped !== null) {
    reranks.skipped++
    log.warn({ rerank: 'skipped', error: skipped }, 'reranking skipped')
  }
  return { results, total: results.length, query_time_ms: Math.round(clock.monotonic() - began) }
}

interface AgenticOptions {
  clock: Clock
  values: IndexSettings
  workers: IndexWorkers
  reach: SearchReach
}

/** Throws 422 for an invalid expression, a time-out or a directory that is not open to the caller. */
export async function searchByExpression(request: AgenticRequest, options: AgenticOptions): Promise<AgenticReply> {
  const { clock, values, workers, reach } = options
  refuseBlank(request)
  const began = clock.monotonic()
  const tree = await openDirectory(request.path ?? '.', reach)
  const asked = {
    pattern: request.query,
    ...tree,
    filePattern: request.file_pattern ?? '*',
    ignore: listOf(values.ignorePatterns),
    contextLines: request.context_lines ?? AGENTIC_CONTEXT,
    limit: Math.min(AGENTIC_MOST, Math.max(1, request.limit ?? AGENTIC_LIMIT)),
    deadlineMs: values.grepTimeoutSecs * 1000,
  }
  const deadlineMs = asked.deadlineMs + AGENTIC_GRACE_MS
  const { matches } = await workers.grepping.call('grep', asked, { deadlineMs }).catch(rethrow)
  return { matches, total: matches.length, query_time_ms: Math.round(clock.monotonic() - began) }
}

function refuseBlank({ query }: { query: string }): void {
  const fault = queryFault(query)
  if (fault !== null) throw unprocessable(fault)
}

/** Errors of the workers that are the caller's. */
const REFUSALS = new Set(['GrepRefusal', 'PatternRefusal'])

function rethrow(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  if (error.kind === 'Stopped') throw unavailable('the daemon is stopping', 'stopping', error)
  if (REFUSALS.has(error.kind)) throw unprocessable(error.message)
  throw new Problem(500, `the search failed: ${error.message}`, { cause: error })
}
