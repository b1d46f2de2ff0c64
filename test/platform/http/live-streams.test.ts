import { once } from 'node:events'
import { Agent, get, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ChangeFeed } from '../../../platform/async/change-feed.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { notFound } from '../../../platform/core/problem.ts'
import { eventually } from '../../support/eventually.ts'
import { strictlyParsed } from './strict-json.ts'

interface Item {
  type: string
  text: string
}

let app: HttpServer
let feed: ChangeFeed<Item>
let readers: Set<unknown>
let hanging: number
let port: number
const sockets: WebSocket[] = []

beforeEach(async () => {
  feed = new ChangeFeed(noLog)
  const present = (readers = new Set())
  hanging = 0
  app = await createHttpServer({
    service: 'svc-sample',
    version: '1',
    log: noLog,
    config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
    health: async () => ({}),
    graceMs: 200,
  })
  const subscribe = (listener: (item: Item) => void) => {
    const stop = feed.subscribe(listener)
    present.add(stop)
    return () => {
      present.delete(stop)
      stop()
    }
  }
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/stream/:id',
    preHandler: async ({ params }) => {
      if (params.id === 'unknown') throw notFound('agent', params.id)
    },
    handler: async () => ({ upgraded: false }),
    wsHandler: (socket) => app.streams.frames(socket, subscribe),
  })
  app.get('/events', async (_request, reply) => {
    app.streams.events(reply, subscribe)
    return reply
  })
  app.get('/lines', async (_request, reply) => {
    const lines = app.streams.lines(reply)
    lines.write(UNSTORABLE)
    lines.end()
    return reply
  })
  app.get('/never', () => {
    hanging++
    return new Promise<never>(() => undefined)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await app.close()
})

function dial(path: string, headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  sockets.push(socket)
  return socket
}

/** HTTP response of a refused upgrade. */
async function refusal(socket: WebSocket): Promise<{ status: number; body: any }> {
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode!, body: JSON.parse(text) }
}

/** NUL, halves of surrogate pairs, and text that looks like an escape of one. */
const UNSTORABLE = { type: 'system', text: String.raw`\ud83d \\ud83d` + '\0 \ud83d \ude00 \u{1F600}' }
const SHOWN = { type: 'system', text: String.raw`\ud83d \\ud83d` + '\0 \uFFFD \uFFFD \u{1F600}' }

test('all streams send JSON that strict parsers read', async () => {
  const socket = dial('/stream/a')
  const events = httpRequest({ port, path: '/events', host: '127.0.0.1' }).end()
  const [response] = (await once(events, 'response')) as [IncomingMessage]
  const sent: Buffer[] = []
  response.on('data', (chunk: Buffer) => sent.push(chunk))
  await eventually(() => readers.size === 2)
  const frame = once(socket, 'message')
  feed.publish(UNSTORABLE)
  expect(strictlyParsed((await frame)[0] as Buffer)).toEqual(SHOWN)
  const data = await eventually(() => /^data: (.*)$/m.exec(Buffer.concat(sent).toString('latin1'))?.[1])
  expect(strictlyParsed(Buffer.from(data, 'latin1'))).toEqual(SHOWN)
  events.destroy()
  const lines = await fetch(`http://127.0.0.1:${port}/lines`)
  expect(strictlyParsed(new Uint8Array(await lines.arrayBuffer()))).toEqual(SHOWN)
})

describe('a WebSocket stream', () => {
  test('sends each item as a JSON line and ignores input', async () => {
    const socket = dial('/stream/a')
    await once(socket, 'open')
    socket.send('hello?')
    await eventually(() => readers.size === 1)
    feed.publish({ type: 'system', text: 'one' })
    const [data] = await once(socket, 'message')
    expect(String(data)).toBe('{"type":"system","text":"one"}\n')
  })

  test('sends all items published together, in order', async () => {
    const socket = dial('/stream/a')
    await once(socket, 'open')
    await eventually(() => readers.size === 1)
    const texts = Array.from({ length: 2000 }, (_, at) => `${at} ${'x'.repeat(1024)}`)
    const got: string[] = []
    socket.on('message', (data) => got.push((JSON.parse(String(data)) as Item).text))
    for (const text of texts) feed.publish({ type: 'system', text })
    await eventually(() => got.length === texts.length)
    expect(got).toEqual(texts)
  })

  test('unsubscribes when the client disconnects', async () => {
    const socket = dial('/stream/a')
    await once(socket, 'open')
    expect(readers.size).toBe(1)
    socket.close()
    await eventually(() => readers.size === 0)
  })

  test('is refused before the upgrade for an invalid address, Host or Origin', async () => {
    expect(await refusal(dial('/nothing'))).toMatchObject({ status: 404, body: { title: 'Not Found' } })
    expect(await refusal(dial('/stream/unknown'))).toMatchObject({
      status: 404,
      body: { detail: 'agent unknown does not exist' },
    })
    expect(await refusal(dial('/health'))).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('is not a WebSocket') },
    })
    expect(await refusal(dial('/stream/a', { host: 'evil.example' }))).toMatchObject({ status: 421 })
    for (const origin of ['http://evil.example', 'null'])
      expect(await refusal(dial('/stream/a', { origin }))).toMatchObject({ status: 403 })
    const own = dial('/stream/a', { origin: `http://127.0.0.1:${port}` })
    await once(own, 'open')
  })

  test('closes a slow consumer with 1013 and serves the others', async () => {
    const [slow, quick] = [dial('/stream/slow'), dial('/stream/quick')]
    await Promise.all([once(slow, 'open'), once(quick, 'open')])
    await eventually(() => readers.size === 2)
    let received = 0
    quick.on('message', () => received++)
    const closed = once(slow, 'close')
    slow.pause()
    let sent = 0
    await eventually(() => {
      feed.publish({ type: 'assistant', text: `${sent++} ${'x'.repeat(1024 * 1024)}` })
      return readers.size === 1
    })
    slow.resume()
    expect((await closed)[0]).toBe(1013)
    await eventually(() => received === sent)
    expect((await app.inject('/metrics')).body).toContain('stream_readers_dropped_total 1')
  })

  test('closes a client that sends an oversized frame', async () => {
    const socket = dial('/stream/a')
    await once(socket, 'open')
    socket.send(Buffer.alloc(16 * 1024 * 1024 + 1))
    socket.on('error', () => undefined)
    const [code] = await once(socket, 'close')
    expect([1006, 1009]).toContain(code)
  })
})

describe('server-sent events', () => {
  test('are named by type, and end when the client disconnects', async () => {
    const request = httpRequest({ port, path: '/events', host: '127.0.0.1' }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(response.headers['x-request-id']).toBeTruthy()
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    await eventually(() => readers.size === 1)
    feed.publish({ type: 'drift', text: 'moved' })
    await eventually(() => text.endsWith('event: drift\ndata: {"type":"drift","text":"moved"}\n\n'))
    expect(text.startsWith(': connected\n\n')).toBe(true)
    request.destroy()
    await eventually(() => readers.size === 0)
  })

  test('are cut for a slow consumer', async () => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    ).pause()
    await eventually(() => readers.size === 1)
    await eventually(() => {
      feed.publish({ type: 'step', text: 'x'.repeat(1024 * 1024) })
      return readers.size === 0
    })
    socket.destroy()
    expect((await app.inject('/metrics')).body).toContain('stream_readers_dropped_total 1')
  })
})

describe('a server that closes', () => {
  test('sends 1001, ends event streams, and cuts hanging connections', async () => {
    const socket = dial('/stream/a')
    await once(socket, 'open')
    const events = new Promise((resolve) =>
      get({ port, path: '/events', host: '127.0.0.1' }, (response) => response.resume().on('end', resolve)),
    )
    await eventually(() => readers.size === 2)
    const hung = fetch(`http://127.0.0.1:${port}/never`).catch(() => 'cut')
    const idle = connect(port, '127.0.0.1').on('error', () => undefined)
    await Promise.all([once(idle, 'connect'), eventually(() => hanging === 1)])
    const closed = once(socket, 'close')
    await app.close()
    expect((await closed)[0]).toBe(1001)
    await events
    expect(await hung).toBe('cut')
    idle.destroy()
  })

  test.each([
    ['has not started', () => undefined],
    ['is half sent', (response: ServerResponse) => void response.write('{"all":')],
  ])('waits for a response that %s, but not for idle connections', async (_when, begin) => {
    const patient = await createHttpServer({
      service: 'svc-sample',
      version: '1',
      log: noLog,
      config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
      health: async () => ({}),
      // Longer than the test.
      graceMs: 600_000,
    })
    const asked = new Promise<ServerResponse>((resolve) =>
      patient.get('/late', async (_request, reply) => {
        reply.hijack()
        begin(reply.raw)
        resolve(reply.raw)
      }),
    )
    await patient.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true })
    const { port } = patient.server.address() as AddressInfo
    const late = once(get({ port, path: '/late', host: '127.0.0.1', agent }), 'response')
    const response = await asked
    const closed = patient.close()
    await eventually(() => !patient.server.listening)
    response.end(response.headersSent ? '1}' : '{"all":1}')
    const [answer] = (await late) as [IncomingMessage]
    expect(await text(answer)).toBe('{"all":1}')
    await closed
    agent.destroy()
  })
})
