import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqliteDatabase } from '../../support/databases.ts'
import { makeTree, SAMPLE, startIndex, type IndexStand, type Tree } from './stand.ts'

let stand: IndexStand
let tree: Tree
let other: Tree
let database: Awaited<ReturnType<typeof sqliteDatabase>>
let id: string
beforeAll(async () => {
  database = await sqliteDatabase()
  stand = await startIndex(database.url)
  tree = makeTree(SAMPLE)
  other = makeTree({ 'lib.rs': SAMPLE['core/lib.rs'] })
  ;({ id } = await stand.indexed(tree.path))
  await stand.indexed(other.path)
})
afterAll(async () => {
  await stand.close()
  await database.remove()
  tree.remove()
  other.remove()
})

const search = (body: object) => stand.ask('POST /search', { query: 'archive', ...body })

test.each([
  ['blank', { query: ' \n' }, 'blank'],
  ['empty', { query: '' }, 'blank'],
  ['missing', { query: undefined }, 'query'],
  ['too long', { query: 'x'.repeat(5000) }, '4000'],
  ['of another type', { query: ['archive'] }, 'query'],
  ['of an unknown mode', { search_mode: 'fuzzy' }, 'search_mode'],
  ['of an unknown level', { hierarchy_level: 'line' }, 'hierarchy_level'],
  ['with an unknown field', { querry: 'x' }, 'querry'],
])('rejects a search that is %s with 422', async (_what, body, said) => {
  const reply = await search(body)
  expect([reply.status, reply.body.code]).toEqual([422, 'unprocessable-content'])
  expect(reply.body.detail).toContain(said)
})

test('searches by meaning with ten results by default', async () => {
  const { status, body } = await search({ explain: true })
  expect(status).toBe(200)
  expect(body.results.length).toBeLessThanOrEqual(10)
  expect(body.results[0].explanation).toMatchObject({ keyword: null, vector: { rank: 1 } })
})

test.each([
  [-5, 1],
  [0, 1],
  [3, 3],
])('treats a limit of %s as %s', async (limit, most) => {
  for (const search_mode of ['keyword', 'vector', 'hybrid'])
    expect((await search({ query: 'queue items archive money', search_mode, limit })).body.results).toHaveLength(most)
})

test('limits a search to one repository, or returns 404', async () => {
  const { body } = await search({ query: 'enqueue', search_mode: 'hybrid', repo_id: id })
  expect(new Set(body.results.map((each: { repo_id: string }) => each.repo_id))).toEqual(new Set([id]))
  expect((await search({ repo_id: randomUUID() })).status).toBe(404)
})

test.each([
  'GET /repositories/:id',
  'DELETE /repositories/:id',
  'GET /repositories/:id/status',
  'POST /repositories/:id/reindex',
])('returns 404 for an unknown repository: %s', async (request) =>
  expect((await stand.ask(request.replace(':id', randomUUID()))).status).toBe(404),
)

test('ranks a matching name first and explains it', async () => {
  const { body } = await search({ query: 'Purse', search_mode: 'hybrid', explain: true })
  expect(body.results[0]).toMatchObject({
    symbol_name: 'Purse',
    explanation: { keyword: { rank: expect.any(Number) }, name: { rank: expect.any(Number) }, rules: ['named'] },
  })
  const scores = body.results.map((each: { score: number }) => each.score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
})

test('returns the same results and ids for the same tree', async () => {
  const questions = ['queue', 'old archives', 'rate of a currency', 'sweep']
  const answers = async () => {
    const replies = await Promise.all(questions.map((query) => search({ query, search_mode: 'hybrid' })))
    return replies.map(({ body }) => body.results)
  }
  const before = await answers()
  await stand.ask(`POST /repositories/${id}/reindex`)
  await stand.settled(id, 'ready')
  expect(await answers()).toEqual(before)
})

test('reindexes for changed languages, not for a new name', async () => {
  const { status, body } = await stand.ask(`PATCH /repositories/${id}`, { name: 'renamed' })
  expect([status, body]).toMatchObject([200, { name: 'renamed', status: 'ready' }])
  const narrowed = await stand.ask(`PATCH /repositories/${id}`, { languages: ['python'] })
  expect(narrowed.body).toMatchObject({ languages: ['python'], status: 'pending' })
  await stand.settled(id, 'ready')
  expect((await search({ query: 'Purse', search_mode: 'keyword', repo_id: id })).body.results).toEqual([])
  await stand.ask(`PATCH /repositories/${id}`, { languages: null, ignore: ['core/'] })
  await stand.settled(id, 'ready')
  const { results } = (await search({ query: 'Purse queue', search_mode: 'keyword', repo_id: id })).body
  expect(results.map((each: { file_path: string }) => each.file_path)).not.toContain('core/lib.rs')
  expect(results[0].symbol_name).toBe('Purse')
})

test('rejects a file pattern that takes too long with 422 and answers beside it', { timeout: 90_000 }, async () => {
  const name = (n: number) => `${'a'.repeat(200)}${n}.js`
  const many = makeTree(
    Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [name(n), 'export function slowlyFound() {}\n'])),
  )
  await stand.indexed(many.path)
  const file_pattern = `*${'a'.repeat(90)}${'{b,c}'.repeat(6)}*`
  const [bad, innocent] = await Promise.all([
    search({ query: 'slowlyFound', search_mode: 'keyword', file_pattern }),
    search({ query: 'Purse', search_mode: 'keyword' }),
  ])
  expect([bad.status, bad.body.detail]).toEqual([
    422,
    `file_pattern ${JSON.stringify(file_pattern)} took longer than 2 s: simplify it`,
  ])
  expect(innocent.body.results[0].symbol_name).toBe('Purse')
  many.remove()
})
