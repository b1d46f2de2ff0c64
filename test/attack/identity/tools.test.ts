// What an agent's process can do in another name by MCP and by REST.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { Askers, type Asker } from './asker.ts'

let stand: DaemonStand
const askers = new Askers()
let person: Asker
let mallory: Asker
let victim: string

async function inSession(name: string): Promise<{ id: string; asker: Asker }> {
  const { command, asker } = askers.prepare()
  const body = { name, runtime: 'command', working_dir: stand.home, shell: 'bash', command }
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await asker.ready()
  return { id: made.body.id, asker }
}

async function call(asker: Asker, service: string, asked: string, body?: unknown, headers: object = {}) {
  const [method, path] = asked.split(' ') as [string, string]
  const { status, text } = await asker.http({
    method,
    url: stand.urls[service]! + path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status, text, body: text === '' ? null : JSON.parse(text) }
}

/** Calls a tool over MCP; returns its text, and whether it is an error. */
async function tool(headers: object, name: string, input: object): Promise<{ isError: boolean; text: string }> {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const { status, body, text } = await call(mallory, 'docstore', 'POST /mcp', request, headers)
  expect(status, text).toBe(200)
  return { isError: body.result.isError === true, text: body.result.content[0].text }
}

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_LOG_FORMAT: 'json' } })
  await stand.start()
  person = await askers.start()
  mallory = (await inSession('mallory')).asker
  victim = (await inSession('asker')).id
  const office = await call(person, 'communicate', 'POST /rooms', { name: 'office', created_by: 'mia' })
  expect(office.status, office.text).toBe(201)
  for (const [created_by, headers] of [
    ['mia', { 'x-svc-actor': 'mia' }],
    ['agent:asker', { 'x-svc-actor': 'operator' }],
  ] as const) {
    const secret = { content: `a secret of ${created_by}`, created_by, visibility: 'private' }
    const made = await call(person, 'docstore', 'POST /memories', secret, headers)
    expect(made.status, made.text).toBe(201)
  }
}, 60_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
})

const claims = (): [string, Record<string, string>][] => [
  ['nothing', {}],
  ['the operator', { 'x-svc-actor': 'operator' }],
  ['a person', { 'x-svc-actor': 'mia' }],
  ['another agent', { 'x-svc-agent': victim }],
  ['a part of the daemon', { 'x-svc-actor': 'svc-orchestrator' }],
]

describe.each(['nothing', 'the operator', 'a person', 'another agent', 'a part of the daemon'])(
  'an agent’s process that claims to be %s',
  (who) => {
    const headers = () => new Map(claims()).get(who)!

    test('reads and posts to no room of others by tools', async () => {
      for (const [name, input] of [
        ['room_read', { room: 'office' }],
        ['room_post', { room: 'office', content: 'hello' }],
      ] as const)
        expect(await tool(headers(), name, input)).toMatchObject({ isError: true })
      const { body } = await call(person, 'communicate', 'GET /rooms/office/messages', undefined, {
        'x-svc-actor': 'operator',
      })
      expect(body).toEqual([])
    })

    test('finds no private memory of others by tools and REST', async () => {
      const found = await tool(headers(), 'memory_search', { query: 'secret' })
      expect(found.text).not.toContain('secret of')
      const rest = await call(mallory, 'docstore', 'POST /memories/search', { query: 'secret' }, headers())
      expect(rest.body).toMatchObject({ memories: [], total: 0 })
      const asOther = { query: 'secret', as_actor: 'mia' }
      expect((await call(mallory, 'docstore', 'POST /memories/search', asOther, headers())).status).toBe(403)
    })

    test('is the author of what it remembers and creates', async () => {
      const own = JSON.parse((await tool(headers(), 'memory_remember', { content: `note by ${who}` })).text)
      expect(own.created_by).toBe('mallory')
      for (const created_by of ['mia', 'operator', 'agent:asker'])
        expect(await tool(headers(), 'memory_remember', { content: 'x', created_by })).toMatchObject({ isError: true })
      const rest = await call(mallory, 'docstore', 'POST /memories', { content: 'x', created_by: 'mia' }, headers())
      expect(rest.status).toBe(403)
    })

    test('changes and deletes no memory of others', async () => {
      const all = await call(person, 'docstore', 'GET /memories', undefined, { 'x-svc-actor': 'operator' })
      const { id } = all.body.find((each: { created_by: string }) => each.created_by === 'mia')
      for (const [asked, body] of [
        [`DELETE /memories/${id}`, undefined],
        [`PUT /memories/${id}/visibility`, { visibility: 'public' }],
      ] as const)
        expect([403, 404]).toContain((await call(mallory, 'docstore', asked, body, headers())).status)
      expect((await tool(headers(), 'memory_forget', { id })).isError).toBe(true)
    })

    test('is on record for its writes without a guard', async () => {
      const notification = { title: `by ${who}`, message: 'm', priority: 'Critical', source: 'System' }
      const requestId = `req-${who.replaceAll(' ', '-')}`
      const sent = { ...headers(), 'x-request-id': requestId }
      await call(mallory, 'notify', 'POST /notifications', notification, sent)
      await call(mallory, 'orchestrator', `POST /agents/${victim}/message`, { content: 'hi' }, sent)
      const lines = await eventually(() => {
        const found = stand.output.split('\n').filter((line) => line.includes(`"request_id":"${requestId}"`))
        return found.length >= 2 && found
      })
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ actor: 'agent:mallory' })
    })
  },
)
