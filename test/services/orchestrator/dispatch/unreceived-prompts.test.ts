// Programs that do not report their state: the bridge reports whether a prompt arrived.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, TestMachine, TestOrchestrator, workflow } from '../harness.ts'

let machine: TestMachine
let daemon: TestOrchestrator
beforeEach(async () => {
  machine = new TestMachine()
  daemon = await machine.open()
})
afterEach(() => machine.close())

/** `lastPrompt` is the last prompt that the bridge received. */
async function comeBack(id: string, lastPrompt: string | null): Promise<HandAgent> {
  const agent = await daemon.connect(id, { state: null, lastPrompt })
  const asked = agent.received.find((frame) => frame.request?.subtype === 'initialize')!
  agent.answerInitialize(asked.request_id, undefined)
  return agent
}
const messages = async (id: string) => (await daemon.orchestrator.agents.messages(id)).items

test('resends a message that never arrived under its id', async () => {
  const { id } = await daemon.createConnected()
  const { message_id: message } = await daemon.orchestrator.agents.message(id, 'deploy', alice)
  await eventually(async () => (await messages(id))[0]!.status === 'sent')
  await daemon.crash()
  daemon = await machine.open()
  const agent = await comeBack(id, null)
  expect(await agent.prompt(1)).toBe('deploy')
  expect(agent.received.find(({ type }) => type === 'user')!.uuid).toBe(message)
  agent.result()
  await eventually(async () => (await messages(id))[0]!.status === 'done')
})

test('does not resend a message that arrived', async () => {
  const { id } = await daemon.createConnected()
  const { message_id: message } = await daemon.orchestrator.agents.message(id, 'deploy', alice)
  await daemon.orchestrator.agents.message(id, 'and tell', alice)
  await eventually(async () => (await messages(id)).some(({ status }) => status === 'sent'))
  await daemon.crash()
  daemon = await machine.open()
  const agent = await comeBack(id, message)
  agent.result()
  expect(await agent.prompt(1)).toBe('and tell')
  expect((await messages(id)).find((each) => each.id === message)!.status).toBe('done')
})

test('does not block an agent after a task that never arrived fails', async () => {
  const { id } = await daemon.createConnected()
  const flow = await daemon.orchestrator.workflows.create(workflow(id, { on_restart: 'fail' }), alice)
  await daemon.orchestrator.workflows.trigger(flow.id, {}, alice)
  await eventually(async () => (await messages(id))[0]!.status === 'sent')
  await daemon.crash()
  daemon = await machine.open()
  const agent = await comeBack(id, null)
  await daemon.orchestrator.agents.message(id, 'next', alice)
  expect(await agent.prompt(1)).toBe('next')
  expect(agent.prompts()).toEqual(['next'])
  expect((await messages(id)).find(({ kind }) => kind === 'dispatch')).toMatchObject({
    status: 'lost',
    error: 'the connection was lost before the prompt arrived',
  })
})
