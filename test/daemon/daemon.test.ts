// The whole daemon in this process, with real ports, tmux and a database file.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Tmux } from '../../platform/terminal/tmux.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/http.ts'

// Some tests start three daemons.
vi.setConfig({ testTimeout: 60_000 })

let stand: DaemonStand
beforeEach(async () => void (stand = await DaemonStand.create()))
afterEach(() => stand.close())

const scripted = () => ({ name: 'echo', working_dir: stand.home, shell: 'bash', runtime: 'scripted' })
const runtimeFile = () => JSON.parse(readFileSync(join(stand.dataDir, 'runtime.json'), 'utf8'))
const connectedAgent = (base: string, id: string) =>
  eventually(async () => {
    const { body } = await ask('GET', `${base}/agents/${id}`)
    return body.connected && body
  }, 15_000)

test('publishes its addresses, refuses a second daemon, and cleans up', async () => {
  const daemon = await stand.startInside()
  expect(runtimeFile()).toMatchObject({ pid: process.pid, version: '9.9.9', services: daemon.urls })
  expect((await ask('GET', `${daemon.urls.controller}/health`)).body).toMatchObject({
    status: 'ok',
    service: 'svc-controller',
    version: '9.9.9',
    sources: 1,
  })
  expect((await ask('GET', `${daemon.urls.orchestrator}/health`)).body).toMatchObject({
    status: 'ok',
    service: 'svc-orchestrator',
    agents_active: 0,
  })
  await expect(stand.startInside()).rejects.toThrow(`at ${daemon.urls.orchestrator}`)
  await Promise.all([daemon.stop(), daemon.stop()])
  await daemon.stopped
  expect(existsSync(join(stand.dataDir, 'runtime.json'))).toBe(false)
  await expect(fetch(`${daemon.urls.controller}/health`)).rejects.toThrow('fetch failed')
  await stand.startInside()
})

test('stops started services if a port is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(stand.startInside({ env: { SVC_CONTROLLER_PORT: String(port) } })).rejects.toThrow(
    `port ${port} of the controller service is in use`,
  )
  expect(existsSync(join(stand.dataDir, 'runtime.json'))).toBe(false)
  other.close()
  await stand.startInside()
})

test('runs an agent end to end', async () => {
  const daemon = await stand.startInside()
  const { urls } = daemon
  const created = await ask('POST', `${urls.orchestrator}/agents`, scripted())
  expect(created).toMatchObject({ status: 201, body: { name: 'echo', status: 'running', managed_by: null } })
  const agent = await connectedAgent(urls.orchestrator!, created.body.id)
  const stream = new WebSocket(`${urls.orchestrator!.replace('http', 'ws')}/stream/${agent.id}`)
  const types: string[] = []
  stream.on('message', (data: Buffer) => types.push(JSON.parse(data.toString()).type))
  await once(stream, 'open')
  expect(await ask('POST', `${urls.orchestrator}/agents/${agent.id}/message`, { content: 'hello' })).toMatchObject({
    status: 200,
    body: { agent_id: agent.id },
  })
  await eventually(() => types.includes('result'))
  const closed = once(stream, 'close')
  await daemon.stop()
  expect((await closed)[0]).toBe(1001)
})

test('keeps sessions for the next daemon, or ends them on request', async () => {
  const first = await stand.startInside()
  const { body } = await ask('POST', `${first.urls.orchestrator}/agents`, scripted())
  await connectedAgent(first.urls.orchestrator!, body.id)
  const mux = new Tmux({ socket: stand.muxSocket, env: process.env })
  const before = await mux.get(body.mux_session)
  await first.stop()
  // The agent connects to the port it was given at launch.
  const second = await stand.startInside()
  await connectedAgent(second.urls.orchestrator!, body.id)
  expect((await mux.get(body.mux_session))?.pid).toBe(before?.pid)
  expect(await ask('POST', `${second.urls.controller}/shutdown`, { agents: true })).toMatchObject({
    status: 202,
    body: { status: 'stopping', agents: true },
  })
  await second.stopped
  expect(await mux.get(body.mux_session)).toBeNull()
})

test('converges manifests and reports drift with its author', async () => {
  stand.write(
    'agents/echo.yaml',
    `name: echo\nworking_dir: ${stand.home}\nshell: bash\nruntime: scripted\ntool_policy: {mode: allow_all}\n`,
  )
  const { urls } = await stand.startInside()
  const agent = await eventually(
    async () => (await ask('GET', `${urls.orchestrator}/agents?status=running`)).body[0],
    15_000,
  )
  await connectedAgent(urls.orchestrator!, agent.id)
  await eventually(
    async () =>
      (await ask('GET', `${urls.controller}/resources?kind=agents`)).body[0]?.conditions.some(
        (each: { type: string; status: string }) => each.type === 'Ready' && each.status === 'True',
      ),
    15_000,
  )
  expect((await ask('GET', `${urls.orchestrator}/agents/${agent.id}`)).body.managed_by).toEqual({
    source: 'default',
    file: 'agents/echo.yaml',
    line: 1,
  })
  expect((await ask('POST', `${urls.controller}/plan`, { source: 'default' })).body).toMatchObject({
    steps: [],
    summary: { unchanged: 1 },
  })
  await ask(
    'PUT',
    `${urls.orchestrator}/agents/${agent.id}/policy`,
    { mode: 'deny_all' },
    { 'x-svc-actor': 'mia', 'x-request-id': 'r-42' },
  )
  const drift = await eventually(async () => (await ask('GET', `${urls.controller}/drift?open=true`)).body[0])
  expect(drift).toMatchObject({
    kind: 'agents',
    name: 'echo',
    path: expect.stringMatching(/^tool_policy/),
    actor: 'mia',
    request_id: 'r-42',
    endpoint: 'PUT /agents/{id}/policy',
    resolution: null,
  })
})

test('applies manifests over the API, one line per step', async () => {
  const { urls } = await stand.startInside()
  const response = await fetch(`${urls.controller}/apply`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      root: stand.home,
      manifests: [{ path: 'policies/readers.yaml', content: 'name: readers\nmode: allow_list\ntools: [Read]\n' }],
    }),
  })
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ type: 'run', run: { status: 'succeeded', summary: { create: 1 } } })
  expect((await ask('GET', `${urls.orchestrator}/policies/readers`)).body).toMatchObject({
    mode: 'allow_list',
    tools: ['Read'],
  })
})

test('refuses an unknown Host and a cross-site Origin on every port', async () => {
  const { urls } = await stand.startInside()
  for (const url of Object.values(urls))
    expect((await ask('GET', `${url}/health`, undefined, { origin: 'http://evil.example' })).status).toBe(403)
  const own = await ask(
    'POST',
    `${urls.orchestrator}/templates/validate`,
    { template: 'x' },
    { origin: urls.controller! },
  )
  expect(own.status).toBe(200)
})

test('lets only an admin stop the daemon if tokens are on', async () => {
  const entry = (subject: string, role: string) => ({
    subject,
    role,
    sha256: createHash('sha256').update(`t-${subject}`).digest('hex'),
  })
  writeFileSync(join(stand.home, 'tokens.json'), JSON.stringify([entry('olga', 'operator'), entry('ada', 'admin')]))
  const daemon = await stand.startInside({ env: { SVC_TOKENS_FILE: join(stand.home, 'tokens.json') } })
  const shutdown = async (token?: string) =>
    (
      await ask(
        'POST',
        `${daemon.urls.controller}/shutdown`,
        undefined,
        token ? { authorization: `Bearer ${token}` } : {},
      )
    ).status
  expect([await shutdown(), await shutdown('t-olga'), await shutdown('t-ada')]).toEqual([401, 403, 202])
  await daemon.stopped
})
