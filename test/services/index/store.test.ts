// The suite of stores: a generation is in force wholly or not at all, and is read as it was written.
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileStore } from '../../../services/index/store/file-store.ts'
import type { ChunkStore, NewRow } from '../../../services/index/store/port.ts'

const MODEL = { provider: 'test', model: 'm', dim: 3 }
const ABOUT = { root: '/srv/tree', model: MODEL, recipe: 'r' }

let folder: string
let store: ChunkStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-store-'))
  store = new FileStore(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const row = (symbol: string, file = 0): NewRow => ({
  file,
  path: `src/${symbol}.ts`,
  language: 'typescript',
  type: 'function',
  symbol,
  start: 1,
  end: 3,
  content: `function ${symbol}() {\n  é\n}`,
  hash: symbol.padEnd(32, '0'),
  words: new Map([
    [symbol, { all: 3, name: 1 }],
    ['function', { all: 300, name: 0 }],
  ]),
})

function write(symbols: readonly string[]): void {
  const writer = store.begin(ABOUT)
  for (const [at, symbol] of symbols.entries())
    writer.setVector('symbol', writer.add('symbol', row(symbol, at)), Float32Array.of(1, at, 0))
  writer.commit(
    symbols.map((symbol, at) => ({
      path: `src/${symbol}.ts`,
      language: 'typescript',
      size: 1,
      mtime: 1,
      from: at,
      to: at + 1,
    })),
  )
}

const symbols = () => {
  const generation = store.open(ABOUT.root)
  const section = generation?.section('symbol')
  const found = Array.from({ length: section?.count ?? 0 }, (_each, at) => section!.row(at).symbol)
  generation?.close()
  return generation ? found : null
}

test('what was written is read, text and numbers', () => {
  write(['alpha', 'beta'])
  const generation = store.open(ABOUT.root)!
  const section = generation.section('symbol')
  expect(generation.about).toMatchObject({ generation: 1, model: MODEL, rows: { symbol: 2, file: 0 } })
  expect(section.row(1)).toMatchObject({
    symbol: 'beta',
    content: 'function beta() {\n  é\n}',
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(generation.words[section.words[section.offsets[1]!]!]).toBe('beta')
  // A weight is kept up to 255.
  expect([...section.all]).toEqual([3, 255, 3, 255])
  const vector = Array.from(section.vectors.subarray(3, 6), (each) => each * section.scales[1]!)
  expect(vector.map((each) => Math.round(each * 100) / 100)).toEqual([1, 1, 0])
  generation.close()
})

test('until a generation is complete the one before is in force', () => {
  expect(symbols()).toBe(null)
  write(['alpha'])
  const writer = store.begin(ABOUT)
  writer.add('symbol', row('gamma'))
  expect(symbols()).toEqual(['alpha'])
  writer.discard()
  expect(symbols()).toEqual(['alpha'])
  write(['beta'])
  expect(symbols()).toEqual(['beta'])
  expect(store.about(ABOUT.root)!.generation).toBe(2)
})

test('what is taken over is as it was, its words among new ones', () => {
  write(['alpha', 'beta'])
  const before = store.open(ABOUT.root)!
  const writer = store.begin(ABOUT)
  writer.add('symbol', row('gamma'))
  writer.copy('symbol', before, 1, 1)
  writer.commit([])
  const after = store.open(ABOUT.root)!
  const [was, is] = [before.section('symbol'), after.section('symbol')]
  expect(is.row(1)).toEqual(was.row(1))
  expect([...is.vectors.subarray(3)]).toEqual([...was.vectors.subarray(3)])
  expect(after.words[is.words[is.offsets[1]!]!]).toBe('beta')
  before.close()
  after.close()
})

test('what a crash left is no generation, and is tidied away with what is past', () => {
  write(['alpha'])
  write(['beta'])
  store.begin(ABOUT).add('symbol', row('gamma'))
  store.tidy(ABOUT.root)
  expect(symbols()).toEqual(['beta'])
  const [home] = readdirSync(folder)
  expect(readdirSync(join(folder, home!)).sort()).toEqual(['2', 'current.json'])
})

test.each(['about.json', 'symbol.bin', 'names.json'])('a generation whose %s is cut off is none', (name) => {
  write(['alpha'])
  const [home] = readdirSync(folder)
  truncateSync(join(folder, home!, '1', name), 5)
  expect(symbols()).toBe(null)
})

test('directories do not meet', () => {
  write(['alpha'])
  expect(store.about('/srv/other')).toBe(null)
})
