// Two threads must produce the same result as one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { indexWeights } from '../../../daemon/package-root.ts'
import { Chunker } from '../../../services/code-index/chunks/chunker.ts'
import { BuiltinEmbedder } from '../../../services/code-index/embedding/builtin.ts'
import { Preparation, type Helper } from '../../../services/code-index/engine/preparation.ts'
import {
  pack,
  prepare,
  unpack,
  type PreparedChunk,
  type Preparing,
} from '../../../services/code-index/engine/prepare.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { makeTree, startIndex } from './stand.ts'

const FILES = 240
const nameOf = (at: number) => `${String(at).padStart(3, '0')}.ts`
const tree = makeTree(
  Object.fromEntries(
    Array.from({ length: FILES }, (_each, at) => [
      nameOf(at),
      at % 7 === 0
        ? ''
        : `/** Naïve step ${at}. */\nexport function stepOf${at}() {\n  return ${at}\n}\n\nexport const value${at} = {\n  café: 1,\n}\n`,
    ]),
  ),
)
afterAll(() => tree.remove())
const files = Array.from({ length: FILES }, (_each, at) => ({ path: nameOf(at), language: 'typescript' }))

let preparing: Preparing
let wanted: PreparedChunk[][]
beforeAll(async () => {
  const embedder = BuiltinEmbedder.load(indexWeights())
  preparing = { root: tree.path, hidden: [], chunker: await Chunker.load(), embedder }
  wanted = []
  for (const file of files) wanted.push(await prepare(file, preparing))
})

test('transfers chunks between threads unchanged, with and without vectors', async () => {
  expect(unpack(structuredClone(pack(wanted)))).toEqual(wanted)
  const plain = [await prepare(files[1]!, { ...preparing, embedder: null }), []]
  expect(unpack(structuredClone(pack(plain)))).toEqual(plain)
  expect(plain[0]![0]!.vector).toBeNull()
  expect(unpack(pack([[], []]))).toEqual([[], []])
})

async function prepared(work: Helper['prepare'] | null): Promise<{ all: PreparedChunk[][]; stopped: number }> {
  let stopped = 0
  const helper = (): Helper => ({ prepare: work!, stop: async () => void stopped++ })
  const preparation = new Preparation(preparing, files, work && helper)
  const all: PreparedChunk[][] = []
  for await (const chunks of preparation.all()) all.push(chunks)
  await preparation.stop()
  return { all, stopped }
}

/** Prepares chunks as the second thread does. */
const well: Helper['prepare'] = async ({ files: asked }) => {
  const made: PreparedChunk[][] = []
  for (const file of asked) made.push(await prepare(file, preparing))
  return structuredClone(pack(made))
}

describe('preparation of chunks', () => {
  test('returns complete files in order without a second thread', async () => {
    expect((await prepared(null)).all).toEqual(wanted)
  })

  test('returns complete files in order and stops the second thread', async () => {
    let pieces = 0
    const { all, stopped } = await prepared((job) => (pieces++, well(job)))
    expect(all).toEqual(wanted)
    expect(pieces).toBeGreaterThan(0)
    expect(stopped).toBe(1)
  })

  test('returns complete files in order if the second thread ends early', async () => {
    let pieces = 0
    const mortal: Helper['prepare'] = (job) =>
      ++pieces > 2 ? Promise.reject(new Error('its thread ended')) : well(job)
    expect((await prepared(mortal)).all).toEqual(wanted)
  })

  test('returns complete files in order if the thread answers in reverse', async () => {
    const held: (() => void)[] = []
    const backwards: Helper['prepare'] = async (job) => {
      const made = await well(job)
      await new Promise<void>((go) => {
        held.push(go)
        setImmediate(() => held.pop()?.())
      })
      return made
    }
    expect((await prepared(backwards)).all).toEqual(wanted)
  })
})

test('indexes a tree with two threads and finds each function once', async () => {
  const database = await sqliteDatabase()
  const stand = await startIndex(database.url, { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin' })
  const { id } = await stand.indexed(tree.path)
  const { body } = await stand.ask(`GET /repositories/${id}/status`)
  const chunks = wanted.reduce((sum, each) => sum + each.length, 0)
  expect(body.progress).toMatchObject({ files: FILES, chunks })
  for (const at of [1, 120, 239]) {
    const asked = { query: `stepOf${at}`, search_mode: 'keyword', limit: 1 }
    const { body: found } = await stand.ask('POST /search', asked)
    expect(found.results[0]).toMatchObject({ file_path: nameOf(at), symbol_name: `stepOf${at}` })
  }
  await stand.close()
  await database.remove()
})
