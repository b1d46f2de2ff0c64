// By name only: downloads npm and Debian packages.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, medians, timed } from '../report.ts'
import { startIndex } from './indexed.ts'
import { writeSources } from './sources.ts'

const ROUNDS = 11
const EXPRESSIONS = { nowhere: 'no.*such[0-9]line', rarely: '\\bTODO\\b', 'in most files': 'return' }

const into = mkdtempSync(join(tmpdir(), 'svc-bench-grep-'))
const tree = join(into, 'tree')
await writeSources(tree)
const { ask, close } = await startIndex(into, { SVC_INDEX_WORKING_DIR: tree, SVC_INDEX_GREP_TIMEOUT_SECS: '60' })
for (const [where, query] of Object.entries(EXPRESSIONS)) {
  const figures = await medians(ROUNDS, {
    ours: () => timed(() => ask('POST', '/search/agentic', { query })),
    floor: () => timed(() => runGrep(['-rnI', '-e', query, tree])),
  })
  compare({ what: `agentic search, matches ${where}, vs grep`, ...figures, unit: 'ms', bound: 3 })
}
await close()
rmSync(into, { recursive: true, force: true })

/** Pipes the output: with /dev/null, grep stops at the first match of a file. */
function runGrep(args: string[]): void {
  const options = { env: { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8' }, maxBuffer: Infinity }
  try {
    execFileSync('grep', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    if ((error as { status: number }).status !== 1) throw error
  }
}
