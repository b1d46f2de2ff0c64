import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { indexProgram, indexWeights } from '../../../daemon/package-root.ts'
import type { ChunkStore, StoreKind } from '../../../services/code-index/store/port.ts'
import { LEVELS } from '../../../schemas/code-index/search.ts'
import { times } from '../campaign.ts'
import { numbers } from '../../support/random.ts'
import { makeTree } from '../../services/code-index/stand.ts'

const SCRIPT = `
const { Worker } = require('node:worker_threads')
const [program, data, job] = process.argv.slice(1)
const worker = new Worker(program, { workerData: JSON.parse(data) })
worker.on('message', (said) => {
  if ('note' in said) return process.stdout.write('file ')
  process.exit('error' in said ? 1 : 0)
})
worker.postMessage({ id: 0, method: 'index', input: JSON.parse(job) })
`

type Victim = 'the daemon' | 'the parser process' | 'the LanceDB process'

const PROGRAMS = { 'the parser process': 'svc-index-parser.js', 'the LanceDB process': 'svc-index-lancedb.js' }

interface Kill {
  victim: Victim
  /** Milliseconds after the first indexed file. */
  after: number
}

function kill(victim: Victim, pid: number): void {
  try {
    const victims = victim === 'the daemon' ? [pid] : childrenOf(pid, PROGRAMS[victim])
    for (const each of victims) process.kill(each, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

const childrenOf = (pid: number, program: string): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(program))

async function index(
  { kind, root, folder }: { kind: StoreKind; root: string; folder: string },
  killed: Kill | null,
): Promise<number | null> {
  const embedding = {
    provider: 'builtin',
    model: '',
    endpoint: '',
    key: null,
    timeoutMs: 1,
    chosen: true,
    weights: indexWeights(),
  }
  const data = { folder: join(folder, 'code_chunks'), store: kind, embedding }
  const job = { root, hidden: [], patterns: [], languages: ['typescript'], embedding, anew: false, distrusted: false }
  const child = spawn(process.execPath, ['-e', SCRIPT, indexProgram(), JSON.stringify(data), JSON.stringify(job)])
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  if (killed !== null) {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await sleep(killed.after)
    if (child.exitCode === null) kill(killed.victim, child.pid!)
  }
  return ended
}

interface Kills {
  newFolder(): string
  open(folder: string): ChunkStore
  longestMs: number
}

async function rows(store: ChunkStore, root: string): Promise<string[] | null> {
  const generation = await store.open(root)
  const found: string[] = []
  for (const level of LEVELS) {
    const section = generation?.section(level)
    const all = (await section?.rows(Array.from({ length: section.count }, (_each, at) => at))) ?? []
    found.push(...all.map(({ id, hash }) => `${id} ${hash}`))
  }
  generation?.close()
  await store.close()
  return generation && found
}

const KILLS: Record<Victim, number> = {
  'the daemon': times(10, 2),
  'the parser process': times(3, 1),
  'the LanceDB process': times(10, 2),
}
const VICTIMS: Record<StoreKind, Victim[]> = {
  files: ['the daemon', 'the parser process'],
  lancedb: ['the daemon', 'the LanceDB process'],
}

export function testKills(kind: StoreKind, { newFolder, open, longestMs }: Kills): void {
  test.each(VICTIMS[kind])(
    'stores the rows of an undisturbed indexing after kills of %s',
    async (victim) => {
      const tree = makeTree({})
      const write = (round: number) => {
        for (let at = 0; at < 300; at++) {
          const text = Array.from(
            { length: 8 },
            (_each, k) => `export function f${k}(a) {\n  return a + ${round * at + k}\n}\n`,
          )
          tree.write(`src/${at % 7}/${at}.ts`, text.join('\n'))
        }
      }
      const stored = (folder: string) => rows(open(folder), tree.path)
      const random = numbers(5)
      const folder = newFolder()
      const run = (place: string, killed: Kill | null) => index({ kind, root: tree.path, folder: place }, killed)
      write(1)
      expect(await run(folder, null)).toBe(0)
      let before = await stored(folder)
      for (let round = 2; round <= 1 + KILLS[victim]; round++) {
        write(round)
        await run(folder, { victim, after: random() * longestMs })
        const now = await stored(folder)
        const whole = newFolder()
        expect(await run(whole, null)).toBe(0)
        const wanted = await stored(whole)
        expect([before, wanted]).toContainEqual(now)
        expect(await run(folder, null)).toBe(0)
        expect(await stored(folder)).toEqual(wanted)
        before = wanted
      }
      tree.remove()
    },
    300_000,
  )
}
