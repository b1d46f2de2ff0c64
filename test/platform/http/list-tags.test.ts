// ETags of lists: which answers have one, and when the answer is 304.
import * as Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noLog } from '../../../platform/core/log/log.ts'
import { implement } from '../../../platform/http/implement.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { list, operation } from '../../../schemas/operations/operation.ts'

const item = Type.Object({ id: Type.Integer() })
const about = { identity: 'none', summary: 'List numbers' } as const
const numbers = list('numbers.list', '/numbers', { ...about, item, cursors: {} })
const own = operation('numbers.own', 'GET /numbers/own', {
  ...about,
  reply: { 200: Type.Object({ numbers: Type.Array(item) }) },
  tagged: true,
})
const one = operation('numbers.get', 'GET /numbers/one', { ...about, reply: { 200: item } })

let app: HttpServer
let items: { id: number }[]

beforeAll(async () => {
  const config = { bind: '127.0.0.1', hosts: [], tokensFile: null }
  app = await createHttpServer({ service: 'svc-numbers', version: '1', log: noLog, config, health: async () => ({}) })
  implement(app, numbers, async ({ cursor }) =>
    cursor ? { items: items.slice(0, cursor.limit), next: null, previous: null } : items,
  )
  implement(app, own, async () => ({ numbers: items }))
  implement(app, one, async () => ({ id: 1 }))
})
afterAll(() => app.close())

const count = (many: number) => Array.from({ length: many }, (_, id) => ({ id }))
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers })
const tagOf = async (url: string): Promise<string> => (await get(url)).headers.etag as string

describe('tags', () => {
  const forms = ['/numbers', '/numbers?limit=2', '/numbers?after=', '/numbers?before=&limit=3', '/numbers/own']
  test.each(forms)('answers %s with 304 to a client that has it', async (url) => {
    items = count(5)
    const first = await get(url)
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
      'cache-control': 'private, no-cache',
    })
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
    const again = await get(url, { 'if-none-match': first.headers.etag as string })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag])
    expect(again.headers).not.toHaveProperty('content-type')
  })

  test('sends the list again once it has changed', async () => {
    items = count(5)
    const etag = await tagOf('/numbers')
    items = count(6)
    const changed = await get('/numbers', { 'if-none-match': etag })
    expect([changed.statusCode, changed.json()]).toEqual([200, items])
    expect(changed.headers.etag).not.toBe(etag)
  })

  test('distinguishes pages', async () => {
    items = count(5)
    const tags = await Promise.all(['/numbers', '/numbers?limit=2', '/numbers?limit=3', '/numbers?after='].map(tagOf))
    expect(new Set(tags).size).toBe(4)
  })

  test('finds its tag in a list, weak or strong', async () => {
    items = count(5)
    const etag = await tagOf('/numbers')
    const strong = etag.slice(2)
    for (const given of [`"other", ${etag}`, strong, `${strong},W/"x"`, '*', ` ${etag} `])
      expect((await get('/numbers', { 'if-none-match': given })).statusCode, given).toBe(304)
    for (const given of ['', '"other"', etag.slice(0, -1), etag.slice(3, -1), `w/${strong}`, ',,,', 'W/'])
      expect((await get('/numbers', { 'if-none-match': given })).statusCode, given).toBe(200)
  })

  test('answers HEAD with the tag and no body', async () => {
    items = count(5)
    const etag = await tagOf('/numbers')
    const head = await get('/numbers', {}, 'HEAD')
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, etag, ''])
    const unchanged = await get('/numbers', { 'if-none-match': etag }, 'HEAD')
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
    for (const name of ['content-length', 'content-type', 'transfer-encoding'])
      expect(unchanged.headers).not.toHaveProperty(name)
  })

  test('tags a long list, which is sent in parts', async () => {
    items = count(1001)
    const long = await get('/numbers')
    expect([long.statusCode, long.json()]).toEqual([200, items])
    const again = await get('/numbers', { 'if-none-match': long.headers.etag as string })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    items[1000] = { id: 5 }
    expect(await tagOf('/numbers')).not.toBe(long.headers.etag)
  })
})

describe('answers without a tag', () => {
  test.each(['/numbers/one', '/numbers?limit=none', '/health', '/openapi.json', '/metrics'])(
    'sends %s without a tag',
    async (url) => {
      expect((await get(url)).headers).not.toHaveProperty('etag')
    },
  )
})
