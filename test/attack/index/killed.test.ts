// An indexing that is killed at any moment leaves what was in force, and the next one ends as if nothing had been.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { indexProgram, indexWeights } from '../../../daemon/package-root.ts'
import { FileStore } from '../../../services/index/store/file-store.ts'
import { times } from '../campaign.ts'
import { numbers } from '../../support/random.ts'
import { makeTree } from '../../services/index/stand.ts'

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

/** Kills it so many milliseconds after its first file; null: lets it end. */
async function index(folder: string, killAfter: number | null): Promise<number | null> {
  const embedding = {
    provider: 'builtin',
    model: '',
    endpoint: '',
    key: null,
    timeoutMs: 1,
    chosen: true,
    weights: indexWeights(),
  }
  const data = { folder, embedding, path: process.env.PATH }
  const job = { root: tree.path, patterns: [], languages: ['typescript'], embedding, anew: false, distrusted: false }
  const child = spawn(process.execPath, ['-e', SCRIPT, indexProgram(), JSON.stringify(data), JSON.stringify(job)])
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  if (killAfter !== null) {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await sleep(killAfter)
    child.kill('SIGKILL')
  }
  return ended
}

function rows(folder: string): string[] | null {
  const generation = new FileStore(folder).open(tree.path)
  if (!generation) return null
  const found = (['symbol', 'file', 'directory', 'repository'] as const).flatMap((level) => {
    const section = generation.section(level)
    return Array.from({ length: section.count }, (_each, at) => `${section.row(at).id} ${section.hash(at)}`)
  })
  generation.close()
  return found
}

const KILLS = times(10, 2)

test('killed at any moment, it ends with the rows of one that was not', async () => {
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
  expect(await index(folder, null)).toBe(0)
  let before = rows(folder)
  for (let round = 2; round <= 1 + KILLS; round++) {
    write(round)
    await index(folder, random() * 250)
    const now = rows(folder)
    const whole = newFolder()
    expect(await index(whole, null)).toBe(0)
    const wanted = rows(whole)
    // Wholly the one before, or wholly the one it was making.
    expect([before, wanted]).toContainEqual(now)
    expect(await index(folder, null)).toBe(0)
    expect(rows(folder)).toEqual(wanted)
    before = wanted
  }
}, 120_000)
