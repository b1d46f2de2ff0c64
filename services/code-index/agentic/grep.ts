// Finds lines by a basic regular expression: first the files with a match, then their lines, within one deadline.
import type { AgenticMatch } from '../../../schemas/code-index/search.ts'
import { pathFilter } from '../files/path-patterns.ts'
import { candidates, type CandidatesAsked } from './candidates.ts'
import { MatchReader } from './match-reader.ts'
import { noExpression, runGrep } from './grep-process.ts'

export interface GrepAsked extends CandidatesAsked {
  filePattern: string
  contextLines: number
  limit: number
}

export interface GrepFound {
  matches: AgenticMatch[]
}

/** Files in the first batch, which is often enough. Later batches grow up to `MOST_ARGUMENTS` bytes of names. */
const FIRST_FILES = 64
const MORE_FILES = 4
const MOST_ARGUMENTS = 64 * 1024

/** Throws a GrepRefusal or a GrepFailure. */
export async function grep(asked: GrepAsked, path: string): Promise<GrepFound> {
  const deadline = performance.now() + asked.deadlineMs
  const isWanted = pathFilter(asked.filePattern)
  const matches: AgenticMatch[] = []
  for await (const files of batches(candidates(asked, { path, deadline, isWanted }))) {
    matches.push(...(await linesOf(asked, { path, files, deadline, limit: asked.limit - matches.length })))
    if (matches.length >= asked.limit) break
  }
  return { matches }
}

async function* batches(files: AsyncIterable<string>): AsyncGenerator<string[], void, void> {
  let [batch, bytes, most]: [string[], number, number] = [[], 0, FIRST_FILES]
  for await (const file of files) {
    batch.push(`./${file}`)
    bytes += Buffer.byteLength(file) + 3
    if (batch.length < most && bytes < MOST_ARGUMENTS) continue
    yield batch
    most *= MORE_FILES
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

interface Part {
  path: string
  files: string[]
  /** Milliseconds, as in `performance.now()`. */
  deadline: number
  limit: number
}

async function linesOf(asked: GrepAsked, { path, files, deadline, limit }: Part): Promise<AgenticMatch[]> {
  const { pattern, root, contextLines } = asked
  const options = ['-n', '-H', '-Z', '-I', '-s', '-m', String(limit), '-C', String(contextLines)]
  const reader = new MatchReader(contextLines, limit)
  const heard = (bytes: Buffer) => reader.read(bytes)
  const args = [...options, '-e', pattern, '--', ...files]
  const { code, said } = await runGrep({ args, root, path, deadline, about: asked, heard })
  // Exit code 2 without a message means an unreadable file; the other results are valid.
  if (code === 2 && said !== '') throw noExpression(said)
  return reader.end()
}
