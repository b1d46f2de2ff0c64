// Lines of files by a basic regular expression, as grep finds them: the files that hold one are looked for first, the
// lines are grep's own, and no search outlives its deadline.
import picomatch from 'picomatch'
import type { AgenticMatch } from '../../../schemas/code-index/search.ts'
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

/** Files given to the first grep: often there is enough in them. Each that follows is given more, up to so many bytes of names. */
const FIRST_FILES = 64
const MORE_FILES = 4
const MOST_ARGUMENTS = 64 * 1024

/** Throws a GrepRefusal or a GrepFailure. */
export async function grep(asked: GrepAsked, path: string): Promise<GrepFound> {
  const deadline = performance.now() + asked.deadlineMs
  const isWanted = picomatch(asked.filePattern, { dot: true, basename: !asked.filePattern.includes('/') })
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
  /** As of `performance.now()`. */
  deadline: number
  limit: number
}

/** Matches in these files, in their order. */
async function linesOf(asked: GrepAsked, { path, files, deadline, limit }: Part): Promise<AgenticMatch[]> {
  const { pattern, root, contextLines } = asked
  const options = ['-n', '-H', '-Z', '-I', '-s', '-m', String(limit), '-C', String(contextLines)]
  const reader = new MatchReader(contextLines, limit)
  const heard = (bytes: Buffer) => reader.read(bytes)
  const args = [...options, '-e', pattern, '--', ...files]
  const { code, said } = await runGrep({ args, root, path, deadline, about: asked, heard })
  // 2 is also of a file that cannot be read: then there is something to show all the same, and nothing is said.
  if (code === 2 && said !== '') throw noExpression(said)
  return reader.end()
}
