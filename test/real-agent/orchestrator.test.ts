// The real CLI under the whole daemon: REST in, tmux and the bridge between, the fake model at the far end.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Approval } from '../../schemas/approval.ts'
import { eventually } from '../support/eventually.ts'
import { startFakeModel, type FakeModel } from './fake-model.ts'
import { forgetOwnAgent } from './real-agent.ts'
import { commandLine, processesOf, startWholeDaemon, type WatchedAgent, type WholeDaemon } from './whole-daemon.ts'

let model: FakeModel
let daemon: WholeDaemon

beforeAll(async () => {
  forgetOwnAgent()
  model = await startFakeModel()
  daemon = await startWholeDaemon(model)
})
afterAll(async () => {
  await daemon?.close()
  await model?.stop()
})

/** A model other than ours fails by another word, and need not keep all it hears. */
const otherModel = process.env['SVC_FAKE_MODEL']

const approve = (approval: Approval, body?: unknown) => daemon.ask('POST', `/approvals/${approval.id}/approve`, body)
const deny = (approval: Approval, body?: unknown) => daemon.ask('POST', `/approvals/${approval.id}/deny`, body)
const usageOf = (agent: WatchedAgent) => daemon.ask('GET', `/agents/${agent.id}/usage`)
const idle = (agent: WatchedAgent) => eventually(async () => (await agent.record()).activity === 'idle')

/** The one request of this agent that waits for a person. */
const pending = (agent: WatchedAgent): Promise<Approval> =>
  eventually(
    async () =>
      (await daemon.ask('GET', '/approvals?status=pending')).find((each: Approval) => each.agent_id === agent.id),
    30_000,
  )

/** What the model was sent since this many characters. */
const heardSince = async (from: number) => (await model.heard()).slice(from)

test('an agent starts, connects and is idle, without a warning', async () => {
  const agent = await daemon.agent({ name: 'calm', tool_policy: { mode: 'require_approval' }, prompt: 'first words' })
  expect((await agent.next('result')).content).toMatch(/^ECHO\(\d+\): first words$/)
  await idle(agent)
  expect(await agent.record()).toMatchObject({
    status: 'running',
    connected: true,
    last_error: null,
    warnings: [],
    config: { env: { ANTHROPIC_API_KEY: '***' } },
  })
  expect(daemon.warnings.filter((line) => line['agent_id'] === agent.id)).toEqual([])
})

test('a message is answered on the stream, and its usage adds up turn by turn', async () => {
  const agent = await daemon.agent({ model: 'haiku' })
  const result = await agent.turn('hello there')
  expect(result).toMatchObject({
    agent_id: agent.id,
    content: expect.stringMatching(/^ECHO\(\d+\): hello there$/),
    message: { subtype: 'success', is_error: false },
  })
  expect(agent.frames.map((frame) => frame.type)).toEqual(
    expect.arrayContaining(['system', 'assistant', 'agent_status', 'result']),
  )
  const first = await usageOf(agent)
  expect(first).toMatchObject({ agent_id: agent.id, session_count: 1, cumulative: { result_count: 1, num_turns: 1 } })
  expect(first.current_session.input_tokens).toBeGreaterThan(0)
  expect(first.current_session.output_tokens).toBeGreaterThan(0)
  expect(first.current_session.total_cost_usd).toBeGreaterThan(0)
  const second = (await agent.turn('and again')).message as Record<string, any>
  const { cumulative } = await usageOf(agent)
  expect(cumulative.result_count).toBe(2)
  expect(cumulative.total_cost_usd).toBeCloseTo(second['total_cost_usd'], 6)
  expect(cumulative.input_tokens).toBe(first.cumulative.input_tokens + second['usage'].input_tokens)
})

test('messages to a busy agent wait in order, one turn each', async () => {
  const agent = await daemon.agent()
  await agent.say('SLOW 300 one')
  await agent.say('two')
  await agent.say('three')
  const results = await eventually(() => {
    const found = agent.frames.filter((frame) => frame.type === 'result')
    return found.length === 3 && found
  }, 30_000)
  expect(results.map((frame) => frame.content.split(' ').at(-1))).toEqual(['one', 'two', 'three'])
})

test('a tool of the allow list really runs, any other is denied with the reason, and the policy can change while the agent lives', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'deny_all' } })
  const [pid] = agent.processes()
  const denied = await agent.turn('USE_TOOL Bash touch first.txt')
  expect(denied.content).toBe("TOOL_ERR: Tool 'Bash' is not allowed by policy 'deny_all'")
  await daemon.ask('PUT', `/agents/${agent.id}/policy`, { mode: 'allow_list', tools: ['Bash(touch *)'] })
  expect((await agent.turn('USE_TOOL Bash touch second.txt')).content).toMatch(/^TOOL_OK/)
  const from = (await model.heard()).length
  expect((await agent.turn('USE_TOOL Bash echo hello > third.txt')).content).toBe(
    "TOOL_ERR: Tool 'Bash' is not allowed by policy 'allow_list'",
  )
  expect(await heardSince(from)).toContain("Tool 'Bash' is not allowed by policy 'allow_list'")
  expect(['first.txt', 'second.txt', 'third.txt'].filter((name) => existsSync(join(agent.project, name)))).toEqual([
    'second.txt',
  ])
  expect(agent.processes()).toEqual([pid])
})

test('even a tool that the program holds for harmless is decided by the policy', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'deny_list', tools: ['Read'] } })
  writeFileSync(join(agent.project, 'plain.txt'), 'the secret of the house')
  expect((await agent.turn(`USE_TOOL Read ${join(agent.project, 'plain.txt')}`)).content).toBe(
    "TOOL_ERR: Tool 'Read' is not allowed by policy 'deny_list'",
  )
  expect(await model.heard()).not.toContain('the secret of the house')
})

test('a held tool waits for a person; denied, it does not run and the model hears who said so and why', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch held.txt')
  const approval = await pending(agent)
  expect(approval).toMatchObject({
    tool_name: 'Bash',
    tool_input: { command: 'touch held.txt' },
    status: 'pending',
    decided_by: null,
  })
  expect(await agent.next('pending_approval')).toMatchObject({ approval: { id: approval.id } })
  expect((await agent.record()).activity).toBe('busy')
  expect(await deny(approval, { reason: 'not on a Friday' })).toMatchObject({
    status: 'denied',
    decided_by: 'mia',
    reason: 'not on a Friday',
  })
  expect((await agent.next('result')).content).toBe("TOOL_ERR: Tool 'Bash' denied by mia: not on a Friday")
  expect(await model.heard()).toContain("Tool 'Bash' denied by mia: not on a Friday")
  expect(existsSync(join(agent.project, 'held.txt'))).toBe(false)
})

test('a held tool that is approved runs, with the input the person gave', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash echo asked > asked.txt')
  const approval = await pending(agent)
  expect(existsSync(join(agent.project, 'asked.txt'))).toBe(false)
  expect(await approve(approval, { updated_input: { command: 'echo approved > approved.txt' } })).toMatchObject({
    status: 'approved',
    decided_by: 'mia',
  })
  expect((await agent.next('result')).content).toMatch(/^TOOL_OK/)
  expect(readFileSync(join(agent.project, 'approved.txt'), 'utf8')).toBe('approved\n')
  expect(existsSync(join(agent.project, 'asked.txt'))).toBe(false)
  expect(await agent.next('approval_decided')).toMatchObject({ approval: { id: approval.id, status: 'approved' } })
  await expect(approve(approval)).rejects.toThrow('answered 409')
})

test('a dispatch of a manual workflow completes with the result and the usage of its turn, under the policy of the workflow', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'allow_all' } })
  const workflow = await daemon.ask('POST', '/workflows', {
    name: 'nightly',
    agent_id: agent.id,
    trigger_config: { type: 'manual' },
    prompt_template: 'USE_TOOL Bash touch {{title}}',
    enabled: true,
    tool_policy: { mode: 'deny_all' },
  })
  // Refused for the moment in which the bridge has not vouched for the program yet.
  const dispatch = await eventually(
    () => daemon.ask('POST', `/workflows/${workflow.id}/trigger`, { title: 'report.txt' }),
    30_000,
  )
  const done = await eventually(async () => {
    const record = (await daemon.ask('GET', `/workflows/${workflow.id}/history`)).find(
      (each: { id: string }) => each.id === dispatch.id,
    )
    return record.completed_at && record
  }, 30_000)
  expect(done).toMatchObject({
    status: 'completed',
    prompt_sent: 'USE_TOOL Bash touch report.txt',
    result: "TOOL_ERR: Tool 'Bash' is not allowed by policy 'deny_all'",
    error: null,
    usage: { num_turns: 2, result_count: 1 },
  })
  expect(done.usage.input_tokens).toBeGreaterThan(0)
  expect((await agent.turn('USE_TOOL Bash touch own.txt')).content).toMatch(/^TOOL_OK/)
  expect(existsSync(join(agent.project, 'own.txt'))).toBe(true)
  await daemon.ask('DELETE', `/workflows/${workflow.id}`)
})

test('a turn that fails at the model fails its dispatch with the reason, and the agent takes the next', async () => {
  const agent = await daemon.agent()
  const workflow = await daemon.ask('POST', '/workflows', {
    name: 'failing',
    agent_id: agent.id,
    trigger_config: { type: 'manual' },
    prompt_template: '{{title}}',
    enabled: true,
  })
  await daemon.ask('POST', `/workflows/${workflow.id}/trigger`, {
    title: otherModel ? 'LLM_STATUS 400' : 'FAIL out of credit',
  })
  const [failed] = await eventually(async () => {
    const history = await daemon.ask('GET', `/workflows/${workflow.id}/history`)
    return history[0]?.completed_at && history
  }, 30_000)
  expect(failed).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(otherModel ? '400' : 'out of credit'),
  })
  await idle(agent)
  expect((await agent.turn('go on')).message).toMatchObject({ is_error: false })
  await daemon.ask('DELETE', `/workflows/${workflow.id}`)
})

test('clear-context empties the conversation and begins a new session of usage, in the same process', async () => {
  const agent = await daemon.agent()
  await agent.turn('the word is xylophone')
  const [pid] = agent.processes()
  const before = await usageOf(agent)
  expect(await daemon.ask('POST', `/agents/${agent.id}/clear-context`)).toMatchObject({
    agent_id: agent.id,
    new_session_number: 2,
    session_usage: { result_count: 1, input_tokens: before.current_session.input_tokens },
  })
  await agent.next('context_cleared')
  await idle(agent)
  const from = (await model.heard()).length
  const count = agent.frames.filter((frame) => frame.type === 'context_cleared').length
  expect((await agent.turn('what was the word')).content).toMatch(/what was the word$/)
  expect(await heardSince(from)).not.toContain('xylophone')
  expect(agent.frames.filter((frame) => frame.type === 'context_cleared')).toHaveLength(count)
  expect(await usageOf(agent)).toMatchObject({ session_count: 2 })
  expect(agent.processes()).toEqual([pid])
})

test('an interrupt withdraws the held tool, ends the turn, and leaves the agent ready for the next', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch never.txt')
  const approval = await pending(agent)
  await daemon.ask('POST', `/agents/${agent.id}/interrupt`)
  expect((await agent.next('result')).message).toMatchObject({ subtype: 'error_during_execution', is_error: true })
  expect(
    await eventually(
      async () =>
        (await daemon.ask('GET', `/approvals/${approval.id}`)).status !== 'pending' &&
        daemon.ask('GET', `/approvals/${approval.id}`),
    ),
  ).toMatchObject({
    status: 'timed_out',
    reason: 'the agent withdrew the request',
  })
  await idle(agent)
  expect((await agent.turn('go on')).message).toMatchObject({ is_error: false })
  expect(existsSync(join(agent.project, 'never.txt'))).toBe(false)
})

test('an agent that is not to be restarted stays failed after kill -9, and says why', async () => {
  const agent = await daemon.agent({ restart: 'never' })
  const [pid] = agent.processes()
  process.kill(pid!, 'SIGKILL')
  const failed = await eventually(async () => {
    const record = await agent.record()
    return record.status === 'failed' && record
  }, 30_000)
  expect(failed).toMatchObject({ connected: false, restarts: 0, last_error: expect.stringContaining('exit code 137') })
  await expect(agent.say('anybody there?')).rejects.toThrow('answered 400')
  expect(agent.processes()).toEqual([])
})

test('after kill -9 an agent that is to be kept goes on with its conversation, and what it had asked stays asked', async () => {
  const agent = await daemon.agent({ restart: 'on-failure', tool_policy: { mode: 'require_approval' } })
  const session = ((await agent.turn('the word is marimba')).message as Record<string, string>)['session_id']!
  await agent.say('USE_TOOL Bash touch late.txt')
  const approval = await pending(agent)
  const [pid] = agent.processes()
  process.kill(pid!, 'SIGKILL')
  await eventually(async () => {
    const record = await agent.record()
    return record.restarts === 1 && record.status === 'running' && record.connected
  }, 30_000)
  const [next] = agent.processes()
  expect(next).not.toBe(pid)
  expect(commandLine(next!)).toContain(`--resume\0${session}`)
  expect(await daemon.ask('GET', `/approvals/${approval.id}`)).toMatchObject({ status: 'pending' })
  await approve(approval)
  const from = (await model.heard()).length
  const again = await agent.turn('USE_TOOL Bash touch late.txt')
  expect(again.content).toMatch(/^TOOL_OK/)
  expect(again.message).toMatchObject({ session_id: session })
  if (!otherModel) expect(await heardSince(from)).toContain('marimba')
  expect(existsSync(join(agent.project, 'late.txt'))).toBe(true)
  expect(await daemon.ask('GET', `/agents/${agent.id}/approvals`)).toHaveLength(1)
})

test('a daemon that is replaced finds the agent at work, and a tool held before is decided after', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch across.txt')
  const approval = await pending(agent)
  const processes = agent.processes()
  await daemon.replace()
  await agent.watch()
  await eventually(async () => (await agent.record()).connected, 30_000)
  expect(agent.processes()).toEqual(processes)
  expect(await pending(agent)).toMatchObject({ id: approval.id, request_id: approval.request_id })
  await approve(approval)
  expect((await agent.next('result')).content).toMatch(/^TOOL_OK/)
  expect(existsSync(join(agent.project, 'across.txt'))).toBe(true)
  expect((await usageOf(agent)).cumulative).toMatchObject({ result_count: 1 })
  expect((await agent.turn('still there')).content).toMatch(/still there$/)
})

test('a manifest makes a running, guarded agent of it, and without the manifest no process is left', async () => {
  const file = join(daemon.manifests, 'declared.yaml')
  writeFileSync(
    file,
    JSON.stringify({
      kind: 'Agent',
      ...daemon.claude({ name: 'declared', tool_policy: { mode: 'require_approval' } }),
    }),
  )
  const condition = async () =>
    (await daemon.askController('/resources?kind=agents'))
      .find((each: { name: string }) => each.name === 'declared')
      ?.conditions.find((each: { type: string }) => each.type === 'Ready')
  expect(
    await eventually(async () => ((await condition())?.status === 'True' ? condition() : undefined), 30_000),
  ).toMatchObject({ status: 'True' })
  const [agent] = await eventually(async () => {
    const found = (await daemon.ask('GET', '/agents?status=running')).filter(
      (each: { name: string }) => each.name === 'declared',
    )
    return found.length === 1 && found
  })
  expect(agent).toMatchObject({ managed_by: { file: 'declared.yaml' }, warnings: [], config: { restart: 'always' } })
  expect(processesOf(agent.id)).toHaveLength(1)
  rmSync(file)
  await eventually(
    async () => (await daemon.ask('GET', '/agents')).every((each: { id: string }) => each.id !== agent.id),
    30_000,
  )
  await eventually(() => processesOf(agent.id).length === 0)
})
