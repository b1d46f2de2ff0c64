import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { Log } from '../../../../platform/core/log/log.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const lines: Record<string, unknown>[] = []
const log = {
  debug: () => undefined,
  info: (facts: Record<string, unknown>) => lines.push(facts),
  warn: () => undefined,
  error: () => undefined,
  child: () => log,
} as unknown as Log
const clock = new TestClock()
const machine = new TestMachine({ clock, log })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterEach(() => void (lines.length = 0))
afterAll(() => machine.close())

const approvals = () => daemon.orchestrator.approvals

test('decides by policy at once, explains a denial and logs the decision', async () => {
  const { id, agent } = await daemon.createConnected({ tool_policy: { mode: 'allow_list', tools: ['Read'] } })
  expect(await agent.answer(agent.askTool('Read', { file_path: 'a' }))).toEqual({
    behavior: 'allow',
    updatedInput: { file_path: 'a' },
  })
  expect(await agent.answer(agent.askTool('Bash', { command: 'ls' }))).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' is not allowed by policy 'allow_list': no entry names the tool: Bash",
  })
  expect(lines).toContainEqual({ agent_id: id, tool_name: 'Read', decision: 'allow', policy_mode: 'allow_list' })
  expect(lines).toContainEqual({ agent_id: id, tool_name: 'Bash', decision: 'deny', policy_mode: 'allow_list' })
  expect((await approvals().list({ agentId: id })).items).toEqual([])
})

test('applies a changed policy to the next request', async () => {
  const { id, agent } = await daemon.createConnected()
  expect((await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior).toBe('allow')
  expect(await daemon.orchestrator.agents.setPolicy(id, { mode: 'deny_list', tools: ['Bash', 'Bash'] }, alice)).toEqual(
    {
      mode: 'deny_list',
      tools: ['Bash'],
    },
  )
  expect((await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior).toBe('deny')
  expect(await refusal(daemon.orchestrator.agents.setPolicy(id, { mode: 'deny_list' }, alice))).toMatchObject({
    status: 400,
  })
  expect(await daemon.orchestrator.audit.latest('agents', id, 'tool_policy')).toMatchObject({ actor: 'alice' })
})

test('records and publishes a request under require_approval without answering it', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  expect(approval).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    agent_id: id,
    agent_name: 'worker',
    request_id: approval.request_id,
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    finding: null,
    policy: { of: 'agent', mode: 'require_approval', name: null, field: 'mode', entry: null, managed_by: null },
    directory: machine.work,
    dispatch_id: null,
    workflow: null,
    turn_id: null,
    programs: ['make'],
    effects: { reads: [], writes: [], complete: true },
    last_text: null,
    alike: expect.stringMatching(/^[0-9a-f]{16}$/),
    status: 'pending',
    created_at: new Date(clock.now()).toISOString(),
    expires_at: new Date(clock.now() + 300_000).toISOString(),
    decided_at: null,
    decided_by: null,
    reason: null,
    delivered_at: null,
  })
  expect(daemon.frame('pending_approval', id)).toMatchObject({ content: 'Bash(make)', approval })
  expect(agent.answers(approval.request_id)).toEqual([])
  expect(await approvals().get(approval.id)).toEqual(approval)
  expect(await daemon.figure('approvals_pending')).toBeGreaterThan(0)
})

test('records why a list left the decision to a person, until a policy denies the call', async () => {
  const policy = { mode: 'allow_list' as const, tools: ['Bash(git *)'], ask: ['Bash(git push *)'] }
  const { id, agent } = await daemon.createConnected({ tool_policy: { ...policy, otherwise: 'ask' } })
  const push = await daemon.held(agent, 'Bash', { command: 'git push origin' })
  expect(push.finding).toEqual({ reason: 'an entry covers it', part: 'git push origin' })
  const make = await daemon.held(agent, 'Bash', { command: 'make' })
  expect(make.finding).toEqual({ reason: 'no entry covers it', part: 'make' })
  expect(daemon.frame('pending_approval', id)).toMatchObject({ approval: { finding: make.finding } })
  await approvals().approve(push.id, {}, alice)
  expect(await agent.answer(push.request_id)).toMatchObject({ behavior: 'allow' })
  await daemon.orchestrator.agents.setPolicy(id, policy, alice)
  expect(await refusal(approvals().approve(make.id, {}, alice))).toMatchObject({
    code: 'policy-forbids',
    message: expect.stringContaining("not allowed by policy 'allow_list': no entry covers it: make"),
  })
  await approvals().deny(make.id, {}, alice)
})

test('runs an approved tool once and records who decided', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  expect(await approvals().approve(approval.id, { reason: 'fine' }, alice)).toMatchObject({
    status: 'approved',
    decided_by: 'alice',
    reason: 'fine',
    decided_at: expect.any(String),
  })
  expect(await agent.answer(approval.request_id)).toEqual({ behavior: 'allow', updatedInput: { command: 'make' } })
  expect(daemon.frame('approval_decided', id)).toMatchObject({ approval: { status: 'approved' } })
  await daemon.held(agent, 'Bash', { command: 'make' })
})

test('runs an approved tool with the input of the approval', async () => {
  const { agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await approvals().approve(approval.id, { updated_input: { command: 'make -n' } }, alice)
  expect(await agent.answer(approval.request_id)).toEqual({ behavior: 'allow', updatedInput: { command: 'make -n' } })
})

test('tells the agent who denied the tool, and why', async () => {
  const { agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await approvals().deny(approval.id, { reason: 'not today', updated_input: { command: 'x' } }, alice)
  expect(await agent.answer(approval.request_id)).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied by alice: not today",
  })
})

test('rejects a second decision and a decision on an unknown approval', async () => {
  const { agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  const outcomes = await Promise.allSettled([
    approvals().approve(approval.id, {}, alice),
    approvals().deny(approval.id, {}, alice),
  ])
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await refusal(approvals().approve(approval.id, {}, alice))).toMatchObject({
    status: 409,
    message: expect.stringContaining('by alice'),
  })
  expect(await refusal(approvals().deny(randomUUID(), {}, alice))).toMatchObject({ status: 404 })
  await agent.answer(approval.request_id)
  expect(agent.answers(approval.request_id).length).toBe(1)
})

test('logs decisions by people and expired requests', async () => {
  const { id, agent } = await daemon.createCautious()
  const logged = () => lines.filter(({ agent_id, decision }) => agent_id === id && decision !== undefined)
  const decided = { agent_id: id, tool_name: 'Bash', policy_mode: 'require_approval' }
  const one = await daemon.held(agent, 'Bash', { command: 'make' })
  await approvals().approve(one.id, {}, alice)
  await agent.answer(one.request_id)
  expect(logged()).toEqual([{ ...decided, decision: 'allow' }])
  const other = await daemon.held(agent, 'Bash', { command: 'make test' })
  await approvals().deny(other.id, {}, alice)
  await agent.answer(other.request_id)
  const last = await daemon.held(agent, 'Bash', { command: 'make clean' })
  daemon.tick(300_000)
  await agent.answer(last.request_id)
  const decisions = ['allow', 'deny', 'deny'] as const
  expect(logged()).toEqual(decisions.map((decision) => ({ ...decided, decision })))
})

test('denies a request after five minutes without a decision', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  daemon.tick(299_999)
  expect((await approvals().get(approval.id)).status).toBe('pending')
  daemon.tick(1)
  expect(await agent.answer(approval.request_id)).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied: no human decision came within 5 minutes",
  })
  expect(await approvals().get(approval.id)).toMatchObject({
    status: 'timed_out',
    decided_by: null,
    reason: 'no human decision came within 5 minutes',
  })
  expect(daemon.frame('approval_decided', id)).toMatchObject({ approval: { status: 'timed_out' } })
  expect(await refusal(approvals().approve(approval.id, {}, alice))).toMatchObject({ status: 409 })
})

test('retries a timeout that cannot be recorded', async () => {
  const { agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await daemon.db.raw('PRAGMA query_only = ON')
  daemon.tick(300_000)
  await eventually(async () => (await refusal(approvals().approve(approval.id, {}, alice)))?.status === 503)
  await daemon.db.raw('PRAGMA query_only = OFF')
  await eventually(async () => {
    daemon.tick(1000)
    return (await approvals().get(approval.id)).status === 'timed_out'
  })
})

test('keeps one approval for a repeated request and answers it again', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  agent.askTool('Bash', { command: 'make' }, approval.request_id)
  agent.send({ type: 'keep_alive' })
  await eventually(() => daemon.frame('keep_alive', id))
  expect((await approvals().list({ agentId: id })).items.length).toBe(1)
  await approvals().approve(approval.id, {}, alice)
  await agent.answer(approval.request_id)
  agent.askTool('Bash', { command: 'make' }, approval.request_id)
  await eventually(() => agent.answers(approval.request_id).length === 2)
})

test('records concurrent requests as separate approvals', async () => {
  const { id, agent } = await daemon.createCautious()
  const one = await daemon.held(agent, 'Bash', { command: 'make' })
  const two = await daemon.held(agent, 'Bash', { command: 'make' })
  expect(one.id).not.toBe(two.id)
  await approvals().deny(two.id, {}, alice)
  expect((await agent.answer(two.request_id)).behavior).toBe('deny')
  expect((await approvals().list({ agentId: id, status: 'pending' })).items.map((approval) => approval.id)).toEqual([
    one.id,
  ])
})

test('applies a decision for the session until the context is cleared', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await approvals().approve(approval.id, { scope: 'session' }, alice)
  expect((await agent.answer(agent.askTool('Bash', { command: 'other' }))).behavior).toBe('allow')
  await daemon.held(agent, 'Write', { file_path: 'a' })
  await daemon.orchestrator.agents.clearContext(id, alice)
  agent.result()
  await daemon.held(agent, 'Bash', { command: 'other' })
})

test('closes an earlier request when its id returns with another input', async () => {
  const { id, agent } = await daemon.createCautious()
  const first = await daemon.held(agent, 'Bash', { command: 'make', a: 1 })
  agent.askTool('Bash', { a: 1, command: 'make' }, first.request_id)
  agent.askTool('Bash', { command: 'rm' }, first.request_id)
  const [second] = await eventually(async () => {
    const { items } = await approvals().list({ agentId: id })
    return items.length === 2 && items
  })
  expect(second).toMatchObject({ status: 'pending', tool_input: { command: 'rm' } })
  expect(await approvals().get(first.id)).toMatchObject({
    status: 'timed_out',
    reason: 'the agent reused the request id for another request',
  })
  expect(agent.answers(first.request_id)).toEqual([])
  await approvals().approve(second!.id, {}, alice)
  expect(await agent.answer(first.request_id)).toEqual({ behavior: 'allow', updatedInput: { command: 'rm' } })
})

test('lets a newer policy overrule an undelivered approval', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  agent.socket.terminate()
  await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
  await approvals().approve(approval.id, {}, alice)
  await daemon.orchestrator.agents.setPolicy(id, { mode: 'deny_all' }, alice)
  const back = await daemon.connect(id)
  back.askTool('Bash', { command: 'make' }, approval.request_id)
  const message = "Tool 'Bash' is not allowed by policy 'deny_all'"
  expect(await back.answer(approval.request_id)).toEqual({ behavior: 'deny', message })
  expect(await approvals().get(approval.id)).toMatchObject({ status: 'denied', decided_by: null, reason: message })
})
