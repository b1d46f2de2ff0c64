import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Delivery, NotifyConfig, SinkTest } from '../../../schemas/notify/sinks.ts'
import { agent } from '../../support/command.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startNotify, type NotifyStand } from './stand.ts'

const CANARY = 'canary-7d1e'

onEachDatabase((database) => {
  let server: Server
  let address: string
  let received: { path: string; headers: IncomingHttpHeaders; body: string }[]
  /** Status of the responses; null never responds. */
  let answer: number | null
  let stand: NotifyStand
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        received.push({ path: request.url!, headers: request.headers, body })
        if (answer !== null) response.writeHead(answer).end(CANARY)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    stand = await startNotify(database.url, config())
  })
  beforeEach(() => {
    received = []
    answer = 200
  })
  afterEach(() => server.closeAllConnections())
  afterAll(async () => {
    await stand.close()
    server.close()
  })

  const config = (): NotifyConfig => ({
    quiet_hours: { from: '00:00', to: '23:59', timezone: 'UTC' },
    sinks: [
      { name: 'hook', type: 'webhook', url: `http://${address}/${CANARY}?key=${CANARY}`, secret: CANARY },
      {
        name: 'phone',
        type: 'ntfy',
        url: `http://mia:${CANARY}%21@${address}`,
        topic: 'team',
        min_priority: 'Critical',
      },
      { name: 'slow', type: 'webhook', url: `http://${address}/slow`, timeout_secs: 0.2 },
      { name: 'long', type: 'webhook', url: `http://${address}/long`, timeout_secs: 300 },
      { name: 'away', type: 'webhook', url: `http://mia:${CANARY}@127.0.0.1:2/${CANARY}` },
      { name: 'run', type: 'command', command: ['sh', '-c', 'echo "cannot use $0" >&2; exit 3', CANARY] },
    ],
  })
  const tested = (name: string) => stand.ask<SinkTest & { code: string; detail: string }>(`POST /sinks/${name}/test`)

  test('delivers a test notification at once, whatever quiet hours and priorities say', async () => {
    const { status, body } = await tested('hook')
    expect([status, body]).toEqual([
      200,
      { sink: 'hook', status: 'delivered', error: null, duration_ms: expect.any(Number) },
    ])
    const [{ headers, body: sent }] = received as [(typeof received)[0]]
    expect(headers['webhook-signature']).toMatch(/^v1,/)
    expect(JSON.parse(sent).data).toMatchObject({
      title: 'Test of svc',
      message: 'The sink hook receives notifications.',
    })
    expect((await tested('phone')).body.status).toBe('delivered')
    expect(JSON.parse(received[1]!.body)).toMatchObject({ topic: 'team', priority: 5 })
    expect(received[1]!.headers.authorization).toBe(`Basic ${Buffer.from(`mia:${CANARY}!`).toString('base64')}`)
  })

  test('stores and retries nothing', async () => {
    answer = 503
    expect((await tested('hook')).body.status).toBe('failed')
    expect((await stand.ask('GET /notifications')).body).toEqual([])
    expect((await stand.ask<Delivery[]>('GET /deliveries')).body).toEqual([])
  })

  test.each([
    ['hook', 'the server returned 503'],
    ['slow', 'the server timed out'],
    ['away', 'server unreachable (ECONNREFUSED)'],
    ['run', 'sh exited with 3: cannot use '],
  ])('returns the error of sink %s without its secrets', async (name, said) => {
    answer = name === 'slow' ? null : 503
    const { status, body } = await tested(name)
    expect([status, body.status]).toEqual([200, 'failed'])
    expect(body.error).toContain(said)
    expect(JSON.stringify(body)).not.toContain(CANARY)
    expect(stand.log()).not.toContain(CANARY)
  })

  test('returns 404 for an unknown sink and names the nearest', async () => {
    const { status, body } = await tested('hok')
    expect([status, body.detail]).toEqual([404, expect.stringContaining('hook')])
  })

  test('refuses a second test of a sink while the first one runs', async () => {
    answer = null
    const first = tested('long')
    await eventually(() => received.length === 1)
    expect((await tested('long')).status).toBe(409)
    answer = 200
    expect((await tested('hook')).status).toBe(200)
    server.closeAllConnections()
    expect((await first).body.status).toBe('failed')
    expect((await tested('long')).body.status).toBe('delivered')
  })

  test('exits with 1 and the error if the sink fails', async () => {
    const run = (name: string) =>
      agent(['notify', 'test', name], { env: { NOTIFY_SERVICE_URL: stand.host.urls.notify! } })
    expect(await run('hook')).toMatchObject({ code: 0, stdout: expect.stringContaining('hook accepted') })
    answer = 500
    const failed = await run('hook')
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('the server returned 500')])
  })

  test('ends a running test when the daemon stops', async () => {
    answer = null
    const running = tested('long').then(
      ({ status }) => status,
      () => 'closed',
    )
    await eventually(() => received.length === 1)
    await stand.reopen()
    expect([503, 'closed']).toContain(await running)
  })
})
