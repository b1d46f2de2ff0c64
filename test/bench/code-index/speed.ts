// How fast the code index is, and what it takes: 40 MB indexed and searched, an edit found, files looked at, grep beside
// ours. Everything runs in this process, its threads included.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { services } from '../../../daemon/services.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { SEARCH_MODES } from '../../../schemas/code-index/search.ts'
import { isInstalled } from '../../../services/code-index/agentic/programs.ts'
import { endingsOf } from '../../../services/code-index/files/languages.ts'
import { LARGEST_FILE } from '../../../services/code-index/files/text.ts'
import { walk } from '../../../services/code-index/files/walk.ts'
import { settings } from '../../../services/code-index/settings.ts'
import { request } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'
import { compare, conclude, median, timed, within } from '../report.ts'

const SOURCE_BYTES = 40_000_000
const MANY_FILES = 120_000
/** What is measured: all of it unless some of `large`, `agentic`, `fresh` and `idle` are named. */
const ASKED = process.argv.slice(3)
const STORE = process.env.SVC_INDEX_STORE ?? settings.store.default
/** Seconds between two looks, as they are by default. */
const INTERVAL = 30
/** Expressions that are the same for grep and for ripgrep, by where they are found in the sources. */
const EXPRESSIONS = { nowhere: 'no.*such[0-9]line', seldom: '\\bTODO\\b', 'in most files': 'return' }
const LIMITS = { keyword: 10, vector: 30, hybrid: 40 }
const QUESTIONS = [
  'parse a header into its parts',
  'close the connection after a timeout',
  'random number in a range',
  'matrix multiplication',
  'serialize a value to a string',
  'retry a request with back-off',
  'validate an email address',
  'split a path into segments',
]

const into = mkdtempSync(join(tmpdir(), 'svc-bench-speed-'))
const stands: ServiceStand[] = []

async function start(
  name: string,
  interval: number,
  more: Record<string, string> = {},
): Promise<(method: string, path: string, body?: object) => any> {
  const served = services({ sources: [] }).filter((each) => each.name === 'index')
  const env = {
    SVC_INDEX_EMBEDDING_PROVIDER: 'builtin',
    SVC_INDEX_WATCH_INTERVAL: String(interval),
    SVC_INDEX_GREP_TIMEOUT_SECS: '60',
    SVC_INDEX_STORE: STORE,
    ...more,
  }
  const stand = await startServices(served, { url: `sqlite:${join(into, `${name}.db`)}`, env })
  stands.push(stand)
  return (method, path, body) => request(method, stand.host.urls.index! + path, body)
}
type Ask = Awaited<ReturnType<typeof start>>

/** Registers a directory, and waits until it is indexed; its id. */
async function indexed(ask: Ask, path: string): Promise<{ id: string; files: number; chunks: number }> {
  const { id } = await ask('POST', '/repositories', { name: basename(path), path })
  for (;;) {
    const { status, error_message, progress } = await ask('GET', `/repositories/${id}/status`)
    if (status === 'ready') return { id, files: progress.files, chunks: progress.chunks }
    if (status === 'error') throw new Error(error_message)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The sources of the packages, as often as it takes for 40 MB; how many files. */
async function writeSources(cache: string, tree: string): Promise<number> {
  const endings = endingsOf(['rust', 'python', 'javascript', 'typescript'])
  const texts: { name: string; text: Buffer }[] = []
  await inPieces(
    walk({ root: cache, patterns: [], endings }, ({ path, size }) => {
      if (size > 0 && size < LARGEST_FILE / 2)
        texts.push({ name: basename(path), text: readFileSync(join(cache, path)) })
    }),
  )
  let files = 0
  for (let bytes = 0; bytes < SOURCE_BYTES; files++) {
    const { name, text } = texts[files % texts.length]!
    const folder = join(tree, `part${Math.floor(files / 100)}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${files}-${name}`), text)
    bytes += text.length
  }
  return files
}

const isAsked = (name: string): boolean => ASKED.length === 0 || ASKED.includes(name)

/** Most memory of the programs that were started and still run, in MB. */
function besideMb(): number {
  const { pid } = process
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const most = children.map(
    (child) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) / 1024,
  )
  if (most.length > 0) console.log(`beside it ${most.map((mb) => `${mb.toFixed(0)} MB`).join(' and ')}`)
  return most.reduce((sum, mb) => sum + mb, 0)
}

async function large(tree: string, files: number): Promise<void> {
  const ask = await start('large', 3600)
  let found = { id: '', files: 0, chunks: 0 }
  const before = process.cpuUsage()
  const ms = await timed(async () => (found = await indexed(ask, tree)))
  const { user, system } = process.cpuUsage(before)
  // On a busy machine this says more than the clock.
  const spent = `${((user + system) / 1e6).toFixed(1)} s of a core`
  console.log(`store ${STORE}: ${found.files} files of ${files}, ${found.chunks} chunks, ${spent}`)
  within('40 MB indexed, seconds', ms / 1000, 40, 's')
  within('files that were lost', files - found.files, 0.5, 'files')
  within('resident memory at its most', process.resourceUsage().maxRSS / 1024 + besideMb(), 700, 'MB')
  for (const mode of SEARCH_MODES) {
    const times: number[] = []
    for (const query of [...QUESTIONS, ...QUESTIONS, ...QUESTIONS])
      times.push(await timed(() => ask('POST', '/search', { query, search_mode: mode })))
    within(`a search by ${mode} over ${found.chunks} chunks, p50`, median(times), LIMITS[mode], 'ms')
  }
}

/** Beside the program that it is made of: ripgrep where it is installed, and grep where ripgrep is not. */
async function agentic(tree: string): Promise<void> {
  const bare = join(into, 'bin')
  mkdirSync(bare)
  symlinkSync(execFileSync('/bin/sh', ['-c', 'command -v grep'], { encoding: 'utf8' }).trim(), join(bare, 'grep'))
  const path = process.env.PATH!
  const hasRipgrep = isInstalled('rg', path)
  if (!hasRipgrep) console.log('ripgrep is not installed here: a search is beside grep alone')
  const ways = [
    ...(hasRipgrep ? [{ program: 'rg', path, args: ['-n', '--no-ignore', '--hidden'] }] : []),
    { program: 'grep', path: bare, args: ['-rnI'] },
  ]
  for (const way of ways) {
    const ask = await start(`by-${way.program}`, 3600, { PATH: way.path, SVC_INDEX_WORKING_DIR: tree })
    for (const [found, query] of Object.entries(EXPRESSIONS)) {
      const [ours, floor]: [number[], number[]] = [[], []]
      const turns = [
        async () => ours.push(await timed(() => ask('POST', '/search/agentic', { query }))),
        async () => floor.push(await timed(() => ran(way.program, [...way.args, '-e', query, tree]))),
      ]
      // The first round of each is of what starts, and is not counted.
      for (let round = 0; round <= 20; round++) {
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
        if (round === 0) ours.length = floor.length = 0
      }
      const what = `what is found ${found}, searched for by ${way.program}, beside ${way.program} itself`
      compare({ what, ours: median(ours), floor: median(floor), unit: 'ms', bound: 1.3 })
    }
  }
}

/** What it prints is read: where nobody does, grep ends with the first line of a file. */
function ran(program: string, args: string[]): void {
  const options = { env: { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8' }, maxBuffer: Infinity }
  try {
    execFileSync(program, args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    if ((error as { status: number }).status !== 1) throw error
  }
}

async function fresh(): Promise<void> {
  const tree = join(into, 'fresh')
  mkdirSync(tree)
  for (let at = 0; at < 200; at++)
    writeFileSync(join(tree, `${at}.ts`), `export function step${at}() {\n  return ${at}\n}\n`)
  const ask = await start('fresh', 1)
  await indexed(ask, tree)
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const name = `freshlyMade${round}`
    appendFileSync(join(tree, '7.ts'), `export function ${name}() {\n  return 1\n}\n`)
    times.push(
      await timed(async () => {
        for (;;) {
          const { results } = await ask('POST', '/search', { query: name, search_mode: 'keyword', limit: 1 })
          if (results[0]?.symbol_name === name) return
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }),
    )
  }
  within('an edit is found, seconds beyond the interval', Math.max(...times) / 1000 - 1, 2, 's')
}

async function idle(): Promise<void> {
  const tree = join(into, 'many')
  for (let at = 0; at < MANY_FILES; at++) {
    if (at % 200 === 0) mkdirSync(join(tree, `part${at / 200}`), { recursive: true })
    writeFileSync(join(tree, `part${Math.floor(at / 200)}`, `${at}.ts`), '')
  }
  const ask = await start('many', 2)
  await indexed(ask, tree)
  const looks = async () => {
    const { url } = { url: stands.at(-1)!.host.urls.index! }
    return Number(/outcome="unchanged"\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())![1])
  }
  const [first, before] = [await looks(), process.cpuUsage()]
  while ((await looks()) < first + 3) await new Promise((resolve) => setTimeout(resolve, 100))
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1e6 / ((await looks()) - first) / INTERVAL
  within(`looking at ${MANY_FILES} files every ${INTERVAL} s, share of a core`, share * 100, 2, '%')
}

try {
  const tree = join(into, 'large')
  const files = isAsked('large') || isAsked('agentic') ? await writeSources(process.argv[2] ?? '', tree) : 0
  const parts = { large: () => large(tree, files), agentic: () => agentic(tree), fresh, idle }
  for (const [name, measure] of Object.entries(parts)) {
    if (isAsked(name)) await measure()
    for (const stand of stands.splice(0)) await stand.close()
  }
} finally {
  for (const stand of stands) await stand.close()
  rmSync(into, { recursive: true, force: true })
}
conclude()
