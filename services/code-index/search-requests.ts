import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
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
  working: string
  repositories: readonly { root: string; path: string }[]
}

/** Throws 422 for an invalid expression, a time-out or a path outside the allowed directories. */
export async function searchByExpression(request: AgenticRequest, options: AgenticOptions): Promise<AgenticReply> {
  const { clock, values, workers } = options
  refuseBlank(request)
  const began = clock.monotonic()
  const root = await resolveAllowed(request.path ?? '.', options)
  const asked = {
    pattern: request.query,
    root,
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

/** Resolves a path inside the working directory or a registered repository. Throws 422. */
async function resolveAllowed(path: string, { working, repositories }: AgenticOptions): Promise<string> {
  const wanted = path.includes('\0') ? null : resolve(working, path)
  const root = wanted === null ? null : await realpath(wanted).catch(() => null)
  if (root === null || !(await stat(root).catch(() => null))?.isDirectory())
    throw unprocessable(`path ${JSON.stringify(path)} is not a directory: use one within a repository`)
  const roots = [await realpath(working).catch(() => working), ...repositories.map((each) => each.root)]
  // A daemon started in / must not expose the whole disk.
  if (roots.some((each) => each !== sep && (root === each || root.startsWith(each + sep)))) return root
  throw unprocessable(
    `path ${JSON.stringify(path)} is outside the allowed directories: use one in ${working} or in a registered repository`,
  )
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
