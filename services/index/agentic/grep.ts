// Lines of files by a basic regular expression, as grep finds them: the files are chosen here, the expression is grep's
// own, and no search outlives its deadline.
import { spawn } from 'node:child_process'
import picomatch from 'picomatch'
import { hasTime, nextTurn } from '../../../platform/async/pieces.ts'
import type { AgenticMatch } from '../../../schemas/index/search.ts'
import { walk, type FoundFile } from '../files/walk.ts'
import { MatchReader } from './match-reader.ts'

export interface GrepAsked {
  pattern: string
  /** Absolute; a directory. */
  root: string
  filePattern: string
  /** Patterns of files that are left out. */
  ignore: string[]
  contextLines: number
  limit: number
  deadlineMs: number
}

export interface GrepFound {
  matches: AgenticMatch[]
}

/** The expression is none, or takes longer than it may. */
export class GrepRefusal extends Error {
  override readonly name = 'GrepRefusal'
}

/** grep is not there, or failed for another reason than the expression. */
export class GrepFailure extends Error {
  override readonly name = 'GrepFailure'
}

/** Bytes of file names given to one grep. */
const MOST_ARGUMENTS = 64 * 1024
/** Larger files are data. */
const LARGEST_FILE = 64 * 1024 * 1024

/** Throws a GrepRefusal or a GrepFailure. */
export async function grep(asked: GrepAsked, path: string): Promise<GrepFound> {
  const deadline = performance.now() + asked.deadlineMs
  const matches: AgenticMatch[] = []
  const matcher = picomatch(asked.filePattern, { dot: true, basename: !asked.filePattern.includes('/') })
  // One grep reads its files while those of the next are looked for.
  let running: Promise<void> = Promise.resolve()
  const search = async (files: string[]) => {
    await running
    const limit = asked.limit - matches.length
    if (limit <= 0) return
    running = run(asked, { path, files, deadline, limit }).then((found) => void matches.push(...found))
    // It is waited for later: until then its failure is nobody's.
    running.catch(() => undefined)
  }
  let isAsked = false
  for await (const files of batches(asked, matcher, deadline)) {
    isAsked = true
    await search(files)
    if (matches.length >= asked.limit) break
  }
  // Without a file grep still says whether it is an expression.
  if (!isAsked) await search(['/dev/null'])
  await running
  return { matches: matches.slice(0, asked.limit) }
}

/** Files that are searched, as many at once as one grep takes. */
async function* batches(
  asked: GrepAsked,
  matches: (path: string) => boolean,
  deadline: number,
): AsyncGenerator<string[]> {
  let batch: string[] = []
  let bytes = 0
  for (const file of walked(asked.root, asked.ignore)) {
    if (!hasTime()) await nextTurn()
    if (performance.now() > deadline) throw tooSlow(asked)
    if (file === null || file.size > LARGEST_FILE || /[\n\0]/.test(file.path) || !matches(file.path)) continue
    batch.push(`./${file.path}`)
    bytes += Buffer.byteLength(file.path) + 3
    if (bytes < MOST_ARGUMENTS) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Each file, and null between them where the walk may be interrupted. */
function* walked(root: string, patterns: readonly string[]): Generator<FoundFile | null> {
  const found: FoundFile[] = []
  const steps = walk({ root, patterns, endings: null }, (file) => found.push(file))
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (found.length === 0) yield null
    yield* found.splice(0)
  }
  yield* found
}

interface Part {
  path: string
  files: string[]
  /** As of `performance.now()`. */
  deadline: number
  limit: number
}

/** Matches in these files, in their order; grep is dead when this settles. */
function run(asked: GrepAsked, { path, files, deadline, limit }: Part): Promise<AgenticMatch[]> {
  const { pattern, root, contextLines, deadlineMs } = asked
  const options = ['-G', '-n', '-H', '-Z', '-I', '-s', '--color=never', '-m', String(limit), '-C', String(contextLines)]
  return new Promise((resolve, reject) => {
    // Whatever becomes of us, the kernel ends it after so many seconds of computing.
    const seconds = String(Math.ceil(deadlineMs / 1000) + 1)
    const limited = ['-c', 'ulimit -t "$0"; exec grep "$@"', seconds]
    const child = spawn('/bin/sh', [...limited, ...options, '-e', pattern, '--', ...files], {
      cwd: root,
      env: { PATH: path, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const reader = new MatchReader(contextLines, limit)
    let said = ''
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        child.kill('SIGKILL')
      },
      Math.max(1, deadline - performance.now()),
    )
    child.stdout.on('data', (bytes: Buffer) => {
      if (!reader.read(bytes)) child.kill('SIGKILL')
    })
    child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString('utf8')).slice(0, 500)))
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new GrepFailure(`grep could not be started: ${error.message}: install GNU grep`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (isLate) reject(tooSlow({ deadlineMs, pattern }))
      // 2 is also of a file that cannot be read: then there is something to show all the same, and nothing is said.
      else if (code === 2 && said !== '')
        reject(new GrepRefusal(`query is no basic regular expression: ${said.trim()}`))
      else resolve(reader.end())
    })
  })
}

function tooSlow({ deadlineMs, pattern }: Pick<GrepAsked, 'deadlineMs' | 'pattern'>): GrepRefusal {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern
  return new GrepRefusal(
    `query "${shown}" took longer than ${deadlineMs / 1000} s and was ended: write a simpler expression, or name a smaller path`,
  )
}
