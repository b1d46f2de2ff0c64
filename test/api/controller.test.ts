// Controller routes on a double of the controller’s face.
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { controllerRoutes } from '../../api/controller/index.ts'
import type { Acceptance } from '../../schemas/resource.ts'
import type { Controller, ControllerEvent } from '../../controller/face.ts'
import { ChangeFeed } from '../../platform/async/change-feed.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { conflict } from '../../platform/core/problem.ts'
import type { Check } from '../../schemas/operations/gitops/doctor.ts'
import type { ShownSetting } from '../../schemas/operations/gitops/settings.ts'
import { eventually } from '../support/eventually.ts'
import { answers, answersOfRoutes, app, ask, calls, ID, json, listen, serveRoutes } from './stand.ts'

const source = { name: 'default', error: null as string | null }
const acceptance: Acceptance = {
  kind: 'agents',
  name: 'a',
  source: 'default',
  location: '/srv/team',
  file: 'agents/a.yml',
  changes: [{ path: 'tools', value: [] }],
  origin: null,
  diff: '+tools: []',
  redacted: false,
}
const runs = Array.from({ length: 3 }, (_, index) => ({ id: ID, status: 'succeeded', index }))
const step = {
  type: 'step',
  run_id: ID,
  step: { kind: 'agents', name: 'a', action: 'create', status: 'done' },
} as unknown as ControllerEvent

let events: ChangeFeed<ControllerEvent>
let applying: (progress: (event: ControllerEvent) => void) => Promise<unknown>
let stopped: { agents: boolean }[]

function face(): Controller {
  return {
    sources: () => [source],
    source: (name: string) => ({ ...source, name }),
    sync: answers('sync', { run_id: ID }),
    suspend: answers('suspend', { ...source, suspended: true }),
    resume: answers('resume', { ...source, suspended: false }),
    plan: answers('plan', { id: ID, steps: [] }),
    apply: async (_input: unknown, _by: unknown, progress: (event: ControllerEvent) => void) => applying(progress),
    runs: async (page?: { limit: number; offset: number } | null) => ({
      items: page ? runs.slice(page.offset, page.offset + page.limit) : runs,
      total: runs.length,
    }),
    run: answers('run', runs[0]),
    resources: answers('resources', [{ id: 'agents/a' }]),
    resource: answers('resource', { id: 'agents/a' }),
    suspendResource: answers('suspendResource', { id: 'agents/a', suspended: { actor: 'mira', since: '' } }),
    resumeResource: answers('resumeResource', { id: 'agents/a', suspended: null }),
    drift: answers('drift', []),
    revert: answers('revert', runs[0]),
    accept: answers('accept', acceptance),
    events: (listener: (event: ControllerEvent) => void) => events.subscribe(listener),
  } as unknown as Controller
}

beforeEach(() => {
  stopped = []
  events = new ChangeFeed(noLog)
  applying = async () => runs[0]
  source.error = null
})
const check: Check = { id: 'git', title: 'git', state: 'ok', seen: 'git version 2', expected: 'installed', next: null }
const setting: ShownSetting = {
  service: 'daemon',
  name: 'hosts',
  variables: ['SVC_HOSTS'],
  value: ['a', 'b'],
  default: [],
  unit: null,
  description: 'Names of hosts',
  secret: false,
  origin: { from: 'environment', variable: 'SVC_HOSTS', file: null, line: null },
}
const host = { stop: (asked: { agents: boolean }) => void stopped.push(asked), lock: '/data/daemon.lock.json' }
serveRoutes('controller', (app) =>
  controllerRoutes(app, face(), {
    host,
    tokensFile: '/missing/tokens.json',
    settings: () => [setting],
    doctor: async () => [check],
  }),
)

answersOfRoutes([
  ['GET /sources', undefined, 200, [{ name: 'default' }]],
  ['GET /sources/default', undefined, 200, { name: 'default' }],
  ['GET /tokens', undefined, 200, []],
  ['GET /settings', undefined, 200, [setting]],
  ['GET /doctor', undefined, 200, [check]],
  ['GET /settings?limit=1&offset=1', undefined, 200, { items: [], total: 1 }],
  ['GET /sources/apply%3A%2Fteam', undefined, 200, { name: 'apply:/team' }],
  ['POST /sources/default/sync', undefined, 202, { run_id: ID }],
  ['POST /sources/default/sync', { targets: ['agents/a'] }, 202, { run_id: ID }],
  [
    'POST /sources/default/sync',
    { target: 'agents/a' },
    400,
    { errors: [{ path: 'target', message: 'is not a field of the body; did you mean "targets"?' }] },
  ],
  ['POST /sources/default/suspend', undefined, 200, { suspended: true }],
  ['POST /sources/default/resume', undefined, 200, { suspended: false }],
  ['POST /resources/agents/a/suspend', undefined, 200, { suspended: { actor: 'mira' } }],
  ['POST /resources/agents/a/resume', undefined, 200, { suspended: null }],
  ['POST /plan', { source: 'default' }, 200, { id: ID }],
  [
    'POST /plan',
    { manifests: [{ path: 'a.yaml' }] },
    400,
    { errors: [{ path: 'manifests.0.content', message: 'is missing' }] },
  ],
  ['POST /plan', { manifests: [{ path: 'a.yaml', content: 'a\0' }], root: '/team' }, 200, { id: ID }],
  [
    'POST /plan',
    { manifests: [{ path: '../a.yaml', content: '' }], root: '/team' },
    400,
    { errors: [{ path: 'manifests.0.path' }] },
  ],
  [
    'POST /apply',
    { manifests: [{ path: '/etc/a.yaml', content: '' }], root: '/team' },
    400,
    { errors: [{ path: 'manifests.0.path' }] },
  ],
  ['POST /plan', { manifests: [], root: 'team' }, 400, { errors: [{ path: 'root' }] }],
  ['POST /plan', { source: 'default', targets: ['agents/a', 'nonsense'] }, 400, { errors: [{ path: 'targets.1' }] }],
  ['POST /apply', { source: 'default', targets: ['cars/a'] }, 400, { errors: [{ path: 'targets.0' }] }],
  ['POST /sources/default/sync', { targets: ['agents/'] }, 400, { errors: [{ path: 'targets.0' }] }],
  ['GET /runs', undefined, 200, runs],
  ['GET /runs?limit=2&offset=1', undefined, 200, { total: 3, limit: 2, offset: 1, items: runs.slice(1) }],
  [`GET /runs/${ID}`, undefined, 200, { id: ID }],
  ['GET /runs/7', undefined, 400, { errors: [{ path: 'id' }] }],
  ['GET /resources?kind=agents', undefined, 200, [{ id: 'agents/a' }]],
  ['GET /resources/agents/a', undefined, 200, { id: 'agents/a' }],
  ['GET /drift?open=true&kind=agents&name=a', undefined, 200, []],
  ['GET /drift?open=perhaps', undefined, 400, { errors: [{ path: 'open' }] }],
  ['POST /drift/agents/a/revert', undefined, 200, { id: ID }],
  ['POST /drift/agents/a/accept', undefined, 200, { diff: '+tools: []' }],
  [
    'GET /schemas',
    undefined,
    200,
    [
      { kind: 'policies' },
      { kind: 'rooms' },
      { kind: 'documents' },
      { kind: 'repositories' },
      { kind: 'agents', path: '/schemas/agents.json' },
      { kind: 'workflows' },
    ],
  ],
  ['GET /schemas/cars.json', undefined, 404, { detail: expect.stringContaining('agents.json') }],
  ['DELETE /plan', undefined, 405, { title: 'Method Not Allowed' }],
])

test('passes filters to the controller', async () => {
  await ask('GET /drift?open=true&kind=agents&name=a')
  await ask('GET /resources?source=default&status=Ready')
  expect(calls.map((call) => call.args[0])).toEqual([
    { kind: 'agents', name: 'a', open: true },
    { kind: undefined, source: 'default', status: 'Ready' },
  ])
})

test('accepts a folder of manifests of 25 MiB', async () => {
  const content = 'x'.repeat(2 * 1024 * 1024)
  expect((await ask('POST /plan', { manifests: [{ path: 'a.yaml', content }] })).status).toBe(200)
  expect((await ask('POST /sources/default/sync', { prune_override: content })).status).toBe(413)
})

describe('POST /apply', () => {
  const apply = async () => {
    const response = await app.inject({ method: 'POST', url: '/apply', headers: json, payload: '{"source":"default"}' })
    return {
      response,
      lines: response.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  }

  test('sends one line per step and the run last', async () => {
    applying = async (progress) => {
      progress(step)
      return runs[0]
    }
    const { response, lines } = await apply()
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers['x-request-id']).toBeTruthy()
    expect(lines).toEqual([step, { type: 'run', run: runs[0] }])
  })

  test('sends only the run when there was nothing to do', async () => {
    expect((await apply()).lines).toEqual([{ type: 'run', run: runs[0] }])
  })

  test('returns a problem when it fails before the first line', async () => {
    applying = async () => {
      throw conflict('the plan is stale')
    }
    const { response } = await apply()
    expect(response.statusCode).toBe(409)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
  })

  test('ends with a line for the problem when it fails later', async () => {
    applying = async (progress) => {
      progress(step)
      throw new Error('inner workings')
    }
    const { lines } = await apply()
    expect(lines).toEqual([
      step,
      { type: 'error', problem: expect.objectContaining({ status: 500, title: 'Internal Error', instance: '/apply' }) },
    ])
    expect(JSON.stringify(lines)).not.toContain('inner workings')
  })
})

test('streams the events of the controller at GET /events', async () => {
  const asked = httpRequest({ port: await listen(), host: '127.0.0.1', path: '/events' }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await eventually(() => text.includes('connected'))
  events.publish(step)
  await eventually(() => text.includes(`event: step\ndata: ${JSON.stringify(step)}\n\n`))
  asked.destroy()
})

test('returns the JSON Schema of a kind by any of its names', async () => {
  for (const word of ['agents', 'agent', 'Agent']) {
    const response = await app.inject(`/schemas/${word}.json`)
    expect(response.headers['content-type']).toMatch(/^application\/schema\+json/)
    expect(response.json()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:svc:v1:agents',
      additionalProperties: false,
      properties: { working_dir: { type: 'string' } },
    })
  }
})

describe('POST /shutdown', () => {
  test('stops the daemon after the response, with its agents on request', async () => {
    const said = { status: 'stopping', pid: process.pid, lock: '/data/daemon.lock.json' }
    expect(await ask('POST /shutdown')).toEqual({ status: 202, body: { ...said, agents: false } })
    expect(await ask('POST /shutdown', { agents: true })).toEqual({
      status: 202,
      body: { ...said, agents: true },
    })
    await eventually(() => stopped.length === 2)
    expect(stopped).toEqual([{ agents: false }, { agents: true }])
  })

  test('refuses requests from other machines', async () => {
    const response = await app.inject({ method: 'POST', url: '/shutdown', remoteAddress: '192.0.2.7' })
    expect(response.statusCode).toBe(403)
    expect(stopped).toEqual([])
  })
})
