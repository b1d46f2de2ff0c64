import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Notification } from '../../../schemas/notify/notification.ts'
import type { Delivery, NotifyConfig, Sink } from '../../../schemas/notify/sinks.ts'
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
/** Statuses of the next responses, then 200; null never responds. */
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

test('lists sinks without arguments, paths, topics and secrets', async () => {
  const program = join(folder, 'tell')
  await start({
    sinks: [
      { name: 'run', type: 'command', command: [program, 'canary'], min_priority: 'High', timeout_secs: 3 },
      { name: 'hook', type: 'webhook', url: `${address}/canary?key=canary`, secret: 'canary' },
      {
        name: 'phone',
        type: 'ntfy',
        url: `${address.replace('//', '//user:canary@')}/canary`,
        topic: 'canary',
        token: 'canary',
        min_priority: 'Critical',
      },
    ],
  })
  const usual = { min_priority: 'Low', timeout_secs: 10, waiting: 0 }
  const { body } = await stand!.ask('GET /sinks')
  expect(body).toEqual([
    { name: 'run', type: 'command', target: program, min_priority: 'High', timeout_secs: 3, waiting: 0 },
    { name: 'hook', type: 'webhook', target: address, ...usual },
    { name: 'phone', type: 'ntfy', target: address, ...usual, min_priority: 'Critical' },
  ])
  answers = [503]
  await make()
  await eventually(async () => {
    const { body: sinks } = await stand!.ask<Sink[]>('GET /sinks')
    return sinks.reduce((sum, { waiting }) => sum + waiting, 0) === 1
  })
})

test('lists deliveries of a sink by cursor', async () => {
  await start({ sinks: ['one', 'two'].map((name) => ({ name, type: 'webhook' as const, url: `${address}/${name}` })) })
  const made = [await make({ title: 'a' }), await make({ title: 'b' }), await make({ title: 'c' })]
  const page = async (query: string) => (await stand!.ask(`GET /deliveries?sink=two&limit=2&${query}`)).body
  const ids = ({ items }: { items: Delivery[] }) => items.map(({ notification_id }) => notification_id)
  const first = await page('after=')
  const second = await page(`after=${first.next}`)
  expect([...ids(first), ...ids(second)]).toEqual(made.map(({ id }) => id).toReversed())
  expect([first.items[0].sink, second.next]).toEqual(['two', null])
  expect(ids(await page(`before=${second.previous}`))).toEqual(ids(first))
})

test('signs a webhook over id, timestamp and body', async () => {
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

test('retries a failed delivery under the same id and follows no redirect', async () => {
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

test('records errors of a hanging or unreachable server without delaying others', async () => {
  answers = [null]
  await start({
    sinks: [
      { name: 'hangs', type: 'webhook', url: `${address}/hangs`, timeout_secs: 0.2 },
      { name: 'away', type: 'webhook', url: 'http://127.0.0.1:2/secret-path' },
      { name: 'well', type: 'command', command: ['tee', join(folder, 'received')] },
    ],
  })
  const made = await make()
  await eventually(async () => (await deliveries('?sink=well'))[0]?.status === 'delivered')
  expect(JSON.parse(readFileSync(join(folder, 'received'), 'utf8'))).toEqual(made)
  const error = (sink: string) => eventually(async () => (await deliveries(`?sink=${sink}`))[0]?.error)
  expect(await error('hangs')).toBe('the server timed out')
  expect(await error('away')).toBe('server unreachable (ECONNREFUSED)')
  expect(stand!.log()).not.toContain('secret-path')
  expect(await deliveries('?status=waiting')).toHaveLength(2)
})

test('passes the notification to a command, and none of the daemon’s environment', async () => {
  const script = join(folder, 'sink.mjs')
  const output = join(folder, 'output.json')
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs'
     writeFileSync(${JSON.stringify(output)}, JSON.stringify({ input: readFileSync(0, 'utf8'), env: process.env, args: process.argv.slice(2) }))`,
  )
  await start({ sinks: [{ name: 'own', type: 'command', command: [process.execPath, script, '$(id)', '; id'] }] })
  const made = await make({ title: '$(touch x); --flag', message: 'two\nlines' })
  await eventually(async () => (await deliveries())[0]?.status === 'delivered')
  const { input: given, env, args } = JSON.parse(readFileSync(output, 'utf8'))
  expect([JSON.parse(given), args]).toEqual([made, ['$(id)', '; id']])
  expect(env).toMatchObject({ SVC_NOTIFICATION_TITLE: made.title, SVC_NOTIFICATION_PRIORITY: 'Normal' })
  expect(Object.keys(env).filter((name) => /^SVC_(?!NOTIFICATION_)/.test(name))).toEqual([])
})

test.each([
  [['no-such-program-here'], 'program no-such-program-here not found'],
  [['sh', '-c', 'echo gone >&2; exit 3'], 'sh exited with 3: gone'],
  [['sleep', '60'], 'sleep timed out'],
])('retries command %j and records "%s"', async (command, error) => {
  await start({ sinks: [{ name: 'own', type: 'command', command, timeout_secs: 0.5 }] })
  await make()
  const [delivery] = await eventually(async () => {
    const found = await deliveries()
    return found[0]?.error ? found : null
  })
  expect(delivery).toMatchObject({ status: 'waiting', attempts: 1, error: expect.stringContaining(error) })
})

test('sends topic, priority and bearer token to ntfy', async () => {
  const sink = { name: 'phone', type: 'ntfy', url: address, topic: 'team', token: 'tk_planted' } as const
  await start({ sinks: [sink] })
  await make({ priority: 'Critical', requires_response: true })
  const { headers, body } = await eventually(() => received[0])
  expect(headers.authorization).toBe('Bearer tk_planted')
  const { title, message } = input
  expect(JSON.parse(body)).toEqual({ topic: 'team', title, message, priority: 5, tags: ['question'] })
  expect(stand!.log()).not.toContain('tk_planted')
})

test('delivers from a minimum priority up, and drops repeated notifications', async () => {
  await start({ sinks: [{ name: 'hook', type: 'webhook', url: address, min_priority: 'High' }] })
  for (const priority of ['Low', 'Normal', 'High', 'High', 'Critical']) await make({ priority })
  await eventually(async () => (await deliveries('?status=delivered')).length === 2)
  expect(await deliveries()).toHaveLength(3)
  expect(await deliveries('?status=suppressed')).toHaveLength(1)
})

test('holds all but exempt priorities until quiet hours end', async () => {
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

test('delivers pending notifications after a restart', async () => {
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
    ['before quiet hours', { from: '22:00', to: '07:00' }, '21:59', null],
    ['in the evening', { from: '22:00', to: '07:00' }, '22:00', '2030-03-16T07:00:00.000Z'],
    ['in the morning', { from: '22:00', to: '07:00' }, '06:59', '2030-03-15T07:00:00.000Z'],
    ['at the end', { from: '22:00', to: '07:00' }, '07:00', null],
    ['in another zone', { from: '22:00', to: '07:00', timezone: 'Asia/Tokyo' }, '14:00', '2030-03-15T22:00:00.000Z'],
    ['of empty quiet hours', { from: '08:00', to: '08:00' }, '08:00', null],
  ])('returns the end, or null, %s', (_when, quiet, time, end) => {
    const until = quietUntil(quiet, 'Normal', at(time))
    expect(until === null ? null : new Date(until).toISOString()).toBe(end)
  })
})
