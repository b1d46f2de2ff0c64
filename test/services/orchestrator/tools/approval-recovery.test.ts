// What becomes of open approvals when the agent, its connection or the daemon ends and comes back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const clock = new TestClock()
const machine = new TestMachine({ clock })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const approvals = () => daemon.orchestrator.approvals

test('an agent that withdraws its request closes the approval at once', async () => {
  const { agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  agent.send({ type: 'control_cancel_request', request_id: approval.request_id })
  await eventually(async () => (await approvals().get(approval.id)).status === 'timed_out')
  expect(await approvals().get(approval.id)).toMatchObject({ reason: 'the agent withdrew the request' })
})

test('terminating the agent closes its approvals at once', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await daemon.orchestrator.agents.terminate(id, alice)
  expect(await approvals().get(approval.id)).toMatchObject({ status: 'timed_out', reason: 'the agent was terminated' })
})

test('an approval outlives a lost connection and is delivered when the agent is back', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  agent.socket.terminate()
  await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
  await approvals().approve(approval.id, {}, alice)
  const back = await daemon.connect(id, { state: null })
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
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make', a: 1 })
  await daemon.orchestrator.agents.restart(id, alice)
  const back = await daemon.connect(id)
  const again = back.askTool('Bash', { a: 1, command: 'make' })
  await eventually(async () => (await approvals().get(approval.id)).request_id === again)
  expect((await approvals().list({ agentId: id })).items.length).toBe(1)
  await approvals().approve(approval.id, {}, alice)
  expect((await back.answer(again)).behavior).toBe('allow')
})

test('a decision that comes before a new process has asked again waits for its question', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await daemon.orchestrator.agents.restart(id, alice)
  const back = await daemon.connect(id)
  await approvals().approve(approval.id, {}, alice)
  expect((await back.answer(back.askTool('Bash', { command: 'make' }))).behavior).toBe('allow')
  expect(back.received.filter((frame) => frame.response?.request_id === approval.request_id)).toEqual([])
})

test('a decision nobody heard is used once when the request comes again', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  agent.socket.terminate()
  await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
  await approvals().deny(approval.id, { reason: 'no' }, alice)
  await daemon.orchestrator.agents.restart(id, alice)
  const back = await daemon.connect(id)
  expect(await back.answer(back.askTool('Bash', { command: 'make' }))).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied by alice: no",
  })
  await daemon.held(back, 'Bash', { command: 'make' })
})

test('approvals outlive the daemon: an overdue one times out at its start, another keeps its deadline', async () => {
  const other = new TestMachine({ clock })
  try {
    const first = await other.open()
    const { id, agent } = await first.createConnected({ tool_policy: { mode: 'require_approval' } })
    const find = (daemon: TestOrchestrator, requestId: string) =>
      eventually(async () =>
        (await daemon.orchestrator.approvals.list()).items.find((approval) => approval.request_id === requestId),
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
