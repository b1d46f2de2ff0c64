import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { Vault } from '../../../../platform/secrets/vault.ts'
import type { StreamFrame } from '../../../../schemas/agent/stream.ts'
import type { Approval } from '../../../../schemas/tools/approval.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { openTables } from '../../../../services/orchestrator/record/tables.ts'
import { recordSend } from '../../../../services/orchestrator/tools/decisions.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const TABLE = 'orchestrator_approvals'
const bob = { ...alice, actor: 'bob' }

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const approvals = () => daemon.orchestrator.approvals
  const time = () => new Date(clock.now()).toISOString()
  const isDelivered = (id: string) => eventually(async () => (await approvals().get(id)).delivered_at !== null)

  /** A pending request whose agent has lost its connection. */
  async function heldAway(): Promise<{ id: string; approval: Approval }> {
    const { id, agent } = await daemon.createCautious()
    const approval = await daemon.held(agent, 'Bash', { command: 'make' })
    await disconnect(id, agent)
    return { id, approval }
  }

  async function disconnect(id: string, agent: HandAgent): Promise<void> {
    agent.socket.terminate()
    await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
  }

  /** Reconnects; the agent lists `open` as its open requests. */
  async function reconnect(id: string, open: Approval[]): Promise<HandAgent> {
    const back = await daemon.connect(id, { state: null })
    const ask = await eventually(() => back.received.find((frame) => frame.request?.subtype === 'initialize'))
    const pending = open.map(({ request_id, tool_name, tool_input: input }) => ({
      type: 'control_request',
      request_id,
      request: { subtype: 'can_use_tool', tool_name, input },
    }))
    back.answerInitialize(ask.request_id, 'requires_action', pending)
    return back
  }

  test('makes an undelivered decision pending again with the time that was left', async () => {
    const { id, approval } = await heldAway()
    daemon.tick(100_000)
    const decision = { reason: 'fine', scope: 'session', updated_input: { command: 'make -n' } } as const
    expect(await approvals().approve(approval.id, decision, alice)).toMatchObject({ delivered_at: null })
    daemon.tick(500_000)
    const withdrawn = await approvals().withdraw(approval.id, bob)
    const expires_at = new Date(clock.now() + 200_000).toISOString()
    expect(withdrawn).toEqual({ ...approval, expires_at })
    expect(await approvals().get(approval.id)).toEqual(withdrawn)
    expect(daemon.frame('approval_withdrawn', id)).toMatchObject({
      content: 'Bash(make): decision withdrawn by bob',
      approval: withdrawn,
    })
    const back = await reconnect(id, [approval])
    await eventually(() => daemon.frame('agent_status', id))
    expect(back.answers(approval.request_id)).toEqual([])
    daemon.tick(199_999)
    expect((await approvals().get(approval.id)).status).toBe('pending')
    daemon.tick(1)
    expect(await back.answer(approval.request_id)).toEqual({
      behavior: 'deny',
      message: "Tool 'Bash' denied: no human decision came within 5 minutes",
    })
  })

  test('lets another decision follow, and delivers that one', async () => {
    const { id, approval } = await heldAway()
    await approvals().approve(approval.id, { updated_input: { command: 'make -n' } }, alice)
    await approvals().withdraw(approval.id, alice)
    await approvals().deny(approval.id, { reason: 'changed my mind' }, bob)
    const back = await reconnect(id, [approval])
    expect((await back.answer(approval.request_id)).message).toBe("Tool 'Bash' denied by bob: changed my mind")
    await isDelivered(approval.id)
    expect(back.answers(approval.request_id)).toHaveLength(1)
  })

  test('ends the grant for the session', async () => {
    const { id, approval } = await heldAway()
    await approvals().approve(approval.id, { scope: 'session' }, alice)
    await approvals().withdraw(approval.id, alice)
    const back = await reconnect(id, [approval])
    const other = await daemon.held(back, 'Bash', { command: 'other' })
    expect(other).toMatchObject({ status: 'pending' })
    await approvals().approve(approval.id, {}, alice)
    expect(await back.answer(approval.request_id)).toMatchObject({ behavior: 'allow' })
    expect(back.answers(other.request_id)).toEqual([])
  })

  test('refuses to withdraw once the decision is delivered', async () => {
    const { agent } = await daemon.createCautious()
    for (const scope of ['once', 'session'] as const) {
      const approval = await daemon.held(agent, 'Bash', { command: `make ${scope}` })
      await approvals().approve(approval.id, { scope }, alice)
      await agent.answer(approval.request_id)
      await isDelivered(approval.id)
      const before = await approvals().get(approval.id)
      const isTold = ({ type, approval: told }: StreamFrame) =>
        type === 'approval_delivered' && told!.id === approval.id
      expect((await eventually(() => daemon.frames.find(isTold))).approval).toEqual(before)
      expect(before).toMatchObject({ status: 'approved', delivered_at: time() })
      expect(await refusal(approvals().withdraw(approval.id, alice))).toMatchObject({
        status: 409,
        code: 'delivered',
        message: `approval ${approval.id} (approved by alice) cannot be withdrawn: it was sent to the agent at ${time()}; interrupt the agent to stop the tool`,
      })
      expect(await approvals().get(approval.id)).toEqual(before)
    }
  })

  test('refuses to withdraw a delivered decision that is recorded as unsent', async () => {
    const { approval } = await heldAway()
    await approvals().approve(approval.id, {}, alice)
    await daemon.db(TABLE).where({ id: approval.id }).update({ delivered_at: time() })
    expect(await refusal(approvals().withdraw(approval.id, alice))).toMatchObject({ code: 'delivered' })
  })

  test('refuses to withdraw what no person has decided, and an unknown approval', async () => {
    const { id, agent } = await daemon.createCautious()
    const pending = await daemon.held(agent, 'Bash', { command: 'make' })
    const timedOut = await daemon.held(agent, 'Bash', { command: 'make test' })
    agent.send({ type: 'control_cancel_request', request_id: timedOut.request_id })
    await eventually(async () => (await approvals().get(timedOut.id)).status === 'timed_out')
    for (const approval of [pending, timedOut])
      expect(await refusal(approvals().withdraw(approval.id, alice))).toMatchObject({
        status: 409,
        code: 'not-decided',
      })
    await disconnect(id, agent)
    await approvals().deny(pending.id, {}, alice)
    await daemon.orchestrator.agents.terminate(id, alice)
    expect(await refusal(approvals().withdraw(pending.id, alice))).toMatchObject({ code: 'not-decided' })
    expect(await refusal(approvals().withdraw(randomUUID(), alice))).toMatchObject({ status: 404 })
  })

  test('either withdraws a decision or delivers it when both happen at once', async () => {
    const { agent: back } = await daemon.createCautious()
    for (let at = 0; at < 20; at++) {
      const asked = await daemon.held(back, 'Bash', { command: `make ${at}` })
      await approvals().approve(asked.id, {}, alice)
      const refused = await refusal(approvals().withdraw(asked.id, alice))
      if (refused === null) {
        expect((await approvals().get(asked.id)).status).toBe('pending')
        await approvals().deny(asked.id, {}, alice)
        expect((await back.answer(asked.request_id)).behavior).toBe('deny')
      } else {
        expect(refused).toMatchObject({ code: 'delivered' })
        expect((await back.answer(asked.request_id)).behavior).toBe('allow')
      }
      await isDelivered(asked.id)
      expect(back.answers(asked.request_id)).toHaveLength(1)
    }
  })

  test('sends one answer if another decision follows while the agent’s frames wait', async () => {
    const { id, agent } = await daemon.createCautious()
    const asked = await daemon.held(agent, 'Bash', { command: 'make' })
    for (let at = 0; at < 40; at++) agent.askTool('Bash', { command: `other ${at}` })
    await eventually(async () => (await approvals().list({ agentId: id })).total > 1)
    await approvals().approve(asked.id, {}, alice)
    await approvals().withdraw(asked.id, alice)
    await approvals().deny(asked.id, {}, alice)
    expect((await agent.answer(asked.request_id)).behavior).toBe('deny')
    await daemon.held(agent, 'Bash', { command: 'the last frame' })
    expect(agent.answers(asked.request_id)).toHaveLength(1)
  })

  test('keeps a withdrawn request pending across a crash, until its new deadline', async () => {
    const { id, approval } = await heldAway()
    daemon.tick(100_000)
    await approvals().approve(approval.id, {}, alice)
    daemon.tick(1_000_000)
    const withdrawn = await approvals().withdraw(approval.id, alice)
    await daemon.crash()
    daemon = await machine.open()
    expect(await approvals().get(approval.id)).toEqual(withdrawn)
    const back = await reconnect(id, [approval])
    daemon.tick(200_000)
    expect((await back.answer(approval.request_id)).behavior).toBe('deny')
    await eventually(async () => (await approvals().get(approval.id)).status === 'timed_out')
  })

  test('keeps an undelivered decision withdrawable across a crash', async () => {
    const { id, approval } = await heldAway()
    await approvals().approve(approval.id, {}, alice)
    await daemon.crash()
    daemon = await machine.open()
    expect(await approvals().get(approval.id)).toMatchObject({ status: 'approved', delivered_at: null })
    await approvals().withdraw(approval.id, alice)
    const back = await reconnect(id, [approval])
    await daemon.held(back, 'Bash', { command: 'marker' })
    expect(back.answers(approval.request_id)).toEqual([])
  })

  /** As after a crash between a send and its record. */
  async function sentButUnrecorded(): Promise<{ id: string; approval: Approval; sent: string }> {
    const { id, agent } = await daemon.createCautious()
    const approval = await daemon.held(agent, 'Bash', { command: 'make' })
    const sent = time()
    await approvals().approve(approval.id, {}, alice)
    await agent.answer(approval.request_id)
    await isDelivered(approval.id)
    await daemon.db(TABLE).where({ id: approval.id }).update({ delivered_at: null })
    await daemon.crash()
    daemon.tick(5000)
    daemon = await machine.open()
    return { id, approval, sent }
  }

  test('confirms a delivery that a crash left unrecorded if the agent no longer asks', async () => {
    const { id, approval, sent } = await sentButUnrecorded()
    expect(await refusal(approvals().withdraw(approval.id, alice))).toMatchObject({
      code: 'delivered',
      message: expect.stringContaining(`it may have been sent to the agent at ${sent}; interrupt`),
    })
    expect(await approvals().get(approval.id)).toMatchObject({ delivered_at: null })
    await reconnect(id, [])
    await isDelivered(approval.id)
    expect(await approvals().get(approval.id)).toMatchObject({ delivered_at: sent })
    expect(await eventually(() => daemon.frame('approval_delivered', id))).toMatchObject({
      content: '',
      approval: { id: approval.id, delivered_at: sent },
    })
  })

  test('counts a decision that may have been sent as delivered when the process ends', async () => {
    const { id, approval, sent } = await sentButUnrecorded()
    await machine.killAgent(id)
    clock.tick(60_000)
    await isDelivered(approval.id)
    expect(await approvals().get(approval.id)).toMatchObject({ status: 'approved', delivered_at: sent })
  })

  test('delivers again after a crash if the agent still asks', async () => {
    const { id, approval } = await sentButUnrecorded()
    const back = await reconnect(id, [approval])
    expect((await back.answer(approval.request_id)).behavior).toBe('allow')
    await isDelivered(approval.id)
    expect(await approvals().get(approval.id)).toMatchObject({ delivered_at: time() })
  })

  test('keeps a decision withdrawable if its first send did not reach a socket', async () => {
    const record = { clock, tables: openTables({ db: daemon.db, vault: Vault.ephemeral() }) }
    for (const isFirst of [false, true]) {
      const { approval } = await heldAway()
      await approvals().deny(approval.id, {}, alice)
      const row = await record.tables.approvals.change(approval.id, { sending_at: time() })
      await recordSend(record, { row: row!, overruled: false, isFirst }, false)
      expect(await approvals().get(approval.id)).toMatchObject({ delivered_at: null })
      const refused = await refusal(approvals().withdraw(approval.id, alice))
      expect(refused).toEqual(isFirst ? null : expect.objectContaining({ code: 'delivered' }))
    }
  })
})
