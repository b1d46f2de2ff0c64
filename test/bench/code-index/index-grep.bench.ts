// An agentic search of 40 MB of sources beside the program that it runs: ripgrep where it is installed, and grep.
// By name only: it downloads packages of npm and Debian.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from '../../../services/code-index/agentic/programs.ts'
import { compare, medians, timed } from '../report.ts'
import { startIndex } from './indexed.ts'
import { writeSources } from './sources.ts'

const ROUNDS = 11
/** Expressions that mean the same to grep and to ripgrep, by where they match. */
const EXPRESSIONS = { nowhere: 'no.*such[0-9]line', seldom: '\\bTODO\\b', 'in most files': 'return' }

const into = mkdtempSync(join(tmpdir(), 'svc-bench-grep-'))
const tree = join(into, 'tree')
await writeSources(tree)
const bare = join(into, 'bin')
mkdirSync(bare)
symlinkSync(execFileSync('/bin/sh', ['-c', 'command -v grep'], { encoding: 'utf8' }).trim(), join(bare, 'grep'))
const path = process.env.PATH!
const programs = [
  ...(isInstalled('rg', path) ? [{ program: 'rg', path, args: ['-n', '--no-ignore', '--hidden'] }] : []),
  { program: 'grep', path: bare, args: ['-rnI'] },
]
for (const { program, path: PATH, args } of programs) {
  const folder = join(into, program)
  mkdirSync(folder)
  const env = { PATH, SVC_INDEX_WORKING_DIR: tree, SVC_INDEX_GREP_TIMEOUT_SECS: '60' }
  const { ask, close } = await startIndex(folder, env)
  for (const [where, query] of Object.entries(EXPRESSIONS)) {
    const figures = await medians(ROUNDS, {
      ours: () => timed(() => ask('POST', '/search/agentic', { query })),
      floor: () => timed(() => run(program, [...args, '-e', query, tree])),
    })
    compare({ what: `agentic search, matches ${where}, beside ${program}`, ...figures, unit: 'ms', bound: 3 })
  }
  await close()
}
rmSync(into, { recursive: true, force: true })

/** Reads the output: grep ends after the first line of a file if nothing reads it. */
function run(program: string, args: string[]): void {
  const options = { env: { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8' }, maxBuffer: Infinity }
  try {
    execFileSync(program, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    if ((error as { status: number }).status !== 1) throw error
  }
}
