import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Approval } from '../../../schemas/approval.ts'
import { eventually } from '../../support/eventually.ts'
import { alice, House, World, type HandAgent } from './harness.ts'

const lines: Record<string, unknown>[] = []
const log = {
  debug: () => undefined,
  info: (facts: Record<string, unknown>) => lines.push(facts),
  warn: () => undefined,
  error: () => undefined,
  child: () => log,
} as unknown as Log
const clock = new TestClock()
const world = new World({ clock, log })
let house: House
beforeAll(async () => {
  house = await world.open()
})
afterEach(() => void (lines.length = 0))
afterAll(() => world.close())

const approvals = () => house.orchestrator.approvals
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as { status: number; message: string },
  )
const cautious = () => house.createConnected({ tool_policy: { mode: 'require_approval' } })

/** Asks for a tool and waits until a person would see it. */
async function held(
  agent: HandAgent,
  tool: string,
  input: Record<string, unknown>,
  requestId?: string,
): Promise<Approval> {
  const id = agent.askTool(tool, input, requestId)
  return eventually(async () =>
    (await approvals().list()).find((approval) => approval.request_id === id && approval.status === 'pending'),
  )
}

test('a policy decides at once, says why it denies, and logs its decision', async () => {
  const { id, agent } = await house.createConnected({ tool_policy: { mode: 'allow_list', tools: ['Read'] } })
  expect(await agent.answer(agent.askTool('Read', { file_path: '/a' }))).toEqual({
    behavior: 'allow',
    updatedInput: { file_path: '/a' },
  })
  expect(await agent.answer(agent.askTool('Bash', { command: 'ls' }))).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' is not allowed by policy 'allow_list'",
  })
  expect(lines).toContainEqual({ agent_id: id, tool_name: 'Read', decision: 'allow', policy_mode: 'allow_list' })
  expect(lines).toContainEqual({ agent_id: id, tool_name: 'Bash', decision: 'deny', policy_mode: 'allow_list' })
  expect(await approvals().list({ agentId: id })).toEqual([])
})

test('a changed policy holds for the next request', async () => {
  const { id, agent } = await house.createConnected()
  expect((await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior).toBe('allow')
  expect(await house.orchestrator.agents.setPolicy(id, { mode: 'deny_list', tools: ['Bash', 'Bash'] }, alice)).toEqual({
    mode: 'deny_list',
    tools: ['Bash'],
  })
  expect((await agent.answer(agent.askTool('Bash', { command: 'ls' }))).behavior).toBe('deny')
  expect(await refusal(house.orchestrator.agents.setPolicy(id, { mode: 'deny_list' }, alice))).toMatchObject({
    status: 400,
  })
  expect(await house.orchestrator.audit.latest('agents', id, 'tool_policy')).toMatchObject({ actor: 'alice' })
})

test('a request under require_approval is on record, told to the streams, and not answered', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  expect(approval).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    agent_id: id,
    request_id: approval.request_id,
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    status: 'pending',
    created_at: new Date(clock.now()).toISOString(),
    expires_at: new Date(clock.now() + 300_000).toISOString(),
    decided_at: null,
    decided_by: null,
    reason: null,
  })
  expect(house.frame('pending_approval', id)).toMatchObject({ content: 'Bash(make)', approval })
  expect(agent.answers(approval.request_id)).toEqual([])
  expect(await approvals().get(approval.id)).toEqual(approval)
  expect((await house.orchestrator.figures()).approvals_pending).toBeGreaterThan(0)
})

test('an approval lets the tool run, once, and says who decided', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  expect(await approvals().approve(approval.id, { reason: 'fine' }, alice)).toMatchObject({
    status: 'approved',
    decided_by: 'alice',
    reason: 'fine',
    decided_at: expect.any(String),
  })
  expect(await agent.answer(approval.request_id)).toEqual({ behavior: 'allow', updatedInput: { command: 'make' } })
  expect(house.frame('approval_decided', id)).toMatchObject({ approval: { status: 'approved' } })
  expect(lines).toContainEqual({ agent_id: id, tool_name: 'Bash', decision: 'allow', policy_mode: 'require_approval' })
  await held(agent, 'Bash', { command: 'make' })
})

test('an approval may change the input', async () => {
  const { agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  await approvals().approve(approval.id, { updated_input: { command: 'make -n' } }, alice)
  expect(await agent.answer(approval.request_id)).toEqual({ behavior: 'allow', updatedInput: { command: 'make -n' } })
})

test('a denial tells the agent who and why', async () => {
  const { agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  await approvals().deny(approval.id, { reason: 'not today', updated_input: { command: 'x' } }, alice)
  expect(await agent.answer(approval.request_id)).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied by alice: not today",
  })
})

test('a decision is final: the second one is a conflict, an unknown one not found', async () => {
  const { agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
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

test('five minutes without a decision deny the request', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  house.tick(299_999)
  expect((await approvals().get(approval.id)).status).toBe('pending')
  house.tick(1)
  expect(await agent.answer(approval.request_id)).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied: no human decision came within 5 minutes",
  })
  expect(await approvals().get(approval.id)).toMatchObject({
    status: 'timed_out',
    decided_by: null,
    reason: 'no human decision came within 5 minutes',
  })
  expect(house.frame('approval_decided', id)).toMatchObject({ approval: { status: 'timed_out' } })
  expect(await refusal(approvals().approve(approval.id, {}, alice))).toMatchObject({ status: 409 })
})

test('a timeout that cannot be recorded is tried again', async () => {
  const { agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  await house.db.raw('PRAGMA query_only = ON')
  house.tick(300_000)
  await eventually(async () => (await refusal(approvals().approve(approval.id, {}, alice)))?.status === 503)
  await house.db.raw('PRAGMA query_only = OFF')
  await eventually(async () => {
    house.tick(1000)
    return (await approvals().get(approval.id)).status === 'timed_out'
  })
})

test('the same request again is one approval, and gets its answer again', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  agent.askTool('Bash', { command: 'make' }, approval.request_id)
  agent.send({ type: 'keep_alive' })
  await eventually(() => house.frame('keep_alive', id))
  expect((await approvals().list({ agentId: id })).length).toBe(1)
  await approvals().approve(approval.id, {}, alice)
  await agent.answer(approval.request_id)
  agent.askTool('Bash', { command: 'make' }, approval.request_id)
  await eventually(() => agent.answers(approval.request_id).length === 2)
})

test('requests side by side are approvals of their own', async () => {
  const { id, agent } = await cautious()
  const one = await held(agent, 'Bash', { command: 'make' })
  const two = await held(agent, 'Bash', { command: 'make' })
  expect(one.id).not.toBe(two.id)
  await approvals().deny(two.id, {}, alice)
  expect((await agent.answer(two.request_id)).behavior).toBe('deny')
  expect((await approvals().list({ agentId: id, status: 'pending' })).map((approval) => approval.id)).toEqual([one.id])
})

test('a decision for the session is not asked again until the context clears', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  await approvals().approve(approval.id, { scope: 'session' }, alice)
  expect((await agent.answer(agent.askTool('Bash', { command: 'other' }))).behavior).toBe('allow')
  await held(agent, 'Write', { file_path: '/a' })
  await house.orchestrator.agents.clearContext(id, alice)
  agent.result()
  await held(agent, 'Bash', { command: 'other' })
})

test('an agent that withdraws its request closes the approval at once', async () => {
  const { agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  agent.send({ type: 'control_cancel_request', request_id: approval.request_id })
  await eventually(async () => (await approvals().get(approval.id)).status === 'timed_out')
  expect(await approvals().get(approval.id)).toMatchObject({ reason: 'the agent withdrew the request' })
})

test('terminating the agent closes its approvals at once', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  await house.orchestrator.agents.terminate(id, alice)
  expect(await approvals().get(approval.id)).toMatchObject({ status: 'timed_out', reason: 'the agent was terminated' })
})

test('an approval outlives a lost connection and is delivered when the agent is back', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  agent.socket.terminate()
  await eventually(async () => !(await house.orchestrator.agents.get(id)).connected)
  await approvals().approve(approval.id, {}, alice)
  const back = await house.connect(id, { state: null })
  const ask = await eventually(() => back.received.find((frame) => frame.request?.subtype === 'initialize'))
  back.answerInitialize(ask.request_id, 'requires_action', [
    {
      type: 'control_request',
      request_id: approval.request_id,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'make' } },
    },
  ])
  expect((await back.answer(approval.request_id)).behavior).toBe('allow')
})

test('after a crash the same request under another id takes over what was open', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make', a: 1 })
  await house.orchestrator.agents.restart(id, alice)
  const back = await house.connect(id)
  const again = back.askTool('Bash', { a: 1, command: 'make' })
  await eventually(async () => (await approvals().get(approval.id)).request_id === again)
  expect((await approvals().list({ agentId: id })).length).toBe(1)
  await approvals().approve(approval.id, {}, alice)
  expect((await back.answer(again)).behavior).toBe('allow')
})

test('a decision that comes before a new process has asked again waits for its question', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  await house.orchestrator.agents.restart(id, alice)
  const back = await house.connect(id)
  await approvals().approve(approval.id, {}, alice)
  expect((await back.answer(back.askTool('Bash', { command: 'make' }))).behavior).toBe('allow')
  expect(back.received.filter((frame) => frame.response?.request_id === approval.request_id)).toEqual([])
})

test('a decision nobody heard is used once when the request comes again', async () => {
  const { id, agent } = await cautious()
  const approval = await held(agent, 'Bash', { command: 'make' })
  agent.socket.terminate()
  await eventually(async () => !(await house.orchestrator.agents.get(id)).connected)
  await approvals().deny(approval.id, { reason: 'no' }, alice)
  await house.orchestrator.agents.restart(id, alice)
  const back = await house.connect(id)
  expect(await back.answer(back.askTool('Bash', { command: 'make' }))).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied by alice: no",
  })
  await held(back, 'Bash', { command: 'make' })
})

test('approvals outlive the daemon: an overdue one times out at its start, another keeps its deadline', async () => {
  const other = new World({ clock })
  try {
    const first = await other.open()
    const { id, agent } = await first.createConnected({ tool_policy: { mode: 'require_approval' } })
    const find = (house: House, requestId: string) =>
      eventually(async () =>
        (await house.orchestrator.approvals.list()).find((approval) => approval.request_id === requestId),
      )
    const early = await find(first, agent.askTool('Bash', { command: 'early' }))
    first.tick(200_000)
    const late = await find(first, agent.askTool('Bash', { command: 'late' }))
    await first.crash()
    clock.tick(150_000)
    const second = await other.open()
    expect(await second.orchestrator.approvals.get(early.id)).toMatchObject({ status: 'timed_out' })
    expect(await second.orchestrator.approvals.get(late.id)).toMatchObject({
      status: 'pending',
      expires_at: late.expires_at,
    })
    const back = await second.connect(id, { state: 'requires_action' })
    second.tick(150_000)
    expect((await back.answer(late.request_id)).behavior).toBe('deny')
    back.askTool('Bash', { command: 'early' }, early.request_id)
    expect((await back.answer(early.request_id)).message).toContain('no human decision')
  } finally {
    await other.close()
  }
})
