// Who embeds, and what becomes of an index when they are slow, down, changed, or answer nonsense.
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

test('an endpoint embeds what is indexed and what is asked', async () => {
  await start({ SVC_INDEX_EMBEDDING_PROVIDER: 'hosted', SVC_INDEX_EMBEDDING_KEY: 'sk-canary-11' })
  const { id } = await stand!.indexed(tree.path)
  expect((await stand!.ask(`GET /repositories/${id}/status`)).body.model).toBe('hosted/nomic-embed-text')
  const { body } = await search({ search_mode: 'vector', limit: 1 })
  expect(body.results).toMatchObject([{ file_path: 'tools/clean.py', symbol_name: 'remove_old_archives' }])
  expect(stand!.log()).not.toContain('sk-canary-11')
})

test('where nobody chose and nothing listens the builtin one embeds, and says so', async () => {
  stand = await startIndex(database.url)
  const { id } = await stand.indexed(tree.path)
  expect((await stand.ask(`GET /repositories/${id}/status`)).body.model).toMatch(/^builtin\//)
  expect(stand.log()).toContain('the builtin one is used')
  expect((await search({ search_mode: 'hybrid' })).body.results.length).toBeGreaterThan(3)
})

test('an endpoint that was chosen and is not there is an error that says so', async () => {
  await start()
  await endpoint.close()
  const { error_message } = await stand!.settled(await register(), 'error')
  expect(error_message).toMatch(/cannot be reached \(ECONNREFUSED\); see SVC_INDEX_EMBEDDING_ENDPOINT/)
})

test.each([
  ['down', 'answered 404: {"error":"model \\"nomic-embed-text\\" not found"}'],
  ['nan', 'something in it that is no number'],
  ['zero', 'without a direction'],
  ['garbage', 'cannot be read'],
] as const)('an endpoint that answers as "%s" makes an error that says so', async (how, said) => {
  endpoint.answer = how
  await start()
  const { error_message } = await stand!.settled(await register(), 'error')
  expect(error_message).toContain(said)
})

test.each([
  ['silent', 'did not answer within 0.4 s'],
  ['half', 'cannot be read'],
  ['endless', 'answered 404: xxx'],
] as const)('an endpoint that is %s is given up, in time', async (how, said) => {
  endpoint.answer = how
  await start({ SVC_INDEX_EMBEDDING_TIMEOUT_SECS: '0.4' })
  const id = await register()
  const { error_message } = await stand!.settled(id, 'error')
  expect(error_message).toContain(said)
  expect(error_message!.length).toBeLessThan(600)
  // Not read to an end that never comes.
  expect(endpoint.sent).toBeLessThan(16_000_000)
  endpoint.answer = 'well'
  await stand!.ask(`POST /repositories/${id}/reindex`)
  await stand!.settled(id, 'ready')
  endpoint.answer = how
  const { status, body } = await search({ search_mode: 'vector' })
  expect([status, body.detail]).toEqual([500, expect.stringContaining(said)])
})

test('when it fails later a search is a 500 that says so, words are still found, and so is the old index', async () => {
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

test('an endpoint that is busy is asked again', async () => {
  endpoint.answer = 'busy'
  await start()
  const id = await register()
  setTimeout(() => (endpoint.answer = 'well'), 600)
  await stand!.settled(id, 'ready')
})

test('another model makes everything anew, and until then questions are put to the one before', async () => {
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

test('an edited function is the only one that is embedded again', async () => {
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

test('what an endpoint gave before the daemon was killed is not asked for again', async () => {
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
  // Those of the batch that was on its way.
  expect(twice.length).toBeLessThanOrEqual(256)
  expect(twice.length).toBeLessThan(many.length)
  const { body } = await search({ query: 'step599', search_mode: 'keyword', limit: 1 })
  expect(body.results[0].file_path).toBe('many/599.ts')
})
