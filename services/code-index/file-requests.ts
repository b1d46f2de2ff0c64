import { join } from 'node:path'
import { Problem, unavailable, unprocessable } from '../../platform/core/problem.ts'
import type { ClosedSet } from '../../platform/files/closed-set.ts'
import { MOST_LINES, type FileLines, type FileQuery } from '../../schemas/code-index/file.ts'
import type { IndexWorkers } from './index-workers.ts'
import type { RepositoryRow } from './repositories.ts'
import { indexedFiles, type IndexSettings } from './settings.ts'
import { WorkerFailure } from './workers/rpc.ts'

const DEADLINE_MS = 10_000

interface FileOptions {
  closed: ClosedSet
  values: IndexSettings
  workers: Pick<IndexWorkers, 'grepping'>
}

/** Throws 404 for a missing file, 422 for one that is closed or not indexed. */
export async function readFileLines(
  row: RepositoryRow,
  { path, from = 1, to = from + MOST_LINES - 1 }: FileQuery,
  { closed, values, workers }: FileOptions,
): Promise<FileLines> {
  const { root } = row
  closed.refuse('path', path, { real: join(root, path) })
  const asked = { root, hidden: closed.hiddenIn(root), ...indexedFiles(row, values), path, from, to }
  return workers.grepping.call('fileLines', asked, { deadlineMs: DEADLINE_MS }).catch(rethrow)
}

function rethrow(error: unknown): never {
  if (!(error instanceof WorkerFailure)) throw error
  if (error.kind === 'FileMissing') throw new Problem(404, error.message)
  if (error.kind === 'FileRefusal') throw unprocessable(error.message)
  if (error.kind === 'Stopped') throw unavailable('the daemon is stopping', 'stopping', error)
  throw new Problem(500, `the file cannot be read: ${error.message}`, { cause: error })
}
