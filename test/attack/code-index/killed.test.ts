// An indexing that is killed at any moment leaves what was in force, and the next one ends as if nothing had been.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { indexProgram, indexWeights } from '../../../daemon/package-root.ts'
import { FileStore } from '../../../services/code-index/store/file-store.ts'
import { STORES, type StoreKind } from '../../../services/code-index/store/port.ts'
import { LEVELS } from '../../../schemas/code-index/search.ts'
import { times } from '../campaign.ts'
import { numbers } from '../../support/random.ts'
import { makeTree } from '../../services/code-index/stand.ts'
import { lanceStore } from '../../services/code-index/stores.ts'

const tree = makeTree({})
const folders: string[] = []
afterAll(() => {
  tree.remove()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-store-'))
  folders.push(folder)
  return folder
}

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

/** Who is killed: who indexes, or the process that runs LanceDB for it. */
type Victim = 'its daemon' | 'its LanceDB'

interface Kill {
  victim: Victim
  /** Milliseconds after its first file. */
  after: number
}

function kill(victim: Victim, pid: number): void {
  try {
    const victims = victim === 'its daemon' ? [pid] : childrenOf(pid)
    for (const each of victims) process.kill(each, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

/** Lets it end, or kills somebody meanwhile; its status. */
async function index(kind: StoreKind, folder: string, killed: Kill | null): Promise<number | null> {
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
  const job = { root: tree.path, patterns: [], languages: ['typescript'], embedding, anew: false, distrusted: false }
  const child = spawn(process.execPath, ['-e', SCRIPT, indexProgram(), JSON.stringify(data), JSON.stringify(job)])
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  if (killed !== null) {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await sleep(killed.after)
    if (child.exitCode === null) kill(killed.victim, child.pid!)
  }
  return ended
}

async function rows(kind: StoreKind, folder: string): Promise<string[] | null> {
  const store = kind === 'files' ? new FileStore(join(folder, 'code_chunks')) : lanceStore(folder)
  const generation = await store.open(tree.path)
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

const KILLS = times(10, 2)
/** What a run of it takes. */
const LONGEST_MS = { files: 250, lancedb: 1200 }

test.each<[StoreKind, Victim]>([
  ...STORES.map((kind): [StoreKind, Victim] => [kind, 'its daemon']),
  ['lancedb', 'its LanceDB'],
])(
  'killed at any moment, it ends with the rows of one that was not: %s, of which %s is killed',
  async (kind, victim) => {
    const write = (round: number) => {
      for (let at = 0; at < 300; at++) {
        const text = Array.from(
          { length: 8 },
          (_each, k) => `export function f${k}(a) {\n  return a + ${round * at + k}\n}\n`,
        )
        tree.write(`src/${at % 7}/${at}.ts`, text.join('\n'))
      }
    }
    const random = numbers(5)
    const folder = newFolder()
    write(1)
    expect(await index(kind, folder, null)).toBe(0)
    let before = await rows(kind, folder)
    for (let round = 2; round <= 1 + KILLS; round++) {
      write(round)
      await index(kind, folder, { victim, after: random() * LONGEST_MS[kind] })
      const now = await rows(kind, folder)
      const whole = newFolder()
      expect(await index(kind, whole, null)).toBe(0)
      const wanted = await rows(kind, whole)
      // Wholly the one before, or wholly the one it was making.
      expect([before, wanted]).toContainEqual(now)
      expect(await index(kind, folder, null)).toBe(0)
      expect(await rows(kind, folder)).toEqual(wanted)
      before = wanted
    }
  },
  300_000,
)
