// Machines without network, parsers or API key.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { indexProgram, indexWeights } from '../../../daemon/package-root.ts'
import { chunksOf } from '../../../services/code-index/chunks/chunk.ts'
import { Parsers } from '../../../services/code-index/chunks/parsers.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { root } from '../../support/root.ts'
import { makeTree, SAMPLE, startIndex } from './stand.ts'

const tree = makeTree(SAMPLE)
const folder = mkdtempSync(join(tmpdir(), 'svc-bare-'))
afterAll(() => {
  tree.remove()
  rmSync(folder, { recursive: true })
})

const SCRIPT = `
const { Worker } = require('node:worker_threads')
const [program, data, calls] = process.argv.slice(1)
const worker = new Worker(program, { workerData: JSON.parse(data) })
const left = JSON.parse(calls)
const next = () => (left.length > 0 ? worker.postMessage({ id: left.length, ...left.shift() }) : process.exit())
worker.on('message', (said) => {
  if ('note' in said) return
  process.stdout.write(JSON.stringify(said.error ?? said.result) + '\\n')
  next()
})
next()
`

/** Command prefix that removes all network access; empty if the kernel does not allow it. */
const alone = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : []

test('finds code by meaning with the builtin embedding without a network', async () => {
  const embedding = {
    provider: 'local',
    model: 'nomic-embed-text',
    endpoint: 'http://127.0.0.1:11434/v1',
    key: null,
    timeoutMs: 5000,
    chosen: false,
    weights: indexWeights(),
  }
  const job = { root: tree.path, hidden: [], patterns: [], languages: ['typescript', 'python', 'rust'], embedding }
  const place = { repoId: 'r', root: tree.path }
  const question = { query: 'delete outdated backups', mode: 'vector', level: 'symbol', limit: 1, explain: false }
  const calls = [
    { method: 'index', input: { ...job, anew: false, distrusted: false } },
    { method: 'search', input: { among: [place], question } },
  ]
  const talk = { summary: null, rerank: null }
  const data = { folder: join(folder, 'store'), store: 'auto', embedding, talk }
  const words = [...alone, process.execPath, '-e', SCRIPT, indexProgram(), JSON.stringify(data), JSON.stringify(calls)]
  const child = spawn(words[0]!, words.slice(1))
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  await new Promise((resolve) => child.on('close', resolve))
  const [indexed, found] = said.trim().split('\n')
  expect(JSON.parse(indexed!)).toMatchObject({
    about: { model: { provider: 'builtin' } },
    instead: expect.stringContaining('using the builtin embedding'),
  })
  expect(JSON.parse(found!)).toMatchObject({
    results: [{ file_path: 'tools/clean.py', symbol_name: 'remove_old_archives' }],
  })
})

test('finds files by lines in each mode without any parser', async () => {
  // No package can be resolved from here.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['svc-index.js', 'svc-index-parser.js'])
    copyFileSync(join(dirname(indexProgram()), name), join(folder, name))
  const program = join(folder, 'svc-index.js')
  const database = await sqliteDatabase()
  const stand = await startIndex(database.url, { SVC_INDEX_STORE: 'files' }, program)
  await stand.indexed(tree.path)
  for (const search_mode of ['keyword', 'vector', 'hybrid'])
    for (const [query, path] of [
      ['delete archives that are older', 'tools/clean.py'],
      ['add to the end of the queue', 'core/lib.rs'],
      ['convert an amount of currency', 'src/money.ts'],
    ]) {
      const { body } = await stand.ask('POST /search', { query, search_mode, limit: 1 })
      expect(body.results, `${search_mode}: ${query}`).toMatchObject([{ file_path: path, chunk_type: 'block' }])
    }
  await stand.close()
  await database.remove()
})

const EXPORTED =
  /^export (?:declare |default |abstract |async )*(?:function\*?|class|const enum|const|interface|type|enum|namespace) (\w+)/gm

test('makes a chunk of every exported name of modern TypeScript', async () => {
  const parsers = new Parsers()
  const modern = `export interface Effect<out A, in out E = never> { readonly a: A }
export type Fn<in A, out B> = (a: A) => B
export class Box<const T extends readonly unknown[]> { accessor value = 1; static { void 0 } }
export const table = { a: 1 } as const satisfies Record<string, number>
export abstract class Base { abstract run(this: Base): asserts this is Base }
export const enum Colour { Red }
export function assertIsString(value: unknown): asserts value is string {}
export async function* numbers(): AsyncGenerator<number> { using handle = open(); yield 1 }
export type Tail<T> = T extends [infer _, ...infer R extends unknown[]] ? R : never
export namespace Deep { export const inner = 1 }
export const identity: { <A>(a: A): A } = (a) => a
`
  const folders = ['schemas', 'platform', 'controller', 'services', 'cli', 'api', 'reconcilers', 'bridge']
  const files = folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [path, readFileSync(join(root, name, path), 'utf8')] as const),
  )
  let names = 0
  const lost: string[] = []
  for (const [path, text] of [['modern.ts', modern] as const, ...files]) {
    const chunks = chunksOf(text, (await parsers.definitions({ path, language: 'typescript' }, text)) ?? [])
    const symbols = new Set(chunks.flatMap(({ symbol }) => symbol?.split('.') ?? []))
    for (const [, name] of text.matchAll(EXPORTED)) {
      names++
      if (!symbols.has(name!)) lost.push(`${path}: ${name}`)
    }
  }
  expect(lost).toEqual([])
  expect(names).toBeGreaterThan(2000)
})
