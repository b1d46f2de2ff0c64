import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { Forge, ForgeFault, ForgeLimit, type ForgeOptions } from '../../../platform/forge/forge.ts'

const TOKEN = 'forge-token-1'
const never = new AbortController().signal

interface Server {
  url: string
  requests: { path: string; method: string; headers: IncomingMessage['headers'] }[]
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void

async function serve(respond: Respond): Promise<Server> {
  const requests: Server['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ path: request.url!, method: request.method!, headers: request.headers })
    respond(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const open = (url: string, more: Partial<ForgeOptions> = {}) =>
  new Forge({ url, token: TOKEN, clock: new TestClock(), ...more })

async function fault(work: Promise<unknown>): Promise<ForgeFault> {
  const error = await work.then(
    () => expect.fail('no fault'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ForgeFault)
  expect(JSON.stringify([String(error), error, (error as Error).stack])).not.toContain(TOKEN)
  return error as ForgeFault
}

test.each([
  ['/api/v3', '/api/graphql'],
  ['/api/v3/', '/api/graphql'],
  ['', '/graphql'],
  ['/forge', '/forge/graphql'],
])('sends GraphQL for the base %j to %s', async (base, path) => {
  const server = await serve((_request, response) => json(response, 200, { data: { viewer: { login: 'mia' } } }))
  const data = await open(server.url + base).query('query Viewer { viewer { login } }', {}, { signal: never })
  expect(data).toEqual({ viewer: { login: 'mia' } })
  expect(server.requests).toMatchObject([{ path, method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } }])
})

test('reads all pages and gives the date of each answer', async () => {
  const date = 'Fri, 01 May 2026 12:00:00 GMT'
  const server = await serve((request, response) => {
    const link = request.url!.includes('page=2') ? '' : `<${server.url}/labels?page=2>; rel="next"`
    json(response, 200, [request.url], { date, link })
  })
  const dates: unknown[] = []
  const all = await open(server.url).readAll('GET /labels', {}, { signal: never, onDate: (each) => dates.push(each) })
  expect(all).toEqual(['/labels', '/labels?page=2'])
  expect(dates[0]).toBe(date)
})

test('reads 200 pages of one list at most', async () => {
  const server = await serve((request, response) => {
    const page = Number(/page=(\d+)/.exec(request.url!)?.[1] ?? 1)
    json(response, 200, [page], { link: `<${server.url}/labels?page=${page + 1}>; rel="next"` })
  })
  const error = await fault(open(server.url).readAll('GET /labels', {}, { signal: never }))
  expect(error).toMatchObject({ code: 'forge-unsupported', message: expect.stringContaining('more than 200 pages') })
})

test('does not follow a next page to another origin', async () => {
  const other = await serve((_request, response) => json(response, 200, []))
  const server = await serve((_request, response) =>
    json(response, 200, ['a'], { link: `<${other.url}/labels?page=2>; rel="next"` }),
  )
  const error = await fault(open(server.url).readAll('GET /labels', {}, { signal: never }))
  expect(error).toMatchObject({ code: 'forge-unreadable', message: expect.stringContaining('next page outside') })
  expect(other.requests).toEqual([])
})

test('does not send the token after a redirect to another origin', async () => {
  const other = await serve((_request, response) => json(response, 200, { a: 1 }))
  const server = await serve((_request, response) => {
    response.writeHead(307, { location: `${other.url}/elsewhere` })
    response.end()
  })
  const forge = open(server.url)
  await forge.read('GET /repos/a/b', {}, { signal: never }).catch(() => undefined)
  for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined()
  other.requests.length = 0
  expect(await fault(forge.write('POST /labels', { name: 'x' }, { signal: never }))).toMatchObject({
    code: 'forge-refused',
    status: 307,
  })
  expect(await fault(forge.query('query Q { viewer { login } }', {}, { signal: never }))).toMatchObject({
    code: 'forge-refused',
  })
  expect(other.requests).toEqual([])
})

test('does not repeat a write', async () => {
  const server = await serve((_request, response) => json(response, 502, { message: 'bad gateway' }))
  const error = await fault(open(server.url).write('POST /labels', { name: 'x' }, { signal: never }))
  expect(error).toMatchObject({ code: 'forge-unreachable', status: 502 })
  expect(server.requests).toHaveLength(1)
})

test('returns the statuses that a write expects', async () => {
  const server = await serve((_request, response) => json(response, 409, { message: 'moved' }))
  const answer = await open(server.url).write('PUT /merge', {}, { signal: never, expected: [409] })
  expect(answer).toEqual({ status: 409, data: { message: 'moved' } })
})

test('takes a rate limit for a fault, although the status is expected', async () => {
  const server = await serve((_request, response) =>
    json(response, 403, { message: 'limit' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' }),
  )
  const forge = open(server.url)
  const work = forge.write('PUT /merge', {}, { signal: never, expected: [403] })
  expect(await fault(work)).toMatchObject({ code: 'forge-limited' })
})

test.each([
  ['an undefined field', { extensions: { code: 'undefinedField' } }, 'forge-unsupported', null],
  ['a missing repository', { type: 'NOT_FOUND', path: ['repository'] }, 'forge-refused', 404],
  ['a token without rights', { type: 'FORBIDDEN' }, 'forge-refused', null],
  ['a timeout', { type: 'TIMEOUT' }, 'forge-unreadable', null],
  ['an error without a type', {}, 'forge-unreadable', null],
  ['a spent limit', { type: 'RATE_LIMITED' }, 'forge-limited', null],
])('reads a GraphQL error for %s', async (_what, error, code, status) => {
  const body = { data: { repository: null }, errors: [{ message: 'it failed', ...error }] }
  const server = await serve((_request, response) => json(response, 200, body))
  const forge = open(server.url)
  const thrown = await fault(forge.query('query Q { viewer { login } }', {}, { signal: never }))
  expect(thrown).toMatchObject({ code, status })
  expect(forge.freeAt > 0).toBe(code === 'forge-limited')
  expect(server.requests).toHaveLength(1)
})

test('never shows the token, although the forge repeats it', async () => {
  const server = await serve(({ headers }, response) =>
    json(response, 400, { message: `bad ${headers.authorization}` }),
  )
  const error = await fault(open(server.url).read('GET /user', {}, { signal: never }))
  expect(error.message).toContain('[redacted]')
})

test.each([`${TOKEN}\nsecond-line`, `${TOKEN}\u2028x`])(
  'never shows a token that no header can carry: %j',
  async (token) => {
    const server = await serve((_request, response) => json(response, 200, {}))
    const error = await fault(open(server.url, { token }).read('GET /user', {}, { signal: never }))
    expect(error).toMatchObject({ code: 'forge-unreachable' })
    expect(server.requests).toEqual([])
  },
)

test('shares a rate limit', async () => {
  const server = await serve((_request, response) => json(response, 403, {}, { 'retry-after': '60' }))
  const clock = new TestClock()
  const limit = new ForgeLimit()
  const [first, second, other] = [{ clock, limit }, { clock, limit }, { clock }].map((more) => open(server.url, more))
  const read = (forge: Forge) => fault(forge.read('GET /user', {}, { signal: never }))
  expect(await read(first!)).toMatchObject({ code: 'forge-limited' })
  expect(await read(second!)).toMatchObject({ code: 'forge-limited' })
  expect([first!.freeAt, second!.freeAt]).toEqual([clock.now() + 60_000, clock.now() + 60_000])
  expect(server.requests).toHaveLength(1)
  await read(other!)
  expect(server.requests).toHaveLength(2)
  clock.tick(60_000)
  await read(second!)
  expect(server.requests).toHaveLength(3)
})

test('never shows a part of the token at the end of a long error', async () => {
  const filler = 'é'.repeat(2045)
  const server = await serve((_request, response) => json(response, 400, { message: `${filler}${TOKEN}${filler}` }))
  const error = await fault(open(server.url).read('GET /user', {}, { signal: never }))
  expect(error.message).not.toContain('forge-t')
})

test('redacts the token in answers', async () => {
  const server = await serve(({ headers }, response) => json(response, 409, { message: headers.authorization }))
  const answer = await open(server.url).write('PUT /merge', {}, { signal: never, expected: [409] })
  expect(answer.data).toEqual({ message: 'Bearer [redacted]' })
})

test('refuses an answer that is too large', async () => {
  const chunk = 'x'.repeat(1024 * 1024)
  const server = await serve((_request, response) => {
    const more = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(more))
    }
    more()
  })
  expect(await fault(open(server.url).read('GET /user', {}, { signal: never }))).toMatchObject({
    code: 'forge-unreadable',
    message: expect.stringContaining('more than'),
  })
})

test('ends at a stop although a write is in an interval', async () => {
  const server = await serve((_request, response) => json(response, 201, {}))
  const stopped = new AbortController()
  const forge = open(server.url, { isPaced: true })
  const comment = () => forge.write('POST /repos/a/b/issues/1/comments', { body: 'x' }, { signal: stopped.signal })
  const [first, second] = [comment(), comment()]
  await first
  stopped.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  expect(server.requests).toHaveLength(1)
})

test('ends at a stop although a retry is in an interval', async () => {
  const stopped = new AbortController()
  const server = await serve((_request, response) => {
    response.on('finish', () => setImmediate(() => stopped.abort(new Error('stopped'))))
    json(response, 502, { message: 'bad gateway' })
  })
  await expect(open(server.url).read('GET /user', {}, { signal: stopped.signal })).rejects.toThrow('stopped')
  expect(server.requests).toHaveLength(1)
})
