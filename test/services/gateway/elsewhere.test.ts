// A service in another process: here, on another host of this process.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { services } from '../../../daemon/services.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { ownPorts } from '../../support/ports.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'
import { startGateway, type GatewayStand } from './stand.ts'

const notification = {
  source: 'System',
  lifetime: 'Persistent',
  priority: 'Normal',
  title: 'a',
  message: 'b',
  requires_response: false,
}
const folder = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'))
const env = { SVC_SERVICE_TOKEN_FILE: join(folder, 'service-token') }
let stand: GatewayStand
let other: ServiceStand
/** Never answers. */
let silent: Server
const asked = new Set<string>()
let removeDatabase: () => Promise<void>

beforeAll(async () => {
  const { url, remove } = await sqliteDatabase()
  removeDatabase = remove
  const served = services({ sources: [] }).filter(({ name }) => name === 'notify' || name === 'conductor')
  other = await startServices(served, { url, env })
  silent = createServer(({ url, socket }) => {
    asked.add(url!)
    socket.once('close', () => asked.delete(url!))
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  stand = await startGateway({
    env: {
      ...env,
      SVC_MONITOR_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      SVC_NOTIFY_URL: other.host.urls.notify!,
      SVC_CONDUCTOR_URL: other.host.urls.conductor!,
      SVC_WRAP_URL: 'http://127.0.0.1:1',
    },
    served: ['orchestrator', 'communicate', 'docstore', 'index', 'controller', 'gateway'],
  })
}, 60_000)
afterAll(async () => {
  await stand.close()
  await other.close()
  silent.closeAllConnections()
  silent.close()
  await removeDatabase()
  rmSync(folder, { recursive: true })
})

test('forwards reads and unguarded writes in the name of the caller', async () => {
  const headers = { 'x-svc-actor': 'mira', 'x-request-id': 'req-forwarded' }
  const made = await stand.send('POST /api/notify/notifications', headers, notification)
  expect(made).toMatchObject({ status: 201, body: { title: 'a' } })
  expect(await other.db('notify_audit').where({ request_id: 'req-forwarded' })).toMatchObject([{ actor: 'mira' }])
  expect(await stand.db('gateway_audit').where({ request_id: 'req-forwarded' })).toEqual([])
  const { body } = await stand.send('GET /api/notify/notifications?limit=1&offset=0')
  expect(body).toMatchObject({ items: [{ id: made.body.id }], total: 1, limit: 1, offset: 0 })
  expect((await stand.send('GET /api/notify/notifications')).body).toHaveLength(1)
  expect((await stand.send(`DELETE /api/notify/notifications/${made.body.id}`)).status).toBe(204)
  expect((await stand.send(`GET /api/notify/notifications/${made.body.id}`)).status).toBe(404)
})

test('forwards the health of a service', async () => {
  expect(await stand.send('GET /api/notify/health')).toMatchObject({ status: 200, body: { service: 'svc-notify' } })
  expect(await stand.send('GET /api/wrap/health')).toMatchObject({ status: 503 })
})

test('ends a forwarded request when its client disconnects', async () => {
  const client = new AbortController()
  const asking = fetch(`${stand.origin}/api/monitor/health`, { signal: client.signal }).catch(() => 'aborted')
  await eventually(() => asked.size === 1)
  client.abort()
  expect(await asking).toBe('aborted')
  // Before the time-out of the call.
  await eventually(() => asked.size === 0, 5000)
})

test('takes no identity from the headers of the caller', async () => {
  const caller = encodeURIComponent('{"actor":"operator","role":"admin"}')
  const claims: Record<string, string>[] = [
    { 'x-svc-service-token': 'guessed', 'x-svc-caller': caller, 'x-request-id': 'req-claim' },
    { 'x-svc-caller': caller, 'x-request-id': 'req-claim' },
  ]
  for (const headers of claims)
    expect((await stand.send('POST /api/notify/notifications', headers, notification)).status).toBe(201)
  const rows = await other.db('notify_audit').where({ request_id: 'req-claim' })
  expect(rows.map(({ actor }) => actor)).toEqual(['anonymous', 'anonymous'])
})

test('forwards no guarded write', async () => {
  for (const [request, body] of [
    ['POST /api/conductor/runs', { repository: 'acme/shop' }],
    ['POST /api/conductor/items/7/labels', { add: 'triaged' }],
  ] as const) {
    const answer = await stand.send(request, { 'x-svc-actor': 'operator' }, body)
    expect(answer, request).toMatchObject({ status: 403, body: { code: 'gateway-no-guarded-writes' } })
  }
  expect(await other.db('conductor_audit')).toEqual([])
  expect((await stand.send('GET /api/conductor/runs')).body).toEqual([])
})

test('refuses a socket of another process with 501', async () => {
  const socket = new WebSocket(`${stand.origin.replace('http', 'ws')}/api/notify/stream`)
  let status = 0
  socket.on('unexpected-response', (_request, response) => {
    status = response.statusCode!
    socket.terminate()
  })
  socket.on('error', () => undefined)
  expect(await eventually(() => status !== 0 && status)).toBe(501)
})

test.each(['127.0.0.1', 'localhost', '[::1]'])(
  'hands requests on in the process if %s is its address',
  async (host) => {
    const [port] = await ownPorts(1)
    const own = await startGateway({
      env: { SVC_NOTIFY_PORT: String(port), SVC_NOTIFY_URL: `http://${host}:${port}/` },
    })
    const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/api/notify/stream`)
    await once(socket, 'open')
    socket.terminate()
    await own.close()
  },
  30_000,
)

test('reports a process that does not answer with 503', async () => {
  expect(await stand.send('GET /api/wrap/sessions')).toMatchObject({ status: 503 })
})

test('answers 404 for a service that no process is known to run', async () => {
  expect(await stand.send('GET /api/ask/questions')).toMatchObject({ status: 404 })
})
