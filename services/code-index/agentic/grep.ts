// Finds lines by a basic regular expression: first the files with a match, then their lines, within one deadline.
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { openWithin } from '../../../platform/files/open-file.ts'
import type { AgenticMatch } from '../../../schemas/code-index/search.ts'
import { pathFilter } from '../files/path-patterns.ts'
import { candidates, type CandidatesAsked } from './candidates.ts'
import { MatchReader } from './match-reader.ts'
import { expressionArgs, noExpression, runGrep } from './grep-process.ts'

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
  let [batch, most]: [string[], number] = [[], FIRST_FILES]
  for await (const file of files) {
    batch.push(file)
    if (batch.length < most) continue
    yield batch
    most = MORE_FILES
    batch = []
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

async function linesOf(asked: GrepAsked, { path, files: names, deadline, limit }: Part): Promise<AgenticMatch[]> {
  const { pattern, root, contextLines } = asked
  // Their folders may have been replaced by links since they were listed.
  const opened = names.flatMap((name) => {
    const file = openWithin(join(root, name), asked)
    return file === null ? [] : [{ name, file }]
  })
  const files = opened.map(({ file }) => file)
  const nameOf = new Map(opened.map(({ name }, at) => [descriptor(at), name]))
  const options = [
    '-n',
    '-H',
    '-Z',
    '-I',
    '-s',
    '-m',
    String(limit),
    '-C',
    String(contextLines),
    '--no-group-separator',
  ]
  const reader = new MatchReader(contextLines, limit)
  const heard = (bytes: Buffer) => reader.read(bytes)
  const args = [...options, ...expressionArgs(pattern), '--', ...nameOf.keys()]
  const run = runGrep({ args, root, files, path, deadline, about: asked, heard })
  for (const file of files) closeSync(file)
  const { code, said } = await run
  // Exit code 2 without a message means an unreadable file; the other results are valid.
  if (code === 2 && said !== '') throw noExpression(said)
  return reader.end().map((match) => ({ ...match, file_path: nameOf.get(match.file_path)! }))
}

/** Name of an inherited file in the process. */
const descriptor = (at: number): string => `/dev/fd/${at + 3}`
