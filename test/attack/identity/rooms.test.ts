import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import type { Participant } from '../../../schemas/communicate/room.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { Askers, type Asker } from './asker.ts'

let stand: DaemonStand
const askers = new Askers()
let plain: Asker
let id: string
let person: Asker

beforeAll(async () => {
  // Allows bursts of two messages.
  stand = await DaemonStand.create({ env: { SVC_COMMUNICATE_SENDS_PER_SEC: '1' } })
  await stand.start()
  const { command, asker } = askers.prepare()
  const body = { name: 'plain', runtime: 'command', working_dir: stand.home, shell: 'bash', command }
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  id = made.body.id
  await asker.ready()
  plain = asker
  person = await askers.start()
  await room('private')
  await admit('private', 'ben', 'human')
}, 90_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
})

const asOperator = { 'x-svc-actor': 'operator' }

async function by(asker: Asker, asked: string, body?: unknown, headers: Record<string, string> = asOperator) {
  const [method, path] = asked.split(' ') as [string, string]
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
  }
  const { status, text } = await asker.http({
    method,
    url: stand.urls.communicate! + path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(path.startsWith('/ws') ? upgrade : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}

async function room(name: string, created_by = 'mira'): Promise<void> {
  const made = await by(person, 'POST /rooms', { name, created_by })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
}

async function admit(name: string, identifier: string, kind: Participant['kind']): Promise<void> {
  const made = await by(person, `POST /rooms/${name}/participants`, { identifier, kind })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
}

const said = async (name: string): Promise<Message[]> => (await by(person, `GET /rooms/${name}/messages`)).body

describe.each([
  ['operator', { 'x-svc-actor': 'operator' }],
  ['a participant', { 'x-svc-actor': 'mira' }],
  ['a service of the daemon', { 'x-svc-actor': 'svc-orchestrator' }],
  ['an unknown agent', { 'x-svc-agent': randomUUID(), 'x-svc-actor': 'mira' }],
  ['no identity', {}],
])('a process of an agent that claims to be %s', (_who, headers) => {
  const ask = (asked: string, body?: unknown) => by(plain, asked, body, headers)

  test('gets 403 for a message in another’s name', async () => {
    const before = await said('private')
    for (const sender_id of ['mira', 'operator', randomUUID()]) {
      const answer = await ask('POST /rooms/private/messages', { sender_id, content: 'I am somebody else' })
      expect(answer).toMatchObject({ status: 403 })
    }
    expect(await said('private')).toEqual(before)
  })

  test('gets 403 for reading a room that it has not joined', async () => {
    for (const path of ['messages', 'messages/latest', 'locks'])
      expect(await ask(`GET /rooms/private/${path}`)).toMatchObject({ status: 403 })
  })

  test('gets 403 for a socket under another’s name', async () => {
    for (const name of ['mira', 'operator', 'ben'])
      expect(await ask(`GET /ws?identifier=${name}&kind=human&display_name=x`)).toMatchObject({ status: 403 })
  })

  test('gets 403 for changing a room or creating one for another', async () => {
    const sly = { identifier: id, kind: 'agent', role: 'admin' }
    const answers = [
      await ask('POST /rooms/private/participants', sly),
      await ask('DELETE /rooms/private/participants/ben'),
      await ask('PATCH /rooms/private', { topic: 'mine' }),
      await ask('DELETE /rooms/private'),
      await ask('POST /rooms', { name: 'sly', created_by: 'mira' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await by(person, 'GET /rooms/private')).status).toBe(200)
    expect((await by(person, 'GET /rooms/sly')).status).toBe(404)
  })
})

test('does not count forged messages against the limit of the named sender', async () => {
  for (let at = 0; at < 5; at++)
    await by(plain, 'POST /rooms/private/messages', { sender_id: 'ben', content: 'x' }, { 'x-svc-actor': 'ben' })
  const { status } = await by(person, 'POST /rooms/private/messages', { sender_id: 'ben', content: 'mine' })
  expect(status).toBe(201)
})

test('accepts an agent under its id and name, never as a person', async () => {
  await room('by-id')
  await admit('by-id', id, 'agent')
  await room('by-name')
  await admit('by-name', 'plain', 'agent')
  await room('of-person')
  await admit('of-person', 'plain', 'human')
  for (const [name, sender_id] of [
    ['by-id', id],
    ['by-name', 'plain'],
  ] as const) {
    expect((await by(plain, `POST /rooms/${name}/messages`, { sender_id, content: 'I' }, {})).status).toBe(201)
    expect((await by(plain, `GET /rooms/${name}/messages`, undefined, {})).body).toMatchObject([
      { sender_id, sender_kind: 'agent' },
    ])
  }
  const forged = { sender_id: 'plain', content: 'I' }
  expect((await by(plain, 'POST /rooms/of-person/messages', forged, {})).status).toBe(403)
  expect((await by(plain, 'GET /rooms/of-person/messages', undefined, {})).status).toBe(403)
  expect(await said('of-person')).toEqual([])
  expect((await by(plain, 'POST /rooms', { name: 'own', created_by: 'plain' }, {})).status).toBe(201)
  expect((await by(person, 'GET /rooms/own/participants')).body).toMatchObject([
    { identifier: 'plain', kind: 'agent', role: 'admin' },
  ])
})

test('identifies a person at the machine by the given name', async () => {
  expect((await by(person, 'GET /rooms/private/messages')).status).toBe(200)
  expect((await by(person, 'GET /rooms/private/messages', undefined, { 'x-svc-actor': 'ben' })).status).toBe(200)
  expect((await by(person, 'GET /rooms/private/messages', undefined, { 'x-svc-actor': 'zoe' })).status).toBe(403)
  expect((await by(person, 'GET /ws?identifier=operator&kind=human&display_name=x', undefined, {})).status).toBe(101)
})

test.each(['operator', 'admin'])('lets the holder of an %s token post under its own name only', async (role) => {
  const [name, holder] = [`posts-${role}`, `olga-${role}`]
  const { stdout } = await stand.svc(['token', 'create', holder, '--role', role])
  const authorization = `Bearer ${stdout.trim()}`
  await room(name)
  await admit(name, holder, 'human')
  const post = (sender_id: string) =>
    by(person, `POST /rooms/${name}/messages`, { sender_id, content: sender_id }, { authorization })
  expect((await post('mira')).status).toBe(403)
  expect((await post(holder)).status).toBe(201)
  const url = `${stand.urls.communicate!.replace('http', 'ws')}/ws?identifier=mira&kind=human&display_name=Mira`
  const socket = new WebSocket(url, { headers: { authorization } })
  const frames: string[] = []
  socket.on('message', (data: Buffer) => frames.push(data.toString()))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'send', room_id: name, content: 'by another', ref: 'r1' }))
  await eventually(() => frames.some((frame) => frame.includes(`${holder} cannot act as \\"mira\\"`)))
  socket.terminate()
  expect((await said(name)).map(({ sender_id }) => sender_id)).toEqual([holder])
})

test('lets a viewer listen to a room and not send', async () => {
  const { stdout } = await stand.svc(['token', 'create', 'vera', '--role', 'viewer'])
  await room('seen')
  await admit('seen', 'vera', 'human')
  const url = `${stand.urls.communicate!.replace('http', 'ws')}/ws?identifier=vera&kind=human&display_name=Vera`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${stdout.trim()}` } })
  const frames: string[] = []
  socket.on('message', (data: Buffer) => frames.push(data.toString()))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'subscribe', room_id: 'seen' }))
  socket.send(JSON.stringify({ type: 'send', room_id: 'seen', content: 'by a viewer', ref: 'r1' }))
  await eventually(() => frames.some((frame) => frame.includes('vera has role viewer and cannot write here')))
  const message = { sender_id: 'mira', content: 'by mira' }
  await by(person, 'POST /rooms/seen/messages', message, { 'x-svc-actor': 'mira' })
  await eventually(() => frames.some((frame) => frame.includes('by mira')))
  socket.terminate()
  expect((await said('seen')).map(({ content }) => content)).toEqual(['by mira'])
})
