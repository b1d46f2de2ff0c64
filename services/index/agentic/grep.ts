// Lines of files by a basic regular expression, as grep finds them: the files that may hold one are looked for first, the
// lines are grep's own, and no search outlives its deadline.
import picomatch from 'picomatch'
import type { AgenticMatch } from '../../../schemas/index/search.ts'
import { candidates, type CandidatesAsked } from './candidates.ts'
import { MatchReader } from './match-reader.ts'
import { noExpression, run } from './programs.ts'

export interface GrepAsked extends CandidatesAsked {
  filePattern: string
  contextLines: number
  limit: number
}

export interface GrepFound {
  matches: AgenticMatch[]
}

/** Bytes of file names given to one grep. */
const MOST_ARGUMENTS = 64 * 1024

/** Throws a GrepRefusal or a GrepFailure. */
export async function grep(asked: GrepAsked, path: string): Promise<GrepFound> {
  const deadline = performance.now() + asked.deadlineMs
  const isWanted = picomatch(asked.filePattern, { dot: true, basename: !asked.filePattern.includes('/') })
  const files = await candidates(asked, { path, deadline, isWanted })
  const matches: AgenticMatch[] = []
  for (const batch of batches(files)) {
    const limit = asked.limit - matches.length
    if (limit <= 0) break
    matches.push(...(await linesOf(asked, { path, files: batch, deadline, limit })))
  }
  return { matches }
}

/** As many files at once as one grep takes. */
function* batches(files: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let bytes = 0
  for (const file of files) {
    batch.push(`./${file}`)
    bytes += Buffer.byteLength(file) + 3
    if (bytes < MOST_ARGUMENTS) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

interface Part {
  path: string
  files: string[]
  /** As of `performance.now()`. */
  deadline: number
  limit: number
}

/** Matches in these files, in their order. */
async function linesOf(asked: GrepAsked, { path, files, deadline, limit }: Part): Promise<AgenticMatch[]> {
  const { pattern, root, contextLines } = asked
  const options = ['-G', '-n', '-H', '-Z', '-I', '-s', '--color=never', '-m', String(limit), '-C', String(contextLines)]
  const reader = new MatchReader(contextLines, limit)
  const heard = (bytes: Buffer) => reader.read(bytes)
  const args = [...options, '-e', pattern, '--', ...files]
  const { code, said } = await run({ program: 'grep', args, root, path, deadline, about: asked, heard })
  // 2 is also of a file that cannot be read: then there is something to show all the same, and nothing is said.
  if (code === 2 && said !== '') throw noExpression(said)
  return reader.end()
}
