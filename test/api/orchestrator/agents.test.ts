import { expect, test } from 'vitest'
import { answersOfRoutes, ask, calls, ID, refusalsOfRoutes } from '../stand.ts'
import { managedBy, serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

answersOfRoutes([
  ['GET /agents', undefined, 200, [{ id: ID }, { id: ID }, { id: ID }]],
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
  ['GET /usage?hours=1', undefined, 200, { hours: [] }],
  [`GET /agents/${ID}/logs?lines=5`, undefined, 200, { lines: 'last words' }],
])

refusalsOfRoutes({
  'an unknown field': ['POST /agents', { name: 'a', working_dir: '/', workingdir: '/' }, 'workingdir'],
  'a missing field': ['POST /agents', { name: 'a' }, 'working_dir'],
  'a relative working_dir': ['POST /agents', { name: 'a', working_dir: '.' }, 'working_dir'],
  'a working_dir that begins with ~': ['POST /agents', { name: 'a', working_dir: '~/x' }, 'working_dir'],
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
  'a list policy without tools': [`PUT /agents/${ID}/policy`, { mode: 'allow_list' }, 'mode'],
  'an entry that is not a tool name': [
    `PUT /agents/${ID}/policy`,
    { mode: 'deny_list', tools: ['not a tool'] },
    'tools.0',
  ],
  'a relative path': [`POST /agents/${ID}/dirs`, { path: 'x' }, 'path'],
  'an empty message': [`POST /agents/${ID}/message`, { content: '' }, 'content'],
  'an id that is not a UUID': ['GET /agents/7', undefined, 'id'],
  'an unknown query parameter': ['GET /agents?statu=running', undefined, 'statu'],
  'a query parameter of an operation that has none': [`GET /agents/${ID}?verbose=1`, undefined, 'verbose'],
  'an unknown status': ['GET /agents?status=sleeping', undefined, 'status'],
  'a NUL in the environment': ['POST /agents', { name: 'a', working_dir: '/', env: { A: 'x\0' } }, 'env.A'],
  'a patch that removes the name': [`PATCH /agents/${ID}`, { name: null }, 'name'],
  'a patch that removes working_dir': [`PATCH /agents/${ID}`, { config: { working_dir: null } }, 'config.working_dir'],
})

test('creates an agent in canonical form with env values as secrets', async () => {
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

test('passes null in a patch for fields with defaults and env values', async () => {
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

test('names the managing manifest in every agent object', async () => {
  expect((await ask(`GET /agents/${ID}`)).body.managed_by).toEqual(managedBy)
  expect((await ask('GET /agents?limit=2')).body).toMatchObject({
    total: 3,
    limit: 2,
    offset: 0,
    items: [{ managed_by: managedBy }, { managed_by: managedBy }],
  })
  expect((await ask(`PATCH /agents/${ID}`, { name: 'b' })).body.managed_by).toEqual(managedBy)
})

test('suggests the nearest query parameter, or lists them', async () => {
  const { body } = await ask('GET /agents?statu=running&x=1')
  expect(body.detail).toBe(
    'statu is not a field of the query; did you mean "status"?; x is not a field of the query; its fields are status, name, limit, offset, after, before',
  )
  expect((await ask('GET /health?probe=1')).status).toBe(200)
})

test('clamps the number of log lines', async () => {
  for (const query of ['', '?lines=0', '?lines=99999999']) await ask(`GET /agents/${ID}/logs${query}`)
  expect(calls.map((call) => call.args[1])).toEqual([200, 1, 10_000])
})

test('asks for the usage of 24 hours of all agents by default', async () => {
  for (const query of ['', `?hours=744&agent=${ID}`]) await ask(`GET /usage${query}`)
  expect(calls.map(({ args }) => args)).toEqual([[{ hours: 24 }], [{ hours: 744, agentId: ID }]])
  for (const query of ['hours=0', 'hours=745', 'hours=1.5', 'agent=planner'])
    expect((await ask(`GET /usage?${query}`)).status, query).toBe(400)
})

test('takes the default of the configuration at a creation without a sandbox', async () => {
  await ask('POST /agents', { name: 'a', working_dir: '/' })
  await ask('POST /agents', { name: 'a', working_dir: '/', sandbox: 'auto' })
  const specs = calls.map(({ args }) => args[0] as { sandbox: unknown })
  expect(specs.map(({ sandbox }) => sandbox)).toEqual([null, 'auto'])
})
