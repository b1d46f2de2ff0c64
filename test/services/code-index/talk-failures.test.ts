// A failing chat model must not make a search worse.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, said, startEndpoint, startIndex, type IndexStand, type StubEndpoint } from './stand.ts'

let endpoint: StubEndpoint
let stand: IndexStand
let id: string

/** Shares one index per group, whose tests differ only in the model’s responses. */
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
/** Log output from now on. */
const logged = (): (() => string) => {
  const { length } = stand.log()
  return () => stand.log().slice(length)
}
const titles = (results: any[]) => results.map(({ file_path, symbol_name }) => `${file_path} ${symbol_name}`)

describe('summaries', () => {
  indexedWith({
    SVC_INDEX_SUMMARY_ENABLED: 'true',
    SVC_INDEX_SUMMARY_MODEL: 'tiny',
    SVC_INDEX_SUMMARY_TIMEOUT_SECS: '0.3',
  })

  test.each<[string, () => unknown]>([
    ['a refusal', () => 404],
    ['invalid JSON', () => 'nonsense'],
    ['an object of another shape', () => ({ choices: [{ message: { content: [1] } }] })],
    ['text without an object', () => said('I would rather not.')],
    ['invalid summaries', () => said({ summaries: [{ number: 'one', summary: 7 }] })],
    [
      'too many summaries',
      () => said({ summaries: Array.from({ length: 5000 }, () => ({ number: 1, summary: 'x' })) }),
    ],
    ['a text that is too long', () => said('x'.repeat(600_000))],
    [
      'unknown numbers',
      () =>
        said({
          summaries: [
            { number: 77, summary: 'x' },
            { number: -1, summary: 'x' },
          ],
        }),
    ],
    ['no response', () => null],
  ])('leaves summaries empty and counts a failure if the model returns %s', async (_how, talk) => {
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
    await eventually(() => said().includes('failed to summarise chunks'))
  })
})

describe('reranking', () => {
  indexedWith({
    SVC_INDEX_RERANK_ENABLED: 'true',
    SVC_INDEX_RERANK_MODEL: 'judge',
    SVC_INDEX_RERANK_TIMEOUT_SECS: '0.4',
  })

  test.each<[string, () => unknown]>([
    ['a refusal', () => 404],
    ['a failure', () => 503],
    ['invalid JSON', () => 'nonsense'],
    ['no choice', () => ({ choices: [] })],
    ['null', () => 'null'],
    ['prose', () => said('the third one')],
    ['an empty order', () => said({ order: [] })],
    ['an order of strings', () => said({ order: ['1', '2'] })],
    ['only unknown numbers', () => said({ order: [500, 501] })],
    ['an order that is too long', () => said({ order: Array.from({ length: 10_000 }, (_each, at) => at) })],
    ['a text that is too long', () => said('x'.repeat(600_000))],
    ['no response', () => null],
  ])('keeps the order and reports it if the model returns %s', async (_how, talk) => {
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
