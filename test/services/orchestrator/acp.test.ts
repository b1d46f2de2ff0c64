import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acpCommand, using } from '../../bridge/acp/stand.ts'
import type { Frame } from '../../bridge/agent-server.ts'
import { eventually } from '../../support/eventually.ts'
import { bridgeProgram } from '../../support/built.ts'
import { alice, TestMachine, workflow, type TestOrchestrator } from './harness.ts'

const machine = new TestMachine()
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open({ bridge: bridgeProgram })
})
afterAll(() => machine.close())

const start = async (mode: 'allow_all' | 'require_approval', env: Record<string, string> = {}) => {
  const { id } = await daemon.create({ runtime: 'acp', command: acpCommand, tool_policy: { mode }, env })
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).connected)
  return id
}
const touching = (file: string) => using({ kind: 'execute', rawInput: { command: `touch ${file}` } })
const texts = (id: string, type: string) =>
  daemon.frames.filter((frame) => frame.agent_id === id && frame.type === type).map((frame) => frame.content)
const turns = (id: string) =>
  daemon.frames.filter(({ agent_id, message }) => agent_id === id && (message as Frame)?.['subtype'] === 'init').length

test('runs a tool once after a person allows it', async () => {
  const id = await start('require_approval', { ACP_ASKS: 'yes' })
  const { agents, approvals } = daemon.orchestrator
  const pending = () => eventually(async () => (await approvals.list({ agentId: id, status: 'pending' })).items[0])
  await agents.message(id, touching('allowed'), alice)
  const approval = await pending()
  expect(approval).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'touch allowed' } })
  expect(existsSync(join(machine.work, 'allowed'))).toBe(false)
  await approvals.approve(approval.id, {}, alice)
  await eventually(() => existsSync(join(machine.work, 'allowed')))
  await agents.message(id, touching('denied'), alice)
  await approvals.deny((await pending()).id, { reason: 'not today' }, alice)
  await eventually(() => texts(id, 'result').some((text) => text.includes('I may not')))
  expect(existsSync(join(machine.work, 'denied'))).toBe(false)
  const asked = { agent: id, recorded: 10, tool_policy: { mode: 'deny_all' } } as const
  const recorded = { tool: 'Bash', before: 'ask', after: 'deny' }
  expect((await daemon.orchestrator.policyTests.run(asked, alice)).calls).toMatchObject([
    { ...recorded, input: 'touch denied' },
    { ...recorded, input: 'touch allowed' },
  ])
})

test('runs a workflow, interrupts a turn and clears the conversation', async () => {
  const id = await start('allow_all')
  const { agents, workflows } = daemon.orchestrator
  const statuses = async (flow: string) => (await workflows.history(flow)).items.map(({ status }) => status)
  const flow = await workflows.create(workflow(id, { prompt_template: touching('by-{{title}}') }), alice)
  await eventually(() => workflows.trigger(flow.id, { title: 'task' }, alice))
  await eventually(async () => (await statuses(flow.id))[0] === 'completed')
  expect(existsSync(join(machine.work, 'by-task'))).toBe(true)
  const hanging = await workflows.create(workflow(id, { prompt_template: 'HANG' }), alice)
  await eventually(() => workflows.trigger(hanging.id, {}, alice))
  await eventually(() => turns(id) === 2)
  await agents.interrupt(id, alice)
  await eventually(async () => (await statuses(hanging.id))[0] === 'failed')
  await eventually(() => agents.clearContext(id, alice))
  await eventually(async () => (await agents.get(id)).activity === 'idle')
  await agents.message(id, 'new', alice)
  await eventually(() => texts(id, 'result').some((text) => text.includes('ECHO(1): new')))
})

test('sends no prompt under a policy to a program without permission requests', async () => {
  const id = await start('require_approval')
  await daemon.orchestrator.agents.message(id, touching('unproved'), alice)
  await eventually(async () =>
    (await daemon.orchestrator.agents.get(id)).last_error?.includes('permits tools without a request'),
  )
  expect(texts(id, 'result')).toEqual([])
})

test('refuses a tool that reaches outside the agent’s directories under any policy', async () => {
  const id = await start('allow_all')
  await daemon.orchestrator.agents.message(id, using({ kind: 'read', locations: [{ path: '/etc/passwd' }] }), alice)
  await eventually(() => texts(id, 'result').some((text) => text.includes('I may not')))
})
