import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { alice, refusal, workflow, TestMachine, type TestOrchestrator } from './harness.ts'

const bob = { actor: 'bob', requestId: 'req-2', endpoint: 'PUT /policies/{name}' }

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock: new TestClock() })
    daemon = await machine.open({ url: database.url })
  })
  afterAll(() => machine.close())

  test('stores policies by name and audits each changed field', async () => {
    const { policies, audit } = daemon.orchestrator
    const put = await policies.put('read-only', { mode: 'allow_list', tools: ['Read', 'Grep', 'Read'] }, alice)
    expect(put).toMatchObject({
      created: true,
      policy: { name: 'read-only', mode: 'allow_list', tools: ['Grep', 'Read'], description: null },
    })
    await daemon.awaitChanges()
    expect(daemon.changes).toContainEqual({ kind: 'policies', id: 'read-only', name: 'read-only' })
    daemon.changes.length = 0
    expect(await policies.put('read-only', { mode: 'allow_list', tools: ['Read', 'Grep'] }, bob)).toEqual({
      created: false,
      policy: put.policy,
    })
    await daemon.awaitChanges()
    expect(daemon.changes).toEqual([])
    expect(await policies.put('read-only', { mode: 'deny_all', description: 'none' }, bob)).toMatchObject({
      created: false,
      policy: { mode: 'deny_all', tools: [], description: 'none' },
    })
    expect(await audit.latest('policies', 'read-only', 'mode')).toMatchObject({
      actor: 'bob',
      requestId: 'req-2',
      endpoint: 'PUT /policies/{name}',
    })
    expect(await policies.list()).toEqual([await policies.get('read-only')])
    await policies.delete('read-only', alice)
    expect(await audit.latest('policies', 'read-only', 'mode')).toMatchObject({ actor: 'alice' })
    expect(await refusal(policies.get('read-only'))).toMatchObject({ status: 404 })
    expect(await refusal(policies.delete('read-only', alice))).toMatchObject({ status: 404 })
    expect(await refusal(policies.put('x', { mode: 'allow_list' }, alice))).toMatchObject({ status: 400 })
  })

  test('creates a policy once for two concurrent requests', async () => {
    const { policies } = daemon.orchestrator
    const outcomes = await Promise.all(
      ['deny_all', 'allow_all'].map((mode) => policies.put('shared', { mode: mode as 'deny_all' }, alice)),
    )
    expect(outcomes.filter((outcome) => outcome.created).length).toBe(1)
    expect((await policies.list()).length).toBe(1)
  })

  test('lists agents newest first, by status and by name', async () => {
    const { agents } = daemon.orchestrator
    const one = await daemon.create({ name: 'one' })
    const two = await daemon.create({ name: 'two' })
    await agents.terminate(one.id, alice)
    expect((await agents.list()).map((agent) => agent.name)).toEqual(['two', 'one'])
    expect((await agents.list({ status: 'stopped' })).map((agent) => agent.id)).toEqual([one.id])
    expect((await agents.list({ name: 'two' })).map((agent) => agent.id)).toEqual([two.id])
    expect((await agents.inspectAll()).map(({ record, spec }) => [record.id, spec.name])).toEqual([
      [two.id, 'two'],
      [one.id, 'one'],
    ])
    expect(await daemon.figure('agents')).toEqual({
      pending: 0,
      running: 1,
      stopped: 1,
      failed: 0,
    })
    await agents.purge(one.id, alice)
    expect((await agents.list()).map((agent) => agent.id)).toEqual([two.id])
  })

  test('finds an audit row for parent and child fields, not for siblings', async () => {
    const { agents, audit } = daemon.orchestrator
    const { id } = await daemon.create({ env: { A: 'x' } })
    await agents.patch(id, { env: { A: 'y', AB: 'z' } }, { ...bob, actor: 'carol' })
    await agents.setPolicy(id, { mode: 'deny_all' }, bob)
    expect(await audit.latest('agents', id, 'env.A')).toMatchObject({ actor: 'carol' })
    expect(await audit.latest('agents', id, 'env')).toMatchObject({ actor: 'carol' })
    expect(await audit.latest('agents', id, 'tool_policy')).toMatchObject({ actor: 'bob' })
    expect(await audit.latest('agents', id, 'tool_policy.mode.deeper')).toMatchObject({ actor: 'bob' })
    expect(await audit.latest('agents', id, 'tool')).toMatchObject({ actor: 'alice' })
    expect(await audit.latest('agents', id, '')).toMatchObject({ actor: 'bob' })
  })

  test('runs a task from trigger to result with an approval', async () => {
    const { workflows, approvals, agents } = daemon.orchestrator
    const { id, agent } = await daemon.createConnected({ tool_policy: { mode: 'require_approval' } })
    const flow = await workflows.create(workflow(id, { trigger_config: { type: 'webhook', secret: 'hush' } }), alice)
    expect(await workflows.trigger(flow.id, { title: 'with \0 inside' }, alice)).toMatchObject({ status: 'dispatched' })
    await agent.prompt(1)
    const requestId = agent.askTool('Write', { file_path: 'a', content: 'a\0b' })
    const approval = await eventually(async () => (await approvals.list({ status: 'pending', agentId: id })).items[0])
    expect(approval.tool_input).toEqual({ file_path: 'a', content: 'a\uFFFDb' })
    expect(await daemon.figure('approvals_pending')).toBe(1)
    await approvals.approve(approval.id, { scope: 'session', reason: 'ok' }, alice)
    expect((await agent.answer(requestId)).behavior).toBe('allow')
    expect((await agent.answer(agent.askTool('Write', { file_path: 'b' }))).behavior).toBe('allow')
    agent.result({ result: 'a\0b', total_cost_usd: 0.25, usage: { input_tokens: 3_000_000_000 } })
    expect(await approvals.list({ status: 'approved', agentId: id }, { limit: 1, offset: 0 })).toMatchObject({
      items: [{ id: approval.id }],
      total: 1,
    })
    expect(await approvals.list({ agentId: id }, { limit: 1, offset: 1 })).toEqual({ items: [], total: 1 })
    const [dispatch] = await eventually(async () => {
      const history = (await workflows.history(flow.id)).items
      return history[0]!.status === 'completed' && history
    })
    expect(dispatch).toMatchObject({
      trigger_type: 'webhook',
      result: 'a\uFFFDb',
      usage: { total_cost_usd: 0.25, input_tokens: 3_000_000_000 },
    })
    expect(await workflows.history(flow.id, { limit: 1, offset: 0 })).toEqual({ items: [dispatch], total: 1 })
    expect(await agents.usage(id)).toMatchObject({
      cumulative: { input_tokens: 3_000_000_000, total_cost_usd: 0.25, num_turns: 1 },
    })
    expect(await agents.clearContext(id, alice)).toMatchObject({
      new_session_number: 2,
      session_usage: { result_count: 1 },
    })
    agent.result({ num_turns: 0, usage: {} })
    await eventually(async () => (await agents.get(id)).activity === 'idle')
    await workflows.patch(flow.id, { enabled: false }, alice)
    expect(await workflows.get(flow.id)).toMatchObject({ enabled: false, trigger_config: { secret: '***' } })
    await workflows.delete(flow.id, alice)
    expect(await refusal(workflows.get(flow.id))).toMatchObject({ status: 404 })
  })

  test('accepts one of several concurrent decisions', async () => {
    const { id, agent } = await daemon.createConnected({ tool_policy: { mode: 'require_approval' } })
    agent.askTool('Bash', { command: 'x' })
    const approval = await eventually(async () => (await daemon.orchestrator.approvals.list({ agentId: id })).items[0])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => daemon.orchestrator.approvals.approve(approval.id, {}, alice)),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBe(1)
  })

  test('keeps all concurrent changes of one agent', async () => {
    const { id } = await daemon.create()
    await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) => daemon.orchestrator.agents.patch(id, { env: { [name]: name } }, alice)),
    )
    expect(Object.keys((await daemon.orchestrator.agents.spec(id)).env)).toEqual(['A', 'B', 'C', 'D'])
  })

  test('keeps every acknowledged write for the next daemon', async () => {
    const { id, agent } = await daemon.createConnected({ name: 'survivor' })
    await daemon.orchestrator.agents.message(id, 'one', alice)
    await daemon.orchestrator.agents.message(id, 'two', alice)
    agent.result()
    expect(await agent.prompt(2)).toBe('two')
    await daemon.orchestrator.agents.message(id, 'three', alice)
    await daemon.crash()
    daemon = await machine.open({ url: database.url })
    expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ name: 'survivor', status: 'running' })
    const back = await daemon.connect(id, { state: 'running' })
    back.result({ uuid: randomUUID() })
    expect(await back.prompt(1)).toBe('three')
  })
})
