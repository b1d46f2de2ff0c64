import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, startEndpoint, startIndex, type IndexStand, type StubEndpoint, type Tree } from './stand.ts'

let endpoint: StubEndpoint
let tree: Tree
let stand: IndexStand | null = null
let database: Awaited<ReturnType<typeof sqliteDatabase>>
beforeEach(async () => {
  endpoint = await startEndpoint()
  tree = makeTree(SAMPLE)
  database = await sqliteDatabase()
})
afterEach(async () => {
  await stand?.close()
  stand = null
  await endpoint.close()
  await database.remove()
  tree.remove()
})

const start = async (env: Record<string, string> = {}): Promise<IndexStand> => {
  stand = await startIndex(database.url, { SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url, ...env })
  return stand
}
const search = (body: object) => stand!.ask('POST /search', { query: 'delete old archives', ...body })
const register = async () =>
  (await stand!.ask('POST /repositories', { name: 'tree', path: tree.path })).body.id as string

test('embeds chunks and queries by the endpoint', async () => {
  await start({ SVC_INDEX_EMBEDDING_PROVIDER: 'hosted', SVC_INDEX_EMBEDDING_KEY: 'sk-canary-11' })
  const { id } = await stand!.indexed(tree.path)
  expect((await stand!.ask(`GET /repositories/${id}/status`)).body.model).toBe('hosted/nomic-embed-text')
  const { body } = await search({ search_mode: 'vector', limit: 1 })
  expect(body.results).toMatchObject([{ file_path: 'tools/clean.py', symbol_name: 'remove_old_archives' }])
  expect(stand!.log()).not.toContain('sk-canary-11')
})

test('falls back to the builtin embedding by default and logs it', async () => {
  stand = await startIndex(database.url)
  const { id } = await stand.indexed(tree.path)
  expect((await stand.ask(`GET /repositories/${id}/status`)).body.model).toMatch(/^builtin\//)
  expect(stand.log()).toContain('using the builtin embedding')
  expect((await search({ search_mode: 'hybrid' })).body.results.length).toBeGreaterThan(3)
})

test('reports a configured endpoint that is unreachable', async () => {
  await start()
  await endpoint.close()
  const { error_message } = await stand!.settled(await register(), 'error')
  expect(error_message).toMatch(/is unreachable \(ECONNREFUSED\); check SVC_INDEX_EMBEDDING_ENDPOINT/)
})

test.each([
  ['down', 'returned 404: {"error":"model \\"nomic-embed-text\\" not found"}'],
  ['nan', 'a value that is not a finite number'],
  ['zero', 'a vector of zeros'],
  ['garbage', 'an unreadable response'],
] as const)('reports an endpoint with a response of type %s', async (how, said) => {
  endpoint.answer = how
  await start()
  const { error_message } = await stand!.settled(await register(), 'error')
  expect(error_message).toContain(said)
})

test.each([
  ['silent', 'did not answer within 0.4 s'],
  ['half', 'an unreadable response'],
  ['endless', 'returned 404: xxx'],
] as const)('gives up on an endpoint after the time-out: %s', async (how, said) => {
  endpoint.answer = how
  await start({ SVC_INDEX_EMBEDDING_TIMEOUT_SECS: '0.4' })
  const id = await register()
  const { error_message } = await stand!.settled(id, 'error')
  expect(error_message).toContain(said)
  expect(error_message!.length).toBeLessThan(600)
  // An endless response must not be read completely.
  expect(endpoint.sent).toBeLessThan(16_000_000)
  endpoint.answer = 'well'
  await stand!.ask(`POST /repositories/${id}/reindex`)
  await stand!.settled(id, 'ready')
  endpoint.answer = how
  const { status, body } = await search({ search_mode: 'vector' })
  expect([status, body.detail]).toEqual([500, expect.stringContaining(said)])
})

test('keeps keyword search and the old index when the endpoint fails', async () => {
  await start()
  const { id } = await stand!.indexed(tree.path)
  for (const how of ['down', 'nan', 'short'] as const) {
    endpoint.answer = how
    const { status, body } = await search({ search_mode: 'vector' })
    expect([status, body.detail]).toEqual([500, expect.stringContaining('the embedding endpoint')])
    expect((await search({ search_mode: 'keyword' })).body.results[0].file_path).toBe('tools/clean.py')
  }
  endpoint.answer = 'down'
  tree.write('tools/new.py', 'def brand_new_thing():\n    return 1\n')
  await stand!.ask(`POST /repositories/${id}/reindex`)
  await stand!.settled(id, 'error')
  expect((await search({ search_mode: 'keyword' })).body.results[0].file_path).toBe('tools/clean.py')
  endpoint.answer = 'well'
  await stand!.ask(`POST /repositories/${id}/reindex`)
  await stand!.settled(id, 'ready')
  const { body } = await search({ query: 'brand new thing', search_mode: 'vector', limit: 1 })
  expect(body.results[0].file_path).toBe('tools/new.py')
})

test('retries a busy endpoint', async () => {
  endpoint.answer = 'busy'
  await start()
  const id = await register()
  setTimeout(() => (endpoint.answer = 'well'), 600)
  await stand!.settled(id, 'ready')
})

test('re-embeds for a new model and queries the old one until then', async () => {
  const env = { SVC_INDEX_LANCE_PATH: join(tree.path, 'node_modules', 'store') }
  await start(env)
  const { id } = await stand!.indexed(tree.path)
  await stand!.close()
  stand = null
  endpoint.delayMs = 300
  await start({ ...env, SVC_INDEX_EMBEDDING_MODEL: 'wide' })
  const { body: before } = await search({ search_mode: 'vector', limit: 1, explain: true })
  expect(before.results).toMatchObject([
    { file_path: 'tools/clean.py', explanation: { model: 'local/nomic-embed-text' } },
  ])
  const model = async () => (await stand!.ask(`GET /repositories/${id}/status`)).body.model
  await eventually(async () => (await model()) === 'local/wide')
  const { body: after } = await search({ search_mode: 'vector', limit: 1, explain: true })
  expect(after.results).toMatchObject([{ file_path: 'tools/clean.py', explanation: { model: 'local/wide' } }])
})

test('re-embeds only an edited function', async () => {
  await start()
  const { id } = await stand!.indexed(tree.path)
  const all = endpoint.texts.length
  endpoint.texts.length = 0
  tree.write('tools/clean.py', SAMPLE['tools/clean.py'].replace('rmtree(archive)', 'rmtree(archive.path)'))
  await stand!.ask(`POST /repositories/${id}/reindex`)
  await stand!.settled(id, 'ready')
  const passages = endpoint.texts.filter((text) => text !== 'function')
  expect(passages).toEqual([expect.stringMatching(/^tools\/clean\.py remove_old_archives\n/)])
  expect(all).toBeGreaterThan(5)
})

test('does not repeat requests answered before a restart', async () => {
  const many = Array.from({ length: 600 }, (_each, at) => `export function step${at}() {\n  return ${at}\n}\n`)
  for (const [at, text] of many.entries()) tree.write(`many/${at}.ts`, text)
  endpoint.delayMs = 150
  await start()
  await register()
  await eventually(() => endpoint.texts.length > 300)
  await stand!.reopen()
  endpoint.delayMs = 0
  const [{ id }] = (await stand!.ask('GET /repositories')).body.repositories
  await stand!.settled(id, 'ready')
  const asked = new Map<string, number>()
  for (const text of endpoint.texts) asked.set(text, (asked.get(text) ?? 0) + 1)
  const twice = [...asked].filter(([text, times]) => times > 1 && text !== 'function')
  // At most the interrupted batch is sent again.
  expect(twice.length).toBeLessThanOrEqual(256)
  expect(twice.length).toBeLessThan(many.length)
  const { body } = await search({ query: 'step599', search_mode: 'keyword', limit: 1 })
  expect(body.results[0].file_path).toBe('many/599.ts')
})
