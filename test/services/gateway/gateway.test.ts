import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { services } from '../../../daemon/services.ts'
import { eventually } from '../../support/eventually.ts'
import { SERVED, startGateway, type GatewayStand } from './stand.ts'

let stand: GatewayStand
beforeAll(async () => {
  stand = await startGateway({})
}, 60_000)
afterAll(() => stand.close())

const policy = { mode: 'deny_all' }
const policies = async (): Promise<string[]> =>
  (await stand.send('GET /api/orchestrator/policies')).body.map(({ name }: { name: string }) => name)

describe('/api/{service}', () => {
  test.each(SERVED)('serves %s as its own port does', async (service) => {
    const [own, shared] = await Promise.all(
      [`${stand.host.urls[service]}/openapi.json`, `${stand.origin}/api/${service}/openapi.json`].map(
        async (url) => (await fetch(url)).json() as Promise<object>,
      ),
    )
    expect(shared).toEqual(own)
    expect(shared).toMatchObject({ info: { title: `svc-${service}` }, servers: [{ url: '.' }] })
  })

  test('keeps the caller, the request id and the query of a request', async () => {
    const headers = { 'x-svc-actor': 'mira', 'x-request-id': 'req-gateway' }
    const { status } = await stand.send('PUT /api/orchestrator/policies/kept', headers, policy)
    expect(status).toBe(201)
    expect(await stand.db('orchestrator_audit').where({ request_id: 'req-gateway' })).toMatchObject([
      { actor: 'mira', endpoint: 'PUT /policies/{name}' },
    ])
    const { body } = await stand.send('GET /api/orchestrator/policies?limit=1&offset=0')
    expect(body).toMatchObject({ limit: 1, total: 1 })
  })

  test('logs a request once, with the address that the client sent', async () => {
    await stand.send('GET /api/notify/notifications?status=Pending', { 'x-request-id': 'req-logged' })
    const lines = await eventually(() => {
      const found = stand
        .log()
        .split('\n')
        .filter((line) => line.includes('req-logged'))
      return found.length > 0 && found
    })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { path: '/api/notify/notifications', endpoint: 'GET /notifications', status: 200 },
    ])
    const { body } = await stand.send('GET /api/notify/notifications/nothing?token=hidden')
    expect(body.instance).toBe('/api/notify/notifications/nothing')
  })

  test('opens WebSockets', async () => {
    const socket = new WebSocket(`${stand.origin.replace('http', 'ws')}/api/notify/stream`)
    await once(socket, 'open')
    const message = once(socket, 'message')
    const notification = { source: 'System', lifetime: 'Persistent', priority: 'Normal', requires_response: false }
    await stand.send('POST /api/notify/notifications', {}, { ...notification, title: 'a', message: 'b' })
    expect(JSON.parse(String((await message)[0]))).toMatchObject({ title: 'a' })
    socket.close()
    await once(socket, 'close')
  })

  test('streams server-sent events until the client disconnects', async () => {
    const sent = httpRequest(`${stand.origin}/api/controller/events`).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.headers['content-type']).toContain('text/event-stream')
    const [first] = await once(response, 'data')
    expect(String(first)).toContain(': connected')
    sent.destroy()
  })

  test('closes its streams and sockets with 1001 when the daemon stops', async () => {
    const own = await startGateway({})
    const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/api/notify/stream`)
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await own.host.stop()
    expect((await closed)[0]).toBe(1001)
    await own.close()
  }, 30_000)
})

test('cuts a socket that ignores the end of the daemon', async () => {
  const own = await startGateway({})
  const socket = connect(own.port, '127.0.0.1')
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
  const key = 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=='
  socket.write(`GET /api/notify/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n${key}\r\n\r\n`)
  const [opened] = await once(socket, 'data')
  expect(String(opened)).toMatch(/^HTTP\/1\.1 101 /)
  const closed = once(socket, 'close')
  socket.on('error', () => undefined).resume()
  await own.host.stop()
  await closed
  expect(own.log()).not.toContain('part did not stop cleanly')
  await own.close()
}, 30_000)

describe('an unknown address', () => {
  test.each([
    ['GET /api', 404],
    ['GET /api/', 404],
    ['GET /api?x=1', 404],
    ['GET /api/nothing', 404],
    ['POST /api/nothing/at/all', 404],
    ['GET /api/orchestrator', 404],
    ['GET /api/orchestrator/nothing', 404],
    ['GET /api/controller/api/orchestrator/agents', 404],
    ['GET /API/orchestrator/agents', 404],
    ['GET /apis', 404],
    ['DELETE /api/orchestrator/policies', 405],
  ])('%s is %i as JSON', async (request, status) => {
    const answer = await stand.send(request)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(answer).toMatchObject({ status, body: { status, instance: request.split(' ')[1]!.split('?')[0] } })
  })

  test('names the nearest address below the same service', async () => {
    const { body } = await stand.send('GET /api/orchestrator/polices')
    expect(body.detail).toContain('did you mean "/api/orchestrator/policies"?')
    const missing = await stand.send('GET /api/orchestrator/agents/5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11')
    expect(missing.body.detail).toContain('GET /api/orchestrator/agents lists them')
  })
})

test('no service has the name of an address of the gateway', () => {
  const names = services({ sources: [] }).map(({ name }) => name)
  for (const own of ['whoami', 'session', 'inbox', 'live', 'health', 'metrics', 'openapi.json'])
    expect(names).not.toContain(own)
})

describe('an ambiguous request', () => {
  const head = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 19'
  const body = '\r\n\r\n{"mode":"deny_all"}'
  const put = (target: string, more = '') => `PUT ${target} HTTP/1.1\r\n${head}${more}${body}`

  test.each([
    ['a dot segment', put('/api/notify/../orchestrator/policies/bad')],
    ['a dot segment at the start', put('/api/../api/orchestrator/policies/bad')],
    ['an encoded dot segment', put('/api/notify/%2e%2E/orchestrator/policies/bad')],
    ['an encoded slash', put('/api/orchestrator%2Fpolicies/bad')],
    ['an encoded slash in a name', put('/api/orchestrator/policies/a%2fbad')],
    ['a backslash', put('/api/orchestrator\\policies/bad')],
    ['a fragment', put('/api/orchestrator/policies/bad#x')],
    ['an absolute target', put('http://127.0.0.1/api/orchestrator/policies/bad')],
    ['an absolute target elsewhere', put('http://evil.example/api/orchestrator/policies/bad')],
    ['two hosts', put('/api/orchestrator/policies/bad', '\r\nhost: localhost')],
    ['two lengths', put('/api/orchestrator/policies/bad', '\r\nContent-Length: 0')],
    ['a length and chunks', put('/api/orchestrator/policies/bad', '\r\nTransfer-Encoding: chunked')],
    ['a folded header', put('/api/orchestrator/policies/bad', '\r\n Transfer-Encoding: chunked')],
  ])('with %s is refused with 400', async (_what, bytes) => {
    const text = await stand.sendBytes(bytes)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ status: 400 })
    expect((await policies()).filter((name) => name.includes('bad'))).toEqual([])
  })

  test('accepts the same request without the fault', async () => {
    expect(await stand.sendBytes(put('/api/orchestrator/policies/good'))).toMatch(/^HTTP\/1\.1 201 /)
    expect(await policies()).toContain('good')
  })

  test.each([
    ['a route without one', '/api/orchestrator/policies', 400],
    ['an unknown address', '/api/orchestrator/nothing', 404],
    ['an unknown service', '/api/nothing/stream', 404],
    ['a dot segment', '/api/notify/../orchestrator/stream', 400],
    ['an absolute target', 'http://127.0.0.1/api/orchestrator/stream', 400],
  ])('that upgrades %s is refused, and the connection closed', async (_what, target, status) => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    const key = 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=='
    const text = await stand.sendBytes(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n${key}\r\n\r\n`)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).toContain('application/problem+json')
  })
})
