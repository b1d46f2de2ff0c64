import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { services } from '../../../../daemon/services.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { Log } from '../../../../platform/core/log/log.ts'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { HandAgent } from '../../../support/hand-agent.ts'
import { ask } from '../../../support/http.ts'
import { ownPorts } from '../../../support/ports.ts'
import { startServices, type ServiceStand } from '../../../support/services.ts'
import { endTmuxServer } from '../../../support/tmux-server.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const MINUTE = 60_000
const NAMES: Record<string, string> = { mia: 'Mia' }
const CLOSE = { command: 'gh issue close 3' }
const folder = mkdtempSync(join(tmpdir(), 'svc-issue-locks-'))
const tokenFile = { SVC_SERVICE_TOKEN_FILE: join(folder, 'service-token') }
const clock = new TestClock()
const lines: [string, Record<string, unknown>][] = []
const note = (facts: Record<string, unknown>, text: string) => void lines.push([text, facts])
const log = { debug: () => undefined, info: note, warn: note, error: note, child: () => log } as unknown as Log
let port: number
let database: Awaited<ReturnType<typeof sqliteDatabase>>
let rooms: ServiceStand | null = null
let machine: TestMachine
let daemon: TestOrchestrator
beforeAll(async () => {
  port = (await ownPorts(1))[0]!
  database = await sqliteDatabase()
  machine = new TestMachine({ clock, log, env: { ...tokenFile, SVC_COMMUNICATE_URL: `http://127.0.0.1:${port}` } })
  daemon = await machine.open()
})
beforeEach(async () => {
  lines.length = 0
  // An earlier answer is neither cached nor kept.
  clock.tick(2 * MINUTE)
})
afterAll(async () => {
  await machine.close()
  await closeRooms()
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function openRooms(): Promise<void> {
  if (rooms) return
  const served = services({ sources: [] }).filter(({ name }) => name === 'communicate')
  rooms = await startServices(served, {
    url: database.url,
    clock,
    env: { ...tokenFile, SVC_COMMUNICATE_PORT: String(port) },
  })
}

async function closeRooms(): Promise<void> {
  const closed = rooms
  rooms = null
  await closed?.close()
  if (closed) await endTmuxServer(closed.muxSocket)
}

async function call(request: string, body: unknown): Promise<void> {
  const [method, path] = request.split(' ') as [string, string]
  const reply = await ask(method, `http://127.0.0.1:${port}${path}`, body, { 'x-svc-actor': 'operator' })
  if (reply.status > 299 && reply.status !== 409) throw new Error(`${request}: ${JSON.stringify(reply.body)}`)
}

/** Makes the room and a participant. */
async function enter(identifier: string, kind: 'human' | 'agent'): Promise<void> {
  await openRooms()
  await call('POST /rooms', { name: 'engineering', created_by: 'operator' })
  await call('POST /rooms/engineering/participants', { identifier, kind, display_name: NAMES[identifier] })
}

const post = (sender_id: string, content: string) => call('POST /rooms/engineering/messages', { sender_id, content })

/** Returns the end of the lock. */
async function lock(identifier: string, kind: 'human' | 'agent' = 'human'): Promise<string> {
  await enter(identifier, kind)
  await post(identifier, '[LOCK] o/r: 7 issues, step 2')
  return new Date(clock.now() + 15 * MINUTE).toISOString()
}

afterEach(async () => {
  await openRooms()
  for (const holder of ['mia', 'conductor']) {
    await enter(holder, 'human')
    await post(holder, '[UNLOCK]')
  }
})

const decide = async (agent: HandAgent, input: Record<string, unknown> = CLOSE, tool = 'Bash') =>
  agent.answer(agent.askTool(tool, input))

const MODES: ToolPolicy[] = [
  { mode: 'allow_all' },
  { mode: 'allow_list', tools: ['Bash(gh *)'] },
  { mode: 'deny_list', tools: ['Write'] },
  { mode: 'require_approval' },
  { mode: 'deny_all' },
]

test.each(MODES)(
  'denies the call before a policy with mode $mode, with holder, end and purpose',
  async (tool_policy) => {
    const { id, agent } = await daemon.createConnected({
      name: `locked-${tool_policy.mode.replace('_', '-')}`,
      tool_policy,
    })
    const until = await lock('mia')
    const message = `issues are locked by Mia until ${until}: o/r: 7 issues, step 2`
    expect(await decide(agent)).toEqual({ behavior: 'deny', message })
    expect(await decide(agent, { title: 'x' }, 'mcp__github__create_issue')).toEqual({ behavior: 'deny', message })
    expect(lines).toContainEqual([
      'tool decision',
      { agent_id: id, tool_name: 'Bash', decision: 'deny', policy_mode: 'lock' },
    ])
    const { calls } = await daemon.orchestrator.policyTests.run({ recorded: 10, agent: id, tool_policy }, alice)
    expect(calls).toContainEqual(expect.objectContaining({ tool: 'Bash', input: CLOSE.command, before: 'deny' }))
    expect((await daemon.orchestrator.approvals.list({ agentId: id })).items).toEqual([])
  },
)

test('lets other calls pass during a lock', async () => {
  const { agent } = await daemon.createConnected({ name: 'others' })
  await lock('mia')
  for (const command of ['gh issue list', 'gh issue comment 3 -b x', 'ls'])
    expect(await decide(agent, { command })).toMatchObject({ behavior: 'allow' })
})

test('does not deny the holder, by its id or its name', async () => {
  const { id, agent } = await daemon.createConnected({ name: 'conductor' })
  await lock(id, 'agent')
  expect(await decide(agent)).toMatchObject({ behavior: 'allow' })
  await post(id, '[UNLOCK]')
  await lock('conductor', 'agent')
  clock.tick(1000)
  expect(await decide(agent)).toMatchObject({ behavior: 'allow' })
})

test('lets calls pass after an unlock, and after the end of a lock', async () => {
  const { agent } = await daemon.createConnected({ name: 'patient' })
  await lock('mia')
  expect(await decide(agent)).toMatchObject({ behavior: 'deny' })
  await post('mia', '[UNLOCK]')
  // The answer is cached for a second.
  expect(await decide(agent)).toMatchObject({ behavior: 'deny' })
  clock.tick(1000)
  expect(await decide(agent)).toMatchObject({ behavior: 'allow' })
  await lock('mia')
  clock.tick(15 * MINUTE)
  expect(await decide(agent)).toMatchObject({ behavior: 'allow' })
})

test('refuses to approve a call during a lock, and approves it after that', async () => {
  const { agent } = await daemon.createConnected({ name: 'held', tool_policy: { mode: 'require_approval' } })
  const approval = await daemon.held(agent, 'Bash', CLOSE)
  const edited = await daemon.held(agent, 'Bash', { command: 'gh issue list' })
  await lock('mia')
  clock.tick(1000)
  const { approvals } = daemon.orchestrator
  for (const [id, decision] of [
    [approval.id, {}],
    [edited.id, { updated_input: CLOSE }],
  ] as const)
    expect(await refusal(approvals.approve(id, decision, alice))).toMatchObject({
      status: 409,
      message: expect.stringMatching(
        /cannot be approved now: issues are locked by Mia until .*; approve it after that/,
      ),
    })
  expect(await approvals.get(approval.id)).toMatchObject({ status: 'pending' })
  await post('mia', '[UNLOCK]')
  clock.tick(1000)
  await approvals.approve(approval.id, {}, alice)
  expect(await agent.answer(approval.request_id)).toMatchObject({ behavior: 'allow' })
})

test('denies a call that was approved before the lock and is delivered during it', async () => {
  const { id, agent } = await daemon.createConnected({ name: 'away', tool_policy: { mode: 'require_approval' } })
  const approval = await daemon.held(agent, 'Bash', CLOSE)
  agent.socket.terminate()
  await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
  await daemon.orchestrator.approvals.approve(approval.id, {}, alice)
  await lock('mia')
  clock.tick(1000)
  const back = await daemon.connect(id)
  back.askTool('Bash', CLOSE, approval.request_id)
  expect(await back.answer(approval.request_id)).toMatchObject({
    behavior: 'deny',
    message: expect.stringContaining('issues are locked by Mia until'),
  })
  expect(await daemon.orchestrator.approvals.get(approval.id)).toMatchObject({ status: 'denied' })
})

test('lets calls pass without the room, without a warning', async () => {
  await openRooms()
  await call('DELETE /rooms/engineering', undefined).catch(() => undefined)
  const { agent } = await daemon.createConnected({ name: 'roomless' })
  expect(await decide(agent)).toMatchObject({ behavior: 'allow' })
  expect(lines.filter(([text]) => text.includes('locks'))).toEqual([])
})

test('uses the last answer for a minute while the rooms are down, then lets calls pass', async () => {
  const { agent } = await daemon.createConnected({ name: 'downtime' })
  await lock('mia')
  expect(await decide(agent)).toMatchObject({ behavior: 'deny' })
  await closeRooms()
  clock.tick(59_000)
  expect(await decide(agent)).toMatchObject({ behavior: 'deny' })
  clock.tick(2000)
  expect(await decide(agent)).toMatchObject({ behavior: 'allow' })
  expect(lines.map(([text]) => text)).toEqual(
    expect.arrayContaining([
      'failed to read the locks of a room, using the last answer',
      'failed to read the locks of a room, not holding back changes of issues',
    ]),
  )
})

test('waits two seconds for silent rooms', async () => {
  await closeRooms()
  const silent = await silentServer()
  try {
    const { agent } = await daemon.createConnected({ name: 'waiting' })
    const first = agent.askTool('Bash', CLOSE)
    const second = agent.askTool('Bash', { command: 'ls' })
    await silent.asked
    clock.tick(1999)
    expect(agent.answers(first)).toEqual([])
    clock.tick(1)
    expect(await agent.answer(first)).toMatchObject({ behavior: 'allow' })
    expect(await agent.answer(second)).toMatchObject({ behavior: 'allow' })
  } finally {
    silent.close()
  }
})

test('keeps the record of a delivery that follows one on a connection lost while rooms are silent', async () => {
  const { id, agent } = await daemon.createConnected({ name: 'repeating', tool_policy: { mode: 'require_approval' } })
  const { approvals, agents } = daemon.orchestrator
  const { id: approval, request_id } = await daemon.held(agent, 'Bash', CLOSE)
  const leave = async ({ socket }: HandAgent) => {
    socket.terminate()
    await eventually(async () => !(await agents.get(id)).connected)
  }
  await leave(agent)
  await approvals.approve(approval, {}, alice)
  await closeRooms()
  clock.tick(1000)
  const silent = await silentServer()
  try {
    const lost = await daemon.connect(id, { state: null })
    lost.askTool('Bash', CLOSE, request_id)
    await silent.asked
    await leave(lost)
    const { token } = await machine.launchFile(id)
    const back = new HandAgent(new WebSocket(`${daemon.address.replace('http', 'ws')}/ws/${id}?token=${token}`), null)
    await back.opened
    back.askTool('Bash', CLOSE, request_id)
    const asked = () => daemon.frames.filter(({ agent_id, type }) => agent_id === id && type === 'control_request')
    await eventually(() => asked().length === 3)
    clock.tick(2000)
    expect(await back.answer(request_id)).toMatchObject({ behavior: 'allow' })
    await eventually(async () => (await approvals.get(approval)).delivered_at !== null)
    expect(await daemon.db('orchestrator_approvals').where({ id: approval }).whereNull('sending_at')).toEqual([])
  } finally {
    silent.close()
  }
})

/** Accepts connections and never answers. */
async function silentServer(): Promise<{ asked: Promise<void>; close(): void }> {
  let server!: Server
  const sockets = new Set<{ destroy(): void }>()
  const asked = new Promise<void>((resolve) => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        if (String(data).includes('/locks')) resolve()
      })
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
