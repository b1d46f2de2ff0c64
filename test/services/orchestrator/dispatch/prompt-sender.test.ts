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

test('a connected agent is asked to introduce itself', async () => {
  const { id, agent } = await daemon.createConnected()
  const first = await eventually(() => agent.received[0])
  expect(first).toMatchObject({
    type: 'control_request',
    request: { subtype: 'initialize' },
    request_id: expect.any(String),
  })
  await daemon.told()
  expect(daemon.changes).toContainEqual(expect.objectContaining({ id }))
  expect(await daemon.figure('websocket_connections_active')).toBeGreaterThan(0)
})

test('the initial prompt is sent once after each start, and not after a reconnect', async () => {
  const { id, agent } = await daemon.createConnected({ prompt: 'begin' })
  expect(await agent.prompt(1)).toBe('begin')
  agent.result()
  await eventually(async () => (await activity(id)) === 'idle')
  const again = await daemon.connect(id)
  expect(await agents().message(id, 'next', alice)).toMatchObject({ status: 'sent', agent_id: id })
  expect(await again.prompt(1)).toBe('next')
  again.result()
  await agents().restart(id, alice)
  const anew = await daemon.connect(id)
  expect(await anew.prompt(1)).toBe('begin')
})

test('a message goes out at once when idle, and waits in order when busy', async () => {
  const { id, agent } = await daemon.createConnected()
  expect(await agents().message(id, 'one', alice)).toMatchObject({ status: 'sent', agent_id: id })
  expect(await activity(id)).toBe('busy')
  expect(await agents().message(id, 'two', alice)).toMatchObject({ status: 'queued', agent_id: id })
  expect(await agents().message(id, 'three', alice)).toMatchObject({ status: 'queued', agent_id: id })
  expect(await agents().work(id)).toBe('a message, since 0 s, 2 waiting')
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

test('a prompt is a user frame with a uuid', async () => {
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

test('a result that was not asked for completes nothing', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await agents().message(id, 'two', alice)
  agent.result({ origin: { kind: 'task-notification' }, result: 'by the way' })
  await eventually(() => daemon.frames.some((frame) => frame.agent_id === id && frame.content === 'by the way'))
  await eventually(async () => (await agents().usage(id)).cumulative.result_count === 1)
  expect(agent.prompts()).toEqual(['one'])
  expect(await activity(id)).toBe('busy')
})

test('a frame that is repeated counts once', async () => {
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

test('an agent that says it works is busy, though nobody asked it', async () => {
  const { id, agent } = await daemon.createConnected()
  agent.send({ type: 'system', subtype: 'session_state_changed', state: 'running' })
  await eventually(async () => (await activity(id)) === 'busy')
  expect(await agents().message(id, 'later', alice)).toMatchObject({ status: 'queued' })
  expect(await agents().work(id)).toBe('a turn of its own, 1 waiting')
  agent.send({ type: 'system', subtype: 'session_state_changed', state: 'idle' })
  expect(await agent.prompt(1)).toBe('later')
})

test('a late word of an earlier idle does not end the turn in hand', async () => {
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

test('a new connection of the same agent replaces the old one, which is closed with 4000', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().message(id, 'one', alice)
  await agent.prompt(1)
  const second = await daemon.connect(id, { state: 'running' })
  await eventually(() => agent.closeCode === 4000)
  expect(await activity(id)).toBe('busy')
  second.result()
  await eventually(async () => (await activity(id)) === 'idle')
})

test('a prompt that was lost with its connection fails when the agent is idle without a result', async () => {
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

test('a message for an agent that is not connected or not running is refused with 400', async () => {
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

test('lines that are not JSON are left out and do no harm', async () => {
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

test('a stream of one agent shows that agent alone, and tells nothing of the past', async () => {
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

test('an unguarded agent gets prompts under allow_all only', async () => {
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

test('a restricted agent gets no prompt before its bridge has spoken, which is nothing to warn of', async () => {
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

test('an interrupt is passed to the agent', async () => {
  const { id, agent } = await daemon.createConnected()
  await agents().interrupt(id, alice)
  await eventually(() => agent.received.some((frame) => frame.request?.subtype === 'interrupt'))
})

test('a control request we do not know is answered with an error', async () => {
  const { agent } = await daemon.createConnected()
  agent.send({ type: 'control_request', request_id: 'r1', request: { subtype: 'hook_callback' } })
  await eventually(() =>
    agent.received.some((frame) => frame.response?.request_id === 'r1' && frame.response.subtype === 'error'),
  )
})

test('the conversation is gone on with after a restart, unless the directory changed', async () => {
  const { id, agent } = await daemon.createConnected()
  agent.send({ type: 'system', subtype: 'init', session_id: 'conversation-1', uuid: randomUUID() })
  await eventually(
    async () => (await daemon.db('orchestrator_agents').where({ id }).first()).program_session === 'conversation-1',
  )
  await agents().restart(id, alice)
  expect((await machine.launchFile(id)).resume_session).toBe('conversation-1')
  await agents().patch(id, { working_dir: machine.folder }, alice)
  await agents().restart(id, alice)
  expect((await machine.launchFile(id)).resume_session).toBeNull()
})

test('a frame that cannot be recorded waits for the database, and messages are refused meanwhile', async () => {
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
