import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../../platform/core/log/log.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestOrchestrator, TestMachine } from '../harness.ts'

const warnings: unknown[] = []
const log = { ...noLog, warn: (facts: unknown) => void warnings.push(facts), child: () => log } as Log
const machine = new TestMachine({ clock: new TestClock(), log })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const agents = () => daemon.orchestrator.agents
const activity = async (id: string) => (await agents().get(id)).activity

test('asks a connected agent to introduce itself', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await eventually(() => agent.received[0])
  expect(first).toMatchObject({
    type: 'control_request',
    request: { subtype: 'initialize' },
    request_id: expect.any(String),
  })
  await daemon.awaitChanges()
  expect(daemon.changes).toContainEqual(expect.objectContaining({ id }))
  expect(await daemon.figure('websocket_connections_active')).toBeGreaterThan(0)
})

test('sends the initial prompt once per start, and not after a reconnect', async () => {
  const { id, agent } = await daemon.createConnected({ prompt: 'begin' })
  expect(await agent.prompt(1)).toBe('begin')
  agent.result()
  await eventually(async () => (await activity(id)) === 'idle')
  const again = await daemon.connect(id)
  expect(await agents().message(id, 'next', alice)).toMatchObject({ status: 'sent', agent_id: id })
  expect(await again.prompt(1)).toBe('next')
  again.result()
  await agents().restart(id, alice)
  const restarted = await daemon.connect(id)
  expect(await restarted.prompt(1)).toBe('begin')
})

test('sends a message at once when idle and queues it when busy', async () => {
  const { id, agent } = await daemon.createConnected()
  expect(await agents().message(id, 'one', alice)).toMatchObject({ status: 'sent', agent_id: id })
  expect(await activity(id)).toBe('busy')
  expect(await agents().message(id, 'two', alice)).toMatchObject({ status: 'queued', agent_id: id })
  expect(await agents().message(id, 'three', alice)).toMatchObject({ status: 'queued', agent_id: id })
  expect(await agents().work(id)).toBe('a message, since 0 s, 2 queued')
  agent.result()
  expect(await agent.prompt(2)).toBe('two')
  expect(agent.prompts()).toEqual(['one', 'two'])
  agent.result()
  expect(await agent.prompt(3)).toBe('three')
  agent.result()
  await eventually(async () => (await activity(id)) === 'idle')
  expect(await agents().work(id)).toBeNull()
  expect(
    daemon.frames
      .filter((frame) => frame.type === 'agent_status' && frame.agent_id === id)
      .map((frame) => frame.activity)
      .slice(-2),
  ).toEqual(['busy', 'idle'])
})

test('sends a prompt as a user frame with a uuid', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'look', alice)
  await agent.prompt(1)
  expect(agent.received.find((frame) => frame.type === 'user')).toEqual({
    type: 'user',
    message: { role: 'user', content: 'look' },
    parent_tool_use_id: null,
    session_id: '',
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('ignores a result that belongs to no prompt', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await agents().message(id, 'two', alice)
  agent.result({ origin: { kind: 'task-notification' }, result: 'by the way' })
  await eventually(() => daemon.frames.some((frame) => frame.agent_id === id && frame.content === 'by the way'))
  await eventually(async () => (await agents().usage(id)).cumulative.result_count === 1)
  expect(agent.prompts()).toEqual(['one'])
  expect(await activity(id)).toBe('busy')
})

test('counts a repeated frame once', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await agents().message(id, 'two', alice)
  const result = agent.result()
  agent.send(result, result)
  expect(await agent.prompt(2)).toBe('two')
  agent.send(result)
  agent.send({ type: 'keep_alive', uuid: 'last' })
  await eventually(() => daemon.frames.some((frame) => frame.type === 'keep_alive' && frame.agent_id === id))
  expect(await activity(id)).toBe('busy')
  expect((await agents().usage(id)).cumulative.result_count).toBe(1)
})

test('shows an agent as busy during a turn without a prompt', async () => {
  const { id, agent } = await daemon.createConnected()
  agent.send({ type: 'system', subtype: 'session_state_changed', state: 'running' })
  await eventually(async () => (await activity(id)) === 'busy')
  expect(await agents().message(id, 'later', alice)).toMatchObject({ status: 'queued' })
  expect(await agents().work(id)).toBe('an unprompted turn, 1 queued')
  agent.send({ type: 'system', subtype: 'session_state_changed', state: 'idle' })
  expect(await agent.prompt(1)).toBe('later')
})

test('does not end the current turn on a late idle notice', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await agents().message(id, 'two', alice)
  agent.result()
  await agent.prompt(2)
  agent.send({ type: 'system', subtype: 'session_state_changed', state: 'idle', uuid: 'late-idle' })
  await eventually(() =>
    daemon.frames.some((frame) => (frame.message as { uuid?: string } | null)?.uuid === 'late-idle'),
  )
  expect(await activity(id)).toBe('busy')
  expect(agent.prompts()).toEqual(['one', 'two'])
})

test('closes the old connection with 4000 when a new one opens', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await agent.prompt(1)
  const second = await daemon.connect(id, { state: 'running' })
  await eventually(() => agent.closeCode === 4000)
  expect(await activity(id)).toBe('busy')
  second.result()
  await eventually(async () => (await activity(id)) === 'idle')
})

test('fails a prompt lost with its connection when the agent reconnects idle', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'lost', alice)
  await agent.prompt(1)
  agent.socket.terminate()
  await eventually(async () => !(await agents().get(id)).connected)
  await daemon.connect(id, { state: 'idle' })
  await eventually(async () => (await activity(id)) === 'idle')
  const row = await daemon.db('orchestrator_prompts').where({ agent_id: id, content: 'lost' }).first()
  expect(row).toMatchObject({ status: 'failed', error: expect.stringContaining('the connection was lost') })
})

test('refuses a message for an unconnected or stopped agent with 400', async () => {
  const { id } = await daemon.create()
  expect(await refusal(agents().message(id, 'x', alice))).toMatchObject({
    status: 400,
    message: expect.stringContaining('not connected'),
  })
  expect(await refusal(agents().interrupt(id, alice))).toMatchObject({ status: 400 })
  expect(await refusal(agents().clearContext(id, alice))).toMatchObject({ status: 400 })
  await agents().terminate(id, alice)
  expect(await refusal(agents().message(id, 'x', alice))).toMatchObject({
    status: 400,
    message: expect.stringContaining('stopped'),
  })
})

test('skips lines that are not JSON', async () => {
  const { id, agent } = await daemon.createConnected()
  agent.socket.send(
    'this is not JSON\n\n[1]\n{"type":"assistant","message":{"content":[{"type":"text","text":"still here"},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}\n{"type":"keep_alive"}\n',
  )
  await eventually(() => daemon.frame('keep_alive', id))
  expect(daemon.frame('assistant', id)).toMatchObject({
    content: 'still here\nBash(ls)',
    message: { type: 'assistant' },
  })
})

test('streams only the agent’s own frames and no history', async () => {
  const one = await daemon.createConnected()
  const two = await daemon.createConnected()
  one.agent.send({ type: 'keep_alive' })
  await eventually(() => daemon.frame('keep_alive', one.id))
  const seen: string[] = []
  const unsubscribe = daemon.orchestrator.streams.subscribe(
    (frame) => seen.push(`${frame.agent_id} ${frame.type}`),
    one.id,
  )
  two.agent.send({ type: 'keep_alive' })
  await eventually(() => daemon.frame('keep_alive', two.id))
  expect(seen).toEqual([])
  one.agent.send({ type: 'keep_alive' })
  await eventually(() => seen.length > 0)
  expect(seen).toEqual([`${one.id} keep_alive`])
  unsubscribe()
})

test('sends prompts to an unguarded agent under allow_all only', async () => {
  const { id } = await daemon.create({ tool_policy: { mode: 'deny_all' } })
  const agent = await daemon.connect(id, { guarded: false })
  await eventually(async () => (await agents().inspect(id)).unguarded)
  expect(await agents().message(id, 'dangerous', alice)).toMatchObject({ status: 'queued', agent_id: id })
  const held = await agents().get(id)
  expect(held.last_error).toMatch(/^policy not enforced: .*permission mode is "auto"/)
  expect(held.warnings).toEqual([held.last_error])
  await eventually(() => warnings.some((facts) => (facts as { reason?: string }).reason === held.last_error))
  expect(agent.prompts()).toEqual([])
  await agents().setPolicy(id, { mode: 'allow_all' }, alice)
  expect(await agent.prompt(1)).toBe('dangerous')
  await eventually(async () => (await agents().get(id)).last_error === null)
})

test('holds prompts of a restricted agent until its bridge reports, without warning', async () => {
  const { id } = await daemon.create({ tool_policy: { mode: 'require_approval' } })
  const agent = await daemon.connect(id, { guarded: null })
  expect(await agents().message(id, 'wait', alice)).toMatchObject({ status: 'queued' })
  expect(await agents().get(id)).toMatchObject({ last_error: null, warnings: [] })
  expect((await agents().inspect(id)).awaitsProof).toBe(true)
  agent.send({ type: 'system', subtype: 'bridge', guarded: true })
  expect(await agent.prompt(1)).toBe('wait')
  expect((await agents().inspect(id)).awaitsProof).toBe(false)
  expect(warnings.filter((facts) => (facts as { agent_id?: string }).agent_id === id)).toEqual([])
})

test('passes an interrupt to the agent', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().interrupt(id, alice)
  await eventually(() => agent.received.some((frame) => frame.request?.subtype === 'interrupt'))
})

test('answers an unknown control request with an error', async () => {
  const { agent } = await daemon.createConnected()
  agent.send({ type: 'control_request', request_id: 'r1', request: { subtype: 'hook_callback' } })
  await eventually(() =>
    agent.received.some((frame) => frame.response?.request_id === 'r1' && frame.response.subtype === 'error'),
  )
})

test('resumes the conversation after a restart unless the directory changed', async () => {
  const { id, agent } = await daemon.createConnected()
  agent.send({ type: 'system', subtype: 'init', session_id: 'conversation-1', uuid: randomUUID() })
  await eventually(
    async () => (await daemon.db('orchestrator_agents').where({ id }).first()).program_session === 'conversation-1',
  )
  await agents().restart(id, alice)
  expect((await machine.launchFile(id)).resume_session).toBe('conversation-1')
  await agents().patch(id, { working_dir: '/usr' }, alice)
  await agents().restart(id, alice)
  expect((await machine.launchFile(id)).resume_session).toBeNull()
})

test('refuses messages and holds frames while the database cannot record them', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await daemon.db.raw('PRAGMA query_only = ON')
  agent.result()
  await eventually(async () => (await refusal(agents().message(id, 'two', alice)))?.status === 503)
  await daemon.db.raw('PRAGMA query_only = OFF')
  await eventually(async () => {
    daemon.tick(1000)
    return (await activity(id)) === 'idle'
  })
  expect((await agents().usage(id)).cumulative.result_count).toBe(1)
})
