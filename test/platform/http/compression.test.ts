// Which answers are compressed.
import { gunzipSync } from 'node:zlib'
import * as Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noLog } from '../../../platform/core/log/log.ts'
import { implement } from '../../../platform/http/implement.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { events, lines, list, operation } from '../../../schemas/operations/operation.ts'

const text = 'words that repeat, words that repeat'
const item = Type.Object({ id: Type.Integer(), text: Type.String() })
const about = { identity: 'none', summary: 'Show texts' } as const
const all = list('texts.list', '/texts', { ...about, item, cursors: {} })
const whole = operation('texts.whole', 'GET /texts/whole', { ...about, reply: { 200: Type.Array(item) } })
const written = lines('texts.lines', 'GET /texts/lines', { ...about, line: item })
const told = events('texts.events', '/texts/events', { ...about, event: Type.Object({ type: Type.String() }) })

let app: HttpServer
let items: { id: number; text: string }[]

beforeAll(async () => {
  const config = { bind: '127.0.0.1', hosts: [], tokensFile: null }
  app = await createHttpServer({
    service: 'svc-texts',
    version: '1',
    log: noLog,
    config,
    health: async () => ({}),
    graceMs: 100,
  })
  implement(app, all, async ({ cursor }) =>
    cursor ? { items: items.slice(0, cursor.limit), next: null, previous: null } : items,
  )
  implement(app, whole, async () => items)
  implement(app, written, async (_asked, write) => {
    for (const each of items) write(each)
    return items[0]!
  })
  implement(app, told, () => (listener) => {
    setImmediate(() => listener({ type: text.repeat(1000) }))
    return () => undefined
  })
})
afterAll(() => app.close())

const fill = (many: number) => (items = Array.from({ length: many }, (_, id) => ({ id, text })))
const get = (url: string, accepted = 'gzip, deflate, br', headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-encoding': accepted, ...headers } })

describe('lists', () => {
  test.each(['/texts', '/texts?limit=200', '/texts?after=&limit=200'])('compresses %s', async (url) => {
    fill(200)
    const [plain, short] = [await get(url, 'identity'), await get(url)]
    expect(short.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(short.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(gunzipSync(short.rawPayload).toString()).toBe(plain.body)
  })

  test('compresses a long list while it is sent', async () => {
    fill(2000)
    const long = await get('/texts')
    expect(long.headers).toMatchObject({
      'content-encoding': 'gzip',
      etag: (await get('/texts', 'identity')).headers.etag,
    })
    expect(JSON.parse(gunzipSync(long.rawPayload).toString())).toEqual(items)
  })

  test('has the same tag and Vary in both forms', async () => {
    fill(200)
    const [plain, short] = [await get('/texts', 'identity'), await get('/texts')]
    expect(plain.headers).toMatchObject({ etag: short.headers.etag, vary: 'accept-encoding' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const again = await get('/texts', 'gzip', { 'if-none-match': plain.headers.etag as string })
    expect([again.statusCode, again.rawPayload.length, again.headers['content-encoding']]).toEqual([304, 0, undefined])
  })

  test.each(['', 'identity', 'br', 'gzip;q=0', 'nonsense;;q=x', ',,,'])(
    'answers Accept-Encoding "%s" plainly',
    async (accepted) => {
      fill(200)
      const plain = await get('/texts', accepted)
      expect([plain.statusCode, plain.headers['content-encoding'], plain.json().length]).toEqual([200, undefined, 200])
    },
  )

  test('sends a small list and an error plainly', async () => {
    fill(10)
    const small = await get('/texts')
    expect([small.headers['content-encoding'], small.json()]).toEqual([undefined, items])
    const refused = await get(`/texts?after=${'x'.repeat(8000)}&limit=${'x'.repeat(8000)}`)
    expect([refused.statusCode, refused.headers['content-encoding']]).toEqual([400, undefined])
  })
})

describe('other answers', () => {
  test('sends one record, lines, events and documents plainly', async () => {
    fill(200)
    for (const url of ['/texts/whole', '/texts/lines', '/openapi.json', '/metrics'])
      expect((await get(url)).headers, url).not.toHaveProperty('content-encoding')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const ended = new AbortController()
    const stream = await fetch(`${app.listeningOrigin}/texts/events`, { signal: ended.signal })
    expect(stream.headers.get('content-encoding')).toBe(null)
    ended.abort()
  })
})
