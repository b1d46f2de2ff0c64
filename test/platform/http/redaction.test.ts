// Redaction of what agents send.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import * as Type from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../platform/core/log/log.ts'
import { implement } from '../../../platform/http/implement.ts'
import type { HttpServer, HttpServerOptions } from '../../../platform/http/server.ts'
import type { Caller, Callers } from '../../../platform/peer/callers.ts'
import { Peers } from '../../../platform/peer/peers.ts'
import type { Lineage } from '../../../platform/peer/processes.ts'
import { Masker } from '../../../platform/secrets/masking/masker.ts'
import { operation } from '../../../schemas/operations/operation.ts'
import { serve } from './fixture.ts'

const SECRET = 'hunter2-hunter2'
const AGENT = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'
const BUILDER: Caller = { id: AGENT, actor: 'agent:builder', may: ['policy', 'agent'] }
const MIB = 1024 * 1024

const note = operation('sample.note', 'POST /notes/:name', {
  summary: 'Write a note',
  guard: 'none',
  params: Type.Object({ name: Type.String() }),
  query: Type.Object({ about: Type.Optional(Type.String()) }),
  body: Type.Object({
    text: Type.String({ maxLength: 4 * MIB }),
    kind: Type.Optional(Type.Enum(['information', 'question'])),
    word: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$' })),
    data: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  }),
  bodyLimit: 8 * MIB,
  reply: { 200: Type.Unknown() },
})
const create = operation('sample.create', 'PUT /things/named/:name', {
  summary: 'Create a named thing',
  guard: 'none',
  storesPath: true,
  params: Type.Object({ name: Type.String() }),
  reply: { 200: Type.Unknown() },
})
const setting = operation('orchestrator.updateAgent', 'PATCH /settings', {
  summary: 'Set something',
  guard: 'agent',
  body: Type.Object({
    prompt: Type.Optional(Type.String()),
    env: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object' })),
    config: Type.Optional(Type.Object({ env: Type.Unsafe<Record<string, string>>({ type: 'object' }) })),
  }),
  reply: { 200: Type.Unknown() },
})
const find = operation('sample.find', 'POST /find', {
  identity: 'none',
  summary: 'Search',
  readOnly: true,
  body: Type.Object({ query: Type.String() }),
  reply: { 200: Type.Unknown() },
})

async function started(secrets: string[] = [SECRET], options: Partial<HttpServerOptions> = {}) {
  const masker = new Masker(secrets)
  const callers: Callers = {
    find: async (id) => (id === AGENT ? BUILDER : null),
    ofProcess: async () => null,
    ofToken: async () => null,
  }
  const audited: string[] = []
  let logged = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const app = await serve({
    callers: () => callers,
    maskerOf: async (id) => (id === AGENT ? masker : null),
    log: createLog({ level: 'debug', format: 'json' }, sink),
    audit: async (_by, name, target) => void audited.push(`${name} ${target}`),
    ...options,
  })
  implement(app, note, async ({ params, query, body }) => ({ params, query, body }))
  implement(app, create, async ({ params }) => params)
  implement(app, setting, async ({ body }) => body)
  implement(app, find, async ({ body }) => body)
  app.put('/bytes', { config: { bytes: true }, schema: { body: {} } }, async ({ body }) => String(body))
  return { app, audited, logged: () => logged }
}

async function sent(
  app: HttpServer,
  method: 'POST' | 'PUT' | 'PATCH',
  url: string,
  body?: object | string,
  headers: Record<string, string> = { 'x-svc-agent': AGENT },
) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await app.inject({ method, url, headers: { ...type, ...headers }, ...(body ? { body } : {}) })
  return { status: answer.statusCode, text: answer.body, body: answer.json(), headers: answer.headers }
}

test('redacts texts, field names and long numbers of a body and a query', async () => {
  const { app } = await started([SECRET, '1234567890'])
  const answer = await sent(app, 'POST', `/notes/a?about=${SECRET}`, {
    text: `the password is ${SECRET}.`,
    data: { [SECRET]: [SECRET, 1234567890, 17, true, null] },
  })
  expect(answer.body).toEqual({
    params: { name: 'a' },
    query: { about: '***' },
    body: { text: 'the password is ***.', data: { '***': ['***', '***', 17, true, null] } },
  })
})

test('leaves other callers, searches and public words of a schema unchanged', async () => {
  const { app } = await started([SECRET, 'information', 'text', 'builder', AGENT])
  const body = { text: SECRET, kind: 'information' }
  expect((await sent(app, 'POST', '/notes/a', body, {})).body.body).toEqual(body)
  expect((await sent(app, 'POST', '/notes/a', body)).body.body).toEqual({ text: '***', kind: 'information' })
  for (const own of ['builder', AGENT])
    expect((await sent(app, 'POST', '/notes/a', { text: own })).body.body).toEqual({ text: own })
  expect((await sent(app, 'POST', '/find', { query: SECRET })).body).toEqual({ query: SECRET })
})

test('redacts a redacted body to the same body', async () => {
  const { app } = await started()
  const once = (await sent(app, 'POST', '/notes/a', { text: `x ${SECRET}`, data: { [SECRET]: 1 } })).body.body
  expect((await sent(app, 'POST', '/notes/a', once)).body.body).toEqual(once)
})

test('checks the length and form that were sent', async () => {
  const { app } = await started()
  const tooLong = await sent(app, 'POST', '/notes/a', { text: SECRET.repeat(400_000) })
  expect([tooLong.status, tooLong.body.errors[0].path]).toEqual([400, 'text'])
})

test('refuses a secret where its mask is not valid, and names the field', async () => {
  const { app } = await started()
  const answer = await sent(app, 'POST', '/notes/a', { text: 'a', word: SECRET })
  expect([answer.status, answer.body.detail]).toEqual([
    400,
    'word contains a secret of agent:builder, such as a value of its env, which is not accepted here: remove it',
  ])
})

test('refuses secrets in a guarded write, except in its declared fields', async () => {
  const { app } = await started()
  const refused = await sent(app, 'PATCH', '/settings', { prompt: `use ${SECRET}`, env: { TOKEN: SECRET } })
  expect(refused.status).toBe(400)
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['prompt'])
  expect(refused.text).not.toContain(SECRET)
  const allowed = { env: { TOKEN: SECRET }, config: { env: { [SECRET]: 'x' } } }
  expect((await sent(app, 'PATCH', '/settings', allowed)).body).toEqual(allowed)
})

test('passes names of existing things, and refuses new names with a secret', async () => {
  const { app, audited, logged } = await started()
  expect((await sent(app, 'POST', `/notes/${SECRET}`, { text: 'a' })).body.params).toEqual({ name: SECRET })
  expect(audited).toEqual(['sample.note ***'])
  const refused = await sent(app, 'PUT', `/things/named/${SECRET}`)
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(/^name contains a secret of /)])
  expect(logged()).not.toContain(SECRET)
  expect(logged()).toContain('/notes/***')
})

test('replaces a request id that contains a secret', async () => {
  const { app, logged } = await started()
  const headers = { 'x-svc-agent': AGENT, 'x-request-id': `run-${SECRET}` }
  const answer = await sent(app, 'POST', '/notes/a', { text: 'a' }, headers)
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(logged()).not.toContain(SECRET)
  expect(logged()).toContain(answer.headers['x-request-id'])
})

test('redacts a body of bytes', async () => {
  const { app } = await started()
  const headers = { 'x-svc-agent': AGENT, 'content-type': 'text/plain' }
  const answer = await app.inject({ method: 'PUT', url: '/bytes', headers, body: `a ${SECRET} b` })
  expect(answer.body).toBe('a *** b')
})

test('refuses the write if the secrets of the agent cannot be read', async () => {
  const { app } = await started([SECRET], {
    maskerOf: async () => {
      throw new Error('the database is down')
    },
  })
  expect((await sent(app, 'POST', '/notes/a', { text: SECRET })).status).toBe(500)
})

describe('a request of an agent with the token of a person', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-redaction-'))
  const tokensFile = join(folder, 'tokens.json')
  const sha256 = createHash('sha256').update('token-of-mia').digest('hex')
  writeFileSync(tokensFile, JSON.stringify([{ subject: 'mia', role: 'admin', sha256 }]))
  afterAll(() => rmSync(folder, { recursive: true }))
  const headers = { authorization: 'Bearer token-of-mia' }

  class OneProcess extends Peers {
    override lineageOf(): Promise<Lineage | 'gone'> {
      return Promise.resolve(this.lineage)
    }
    constructor(readonly lineage: Lineage | 'gone') {
      super()
    }
  }
  const inside: Lineage = { processes: [7], sessions: [], agentIds: [] }
  const withToken = (lineage: Lineage | 'gone') => {
    const callers: Callers = {
      find: async () => null,
      ofProcess: async ({ processes }) => (processes[0] === 7 ? BUILDER : null),
      ofToken: async () => null,
    }
    const config = { bind: '127.0.0.1', hosts: [], tokensFile }
    return started([SECRET, 'builder'], { callers: () => callers, config, peers: new OneProcess(lineage) })
  }

  test('is redacted by the secrets of the agent, and acts as the person', async () => {
    const { app, logged } = await withToken(inside)
    app.put('/who', async ({ actor }) => actor)
    const answer = await sent(app, 'POST', '/notes/a', { text: SECRET, data: { by: 'builder' } }, headers)
    expect(answer.body.body).toEqual({ text: '***', data: { by: 'builder' } })
    expect((await sent(app, 'PUT', '/who', undefined, headers)).body).toMatchObject({ actor: 'mia', role: 'admin' })
    const refused = await sent(app, 'PATCH', '/settings', { prompt: SECRET }, headers)
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      expect.stringContaining('prompt contains a secret of agent:builder'),
    ])
    expect(logged()).not.toContain(SECRET)
  })

  test.each([
    ['another process', { ...inside, processes: [8] }],
    ['a process that has ended', 'gone' as const],
  ])('is unchanged from %s', async (_which, lineage) => {
    const { app } = await withToken(lineage)
    expect((await sent(app, 'POST', '/notes/a', { text: SECRET }, headers)).body.body).toEqual({ text: SECRET })
  })
})
