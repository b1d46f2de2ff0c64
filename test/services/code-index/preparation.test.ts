import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexWeights } from '../../../daemon/package-root.ts'
import { Parsers } from '../../../services/code-index/chunks/parsers.ts'
import { BuiltinEmbedder } from '../../../services/code-index/embedding/builtin.ts'
import { preparedFiles, type PreparedFile, type Preparing } from '../../../services/code-index/engine/preparation.ts'
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
beforeAll(() => {
  const parsers = new Parsers()
  const parser: Preparing['parser'] = {
    parse: async (file, text) => ({ definitions: (await parsers.definitions(file, text)) ?? [], fault: null }),
  }
  preparing = { root: tree.path, hidden: [], parser, embedder: BuiltinEmbedder.load(indexWeights()) }
})

async function prepared(options: Partial<Preparing> = {}): Promise<PreparedFile[]> {
  const all: PreparedFile[] = []
  for await (const file of preparedFiles(files, { ...preparing, ...options })) all.push(file)
  return all
}

test('prepares files in order, with vectors of the builtin embedding only', async () => {
  const all = await prepared()
  const symbols = all.map(({ chunks }) => chunks.map(({ symbol }) => symbol))
  expect(symbols).toEqual(files.map((_file, at) => (at % 7 === 0 ? [] : [`stepOf${at}`, `value${at}`])))
  expect(all[1]!.chunks[0]!.vector).toBeInstanceOf(Float32Array)
  expect((await prepared({ embedder: null }))[1]!.chunks[0]!.vector).toBeNull()
})

test('parses a few files ahead, and no more', async () => {
  let [parsed, most] = [0, 0]
  const parser: Preparing['parser'] = { parse: (file, text) => (parsed++, preparing.parser.parse(file, text)) }
  let taken = 0
  for await (const _file of preparedFiles(files.slice(1, 7), { ...preparing, parser })) {
    taken++
    most = Math.max(most, parsed - taken)
  }
  expect([parsed, taken]).toEqual([6, 6])
  expect(most).toBe(3)
})

test('rejects at the file that cannot be parsed', async () => {
  const parse: Preparing['parser']['parse'] = async (file, text) => {
    if (file.path === nameOf(3)) throw new Error('no process')
    return preparing.parser.parse(file, text)
  }
  const seen: number[] = []
  const run = async () => {
    for await (const { chunks } of preparedFiles(files.slice(1), { ...preparing, parser: { parse } }))
      seen.push(chunks.length)
  }
  await expect(run()).rejects.toThrow('no process')
  expect(seen).toEqual([2, 2])
})

test('indexes a tree and finds each function once', async () => {
  const database = await sqliteDatabase()
  const stand = await startIndex(database.url, { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin' })
  const { id } = await stand.indexed(tree.path)
  const { body } = await stand.ask(`GET /repositories/${id}/status`)
  const chunks = files.filter((_file, at) => at % 7 !== 0).length * 2
  expect(body.progress).toMatchObject({ files: FILES, chunks })
  for (const at of [1, 120, 239]) {
    const asked = { query: `stepOf${at}`, search_mode: 'keyword', limit: 1 }
    const { body: found } = await stand.ask('POST /search', asked)
    expect(found.results[0]).toMatchObject({ file_path: nameOf(at), symbol_name: `stepOf${at}` })
  }
  await stand.close()
  await database.remove()
})
