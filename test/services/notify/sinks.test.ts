// Sinks: a command, a webhook and ntfy get what is told; quiet hours, urgency and repetition decide what and when.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Notification } from '../../../schemas/notify/notification.ts'
import type { Delivery, NotifyConfig } from '../../../schemas/notify/sinks.ts'
import { quietUntil } from '../../../services/notify/quiet-hours.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { input, startNotify, type NotifyStand } from './stand.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let folder: string
let server: Server
let address: string
let received: Received[]
/** Status of the next answers; then 200. Null: no answer at all. */
let answers: (number | null)[]
let stand: NotifyStand | null = null
let remove: () => Promise<void> = async () => undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sinks-'))
  received = []
  answers = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, body })
      const status = answers.length > 0 ? answers.shift()! : 200
      if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  await stand?.close()
  stand = null
  await remove()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(config: NotifyConfig): Promise<NotifyStand> {
  const database = await sqliteDatabase()
  remove = database.remove
  return (stand = await startNotify(database.url, config))
}
const make = async (more: object = {}): Promise<Notification> =>
  (await stand!.ask('POST /notifications', { ...input, ...more })).body
const deliveries = async (query = ''): Promise<Delivery[]> => (await stand!.ask(`GET /deliveries${query}`)).body

test('a webhook is signed over id, timestamp and body', async () => {
  const key = Buffer.from('a key of twenty-four by.')
  const secret = `whsec_${key.toString('base64')}`
  await start({ sinks: [{ name: 'hook', type: 'webhook', url: `${address}/in`, secret }] })
  const made = await make()
  const { path, headers, body } = await eventually(() => received[0])
  expect([path, JSON.parse(body)]).toEqual([
    '/in',
    { type: 'notification.created', timestamp: made.created_at, data: made },
  ])
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(Number(headers['webhook-timestamp'])).toBe(stand!.clock.now() / 1000)
  await eventually(async () => (await deliveries())[0]?.status === 'delivered')
  expect(await deliveries()).toMatchObject([{ sink: 'hook', notification_id: made.id, attempts: 1, error: null }])
})

test('what a server refuses is sent again under the same id, and is not sent where it points to', async () => {
  answers = [503, 302]
  await start({ sinks: [{ name: 'hook', type: 'webhook', url: address }] })
  await make()
  await eventually(async () => {
    stand!.clock.tick(1000)
    return (await deliveries())[0]?.status === 'delivered'
  })
  expect(received).toHaveLength(3)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/']))
  expect(received.every(({ headers }) => !('webhook-signature' in headers))).toBe(true)
})

test('a server that hangs, or is not there, delays no other sink and no request, and its record says why', async () => {
  answers = [null]
  await start({
    sinks: [
      { name: 'hangs', type: 'webhook', url: `${address}/hangs`, timeout_secs: 0.2 },
      { name: 'away', type: 'webhook', url: 'http://127.0.0.1:2/secret-path' },
      { name: 'well', type: 'command', command: ['tee', join(folder, 'told')] },
    ],
  })
  const made = await make()
  await eventually(async () => (await deliveries('?sink=well'))[0]?.status === 'delivered')
  expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toEqual(made)
  const error = (sink: string) => eventually(async () => (await deliveries(`?sink=${sink}`))[0]?.error)
  expect(await error('hangs')).toBe('the server did not answer in time')
  expect(await error('away')).toBe('the server cannot be reached (ECONNREFUSED)')
  expect(stand!.log()).not.toContain('secret-path')
  expect(await deliveries('?status=waiting')).toHaveLength(2)
})

test('a command has the notification on its input and in its environment, and nothing of the daemon’s own', async () => {
  const script = join(folder, 'sink.mjs')
  const told = join(folder, 'told.json')
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs'
     writeFileSync(${JSON.stringify(told)}, JSON.stringify({ input: readFileSync(0, 'utf8'), env: process.env, args: process.argv.slice(2) }))`,
  )
  await start({ sinks: [{ name: 'own', type: 'command', command: [process.execPath, script, '$(id)', '; id'] }] })
  const made = await make({ title: '$(touch x); --flag', message: 'two\nlines' })
  await eventually(async () => (await deliveries())[0]?.status === 'delivered')
  const { input: given, env, args } = JSON.parse(readFileSync(told, 'utf8'))
  expect([JSON.parse(given), args]).toEqual([made, ['$(id)', '; id']])
  expect(env).toMatchObject({ SVC_NOTIFICATION_TITLE: made.title, SVC_NOTIFICATION_PRIORITY: 'Normal' })
  expect(Object.keys(env).filter((name) => /^SVC_(?!NOTIFICATION_)/.test(name))).toEqual([])
})

test.each([
  [['no-such-program-here'], 'there is no program no-such-program-here'],
  [['sh', '-c', 'echo gone >&2; exit 3'], 'sh ended with 3: gone'],
  [['sleep', '60'], 'sleep did not end in time'],
])('the command %j is tried again, and its record says "%s"', async (command, error) => {
  await start({ sinks: [{ name: 'own', type: 'command', command, timeout_secs: 0.5 }] })
  await make()
  const [delivery] = await eventually(async () => {
    const found = await deliveries()
    return found[0]?.error ? found : null
  })
  expect(delivery).toMatchObject({ status: 'waiting', attempts: 1, error: expect.stringContaining(error) })
})

test('ntfy gets topic, urgency and a bearer token', async () => {
  const sink = { name: 'phone', type: 'ntfy', url: address, topic: 'team', token: 'tk_planted' } as const
  await start({ sinks: [sink] })
  await make({ priority: 'Critical', requires_response: true })
  const { headers, body } = await eventually(() => received[0])
  expect(headers.authorization).toBe('Bearer tk_planted')
  const { title, message } = input
  expect(JSON.parse(body)).toEqual({ topic: 'team', title, message, priority: 5, tags: ['question'] })
  expect(stand!.log()).not.toContain('tk_planted')
})

test('a sink takes what is urgent enough for it, and the same not twice within its time', async () => {
  await start({ sinks: [{ name: 'hook', type: 'webhook', url: address, min_priority: 'High' }] })
  for (const priority of ['Low', 'Normal', 'High', 'High', 'Critical']) await make({ priority })
  await eventually(async () => (await deliveries('?status=delivered')).length === 2)
  expect(await deliveries()).toHaveLength(3)
  expect(await deliveries('?status=suppressed')).toHaveLength(1)
})

test('in quiet hours only what may not wait is sent; the rest comes when they end', async () => {
  await start({
    sinks: [{ name: 'hook', type: 'webhook', url: address }],
    quiet_hours: { from: '11:00', to: '13:30', timezone: 'UTC', except: 'Critical' },
  })
  await make({ title: 'waits' })
  await make({ title: 'burns', priority: 'Critical' })
  await eventually(() => received.length === 1)
  expect(JSON.parse(received[0]!.body).data.title).toBe('burns')
  await eventually(async () => (await deliveries('?status=waiting'))[0]?.due_at === '2030-01-01T13:30:00.000Z')
  await eventually(() => {
    stand!.clock.tick(600_000)
    return received.length === 2
  })
  expect(stand!.clock.now()).toBeGreaterThanOrEqual(Date.UTC(2030, 0, 1, 13, 30))
})

test('what was not delivered is delivered after a restart', async () => {
  const away: NotifyConfig = { sinks: [{ name: 'hook', type: 'webhook', url: address }] }
  answers = [500]
  await start(away)
  await make()
  await eventually(() => received.length === 1)
  await stand!.reopen()
  await eventually(async () => {
    stand!.clock.tick(1000)
    return received.length === 2
  })
})

describe('quiet hours', () => {
  const at = (time: string) => Date.parse(`2030-03-15T${time}:30Z`)
  test.each([
    ['before them', { from: '22:00', to: '07:00' }, '21:59', null],
    ['in the evening', { from: '22:00', to: '07:00' }, '22:00', '2030-03-16T07:00:00.000Z'],
    ['in the morning', { from: '22:00', to: '07:00' }, '06:59', '2030-03-15T07:00:00.000Z'],
    ['at their end', { from: '22:00', to: '07:00' }, '07:00', null],
    ['in another zone', { from: '22:00', to: '07:00', timezone: 'Asia/Tokyo' }, '14:00', '2030-03-15T22:00:00.000Z'],
    ['of no length', { from: '08:00', to: '08:00' }, '08:00', null],
  ])('%s', (_when, quiet, time, end) => {
    const until = quietUntil(quiet, 'Normal', at(time))
    expect(until === null ? null : new Date(until).toISOString()).toBe(end)
  })
})
