// Finds lines by a basic regular expression: first the files with a match, then their lines, within one deadline.
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { openWithin } from '../../../platform/files/open-file.ts'
import type { AgenticMatch } from '../../../schemas/code-index/search.ts'
import { pathFilter } from '../files/path-patterns.ts'
import { candidates, type CandidatesAsked } from './candidates.ts'
import { noExpression, runGrep } from './grep-process.ts'
import { withoutReturns } from './line-ends.ts'
import { showMatchedParts } from './long-lines.ts'
import { MatchReader } from './match-reader.ts'

export interface GrepAsked extends CandidatesAsked {
  filePattern: string
  contextLines: number
  limit: number
}

export interface GrepFound {
  matches: AgenticMatch[]
}

/** Files in the first batch, which is often enough, and in later ones: grep inherits a descriptor for each. */
const FIRST_FILES = 64
const MORE_FILES = 256
/** Bytes of temporary copies per batch. */
const MOST_COPIED = 64 * 1024 * 1024

/** Throws a GrepRefusal or a GrepFailure. */
export async function grep(asked: GrepAsked, path: string): Promise<GrepFound> {
  const deadline = performance.now() + asked.deadlineMs
  const isWanted = pathFilter(asked.filePattern)
  const matches: AgenticMatch[] = []
  for await (const files of batches(candidates(asked, { path, deadline, isWanted }), asked)) {
    matches.push(...(await linesOf(asked, { path, files, deadline, limit: asked.limit - matches.length })))
    if (matches.length >= asked.limit) break
  }
  return { matches }
}

interface OpenedFile {
  name: string
  file: number
}

/** The files of a batch are closed after it. */
async function* batches(names: AsyncIterable<string>, asked: GrepAsked): AsyncGenerator<OpenedFile[], void, void> {
  let batch: OpenedFile[] = []
  let [most, copied] = [FIRST_FILES, 0]
  try {
    for await (const name of names) {
      const opened = openFile(name, asked)
      if (opened === null) continue
      batch.push({ name, file: opened.file })
      copied += opened.copied
      if (batch.length < most && copied < MOST_COPIED) continue
      yield batch
      close(batch)
      batch = []
      most = MORE_FILES
      copied = 0
    }
    if (batch.length > 0) yield batch
  } finally {
    close(batch)
  }
}

function close(batch: readonly OpenedFile[]): void {
  for (const { file } of batch) closeSync(file)
}

/** Null if its folder has been replaced by a link since it was listed. */
function openFile(name: string, asked: GrepAsked): { file: number; copied: number } | null {
  const file = openWithin(join(asked.root, name), asked)
  if (file === null) return null
  try {
    const copy = withoutReturns(file)
    if (copy === null) return { file, copied: 0 }
    closeSync(file)
    return { file: copy.file, copied: copy.bytes }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

interface Part {
  path: string
  files: readonly OpenedFile[]
  /** Milliseconds, as in `performance.now()`. */
  deadline: number
  limit: number
}

const OPTIONS = ['-n', '-b', '-H', '-Z', '-I', '-s', '--no-group-separator']

async function linesOf(asked: GrepAsked, { path, files: opened, deadline, limit }: Part): Promise<AgenticMatch[]> {
  const { pattern, root, contextLines } = asked
  const files = opened.map(({ file }) => file)
  const fileOf = new Map(opened.map((each, at) => [descriptor(at), each]))
  const options = [...OPTIONS, '-m', String(limit), '-C', String(contextLines)]
  const reader = new MatchReader(contextLines, limit)
  const heard = (bytes: Buffer) => reader.read(bytes)
  const run = { root, files, path, deadline, about: asked }
  const { code, said } = await runGrep({ ...run, args: [...options, '-e', pattern, '--', ...fileOf.keys()], heard })
  // Exit code 2 without a message means an unreadable file; the other results are valid.
  if (code === 2 && said !== '') throw noExpression(said)
  const found = reader.end()
  const long = found.filter(({ isLong }) => isLong)
  if (long.length > 0) await showMatchedParts(long, { ...run, descriptorOf: (name) => fileOf.get(name)!.file })
  return found.map(({ match, file }) => ({ ...match, file_path: fileOf.get(file)!.name }))
}

/** Name of an inherited file in the process. */
const descriptor = (at: number): string => `/dev/fd/${at + 3}`
