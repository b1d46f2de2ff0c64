// Compares rank of the right file and time with other code searches that need no network.
// By name only: downloads npm and Debian packages.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { cacheFolder, succeeds } from '../packages.ts'
import { compare, median } from '../report.ts'
import { startIndexed } from './indexed.ts'
import packages from './packages.json' with { type: 'json' }
import { prepare, type Question } from './questions.ts'

/** Asks every fourth question, because each one starts a process per peer. */
const EVERY = 4
const MOST_FILES = 10
const MOST_RESULTS = 50
const LARGEST_OUTPUT = 256 * 1024 * 1024

/** Returns paths relative to the language's tree, best first. */
type Finds = (question: Question) => Promise<string[]> | string[]

interface Peer {
  name: string
  /** Null if it could not be installed. */
  program: string | null
  /** Called once per tree. */
  makeReady?(program: string, tree: string): void
  find(program: string, tree: string, question: string): string[]
}

const installed = cacheFolder('index-peers')
const into = mkdtempSync(join(tmpdir(), 'svc-bench-peers-'))
/** Keeps peers out of the user's home and disables telemetry. */
const ENV = { PATH: process.env.PATH!, HOME: join(into, 'home'), NO_COLOR: '1', DO_NOT_TRACK: '1' }

const run = (program: string, args: string[], cwd: string): string =>
  execFileSync(program, args, {
    cwd,
    env: ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: LARGEST_OUTPUT,
  })

/** Parses the JSON in a program's output. */
function listIn(text: string, from: string, to: string): any {
  const [first, last] = [text.indexOf(from), text.lastIndexOf(to)]
  return first < 0 ? null : JSON.parse(text.slice(first, last + 1))
}

const PACKAGES = { codegraph: '@colbymchenry/codegraph@1.6.1', probe: '@probelabs/probe@0.6.0-rc325' }
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }
const attempt = (command: string, args: string[]): boolean => succeeds(command, args, installed)

function fetchCodegraph(): void {
  if (existsSync(join(installed, 'node_modules/.bin/codegraph'))) return
  writeFileSync(join(installed, 'package.json'), '{"private": true}')
  attempt('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PACKAGES.codegraph])
}

/** Unpacks only the program: a dependency, which it does not need, is not in the registry. */
function fetchProbe(): void {
  if (existsSync(join(installed, 'probe'))) return
  attempt('npm', ['pack', '--silent', PACKAGES.probe])
  const packed = readdirSync(installed).find((name) => name.startsWith('probelabs-probe-') && name.endsWith('.tgz'))
  if (packed === undefined || !attempt('tar', ['xzf', packed])) return
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'
  const binaries = join(installed, 'package/bin/binaries')
  const fits = (name: string) => name.endsWith(`-${ARCHITECTURES[process.arch]}-${system}.tar.gz`)
  const program = existsSync(binaries) ? readdirSync(binaries).find(fits) : undefined
  mkdirSync(join(installed, 'unpacked'), { recursive: true })
  const isUnpacked = program !== undefined && attempt('tar', ['xzf', join(binaries, program), '-C', 'unpacked'])
  if (isUnpacked) renameSync(join(installed, 'unpacked'), join(installed, 'probe'))
  for (const name of ['package', packed]) rmSync(join(installed, name), { recursive: true })
}

fetchCodegraph()
fetchProbe()

const PEERS: Peer[] = [
  {
    name: '@probelabs/probe',
    program: probeIn(join(installed, 'probe')),
    find: (program, tree, question) => {
      const options = ['--max-results', String(MOST_RESULTS), '--format', 'json']
      const said = listIn(run(program, ['search', ...options, question, tree], tree), '{', '}')
      return (said?.results ?? []).map(({ file }: { file: string }) => relative(tree, resolve(tree, file)))
    },
  },
  {
    name: '@colbymchenry/codegraph',
    program: existing(join(installed, 'node_modules/.bin/codegraph')),
    makeReady: (program, tree) => void run(program, ['init', tree], tree),
    find: (program, tree, question) => {
      const said = listIn(
        run(program, ['query', '-p', tree, '-j', '-l', String(MOST_RESULTS), question], tree),
        '[',
        ']',
      )
      return (said ?? []).map(({ node }: { node: { filePath: string } }) => node.filePath)
    },
  },
]

function existing(path: string): string | null {
  return existsSync(path) ? path : null
}

function probeIn(folder: string): string | null {
  if (!existsSync(folder)) return null
  const name = readdirSync(folder).find((each) => existsSync(join(folder, each, 'probe')))
  return name === undefined ? null : join(folder, name, 'probe')
}

interface Judged {
  name: string
  /** nDCG@10 of files, with one relevant file. */
  gains: { group: string; gain: number }[]
  times: number[]
}

async function judged(name: string, questions: readonly Question[], finds: Finds): Promise<Judged> {
  const made: Judged = { name, gains: [], times: [] }
  for (const question of questions) {
    const began = performance.now()
    const files = [...new Set(await finds(question))].slice(0, MOST_FILES)
    made.times.push(performance.now() - began)
    const at = files.indexOf(question.path)
    made.gains.push({ group: question.group, gain: at < 0 ? 0 : 1 / Math.log2(at + 2) })
  }
  return made
}

const meanOf = (gains: Judged['gains'], group?: string): number => {
  const own = gains.filter((each) => group === undefined || each.group === group)
  return own.reduce((sum, { gain }) => sum + gain, 0) / Math.max(1, own.length)
}

function table(all: readonly Judged[]): string {
  const groups = Object.keys(packages)
  const rows = all.map(({ name, gains, times }) => {
    const own = groups.map((group) => meanOf(gains, group).toFixed(3))
    return `| ${name} | ${meanOf(gains).toFixed(3)} | ${own.join(' | ')} | ${median(times).toFixed(0)} |`
  })
  const head = `| search | nDCG@10 of files | ${groups.join(' | ')} | p50 ms |`
  return [head, `|${'---|'.repeat(groups.length + 3)}`, ...rows].join('\n')
}

/** Must run before the peers: they block this process, and keep-alive connections would close. */
async function ours(questions: readonly Question[]): Promise<Judged> {
  const { ask, close } = await startIndexed(into)
  try {
    const { repositories } = await ask('GET', '/repositories?limit=100')
    const ids = new Map<string, string>(repositories.map(({ name, id }: { name: string; id: string }) => [name, id]))
    return await judged('ours, hybrid', questions, async ({ question, group }) => {
      const body = { query: question, search_mode: 'hybrid', limit: MOST_RESULTS, repo_id: ids.get(group) }
      const { results } = await ask('POST', '/search', body)
      return results.map(({ file_path }: { file_path: string }) => file_path)
    })
  } finally {
    await close()
  }
}

async function peer({ name, program, makeReady, find }: Peer, questions: readonly Question[]): Promise<Judged | null> {
  if (program === null) {
    console.log(`skipped: ${name} could not be installed`)
    return null
  }
  for (const language of Object.keys(packages)) makeReady?.(program, join(into, language))
  return judged(`${name}, including process start`, questions, ({ question, group }) =>
    find(program, join(into, group), question),
  )
}

try {
  const { questions: all } = await prepare(into)
  const questions = all.filter((_each, at) => at % EVERY === 0)
  const own = await ours(questions)
  const others: Judged[] = []
  for (const each of PEERS) {
    const made = await peer(each, questions)
    if (made) others.push(made)
  }
  console.log(`${questions.length} questions\n\n${table([own, ...others])}\n`)
  for (const { name, gains } of others) {
    const what = `nDCG@10 of files, ${name.split(',')[0]} vs ours`
    compare({ what, ours: meanOf(gains) * 100, floor: meanOf(own.gains) * 100, unit: '%', bound: 1 })
  }
  console.log(`${others.length} peers compared, ${PEERS.length - others.length} skipped`)
} finally {
  rmSync(into, { recursive: true, force: true })
}
