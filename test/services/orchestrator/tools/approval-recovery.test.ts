import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const clock = new TestClock()
const machine = new TestMachine({ clock })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const approvals = () => daemon.orchestrator.approvals

test('closes an approval at once when the agent withdraws its request', async () => {
  const { agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  agent.send({ type: 'control_cancel_request', request_id: approval.request_id })
  await eventually(async () => (await approvals().get(approval.id)).status === 'timed_out')
  expect(await approvals().get(approval.id)).toMatchObject({ reason: 'the agent withdrew the request' })
})

test('closes the approvals of a terminated agent at once', async () => {
  const { id, agent } = await daemon.createCautious()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  await daemon.orchestrator.agents.terminate(id, alice)
  expect(await approvals().get(approval.id)).toMatchObject({ status: 'timed_out', reason: 'the agent was terminated' })
})

test('delivers a decision after a lost connection is restored', async () => {
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

/** Reports the conversation id, as the real program does. */
const introduce = (agent: HandAgent, session_id: string) =>
  agent.send({ type: 'system', subtype: 'init', session_id, uuid: randomUUID() })

async function createLasting(): Promise<{ id: string; agent: HandAgent }> {
  const made = await daemon.createConnected({ tool_policy: { mode: 'require_approval' }, restart: 'on-failure' })
  introduce(made.agent, 'conversation')
  return made
}

/** Kills the process, runs `meanwhile`, and connects the next process with `conversation`. */
async function crash(
  id: string,
  agent: HandAgent,
  { conversation = 'conversation', meanwhile = async (): Promise<unknown> => undefined } = {},
): Promise<HandAgent> {
  const { agents } = daemon.orchestrator
  await machine.killAgent(id)
  agent.socket.terminate()
  await eventually(async () => (await agents.get(id)).status === 'failed')
  await meanwhile()
  await eventually(
    async () => {
      const { status } = await agents.get(id)
      if (status === 'failed') daemon.tick(1000)
      return status === 'running'
    },
    20_000,
    100,
  )
  const back = await daemon.connect(id)
  introduce(back, conversation)
  return back
}

test('hands a pending approval to the resumed conversation under another id', async () => {
  const { id, agent } = await createLasting()
  const approval = await daemon.held(agent, 'Bash', { command: 'make', a: 1 })
  const back = await crash(id, agent)
  expect(await refusal(approvals().approve(approval.id, {}, alice))).toMatchObject({
    code: 'process-gone',
    message: expect.stringMatching(/^approval [0-9a-f-]{36} \(\w+, of [\w-]+\) cannot be approved: /),
  })
  const again = back.askTool('Bash', { a: 1, command: 'make' })
  await eventually(async () => (await approvals().get(approval.id)).request_id === again)
  expect((await approvals().list({ agentId: id })).items.length).toBe(1)
  await approvals().approve(approval.id, {}, alice)
  expect((await back.answer(again)).behavior).toBe('allow')
})

test('does not hand an approval to another conversation until it times out', async () => {
  const { id, agent } = await createLasting()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  const back = await crash(id, agent, { conversation: 'another' })
  const another = await daemon.held(back, 'Bash', { command: 'make' })
  expect(another.id).not.toBe(approval.id)
  expect(await approvals().get(approval.id)).toMatchObject({ status: 'pending', request_id: approval.request_id })
  expect(await refusal(approvals().approve(approval.id, {}, alice))).toMatchObject({ code: 'process-gone' })
  daemon.tick(300_000)
  await eventually(async () => (await approvals().get(approval.id)).status === 'timed_out')
})

test('closes approvals of the crashed process on a manual restart', async () => {
  const { id, agent } = await createLasting()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  const meanwhile = () => daemon.orchestrator.agents.restart(id, alice)
  const back = await crash(id, agent, { meanwhile })
  expect(await approvals().get(approval.id)).toMatchObject({ status: 'timed_out', reason: 'the agent was restarted' })
  expect((await daemon.held(back, 'Bash', { command: 'make' })).id).not.toBe(approval.id)
})

test('uses an undelivered decision once when the resumed conversation asks again', async () => {
  const { id, agent } = await createLasting()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  const back = await crash(id, agent, { meanwhile: () => approvals().deny(approval.id, { reason: 'no' }, alice) })
  expect(await back.answer(back.askTool('Bash', { command: 'make' }))).toEqual({
    behavior: 'deny',
    message: "Tool 'Bash' denied by alice: no",
  })
  await daemon.held(back, 'Bash', { command: 'make' })
})

test('does not use a delivered decision again that is recorded as unsent', async () => {
  const { id, agent } = await createLasting()
  const approval = await daemon.held(agent, 'Bash', { command: 'make' })
  const meanwhile = async () => {
    await approvals().deny(approval.id, {}, alice)
    await daemon.db('orchestrator_approvals').where({ id: approval.id }).update({ delivered_at: approval.created_at })
  }
  const back = await crash(id, agent, { meanwhile })
  expect((await daemon.held(back, 'Bash', { command: 'make' })).id).not.toBe(approval.id)
})

test('keeps approvals across daemons and expires overdue ones at the start', async () => {
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

test('closes approvals when daemon and agents stop gracefully', async () => {
  const other = new TestMachine({ clock })
  try {
    const first = await other.open()
    const { id, agent } = await first.createConnected({ tool_policy: { mode: 'require_approval' } })
    const approval = await first.held(agent, 'Bash', { command: 'make' })
    await first.orchestrator.stop({ agents: true })
    await first.stop()
    const second = await other.open()
    expect(await second.orchestrator.approvals.get(approval.id)).toMatchObject({
      status: 'timed_out',
      reason: 'the agent was stopped',
    })
    expect(await second.orchestrator.agents.get(id)).toMatchObject({ status: 'stopped' })
  } finally {
    await other.close()
  }
})
