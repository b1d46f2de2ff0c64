// A search as it is asked over the wire, put to the thread that searches.
import type { Clock } from '../../platform/clock.ts'
import { Problem, unavailable, unprocessable } from '../../platform/problem.ts'
import { queryFault, type SearchReply, type SearchRequest } from '../../schemas/index/search.ts'
import { WorkerFailure } from './engine/rpc.ts'
import type { Place } from './engine/searcher.ts'
import type { Engines } from './engines.ts'

const LIMIT = 10
const MOST = 100
/** A glob can be written that takes for ever. */
const DEADLINE_MS = 60_000

/** Throws 422 for a query that is none, 500 where embedding or the store fails. */
export async function askEngine(
  engines: Engines,
  clock: Clock,
  request: SearchRequest,
  among: Place[],
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
  const results = among.length === 0 ? [] : await asked().catch(refused)
  return { results, total: results.length, query_time_ms: Math.round(clock.monotonic() - began) }
}

function refused(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  if (error.kind === 'Stopped') throw unavailable('the daemon is stopping', error, 'stopping')
  throw new Problem(500, `the search failed: ${error.message}`, { cause: error })
}
