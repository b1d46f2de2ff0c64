// A search by expression as it is asked over the wire: where it may look, and what it answers.
import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Clock } from '../../../platform/core/clock.ts'
import { Problem, unavailable, unprocessable } from '../../../platform/core/problem.ts'
import { queryFault, type AgenticReply, type AgenticRequest } from '../../../schemas/code-index/search.ts'
import { WorkerFailure } from '../engine/rpc.ts'
import type { Engines } from '../engines.ts'
import { listOf, type IndexSettings } from '../settings.ts'

interface Place {
  clock: Clock
  values: IndexSettings
  engines: Engines
  /** The service's working directory. */
  working: string
  repositories: readonly { root: string; path: string }[]
}

const CONTEXT = 2
const LIMIT = 20
const MOST = 200
const GRACE_MS = 2000

/** Throws 422 for an expression that is none or takes too long, and a path outside of what may be searched. */
export async function searchFiles(request: AgenticRequest, place: Place): Promise<AgenticReply> {
  const { clock, values, engines } = place
  const fault = queryFault(request.query)
  if (fault !== null) throw unprocessable(fault)
  const began = clock.monotonic()
  const root = await allowed(request.path ?? '.', place)
  const asked = {
    pattern: request.query,
    root,
    filePattern: request.file_pattern ?? '*',
    ignore: listOf(values.ignorePatterns),
    contextLines: request.context_lines ?? CONTEXT,
    limit: Math.min(MOST, Math.max(1, request.limit ?? LIMIT)),
    deadlineMs: values.grepTimeoutSecs * 1000,
  }
  // A glob may take for ever as well, where nothing looks at the clock.
  const deadlineMs = asked.deadlineMs + GRACE_MS
  const { matches } = await engines.grepping.call('grep', asked, { deadlineMs }).catch(refused)
  return { matches, total: matches.length, query_time_ms: Math.round(clock.monotonic() - began) }
}

/** Where a path leads, if that is in the working directory or a registered repository. Throws 422. */
async function allowed(path: string, { working, repositories }: Place): Promise<string> {
  const wanted = path.includes('\0') ? null : resolve(working, path)
  const root = wanted === null ? null : await realpath(wanted).catch(() => null)
  if (root === null || !(await stat(root).catch(() => null))?.isDirectory())
    throw unprocessable(`path ${JSON.stringify(path)} is no directory: name one within a repository`)
  const roots = [await realpath(working).catch(() => working), ...repositories.map((each) => each.root)]
  // A daemon that was started at the top of the disk does not open all of it.
  if (roots.some((each) => each !== sep && (root === each || root.startsWith(each + sep)))) return root
  throw unprocessable(
    `path ${JSON.stringify(path)} is outside: it should lie in ${working} or in a registered repository`,
  )
}

function refused(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  if (error.kind === 'Stopped') throw unavailable('the daemon is stopping', error, 'stopping')
  if (error.kind === 'GrepRefusal') throw unprocessable(error.message)
  throw new Problem(500, `the search failed: ${error.message}`, { cause: error })
}
