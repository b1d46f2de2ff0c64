// Contract tests of chunk stores.
import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChunkStore, NewRow } from '../../../../services/code-index/store/port.ts'

const MODEL = { provider: 'test', model: 'm', dim: 3 }
const ABOUT = { root: "/srv/it's a tree", model: MODEL, recipe: 'r' }

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

const file = (symbol: string, at: number) => ({
  path: `src/${symbol}.ts`,
  language: 'typescript',
  size: 1,
  mtime: 1,
  from: at,
  to: at + 1,
})

interface StoreContract {
  make(folder: string): ChunkStore
  /** Folder of the generations, relative to the store. */
  generations: string
  /** Files whose truncation invalidates a generation. */
  damaged: RegExp[]
  newFolder(): string
}

export function testStore(kind: string, { make, generations, damaged: damages, newFolder }: StoreContract): void {
  describe(kind, () => {
    let store: ChunkStore
    let folder = ''
    beforeEach(() => {
      folder = newFolder()
      store = make(folder)
    })
    afterEach(() => store.close())

    async function write(symbols: readonly string[], about = ABOUT): Promise<void> {
      const writer = await store.begin(about, null)
      for (const [at, symbol] of symbols.entries()) {
        const vector = new Float32Array(about.model.dim)
        vector.set([1, at, 0])
        writer.levels.symbol.setVector(writer.add('symbol', row(symbol, at)), vector)
      }
      writer.levels.repository.setVector(
        writer.add('repository', { ...row('all'), file: -1, path: '.' }),
        vectorOf(about),
      )
      await writer.commit(symbols.map(file))
    }
    const vectorOf = ({ model }: typeof ABOUT) => new Float32Array(model.dim).fill(0.5)

    async function symbols(root = ABOUT.root): Promise<(string | null)[] | null> {
      const generation = await store.open(root)
      if (!generation) return null
      const section = generation.section('symbol')
      const rows = await section.rows(Array.from({ length: section.count }, (_each, at) => at))
      generation.close()
      return rows.map(({ symbol }) => symbol)
    }

    test('reads back texts and numbers', async () => {
      await write(['alpha', 'beta'])
      const generation = (await store.open(ABOUT.root))!
      const section = generation.section('symbol')
      expect(generation.about).toMatchObject({
        generation: 1,
        model: MODEL,
        rows: { symbol: 2, file: 0, repository: 1 },
      })
      const [beta, alpha] = await section.rows([1, 0])
      expect(beta).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        hash: 'beta'.padEnd(32, '0'),
        path: 'src/beta.ts',
        language: 'typescript',
        type: 'function',
        symbol: 'beta',
        start: 1,
        end: 3,
        content: 'function beta() {\n  é\n}',
      })
      expect(alpha!.symbol).toBe('alpha')
      expect(generation.words[section.words[section.offsets[1]!]!]).toBe('beta')
      // Weights are capped at 255.
      expect([...section.all]).toEqual([3, 255, 3, 255])
      expect([...section.name]).toEqual([1, 0, 1, 0])
      const vector = Array.from(section.vectors.subarray(3, 6), (each) => each * section.scales[1]!)
      expect(vector.map((each) => Math.round(each * 100) / 100)).toEqual([1, 1, 0])
      expect([section.path(1), generation.section('repository').path(0)]).toEqual(['src/beta.ts', '.'])
      expect([...section.files, ...generation.section('repository').files]).toEqual([0, 1, -1])
      generation.close()
    })

    test('keeps the previous generation current until the next is complete', async () => {
      expect(await symbols()).toBe(null)
      await write(['alpha'])
      const writer = await store.begin(ABOUT, null)
      writer.add('symbol', row('gamma'))
      expect(await symbols()).toEqual(['alpha'])
      await writer.discard()
      expect(await symbols()).toEqual(['alpha'])
      await write(['beta'])
      expect(await symbols()).toEqual(['beta'])
      expect(store.about(ABOUT.root)!.generation).toBe(2)
    })

    test('copies rows unchanged, also after the old generation is deleted', async () => {
      await write(['alpha', 'beta'])
      const before = (await store.open(ABOUT.root))!
      const writer = await store.begin(ABOUT, before)
      writer.levels.symbol.setVector(writer.add('symbol', row('gamma')), Float32Array.of(0, 0, 1))
      await writer.keep(before.about.files[1]!, 1)
      expect(writer.levels.symbol.place(1)).toEqual({ symbol: 'beta', start: 1, end: 3 })
      await writer.commit([file('gamma', 0), file('beta', 1)])
      const was = before.section('symbol')
      const rowWas = (await was.rows([1]))[0]
      await store.tidy(ABOUT.root)
      const after = (await store.open(ABOUT.root))!
      const is = after.section('symbol')
      expect(await is.rows([1])).toEqual([rowWas])
      expect([...is.vectors.subarray(3)]).toEqual([...was.vectors.subarray(3)])
      expect(is.scales[1]).toBeCloseTo(was.scales[1]!, 6)
      expect(after.words[is.words[is.offsets[1]!]!]).toBe('beta')
      before.close()
      after.close()
    })

    test('deletes incomplete and old generations', async () => {
      await write(['alpha'])
      await write(['beta'])
      const writer = await store.begin(ABOUT, null)
      writer.levels.symbol.setVector(writer.add('symbol', row('gamma')), Float32Array.of(1, 0, 0))
      await store.tidy(ABOUT.root)
      expect(await symbols()).toEqual(['beta'])
      // The next generation does not contain it either.
      await write(['delta', 'epsilon'])
      await store.tidy(ABOUT.root)
      expect(await symbols()).toEqual(['delta', 'epsilon'])
      const inner = join(folder, generations)
      const names = readdirSync(join(inner, readdirSync(inner)[0]!))
      expect(names.sort()).toEqual([expect.stringMatching(/^\d+(\.json)?$/), 'current.json'])
    })

    test('rejects vectors of wrong length or non-finite values, accepts zero vectors', async () => {
      const writer = await store.begin(ABOUT, null)
      const at = writer.add('symbol', row('alpha'))
      expect(() => writer.levels.symbol.setVector(at, Float32Array.of(1, 0))).toThrow('has 2 numbers')
      expect(() => writer.levels.symbol.setVector(at, Float32Array.of(1, 0, 0, 0))).toThrow('has 4 numbers')
      expect(() => writer.levels.symbol.setVector(at, Float32Array.of(1, Number.NaN, 0))).toThrow('NaN')
      expect(() => writer.levels.symbol.setVector(at, Float32Array.of(1, Number.POSITIVE_INFINITY, 0))).toThrow(
        'Infinity',
      )
      writer.levels.symbol.setVector(at, Float32Array.of(0, 0, 0))
      await writer.commit([file('alpha', 0)])
      const generation = (await store.open(ABOUT.root))!
      expect([...generation.section('symbol').vectors]).toEqual([0, 0, 0])
      generation.close()
    })

    test('switches vector length with a new generation', async () => {
      await write(['alpha'])
      const wide = { ...ABOUT, model: { provider: 'test', model: 'wide', dim: 5 } }
      const writer = await store.begin(wide, null)
      writer.levels.symbol.setVector(writer.add('symbol', row('beta')), new Float32Array(5).fill(1))
      expect(await symbols()).toEqual(['alpha'])
      await writer.commit([file('beta', 0)])
      await store.tidy(ABOUT.root)
      expect(await symbols()).toEqual(['beta'])
      const generation = (await store.open(ABOUT.root))!
      expect([...generation.section('symbol').vectors]).toEqual([127, 127, 127, 127, 127])
      generation.close()
      await write(['alpha', 'gamma'])
      expect(await symbols()).toEqual(['alpha', 'gamma'])
    })

    test('keeps the order of rows over compactions', async () => {
      const names = Array.from({ length: 30 }, (_each, at) => `f${at}`)
      await write(names)
      const open = (await store.open(ABOUT.root))!
      for (let round = 0; round < 12; round++) {
        const old = (await store.open(ABOUT.root, { words: false }))!
        const writer = await store.begin(ABOUT, old)
        for (const [at, was] of old.about.files.entries())
          if (at === round)
            writer.levels.symbol.setVector(writer.add('symbol', row(`g${round}`, at)), Float32Array.of(1, 1, 1))
          else await writer.keep(was, at)
        await writer.commit(old.about.files.map((was, at) => (at === round ? file(`g${round}`, at) : was)))
        old.close()
        if (round === 0) expect((await open.section('symbol').rows([3]))[0]!.symbol).toBe('f3')
        await store.tidy(ABOUT.root)
      }
      expect(await symbols()).toEqual(names.map((name, at) => (at < 12 ? `g${at}` : name)))
      open.close()
    })

    test('separates the rows of different directories', async () => {
      await write(['alpha'])
      expect(store.about('/srv/other')).toBe(null)
      await write(['beta'], { ...ABOUT, root: '/srv/other' })
      await store.tidy('/srv/other')
      expect([await symbols(), await symbols('/srv/other')]).toEqual([['alpha'], ['beta']])
    })

    test('reads earlier data after reopening', async () => {
      await write(['alpha', 'beta'])
      await store.close()
      store = make(folder)
      expect(await symbols()).toEqual(['alpha', 'beta'])
    })

    test.each(damages)('ignores a generation with truncated %s', async (damaged) => {
      await write(['alpha'])
      await store.close()
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => damaged.test(path))
      expect(paths.length).toBeGreaterThan(0)
      for (const path of paths) truncateSync(join(folder, path), 5)
      store = make(folder)
      expect(await symbols()).toBe(null)
      await write(['beta'])
      await store.tidy(ABOUT.root)
      expect(await symbols()).toEqual(['beta'])
    })
  })
}
