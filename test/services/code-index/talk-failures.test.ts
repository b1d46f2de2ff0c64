// A model that talks nonsense, or not at all: a search is never worse than without one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, said, startEndpoint, startIndex, type IndexStand, type StubEndpoint } from './stand.ts'

let endpoint: StubEndpoint
let stand: IndexStand
let id: string

/** One index for all tests of a group: what is wrong is in the answers alone. */
function indexedWith(env: Record<string, string>): void {
  let close: () => Promise<unknown>
  beforeAll(async () => {
    endpoint = await startEndpoint()
    const tree = makeTree(SAMPLE)
    const database = await sqliteDatabase()
    const embedding = { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin', SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url }
    stand = await startIndex(database.url, { ...embedding, ...env })
    close = async () => {
      await stand.close()
      await endpoint.close()
      await database.remove()
      tree.remove()
    }
    id = (await stand.indexed(tree.path)).id
  })
  afterAll(() => close?.())
}

const search = async (body: object = {}): Promise<any[]> => {
  const asked = { query: 'delete old archives', search_mode: 'hybrid', limit: 100, ...body }
  const { status, body: reply } = await stand.ask('POST /search', asked)
  expect(status).toBe(200)
  return reply.results
}
const counted = async (name: string, outcome: string): Promise<number> => {
  const text = await (await fetch(`${stand.host.urls.index}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}
/** What is logged from now on. */
const logged = (): (() => string) => {
  const { length } = stand.log()
  return () => stand.log().slice(length)
}
const titles = (results: any[]) => results.map(({ file_path, symbol_name }) => `${file_path} ${symbol_name}`)

describe('of summaries', () => {
  indexedWith({
    SVC_INDEX_SUMMARY_ENABLED: 'true',
    SVC_INDEX_SUMMARY_MODEL: 'tiny',
    SVC_INDEX_SUMMARY_TIMEOUT_SECS: '0.3',
  })

  test.each<[string, () => unknown]>([
    ['a refusal', () => 404],
    ['no JSON', () => 'nonsense'],
    ['another shape', () => ({ choices: [{ message: { content: [1] } }] })],
    ['no object', () => said('I would rather not.')],
    ['summaries that are none', () => said({ summaries: [{ number: 'one', summary: 7 }] })],
    ['far too many', () => said({ summaries: Array.from({ length: 5000 }, () => ({ number: 1, summary: 'x' })) })],
    ['far too much', () => said('x'.repeat(600_000))],
    [
      'other numbers',
      () =>
        said({
          summaries: [
            { number: 77, summary: 'x' },
            { number: -1, summary: 'x' },
          ],
        }),
    ],
    ['nothing at all', () => null],
  ])('a model that answers with %s leaves chunks without a summary, ready and counted', async (_how, talk) => {
    endpoint.talk = talk
    const failed = await counted('svc_index_summaries_total', 'failed')
    const said = logged()
    await stand.ask(`POST /repositories/${id}/reindex`)
    await stand.settled(id, 'ready')
    await eventually(async () => (await counted('svc_index_summaries_total', 'failed')) > failed + 5)
    expect((await stand.ask(`GET /repositories/${id}/status`)).body).toMatchObject({
      status: 'ready',
      error_message: null,
    })
    const results = await search()
    expect(results.length).toBeGreaterThan(5)
    expect(results.every(({ summary }) => summary === null)).toBe(true)
    await eventually(() => said().includes('chunks are without a summary'))
  })
})

describe('of an order', () => {
  indexedWith({
    SVC_INDEX_RERANK_ENABLED: 'true',
    SVC_INDEX_RERANK_MODEL: 'judge',
    SVC_INDEX_RERANK_TIMEOUT_SECS: '0.4',
  })

  test.each<[string, () => unknown]>([
    ['a refusal', () => 404],
    ['a failure', () => 503],
    ['no JSON', () => 'nonsense'],
    ['no choice', () => ({ choices: [] })],
    ['null', () => 'null'],
    ['words', () => said('the third one')],
    ['an empty order', () => said({ order: [] })],
    ['an order of texts', () => said({ order: ['1', '2'] })],
    ['other numbers alone', () => said({ order: [500, 501] })],
    ['an order that is too long', () => said({ order: Array.from({ length: 10_000 }, (_each, at) => at) })],
    ['far too much', () => said('x'.repeat(600_000))],
    ['nothing at all', () => null],
  ])('a model that answers with %s changes nothing, and that is told', async (_how, talk) => {
    endpoint.talk = () => 404
    const words = titles(await search({ search_mode: 'keyword', limit: 1 }))
    const before = await search()
    endpoint.talk = talk
    const skipped = await counted('svc_index_reranks_total', 'skipped')
    const said = logged()
    const after = await search({ explain: true })
    expect(titles(after)).toEqual(titles(before))
    expect(titles(after)[0]).toBe(words[0])
    expect(after.every(({ explanation }) => explanation.rerank === 'skipped')).toBe(true)
    expect(said()).toContain('"rerank":"skipped"')
    expect(await counted('svc_index_reranks_total', 'skipped')).toBe(skipped + 1)
  })
})
