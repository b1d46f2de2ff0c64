import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const MOST = 3
const clock = new TestClock()
const machine = new TestMachine({
  clock,
  env: { SVC_LIMIT_PENDING_APPROVALS: String(MOST), SVC_LIMIT_WAITING_MESSAGES: String(MOST) },
})
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const pending = async (agentId: string) =>
  (await daemon.orchestrator.approvals.list({ agentId, status: 'pending' })).items

test('denies a tool request above the limit at once, without a record', async () => {
  const { id, agent } = await daemon.createCautious()
  const other = await daemon.createCautious()
  for (let at = 0; at < MOST; at++) await daemon.held(agent, 'Bash', { command: `make ${at}` })
  expect(await agent.answer(agent.askTool('Bash', { command: 'one more' }))).toEqual({
    behavior: 'deny',
    message:
      `Tool 'Bash' denied: agent:worker has reached its limit of ${MOST} pending approvals (SVC_LIMIT_PENDING_APPROVALS): ` +
      'wait until some are decided, or ask a person to raise the limit',
  })
  expect(await pending(id)).toHaveLength(MOST)
  await daemon.held(other.agent, 'Bash', { command: 'make' })
  await daemon.orchestrator.approvals.deny((await pending(id))[0]!.id, {}, alice)
  await daemon.held(agent, 'Bash', { command: 'one more' })
})

test('answers a repeated request from the record, also at the limit', async () => {
  const { id, agent } = await daemon.createCautious()
  const requestId = agent.askTool('Bash', { command: 'make 0' })
  for (let at = 1; at < MOST; at++) await daemon.held(agent, 'Bash', { command: `make ${at}` })
  agent.askTool('Bash', { command: 'make 0' }, requestId)
  const [approval] = (await pending(id)).filter(({ request_id }) => request_id === requestId)
  await daemon.orchestrator.approvals.approve(approval!.id, {}, alice)
  expect(await agent.answer(requestId)).toMatchObject({ behavior: 'allow' })
})

test('drops the requests of an agent that is terminated', async () => {
  const { id, agent } = await daemon.createCautious()
  for (let at = 0; at < 2000; at++) agent.askTool('Bash', { command: `make ${at}` })
  await eventually(async () => (await pending(id)).length > 0)
  await daemon.orchestrator.agents.terminate(id, alice)
  expect(await pending(id)).toEqual([])
  await daemon.awaitChanges()
  expect(await pending(id)).toEqual([])
})

test('refuses messages of an agent above the limit, over all recipients, but not of people', async () => {
  const [first, second] = [await daemon.createConnected(), await daemon.createConnected()]
  const sender = { actor: 'agent:sender', agent: 'sender-id', requestId: 'r', endpoint: 'TEST' }
  const send = (id: string, by = sender) => daemon.orchestrator.agents.message(id, 'hello', by)
  // The first message is sent, and keeps its recipient busy.
  expect([(await send(first.id)).status, (await send(second.id)).status]).toEqual(['sent', 'sent'])
  for (const id of [first.id, second.id, first.id]) expect((await send(id)).status).toBe('queued')
  expect(await refusal(send(second.id))).toMatchObject({
    status: 429,
    code: 'limit-reached',
    message: expect.stringContaining('limit of 3 waiting messages (SVC_LIMIT_WAITING_MESSAGES): wait until some'),
  })
  expect((await send(second.id, { ...alice, agent: undefined } as never)).status).toBe('queued')
  await second.agent.prompt(1)
  second.agent.result()
  await second.agent.prompt(2)
  expect((await send(second.id)).status).toBe('queued')
})
