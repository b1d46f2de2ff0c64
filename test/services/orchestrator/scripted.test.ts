import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { bridgeProgram } from '../../support/built.ts'
import { alice, TestOrchestrator, workflow, TestMachine } from './harness.ts'

// The real bridge with the scripted agent on the system clock.
const machine = new TestMachine()
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open({ bridge: bridgeProgram })
})
afterAll(() => machine.close())

const connected = (id: string) => eventually(async () => (await daemon.orchestrator.agents.get(id)).connected)
const idle = (id: string) => eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle')
const texts = (id: string, type: string) =>
  daemon.frames.filter((frame) => frame.agent_id === id && frame.type === type).map((frame) => frame.content)

test('connects, answers its initial prompt and counts its usage', async () => {
  const { id } = await daemon.create({ prompt: 'hello there' })
  await connected(id)
  await eventually(() => texts(id, 'result')[0]?.includes('hello there'))
  await idle(id)
  const usage = await daemon.orchestrator.agents.usage(id)
  expect(usage.cumulative).toMatchObject({ result_count: 1, num_turns: 1 })
  expect(usage.cumulative.total_cost_usd).toBeGreaterThan(0)
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ status: 'running', last_error: null, warnings: [] })
})

test('allows a tool, denies one with the reason, holds one for approval', async () => {
  const { id } = await daemon.create({ tool_policy: { mode: 'deny_list', tools: ['Bash(touch denied*)'] } })
  await connected(id)
  const { agents, approvals } = daemon.orchestrator
  await agents.message(id, 'USE_TOOL Bash touch allowed', alice)
  await eventually(() => existsSync(join(machine.work, 'allowed')))
  await agents.message(id, 'USE_TOOL Bash touch denied', alice)
  await eventually(() =>
    texts(id, 'user').some((text) => text.includes("Tool 'Bash' is not allowed by policy 'deny_list'")),
  )
  expect(existsSync(join(machine.work, 'denied'))).toBe(false)
  await agents.setPolicy(id, { mode: 'require_approval' }, alice)
  await agents.message(id, 'USE_TOOL Bash touch asked', alice)
  const approval = await eventually(async () => (await approvals.list({ agentId: id, status: 'pending' })).items[0])
  expect(existsSync(join(machine.work, 'asked'))).toBe(false)
  await approvals.approve(approval.id, { updated_input: { command: 'touch changed' } }, alice)
  await eventually(() => existsSync(join(machine.work, 'changed')))
  expect(existsSync(join(machine.work, 'asked'))).toBe(false)
})

test('runs a manual workflow to its result under its own policy', async () => {
  const { id } = await daemon.create()
  await connected(id)
  const { workflows } = daemon.orchestrator
  const flow = await workflows.create(
    workflow(id, { prompt_template: 'USE_TOOL Bash touch by-{{title}}', tool_policy: { mode: 'deny_all' } }),
    alice,
  )
  await eventually(() => workflows.trigger(flow.id, { title: 'task' }, alice))
  const [dispatch] = await eventually(async () => {
    const history = (await workflows.history(flow.id)).items
    return history[0]?.status === 'completed' && history
  })
  expect(dispatch).toMatchObject({ status: 'completed', prompt_sent: 'USE_TOOL Bash touch by-task' })
  expect(existsSync(join(machine.work, 'by-task'))).toBe(false)
  const failing = await workflows.create(workflow(id, { prompt_template: 'FAIL on purpose' }), alice)
  await eventually(() => workflows.trigger(failing.id, {}, alice))
  await eventually(async () => (await workflows.history(failing.id)).items[0]?.status === 'failed')
})

test('ends the current turn on an interrupt', async () => {
  const { id } = await daemon.create()
  await connected(id)
  await daemon.orchestrator.agents.message(id, 'SLOW 60000', alice)
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'busy')
  await daemon.orchestrator.agents.interrupt(id, alice)
  await idle(id)
})

test('starts another conversation in the same process when the context is cleared', async () => {
  const { id } = await daemon.create()
  await connected(id)
  await daemon.orchestrator.agents.message(id, 'one', alice)
  await eventually(() => texts(id, 'result').length === 1)
  await idle(id)
  const { pid } = (await machine.mux.get(`svc-orch-${id}`))!
  expect(await daemon.orchestrator.agents.clearContext(id, alice)).toMatchObject({ new_session_number: 2 })
  await idle(id)
  await eventually(() => texts(id, 'result').length === 2)
  expect((await machine.mux.get(`svc-orch-${id}`))!.pid).toBe(pid)
  expect(await daemon.orchestrator.agents.usage(id)).toMatchObject({
    session_count: 2,
    current_session: { result_count: 1, num_turns: 0 },
  })
})

test('restarts a crashed agent and resumes its conversation', async () => {
  const { id } = await daemon.create({ restart: 'on-failure' })
  await connected(id)
  await daemon.orchestrator.agents.message(id, 'one', alice)
  await eventually(() => texts(id, 'result').length === 1)
  const session = await eventually(
    async () => (await daemon.db('orchestrator_agents').where({ id }).first()).program_session as string,
  )
  await daemon.orchestrator.agents.message(id, 'EXIT 7', alice)
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).restarts === 1, 15_000)
  await connected(id)
  await daemon.orchestrator.agents.message(id, 'two', alice)
  const results = () => daemon.frames.filter((frame) => frame.type === 'result' && frame.agent_id === id)
  await eventually(() => results().length === 2)
  expect(results().map(({ message }) => message)).toMatchObject([{ session_id: session }, { session_id: session }])
})

test('keeps agent and pending approval for the next daemon after a kill', async () => {
  const mine = new TestMachine()
  try {
    let daemon = await mine.open({ bridge: bridgeProgram })
    const { id } = await daemon.create({ tool_policy: { mode: 'require_approval' } })
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).connected)
    const { pid } = (await mine.mux.get(`svc-orch-${id}`))!
    await daemon.orchestrator.agents.message(id, 'USE_TOOL Bash touch after-the-crash', alice)
    const approval = await eventually(
      async () => (await daemon.orchestrator.approvals.list({ status: 'pending' })).items[0],
    )
    const { port } = new URL(daemon.address)
    await daemon.crash()
    daemon = await mine.open({ bridge: bridgeProgram, port: Number(port) })
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).connected)
    expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ status: 'running', activity: 'busy', restarts: 0 })
    expect((await mine.mux.get(`svc-orch-${id}`))!.pid).toBe(pid)
    expect((await daemon.orchestrator.approvals.list()).items.length).toBe(1)
    await daemon.orchestrator.approvals.approve(approval.id, {}, alice)
    await eventually(() => existsSync(join(mine.work, 'after-the-crash')))
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle')
    expect(await daemon.orchestrator.agents.usage(id)).toMatchObject({ cumulative: { result_count: 1 } })
  } finally {
    await mine.close()
  }
})

test('passes an agent process only its own environment variables', async () => {
  const open = new TestMachine({ env: { SVC_TOKENS_FILE: '/secret/tokens', DATABASE_PASSWORD: 'hush' } })
  try {
    const daemon = await open.open({ bridge: bridgeProgram })
    const { id } = await daemon.create({ env: { GIVEN: 'value' } })
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).connected)
    await daemon.orchestrator.agents.message(id, 'USE_TOOL Bash env > seen.part; mv seen.part seen', alice)
    await eventually(() => existsSync(join(open.work, 'seen')))
    const seen = readFileSync(join(open.work, 'seen'), 'utf8')
    expect(seen).toContain('GIVEN=value')
    expect(seen).toContain(`SVC_AGENT_ID=${id}`)
    expect(seen).not.toContain('hush')
    expect(seen).not.toContain('/secret')
  } finally {
    await open.close()
  }
})
