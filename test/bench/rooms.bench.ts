// Messages to many readers (floor: a loop over plain sockets), and pages of a long room.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { services } from '../../daemon/services.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { startServices, type ServiceStand } from '../support/services.ts'
import { compare, medians, timed } from './report.ts'

const READERS = 1000
const MESSAGES = 50
const ROUNDS = 5
const HISTORY = 200_000
const TEXT = 'The build is green again; everyone can continue working.  '.repeat(3)

const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const stand = await startServices(
  services({ sources: [] }).filter(({ name }) => name === 'communicate'),
  { url: `sqlite:${join(home, 'svc.db')}`, log: noLog, env: { SVC_COMMUNICATE_SENDS_PER_SEC: '100000' } },
)
await fanOut()
await history(stand)
await stand.close()
rmSync(home, { recursive: true, force: true })

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

/** `reach(n)` resolves after n more messages. */
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
  // As long as a frame of the daemon.
  const message = await ask('POST', `/rooms/${roomId}/messages`, { sender_id: 'mira', content: TEXT })
  await sleep(500)
  const text = `${JSON.stringify({ type: 'message', room_id: roomId, message })}\n`
  const figures = await medians(ROUNDS, {
    ours: () =>
      timed(async () => {
        const all = ours.reach(MESSAGES * READERS)
        for (let at = 0; at < MESSAGES; at++) sender.send(frame)
        await all
      }),
    floor: () =>
      timed(async () => {
        const all = bare.reach(MESSAGES * READERS)
        for (let at = 0; at < MESSAGES; at++) for (const client of server.clients) client.send(text)
        await all
      }),
  })
  compare({ what: `${MESSAGES} messages stored and sent to ${READERS} readers`, ...figures, unit: 'ms', bound: 3 })
  for (const socket of [...readers, ...others, sender]) socket.terminate()
  server.close()
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
  const pageAt = (path: string) => () => timed(() => ask('GET', `/rooms/${roomId}/messages${path}`))
  const { first, middle, last, latest } = await medians(25, {
    first: pageAt('?limit=50&offset=0'),
    middle: pageAt(`?limit=50&offset=${HISTORY / 2}`),
    last: pageAt(`?limit=50&offset=${HISTORY - 50}`),
    latest: pageAt('/latest?count=50'),
  })
  const figure = { floor: first, unit: 'ms', bound: 3 }
  compare({ ...figure, what: `middle page of 50 of ${HISTORY} messages, vs the first`, ours: middle })
  compare({ ...figure, what: `last page of 50 of ${HISTORY} messages, vs the first`, ours: last })
  compare({ ...figure, what: `latest 50 of ${HISTORY} messages, vs the first page`, ours: latest })
}
