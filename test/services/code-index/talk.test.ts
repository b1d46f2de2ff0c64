// Summaries and reranking by a chat model.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SummaryBook } from '../../../services/code-index/summaries/book.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, said, startEndpoint, startIndex, type IndexStand } from './stand.ts'
import type { StubEndpoint, ChatRequest, Tree } from './stand.ts'

let endpoint: StubEndpoint
let tree: Tree
let stand: IndexStand
let store: string
let database: Awaited<ReturnType<typeof sqliteDatabase>>
beforeEach(async () => {
  endpoint = await startEndpoint()
  tree = makeTree(SAMPLE)
  store = mkdtempSync(join(tmpdir(), 'svc-talk-'))
  database = await sqliteDatabase()
})
afterEach(async () => {
  await stand.close()
  await endpoint.close()
  await database.remove()
  tree.remove()
  rmSync(store, { recursive: true })
})

const start = async (env: Record<string, string>): Promise<IndexStand> =>
  (stand = await startIndex(database.url, {
    SVC_INDEX_EMBEDDING_PROVIDER: 'builtin',
    SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url,
    SVC_INDEX_LANCE_PATH: store,
    ...env,
  }))
const SUMMARIES = { SVC_INDEX_SUMMARY_ENABLED: 'true', SVC_INDEX_SUMMARY_MODEL: 'tiny' }
const RERANK = { SVC_INDEX_RERANK_ENABLED: 'true', SVC_INDEX_RERANK_MODEL: 'judge' }

const search = async (body: object = {}): Promise<any[]> => {
  const asked = { query: 'delete old archives', search_mode: 'hybrid', limit: 100, ...body }
  const { status, body: reply } = await stand.ask('POST /search', asked)
  expect(status).toBe(200)
  return reply.results
}
const counted = async (name: string, outcome: string): Promise<number> => {
  const text = await (await fetch(`${stand.host.urls.index}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)![1])
}
/** Numbers and titles of the pieces in a request. */
const piecesOf = ({ material }: ChatRequest): [number, string][] =>
  [...material.matchAll(/^\[(\d+)\] (.+)$/gm)].map(([, number, title]) => [Number(number), title!])
const wellSummarised = (chat: ChatRequest) =>
  said({ summaries: piecesOf(chat).map(([number, title]) => ({ number, summary: `About ${title}.` })) })
const summaryOf = async (symbol: string): Promise<string | null> =>
  (await search()).find((result) => result.symbol_name === symbol).summary

test('does not call a chat model by default', async () => {
  await start({})
  await stand.indexed(tree.path)
  const results = await search({ explain: true })
  expect(results.map(({ summary }) => summary)).toEqual(results.map(() => null))
  expect(results[0].explanation).not.toHaveProperty('rerank')
  expect(endpoint.chats).toEqual([])
})

test('summarises chunks by the configured model, later only changed ones', async () => {
  endpoint.talk = wellSummarised
  await start({ ...SUMMARIES, SVC_INDEX_EMBEDDING_KEY: 'sk-canary-12' })
  const { id } = await stand.indexed(tree.path)
  await eventually(async () => (await search()).every(({ summary }) => summary !== null))
  expect(await summaryOf('remove_old_archives')).toBe('About tools/clean.py remove_old_archives.')
  expect(endpoint.chats[0]).toMatchObject({ model: 'tiny', key: 'Bearer sk-canary-12' })
  expect(stand.log()).not.toContain('sk-canary-12')
  const asked = () => endpoint.chats.flatMap(piecesOf).map(([, title]) => title)
  expect(new Set(asked()).size).toBe(asked().length)
  const made = await counted('svc_index_summaries_total', 'made')
  expect(made).toBe(asked().length)

  endpoint.chats.length = 0
  tree.write('tools/clean.py', SAMPLE['tools/clean.py'].replace('rmtree(archive)', 'rmtree(archive.path)'))
  await stand.ask(`POST /repositories/${id}/reindex`)
  await stand.settled(id, 'ready')
  await eventually(async () => (await summaryOf('remove_old_archives')) !== null)
  expect(asked()).toEqual(['tools/clean.py remove_old_archives'])

  endpoint.talk = () => 404
  endpoint.chats.length = 0
  await stand.reopen()
  await stand.settled(id, 'ready')
  expect(await summaryOf('Queue')).toBe('About core/lib.rs Queue.')
  expect(endpoint.chats).toEqual([])
})

test('keeps one short line per summary, the first if duplicated', async () => {
  endpoint.talk = (chat) =>
    said(
      `<think>{"summaries": []}</think>Here:\n${JSON.stringify({
        summaries: piecesOf(chat).flatMap(([number]) => [
          { number, summary: `one\u001b[31m\n\u202e  two ${'x'.repeat(400)}` },
          { number, summary: 'second' },
        ]),
      })}`,
    )
  await start(SUMMARIES)
  await stand.indexed(tree.path)
  await eventually(async () => (await search()).every(({ summary }) => summary !== null))
  expect(await summaryOf('Queue')).toMatch(/^one \[31m two x+$/)
  expect(await summaryOf('Queue')).toHaveLength(300)
})

test('stops calling a failing model until the next indexing', async () => {
  for (let at = 0; at < 300; at++) tree.write(`many/${at}.ts`, `export function step${at}() {\n  return ${at}\n}\n`)
  endpoint.talk = () => 404
  await start(SUMMARIES)
  const { id } = await stand.indexed(tree.path)
  await eventually(async () => (await counted('svc_index_summaries_total', 'failed')) >= 300)
  expect(endpoint.chats.length).toBeLessThan(10)
  endpoint.talk = wellSummarised
  await stand.ask(`POST /repositories/${id}/reindex`)
  await stand.settled(id, 'ready')
  await eventually(async () => (await counted('svc_index_summaries_total', 'made')) >= 300)
})

test('recovers summaries after a truncated line and discards another model’s', () => {
  const folder = join(store, 'books')
  const book = new SummaryBook(folder, '/srv/tree', 'a')
  book.add([
    ['h1', 'one'],
    ['h2', 'two'],
  ])
  const path = join(folder, readdirSync(folder)[0]!)
  appendFileSync(path, '["h3","thr')
  const again = new SummaryBook(folder, '/srv/tree', 'a')
  expect([again.size, again.get('h2'), again.get('h3')]).toEqual([2, 'two', null])
  again.add([['h4', 'four']])
  book.refresh()
  expect([book.size, book.get('h4')]).toEqual([3, 'four'])
  again.tidy(new Set(['h4']))
  book.refresh()
  expect([book.size, book.get('h1'), book.get('h4')]).toEqual([1, null, 'four'])
  const other = new SummaryBook(folder, '/srv/tree', 'b')
  expect(other.size).toBe(0)
  other.add([['h5', 'five']])
  book.refresh()
  expect([other.get('h5'), book.get('h5')]).toEqual(['five', null])
})

const reversed = (chat: ChatRequest) =>
  said({
    order: piecesOf(chat)
      .map(([number]) => number)
      .reverse(),
  })
const titles = (results: any[]) => results.map(({ file_path, symbol_name }) => `${file_path} ${symbol_name}`)

test('reranks the best results and explains their previous rank', async () => {
  endpoint.talk = () => 404
  await start({ ...RERANK, SVC_INDEX_RERANK_CANDIDATES: '10' })
  await stand.indexed(tree.path)
  const before = await search()
  const [ninth, tenth] = titles(before).slice(8)
  endpoint.chats.length = 0
  endpoint.talk = () => said('```json\n{"order": [10]}\n```')
  const after = await search({ explain: true })
  expect(titles(after)).toEqual([tenth, ...titles(before).slice(0, 9), ...titles(before).slice(10)])
  expect(after[0].explanation.rerank).toEqual({ rank: 1, before: 10 })
  expect(after[9]).toMatchObject({ explanation: { rerank: { rank: 10, before: 9 } } })
  expect(titles(after)[9]).toBe(ninth)
  expect(after[10].explanation).not.toHaveProperty('rerank')
  expect(after.map(({ score }) => score)).toEqual(before.map(({ score }) => score))
  expect(endpoint.chats).toMatchObject([{ model: 'judge', material: expect.stringContaining('delete old archives') }])
  expect(titles(await search({ limit: 1 }))).toEqual([tenth])
  expect(await counted('svc_index_reranks_total', 'done')).toBe(2)
})

test('reranks thirty results in three mixed batches above the rest', async () => {
  for (let at = 0; at < 60; at++)
    tree.write(`many/${at}.ts`, `/** Deletes archives. */\nexport function step${at}() {\n  return ${at}\n}\n`)
  endpoint.talk = () => 404
  await start(RERANK)
  await stand.indexed(tree.path)
  const before = titles(await search())
  endpoint.chats.length = 0
  endpoint.talk = reversed
  const after = titles(await search())
  expect(endpoint.chats.map((chat) => piecesOf(chat).length)).toEqual([10, 10, 10])
  expect(after.slice(0, 3)).toEqual(before.slice(27, 30))
  expect(after.slice(30)).toEqual(before.slice(30))
  expect([...after].sort()).toEqual([...before].sort())
  endpoint.chats.length = 0
  await search({ search_mode: 'keyword' })
  expect(endpoint.chats).toEqual([])
})

test('ignores duplicate and unknown numbers and keeps other results in order', async () => {
  endpoint.talk = () => 404
  await start({ ...RERANK, SVC_INDEX_RERANK_CANDIDATES: '10' })
  await stand.indexed(tree.path)
  const before = titles(await search())
  endpoint.talk = () => said({ order: [3, 3, 99, -4, 0, 1, 3] })
  const after = titles(await search())
  const [first, second, third, ...rest] = before
  expect(after).toEqual([third, first, second, ...rest])
})
