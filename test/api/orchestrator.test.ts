// Status codes and shapes of the orchestrator's routes, on a face that is plain objects.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { orchestratorHealth, orchestratorMetrics, orchestratorRoutes } from '../../api/orchestrator/index.ts'
import { ChangeFeed } from '../../platform/change-feed.ts'
import { createHttpServer, type HttpServer } from '../../platform/http/server.ts'
import { noLog } from '../../platform/log.ts'
import { conflict, notFound } from '../../platform/problem.ts'
import type { StreamFrame } from '../../schemas/stream.ts'
import type { Orchestrator } from '../../services/orchestrator/face.ts'
import { eventually } from '../support/eventually.ts'

const ID = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'
const OTHER = '00000000-0000-4000-8000-000000000000'
const json = { 'content-type': 'application/json' }

let app: HttpServer
let calls: { method: string; args: unknown[] }[]
let frames: ChangeFeed<StreamFrame>

/** A face that answers what it is told to and writes down what it was asked. */
function face(): Orchestrator {
  const answers =
    <T>(method: string, answer: T) =>
    async (...args: unknown[]): Promise<T> => {
      calls.push({ method, args })
      if (args[0] === OTHER) throw notFound('agent', OTHER)
      return answer
    }
  const agent = {
    id: ID,
    name: 'a',
    status: 'running',
    config: { tool_policy: { mode: 'allow_all' }, env: { KEY: '***' } },
    managed_by: null,
  }
  const workflow = { id: ID, name: 'w' }
  const approval = { id: ID, status: 'pending' }
  return {
    agents: {
      create: answers('agents.create', agent),
      get: answers('agents.get', agent),
      list: answers('agents.list', [agent, agent, agent]),
      patch: answers('agents.patch', { ...agent, requires_restart: true }),
      terminate: answers('agents.terminate', { ...agent, status: 'stopped' }),
      purge: answers('agents.purge', undefined),
      restart: answers('agents.restart', agent),
      message: answers('agents.message', { status: 'sent', agent_id: ID }),
      setPolicy: answers('agents.setPolicy', { mode: 'deny_all' }),
      addDirectory: answers('agents.addDirectory', { agent_id: ID, additional_dirs: ['/x'], requires_restart: true }),
      removeDirectory: answers('agents.removeDirectory', { agent_id: ID, additional_dirs: [], requires_restart: true }),
      clearContext: answers('agents.clearContext', { agent_id: ID, new_session_number: 2 }),
      interrupt: answers('agents.interrupt', undefined),
      usage: answers('agents.usage', { agent_id: ID, session_count: 1 }),
      logs: answers('agents.logs', 'last words'),
    },
    workflows: {
      create: answers('workflows.create', workflow),
      get: answers('workflows.get', workflow),
      list: answers('workflows.list', [workflow]),
      patch: answers('workflows.patch', workflow),
      delete: answers('workflows.delete', undefined),
      history: answers('workflows.history', [{ id: ID, status: 'completed' }]),
      trigger: answers('workflows.trigger', { id: ID, status: 'pending' }),
    },
    policies: {
      list: answers('policies.list', []),
      get: answers('policies.get', { name: 'p' }),
      put: async (name: string) => ({ policy: { name }, created: name === 'new' }),
      delete: answers('policies.delete', undefined),
    },
    approvals: {
      list: answers('approvals.list', [approval]),
      get: answers('approvals.get', approval),
      approve: answers('approvals.approve', { ...approval, status: 'approved' }),
      deny: async () => {
        throw conflict('it is decided already')
      },
    },
    sockets: {
      connected: 2,
      admit: async (id: string, token: string | null) => id === ID && token === 'right',
      attach: (id: string, socket: WebSocket) => socket.send(`hello ${id}`),
    },
    streams: {
      subscribe: (listener: (frame: StreamFrame) => void, agentId?: string) =>
        frames.subscribe((frame) =>
          agentId === undefined || agentId === frame.agent_id ? listener(frame) : undefined,
        ),
    },
    figures: async () => ({
      agents_created_total: 7,
      websocket_connections_active: 2,
      agents_by_status: { running: 3 },
      approvals_pending: 1,
    }),
  } as unknown as Orchestrator
}

beforeEach(async () => {
  calls = []
  frames = new ChangeFeed()
  const orchestrator = face()
  app = await createHttpServer({
    service: 'svc-orchestrator',
    version: '1',
    log: noLog,
    config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
    health: () => orchestratorHealth(orchestrator),
    metrics: (registry) => orchestratorMetrics(registry, orchestrator),
    graceMs: 100,
  })
  orchestratorRoutes(app, orchestrator, {
    managedBy: (kind, id) =>
      kind === 'agents' && id === ID ? { source: 'default', file: 'agents/a.yaml', line: 3 } : null,
  })
})
afterEach(() => app.close())

async function ask(request: string, payload?: unknown, headers: Record<string, string> = {}) {
  const [method, url] = request.split(' ') as ['GET', string]
  const response = await app.inject({
    method,
    url,
    headers: { ...json, ...headers },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  })
  return { status: response.statusCode, body: response.body === '' ? null : response.json() }
}

describe('each route answers the status of the contract', () => {
  const cases: [string, unknown, number, object | null][] = [
    ['GET /agents', undefined, 200, null],
    ['POST /agents', { name: 'a', working_dir: '/' }, 201, { id: ID }],
    [`GET /agents/${ID}`, undefined, 200, { id: ID }],
    [`PATCH /agents/${ID}`, { name: 'b' }, 200, { requires_restart: true }],
    [`PATCH /agents/${ID}`, { config: { prompt: null } }, 200, { requires_restart: true }],
    [`DELETE /agents/${ID}`, undefined, 200, { status: 'stopped' }],
    [`DELETE /agents/${ID}?purge=true`, undefined, 204, null],
    [`POST /agents/${ID}/restart`, undefined, 200, { id: ID }],
    [`POST /agents/${ID}/message`, { content: 'hi' }, 200, { status: 'sent' }],
    [`GET /agents/${ID}/policy`, undefined, 200, { mode: 'allow_all' }],
    [`PUT /agents/${ID}/policy`, { mode: 'deny_all' }, 200, { mode: 'deny_all' }],
    [`POST /agents/${ID}/dirs`, { path: '/x' }, 200, { additional_dirs: ['/x'] }],
    [`DELETE /agents/${ID}/dirs`, { path: '/x' }, 200, { additional_dirs: [] }],
    [`POST /agents/${ID}/clear-context`, undefined, 200, { new_session_number: 2 }],
    [`POST /agents/${ID}/interrupt`, undefined, 202, null],
    [`GET /agents/${ID}/usage`, undefined, 200, { session_count: 1 }],
    [`GET /agents/${ID}/logs?lines=5`, undefined, 200, { lines: 'last words' }],
    [`GET /agents/${ID}/approvals?status=pending`, undefined, 200, null],
    ['GET /workflows', undefined, 200, null],
    [
      'POST /workflows',
      { name: 'w', agent_id: ID, source_config: { type: 'manual' }, prompt_template: 'do {{title}}' },
      201,
      { id: ID },
    ],
    [`GET /workflows/${ID}`, undefined, 200, { id: ID }],
    [`PATCH /workflows/${ID}`, { source: { source_workflow_id: ID } }, 200, { id: ID }],
    [`PUT /workflows/${ID}`, { enabled: false }, 200, { id: ID }],
    [`DELETE /workflows/${ID}`, undefined, 204, null],
    [`GET /workflows/${ID}/history`, undefined, 200, null],
    [`POST /workflows/${ID}/trigger`, undefined, 200, { status: 'pending' }],
    [`POST /workflows/${ID}/trigger`, { title: 't', metadata: { a: 'b' } }, 200, { status: 'pending' }],
    ['POST /templates/validate', { template: 'do {{title}}' }, 200, { valid: true, variables: ['title'] }],
    ['GET /approvals', undefined, 200, null],
    [`GET /approvals/${ID}`, undefined, 200, { status: 'pending' }],
    [`POST /approvals/${ID}/approve`, undefined, 200, { status: 'approved' }],
    [`POST /approvals/${ID}/deny`, { reason: 'no' }, 409, { title: 'Conflict' }],
    ['GET /policies', undefined, 200, null],
    ['GET /policies/readers', undefined, 200, { name: 'p' }],
    ['PUT /policies/new', { mode: 'deny_all' }, 201, { name: 'new' }],
    ['PUT /policies/old', { mode: 'deny_all' }, 200, { name: 'old' }],
    ['DELETE /policies/old', undefined, 204, null],
  ]
  for (const [request, payload, status, body] of cases) {
    test(`${request} → ${status}`, async () => {
      const answer = await ask(request, payload)
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status, ...(body ? { body } : {}) })
    })
  }
})

describe('bad input is 400 and asks nothing of the service', () => {
  const cases: Record<string, [string, unknown, string]> = {
    'an unknown member': ['POST /agents', { name: 'a', working_dir: '/', workingdir: '/' }, 'workingdir'],
    'a missing member': ['POST /agents', { name: 'a' }, 'working_dir'],
    'a relative working_dir': ['POST /agents', { name: 'a', working_dir: '.' }, 'working_dir'],
    'a working_dir in somebody’s home': ['POST /agents', { name: 'a', working_dir: '~/x' }, 'working_dir'],
    'a relative additional directory': [
      'POST /agents',
      { name: 'a', working_dir: '/', additional_dirs: ['/ok', 'x'] },
      'additional_dirs.1',
    ],
    'a relative directory in a patch of config': [
      `PATCH /agents/${ID}`,
      { config: { working_dir: 'x' } },
      'config.working_dir',
    ],
    'an unknown runtime': ['POST /agents', { name: 'a', working_dir: '/', runtime: 'claude' }, 'runtime'],
    'a list policy without its list': [`PUT /agents/${ID}/policy`, { mode: 'allow_list' }, 'mode'],
    'an entry that is no tool': [`PUT /agents/${ID}/policy`, { mode: 'deny_list', tools: ['not a tool'] }, 'tools.0'],
    'an unknown mode': ['PUT /policies/p', { mode: 'allow' }, 'mode'],
    'a policy name with a blank': ['PUT /policies/a%20b', { mode: 'deny_all' }, 'name'],
    'a relative path': [`POST /agents/${ID}/dirs`, { path: 'x' }, 'path'],
    'an empty message': [`POST /agents/${ID}/message`, { content: '' }, 'content'],
    'a workflow without trigger': [
      'POST /workflows',
      { name: 'w', agent_id: ID, prompt_template: 'x' },
      'trigger_config',
    ],
    'a workflow with two triggers': [
      'POST /workflows',
      {
        name: 'w',
        agent_id: ID,
        prompt_template: 'x',
        trigger_config: { type: 'manual' },
        source_config: { type: 'manual' },
      },
      'source_config',
    ],
    'an interval past what a database can count': [
      'POST /workflows',
      { name: 'w', agent_id: ID, prompt_template: 'x', trigger_config: { type: 'manual' }, poll_interval_secs: 1e30 },
      'poll_interval_secs',
    ],
    'an unknown trigger type': [
      'POST /workflows',
      { name: 'w', agent_id: ID, prompt_template: 'x', trigger_config: { type: 'croon' } },
      'trigger_config.type',
    ],
    'an unknown lifecycle event': [
      'POST /workflows',
      { name: 'w', agent_id: ID, prompt_template: 'x', trigger_config: { type: 'agent_lifecycle', event: 'born' } },
      'trigger_config.event',
    ],
    'an agent_id that is no UUID': [
      'POST /workflows',
      { name: 'w', agent_id: '7', prompt_template: 'x', trigger_config: { type: 'manual' } },
      'agent_id',
    ],
    'an id that is no UUID': ['GET /agents/7', undefined, 'id'],
    'an unknown status': ['GET /agents?status=sleeping', undefined, 'status'],
    'an unknown scope': [`POST /approvals/${ID}/approve`, { scope: 'always' }, 'scope'],
    'a NUL in the environment': ['POST /agents', { name: 'a', working_dir: '/', env: { A: 'x\0' } }, 'env.A'],
    'a name that a patch removes': [`PATCH /agents/${ID}`, { name: null }, 'name'],
    'a working_dir that a patch removes': [
      `PATCH /agents/${ID}`,
      { config: { working_dir: null } },
      'config.working_dir',
    ],
    'a trigger type that is no word of ours': [
      'POST /templates/validate',
      { template: 'x', trigger_type: '__proto__' },
      'trigger_type',
    ],
    'metadata that is no text': [`POST /workflows/${ID}/trigger`, { metadata: { a: 1 } }, 'metadata.a'],
  }
  for (const [title, [request, payload, path]] of Object.entries(cases)) {
    test(title, async () => {
      const answer = await ask(request, payload)
      expect(answer).toMatchObject({ status: 400, body: { title: 'Invalid Input' } })
      expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
      expect(calls).toEqual([])
    })
  }
})

test('an agent is created in canonical form, started again by nobody, with its env as secrets', async () => {
  await ask(
    'POST /agents',
    { name: 'a', working_dir: '/', env: { KEY: 'hunter2' }, additional_dirs: ['/b', '/a'] },
    { 'x-svc-actor': 'mia', 'x-request-id': 'r1' },
  )
  const [spec, by] = calls[0]!.args as [any, unknown]
  expect(spec).toMatchObject({ restart: 'never', runtime: 'claude-code', shell: 'zsh', additional_dirs: ['/a', '/b'] })
  expect(spec.env.KEY.reveal()).toBe('hunter2')
  expect(by).toEqual({ actor: 'mia', requestId: 'r1', endpoint: 'POST /agents' })
})

test('null in a patch reaches the service for every member that has a default, and for each value of env', async () => {
  const members = [
    'prompt',
    'shell',
    'interactive',
    'worktree',
    'tool_policy',
    'additional_dirs',
    'env',
    'rooms',
    'runtime',
    'restart',
  ]
  const patch = Object.fromEntries(members.map((member) => [member, null]))
  expect((await ask(`PATCH /agents/${ID}`, { ...patch, config: { env: { KEY: null } } })).status).toBe(200)
  expect(calls.at(-1)?.args[1]).toEqual({ ...patch, config: { env: { KEY: null } } })
})

test('a template of a megabyte of faults is checked without holding the others up', async () => {
  const started = performance.now()
  const answer = await ask('POST /templates/validate', { template: '\n{{'.repeat(200_000) })
  expect(answer.body).toMatchObject({ valid: false })
  expect(answer.body.errors.at(-1)).toEqual({ message: 'the placeholder "{{" is not closed', line: 200_001, column: 1 })
  expect(performance.now() - started).toBeLessThan(4000)
})

test('every agent object says which manifest manages it', async () => {
  const managed = { source: 'default', file: 'agents/a.yaml', line: 3 }
  expect((await ask(`GET /agents/${ID}`)).body.managed_by).toEqual(managed)
  expect((await ask('GET /agents?limit=2')).body).toMatchObject({
    total: 3,
    limit: 2,
    offset: 0,
    items: [{ managed_by: managed }, { managed_by: managed }],
  })
  expect((await ask(`PATCH /agents/${ID}`, { name: 'b' })).body.managed_by).toEqual(managed)
})

test('an unknown agent is 404 on every route', async () => {
  for (const request of [
    `GET /agents/${OTHER}`,
    `DELETE /agents/${OTHER}`,
    `POST /agents/${OTHER}/restart`,
    `GET /agents/${OTHER}/policy`,
    `GET /agents/${OTHER}/approvals`,
    `GET /agents/${OTHER}/logs`,
    `GET /agents/${OTHER}/usage`,
  ]) {
    expect([request, (await ask(request)).status]).toEqual([request, 404])
  }
})

test('the number of log lines is clamped', async () => {
  for (const query of ['', '?lines=0', '?lines=99999999']) await ask(`GET /agents/${ID}/logs${query}`)
  expect(calls.map((call) => call.args[1])).toEqual([200, 1, 10_000])
})

test('health and metrics carry the figures of the service', async () => {
  expect((await ask('GET /health')).body).toMatchObject({ status: 'ok', service: 'svc-orchestrator', agents_active: 2 })
  const { body } = await app.inject('/metrics')
  for (const line of [
    'agents_created_total 7',
    'websocket_connections_active 2',
    'agents{status="running"} 3',
    'approvals_pending 1',
  ])
    expect(body).toContain(line)
})

test('OpenAPI names every route and shape', async () => {
  const document = (await app.inject('/openapi.json')).json()
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/agents/{id}',
      '/workflows/{id}/trigger',
      '/approvals/{id}/deny',
      '/stream/{agent_id}',
      '/policies/{name}',
    ]),
  )
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Agent', 'AgentInput', 'Workflow', 'WorkflowInput', 'Dispatch', 'Approval', 'Problem']),
  )
  const references = JSON.stringify(document)
    .match(/"\$ref":"[^"]+"/g)!
    .map((text) => text.slice(8, -1))
  for (const reference of new Set(references))
    expect(document.components.schemas).toHaveProperty([reference.replace('#/components/schemas/', '')])
})

describe('sockets', () => {
  const sockets: WebSocket[] = []
  let base: string
  beforeEach(async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    base = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterEach(() => sockets.splice(0).forEach((socket) => socket.terminate()))
  const dial = (path: string, headers: Record<string, string> = {}) => {
    const socket = new WebSocket(base + path, { headers })
    sockets.push(socket.on('error', () => undefined))
    return socket
  }
  const refused = async (socket: WebSocket) =>
    ((await once(socket, 'unexpected-response')) as [unknown, IncomingMessage])[1].statusCode
  const frame = (agent: string): StreamFrame => ({
    agent_id: agent,
    type: 'assistant',
    content: 'hi',
    timestamp: '',
    message: null,
  })

  test('/stream carries every agent, /stream/{agent_id} one', async () => {
    const [all, one] = [dial('/stream'), dial(`/stream/${ID}`)]
    const seen: Record<string, string[]> = { all: [], one: [] }
    all.on('message', (data: Buffer) => seen.all!.push(JSON.parse(data.toString()).agent_id))
    one.on('message', (data: Buffer) => seen.one!.push(JSON.parse(data.toString()).agent_id))
    await Promise.all([once(all, 'open'), once(one, 'open')])
    frames.publish(frame(OTHER))
    frames.publish(frame(ID))
    await eventually(() => seen.all!.length === 2 && seen.one!.length === 1)
    expect(seen).toEqual({ all: [OTHER, ID], one: [ID] })
  })

  test('/stream of an unknown agent is 404 and of an ill-formed id 400, before the upgrade', async () => {
    expect(await refused(dial(`/stream/${OTHER}`))).toBe(404)
    expect(await refused(dial('/stream/7'))).toBe(400)
  })

  test('/ws opens with the agent’s own secret, as bearer or in the query', async () => {
    for (const socket of [dial(`/ws/${ID}`, { authorization: 'Bearer right' }), dial(`/ws/${ID}?token=right`)]) {
      const [data] = await once(socket, 'message')
      expect(String(data)).toBe(`hello ${ID}`)
    }
  })

  test('/ws is 401 before the upgrade for a wrong or missing secret and an unknown or ill-formed agent', async () => {
    for (const socket of [
      dial(`/ws/${ID}`),
      dial(`/ws/${ID}?token=wrong`),
      dial(`/ws/${OTHER}?token=right`),
      dial('/ws/7?token=right'),
    ])
      expect(await refused(socket)).toBe(401)
  })

  test('a plain GET of a socket address is 400 and says what it is', async () => {
    expect(await ask('GET /stream')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('WebSocket') },
    })
  })
})
