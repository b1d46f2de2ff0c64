// Frames of an agent with secrets: displayed values are masked, tool input is not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Approval } from '../../../../schemas/tools/approval.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const SECRET = 'hunter2222'
const env = { PASSWORD: SECRET, WORD: 'result', TOOL: 'Bash' }
const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const cautious = () => daemon.createConnected({ env, tool_policy: { mode: 'require_approval' } })
const input = { command: `login ${SECRET}`, list: [SECRET, 'x'], plain: 'y' }
const shown = { command: 'login ***', list: ['***', 'x'], plain: 'y' }

test('shows a request masked, runs its real input and merges decision changes', async () => {
  const { id, agent } = await cautious()
  const first = await daemon.held(agent, 'mcp__notes__add', input)
  expect(first.tool_input).toEqual(shown)
  expect(JSON.stringify([daemon.frames, await daemon.db('orchestrator_approvals')])).not.toContain(SECRET)
  await daemon.orchestrator.approvals.approve(first.id, {}, alice)
  expect(await agent.answer(first.request_id)).toMatchObject({ behavior: 'allow', updatedInput: input })
  const second = await daemon.held(agent, 'mcp__notes__add', input)
  const updated_input = { ...shown, list: ['***', 'changed'], plain: undefined, more: 1 }
  await daemon.orchestrator.approvals.approve(second.id, { updated_input }, alice)
  expect((await agent.answer(second.request_id)).updatedInput).toEqual({
    command: input.command,
    list: [SECRET, 'changed'],
    more: 1,
  })
  await daemon.orchestrator.agents.purge(id, alice)
})

test('never runs the input of an earlier request for a repeated id', async () => {
  const { id, agent } = await cautious()
  agent.askTool('mcp__notes__add', { command: SECRET }, SECRET)
  agent.askTool('mcp__notes__add', { command: `other ${SECRET}` }, '***')
  const isSecond = ({ status, tool_input }: Approval) =>
    status === 'pending' && (tool_input as { command: string }).command === 'other ***'
  const held = await eventually(async () =>
    (await daemon.orchestrator.approvals.list({ agentId: id })).items.find(isSecond),
  )
  await daemon.orchestrator.approvals.approve(held.id, {}, alice)
  expect(await agent.answer('***')).toMatchObject({
    behavior: 'allow',
    updatedInput: { command: `other ${SECRET}` },
  })
  await daemon.orchestrator.agents.purge(id, alice)
})

test('judges the requested tool even if its name is a secret', async () => {
  const { id, agent } = await daemon.createConnected({ env, tool_policy: { mode: 'deny_list', tools: ['Bash'] } })
  expect(await agent.answer(agent.askTool('Bash', { command: 'ls' }))).toMatchObject({ behavior: 'deny' })
  expect(await agent.answer(agent.askTool('Read', { file_path: SECRET }))).toMatchObject({
    behavior: 'allow',
    updatedInput: { file_path: SECRET },
  })
  await daemon.orchestrator.agents.purge(id, alice)
})

test('changes no frame when a secret equals a protocol word', async () => {
  const { id, agent } = await daemon.createConnected({ env })
  await daemon.orchestrator.agents.message(id, 'work', alice)
  await agent.prompt(1)
  agent.result({ result: `the ${SECRET}` })
  const frame = await eventually(() => daemon.frame('result', id))
  expect(frame).toMatchObject({ type: 'result', content: 'the ***', message: { result: 'the ***' } })
  await eventually(async () => (await daemon.orchestrator.agents.usage(id)).cumulative.result_count === 1)
  await daemon.orchestrator.agents.purge(id, alice)
})

test('runs a repeated request after a restart and denies an unrepeated one', async () => {
  const { id, agent } = await cautious()
  const held = await daemon.held(agent, 'mcp__notes__add', input)
  const port = Number(new URL(daemon.address).port)
  await daemon.stop()
  daemon = await machine.open({ port })
  const again = await daemon.connect(id)
  await daemon.orchestrator.approvals.approve(held.id, {}, alice)
  expect(await again.answer(held.request_id)).toEqual({
    behavior: 'deny',
    message: expect.stringContaining('ask again'),
  })
  const second = await daemon.held(again, 'mcp__notes__add', input)
  await daemon.stop()
  daemon = await machine.open({ port })
  const third = await daemon.connect(id)
  third.askTool('mcp__notes__add', input, second.request_id)
  await eventually(() => daemon.frame('control_request', id))
  await daemon.orchestrator.approvals.approve(second.id, {}, alice)
  expect(await third.answer(second.request_id)).toMatchObject({ behavior: 'allow', updatedInput: input })
})

test('masks the part of a command that a person decides', async () => {
  const tool_policy = { mode: 'deny_list' as const, tools: [], ask: ['Bash(login *)'] }
  const { id, agent } = await daemon.createConnected({ env, tool_policy })
  const { finding } = await daemon.held(agent, 'Bash', { command: `login ${SECRET}` })
  expect(finding).toEqual({ reason: 'an entry covers it', part: 'login ***' })
  expect(JSON.stringify([daemon.frames, await daemon.db('orchestrator_approvals')])).not.toContain(SECRET)
  await daemon.orchestrator.agents.purge(id, alice)
})

test('masks the part of a denied command, also where it is cut', async () => {
  const tool_policy = { mode: 'allow_list' as const, tools: ['Bash(ls *)'] }
  const { id, agent } = await daemon.createConnected({ env: { PASSWORD: SECRET }, tool_policy })
  const messageOf = async (command: string) => (await agent.answer(agent.askTool('Bash', { command }))).message
  const denial = "Tool 'Bash' is not allowed by policy 'allow_list': no entry covers it"
  expect(await messageOf(`login ${SECRET}`)).toBe(`${denial}: login ***`)
  expect(await messageOf(`${'a'.repeat(115)}${SECRET} b`)).toBe(`${denial}: ${'a'.repeat(115)}…`)
  await daemon.orchestrator.agents.purge(id, alice)
})

for (const [what, own] of Object.entries({ 'with secrets': { env }, 'without secrets': {} }))
  test(`stores what cannot be stored as U+FFFD and judges it as sent, for an agent ${what}`, async () => {
    const { id, agent } = await daemon.createConnected({ ...own, tool_policy: { mode: 'require_approval' } })
    const held = await daemon.held(agent, 'mcp__notes__add', { text: 'a\0b', 'half\ud800': '🦊' })
    expect(held.tool_input).toEqual({ text: 'a\uFFFDb', 'half\uFFFD': '🦊' })
    await daemon.orchestrator.approvals.approve(held.id, {}, alice)
    expect((await agent.answer(held.request_id)).updatedInput).toEqual({ text: 'a\0b', 'half\uFFFD': '🦊' })
    await daemon.orchestrator.agents.purge(id, alice)
  })
