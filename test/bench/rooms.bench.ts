// Rooms: a message to 1,000 readers next to a loop over bare sockets, the way from a post to its receipt, and pages of
// a room of a million messages.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { services } from '../../daemon/services.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { startServices, type ServiceStand } from '../support/services.ts'
import { compare, conclude, median, quantile, timed, within } from './report.ts'

const READERS = 1000
const MESSAGES = 100
const ROUNDS = 5
const PER_SECOND = 200
const SECONDS = 10
const HISTORY = 1_000_000
const TEXT = 'The build is green again; whoever waits for it may go on. '.repeat(3)

const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const stand = await startServices(
  services({ sources: [] }).filter(({ name }) => name === 'communicate'),
  { url: `sqlite:${join(home, 'svc.db')}`, log: noLog, env: { SVC_COMMUNICATE_SENDS_PER_SEC: '100000' } },
)
await fanOut()
await receipts()
await history(stand)
await stand.close()
rmSync(home, { recursive: true, force: true })
conclude()

async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(stand.host.urls.communicate! + path, {
    method,
    headers: { 'x-svc-actor': 'operator', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

async function roomOf(name: string, people: string[]): Promise<string> {
  const { id } = await ask('POST', '/rooms', { name, created_by: people[0] })
  for (const identifier of people.slice(1))
    await ask('POST', `/rooms/${id}/participants`, { identifier, kind: 'human' })
  return id
}

async function visit(identifier: string, roomId: string | null): Promise<WebSocket> {
  const query = new URLSearchParams({ identifier, kind: 'human', display_name: identifier })
  const socket = new WebSocket(`${stand.host.urls.communicate!.replace('http', 'ws')}/ws?${query.toString()}`)
  await once(socket, 'open')
  if (roomId === null) return socket
  socket.send(JSON.stringify({ type: 'subscribe', room_id: roomId }))
  await once(socket, 'message')
  return socket
}

/** Counts what the readers get, and resolves when it is so much. */
function counter(): { take(): void; reach(many: number): Promise<void> } {
  let got = 0
  let waiting: { many: number; go(): void } | null = null
  return {
    take: () => {
      if (++got >= (waiting?.many ?? Infinity)) waiting!.go()
    },
    reach: (many) => new Promise((go) => (waiting = { many: got + many, go: () => go() })),
  }
}

async function fanOut(): Promise<void> {
  const roomId = await roomOf('crowd', ['mira', 'ben'])
  const frame = JSON.stringify({ type: 'send', room_id: roomId, content: TEXT })
  const ours = counter()
  const readers: WebSocket[] = []
  for (let at = 0; at < READERS; at += 50)
    readers.push(...(await Promise.all(Array.from({ length: 50 }, () => visit('ben', roomId)))))
  for (const reader of readers) reader.on('message', ours.take)
  const sender = await visit('mira', null)

  const server = new WebSocketServer({ port: 0, perMessageDeflate: false })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const bare = counter()
  const others: WebSocket[] = []
  for (let at = 0; at < READERS; at++) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`)
    await once(socket, 'open')
    others.push(socket.on('message', bare.take))
  }
  // What ours sends to each reader is as long.
  const message = await ask('POST', `/rooms/${roomId}/messages`, { sender_id: 'mira', content: TEXT })
  await sleep(500)
  const text = `${JSON.stringify({ type: 'message', room_id: roomId, message })}\n`
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const floor = await timed(async () => {
      const all = bare.reach(MESSAGES * READERS)
      for (let at = 0; at < MESSAGES; at++) for (const client of server.clients) client.send(text)
      await all
    })
    const own = await timed(async () => {
      const all = ours.reach(MESSAGES * READERS)
      for (let at = 0; at < MESSAGES; at++) sender.send(frame)
      await all
    })
    // The first one warms both up.
    if (round > 0) {
      times.floor.push(floor)
      times.ours.push(own)
    }
  }
  compare({
    what: `${MESSAGES} messages stored and sent to ${READERS} readers, floor: a loop over bare sockets`,
    ours: median(times.ours),
    floor: median(times.floor),
    unit: 'ms',
    bound: 1 / 0.7,
  })
  for (const socket of [...readers, ...others, sender]) socket.terminate()
  server.close()
}

/** Sends so often, `PER_SECOND` times a second, and waits until everything came. */
async function atPace(send: (at: number) => void, took: readonly number[]): Promise<void> {
  const began = performance.now()
  for (let at = 0; at < PER_SECOND * SECONDS; at++) {
    const due = began + (at * 1000) / PER_SECOND
    if (performance.now() < due) await sleep(due - performance.now())
    send(at)
  }
  while (took.length < PER_SECOND * SECONDS) await sleep(20)
}

async function receipts(): Promise<void> {
  const people = ['mira', 'ben', 'kim', 'zoe']
  const roomId = await roomOf('steady', people)
  const reader = await visit('zoe', roomId)
  const senders = await Promise.all(people.slice(0, 3).map((name) => visit(name, null)))
  const sentAt = new Map<string, number>()
  const took: number[] = []
  reader.on('message', (data: Buffer) => {
    const { type, message } = JSON.parse(data.toString())
    if (type !== 'message') return
    took.push(performance.now() - sentAt.get(message.id)!)
  })
  await atPace((at) => {
    const message_id = randomUUID()
    sentAt.set(message_id, performance.now())
    senders[at % senders.length]!.send(JSON.stringify({ type: 'send', room_id: roomId, content: TEXT, message_id }))
  }, took)
  const floor = await bareReceipts()
  // The first second warms it up.
  const p99 = quantile(took.slice(PER_SECOND), 0.99)
  const bare = quantile(floor.slice(PER_SECOND), 0.99)
  process.stdout.write(
    `a row written and told over a bare socket at ${PER_SECOND} a second, p99: ${bare.toFixed(1)} ms; ours is ${(p99 / bare).toFixed(2)} times as long\n`,
  )
  within(`post to receipt at ${PER_SECOND} messages a second, p99`, p99, 30, 'ms')
  for (const socket of [reader, ...senders]) socket.terminate()
}

/** What the machine allows at this moment: over a bare socket, one row in a transaction of its own, and back. */
async function bareReceipts(): Promise<number[]> {
  const { db } = stand
  await db.schema.createTable('bare', (table) => void table.text('content'))
  const server = new WebSocketServer({ port: 0, perMessageDeflate: false })
  await once(server, 'listening')
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      void db
        .transaction((transaction) => transaction('bare').insert({ content: data.toString() }))
        .then(() => socket.send(data.toString()))
    }),
  )
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`)
  await once(socket, 'open')
  const sentAt: number[] = []
  const took: number[] = []
  socket.on('message', (data: Buffer) => {
    took.push(performance.now() - sentAt[Number.parseInt(data.toString(), 10)]!)
  })
  await atPace((at) => {
    sentAt.push(performance.now())
    socket.send(`${at} ${TEXT}`)
  }, took)
  socket.terminate()
  server.close()
  return took
}

async function history({ db }: ServiceStand): Promise<void> {
  const roomId = await roomOf('archive', ['mira'])
  await db.raw(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO communicate_messages
       (id, room_id, number, sender_id, sender_name, sender_kind, content, metadata, status, created_at, taken_back)
     SELECT lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4' || substr(lower(hex(randomblob(2))), 2)
       || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
       ?, n, 'mira', 'mira', 'human', ?, '{}', 'sent', '2030-01-01T00:00:00.000Z', 0 FROM numbers`,
    [HISTORY, roomId, TEXT],
  )
  await db('communicate_rooms').where({ id: roomId }).update({ posted: HISTORY })
  for (const [what, offset] of [
    ['first', 0],
    ['middle', HISTORY / 2],
    ['last', HISTORY - 50],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < 50; round++)
      times.push(await timed(() => ask('GET', `/rooms/${roomId}/messages?limit=50&offset=${offset}`)))
    within(`the ${what} page of 50 of ${HISTORY} messages, median`, median(times), 10, 'ms')
  }
  const times: number[] = []
  for (let round = 0; round < 50; round++)
    times.push(await timed(() => ask('GET', `/rooms/${roomId}/messages/latest?count=50`)))
  within(`the latest 50 of ${HISTORY} messages, median`, median(times), 10, 'ms')
}
