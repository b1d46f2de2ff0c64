import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { Log } from '../../../../platform/core/log/log.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestOrchestrator, workflow, TestMachine } from '../harness.ts'

const clock = new TestClock()
const lines: string[] = []
const keep = (facts: Record<string, unknown>, text: string) => void lines.push(`${text} ${JSON.stringify(facts)}`)
const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log } as unknown as Log
let machine: TestMachine
let daemon: TestOrchestrator
beforeEach(async () => {
  lines.length = 0
  machine = new TestMachine({ clock, log })
  daemon = await machine.open()
})
afterEach(() => machine.close())

const pidOf = async (id: string) => (await machine.mux.get(`svc-orch-${id}`))?.pid

test('adopts an agent whose session is alive with its process', async () => {
  const { id } = await daemon.createConnected()
  const pid = await pidOf(id)
  await daemon.crash()
  daemon = await machine.open()
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ status: 'running', connected: false, restarts: 0 })
  await daemon.connect(id)
  daemon.tick(120_000)
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ status: 'running', connected: true, restarts: 0 })
  expect(await pidOf(id)).toBe(pid)
  expect((await machine.mux.list()).length).toBe(1)
})

test('keeps sessions alive when the daemon stops and asks agents to reconnect', async () => {
  const { id, agent } = await daemon.createConnected()
  const closed = once(agent.socket, 'close')
  await daemon.orchestrator.stop()
  expect((await closed)[0]).toBe(1001)
  await daemon.stop()
  expect(clock.pending).toBe(0)
  expect(await pidOf(id)).toBeGreaterThan(0)
})

test('relaunches an adopted agent that does not reconnect within 60 s', async () => {
  const { id } = await daemon.createConnected()
  const pid = await pidOf(id)
  await daemon.crash()
  daemon = await machine.open()
  daemon.tick(60_000)
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).restarts === 1)
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).status === 'running')
  expect(await pidOf(id)).not.toBe(pid)
  await daemon.connect(id)
})

test('marks an agent without a session as failed before restarting it', async () => {
  const always = await daemon.create({ name: 'always', restart: 'always' })
  const never = await daemon.create({ name: 'never' })
  const owned = await daemon.createConnected({ name: 'owned' })
  await daemon.orchestrator.workflows.create(workflow(owned.id), alice)
  await daemon.crash()
  for (const id of [always.id, never.id, owned.id]) await machine.mux.kill(`svc-orch-${id}`)
  daemon = await machine.open()
  for (const id of [always.id, never.id, owned.id])
    expect(await daemon.orchestrator.agents.get(id)).toMatchObject({
      status: 'failed',
      last_error: 'its session no longer existed when the orchestrator started',
    })
  daemon.tick(1000)
  for (const id of [always.id, owned.id])
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).status === 'running')
  expect(await daemon.orchestrator.agents.get(never.id)).toMatchObject({ status: 'failed', restarts: 0 })
  expect(await daemon.orchestrator.audit.latest('agents', never.id, 'status')).toMatchObject({ actor: 'recovery' })
})

test('records the exit code of a process that ended without a daemon', async () => {
  const { id } = await daemon.create()
  await daemon.crash()
  process.kill((await pidOf(id))!, 'SIGKILL')
  await eventually(async () => (await machine.mux.get(`svc-orch-${id}`))?.dead)
  daemon = await machine.open()
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({
    status: 'failed',
    last_error: 'it ended with exit code 137 while the orchestrator was down',
  })
  expect(await pidOf(id)).toBeUndefined()
})

test('fails dispatches in flight and keeps pending ones', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await daemon.orchestrator.workflows.create(workflow(id), alice)
  const first = await daemon.orchestrator.workflows.trigger(flow.id, {}, alice)
  await agent.prompt(1)
  await daemon.orchestrator.agents.message(id, 'a message that waits', alice)
  const waiting = {
    ...(await daemon.db('orchestrator_dispatches').where({ id: first.id }).first()),
    id: randomUUID(),
    status: 'pending',
    dispatched_at: null,
  }
  delete waiting.seq
  await daemon.db('orchestrator_dispatches').insert(waiting)
  await daemon.db('orchestrator_prompts').insert({
    id: randomUUID(),
    agent_id: id,
    kind: 'dispatch',
    rank: 1,
    content: 'a task that waits',
    dispatch_id: waiting.id,
    status: 'queued',
    created_at: waiting.created_at,
  })
  await daemon.crash()

  daemon = await machine.open()
  const history = (await daemon.orchestrator.workflows.history(flow.id)).items
  expect(history.find((dispatch) => dispatch.id === first.id)).toMatchObject({
    status: 'failed',
    error: 'the orchestrator was restarted',
    completed_at: expect.any(String),
  })
  expect(history.find((dispatch) => dispatch.id === waiting.id)).toMatchObject({ status: 'pending' })
  const back = await daemon.connect(id, { state: 'running' })
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ activity: 'busy' })
  expect(back.prompts()).toEqual([])
  back.result({ result: 'late' })
  expect(await back.prompt(1)).toBe('a message that waits')
  expect(
    (await daemon.orchestrator.workflows.history(flow.id)).items.find((dispatch) => dispatch.id === first.id),
  ).toMatchObject({ status: 'failed', result: null })
  back.result()
  expect(await back.prompt(2)).toBe('a task that waits')
  back.result()
  await eventually(
    async () =>
      (await daemon.orchestrator.workflows.history(flow.id)).items.find((dispatch) => dispatch.id === waiting.id)
        ?.status === 'completed',
  )
})

test('applies a task’s policy until its result, even after the dispatch failed', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await daemon.orchestrator.workflows.create(workflow(id, { tool_policy: { mode: 'deny_all' } }), alice)
  await daemon.orchestrator.workflows.trigger(flow.id, {}, alice)
  await agent.prompt(1)
  await daemon.crash()
  daemon = await machine.open()
  const back = await daemon.connect(id, { state: 'running' })
  expect((await back.answer(back.askTool('Bash', { command: 'ls' }))).behavior).toBe('deny')
  back.result()
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle')
  expect((await back.answer(back.askTool('Bash', { command: 'ls' }))).behavior).toBe('allow')
})

test('sends no prompt to an adopted agent before it reports its state', async () => {
  const { id } = await daemon.createConnected()
  await daemon.crash()
  daemon = await machine.open()
  const back = await daemon.connect(id, { state: null })
  expect(await daemon.orchestrator.agents.message(id, 'wait', alice)).toMatchObject({ status: 'queued' })
  const ask = await eventually(() => back.received.find((frame) => frame.request?.subtype === 'initialize'))
  back.answerInitialize(ask.request_id, 'idle')
  expect(await back.prompt(1)).toBe('wait')
})

test('does not count a result that is repeated to the next daemon', async () => {
  const { id, agent } = await daemon.createConnected()
  await daemon.orchestrator.agents.message(id, 'one', alice)
  await agent.prompt(1)
  const result = agent.result({ total_cost_usd: 0.5 })
  await eventually(async () => (await daemon.orchestrator.agents.usage(id)).cumulative.result_count === 1)
  await daemon.crash()
  daemon = await machine.open()
  const back = await daemon.connect(id)
  await eventually(async () => (await daemon.orchestrator.agents.message(id, 'two', alice)).status !== undefined)
  await back.prompt(1)
  back.send(result)
  back.send({ type: 'keep_alive' })
  await eventually(() => daemon.frame('keep_alive', id))
  expect(await daemon.orchestrator.agents.usage(id)).toMatchObject({
    cumulative: { result_count: 1, total_cost_usd: 0.5 },
  })
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ activity: 'busy' })
})

test('completes a start that was recorded before the daemon crashed', async () => {
  const { id } = await daemon.create({ prompt: 'begin' })
  await daemon.crash()
  await machine.mux.kill(`svc-orch-${id}`)
  const db = (daemon = await machine.open()).db
  await daemon.orchestrator.agents.terminate(id, alice)
  await db('orchestrator_agents').where({ id }).update({ status: 'pending' })
  await daemon.crash()
  daemon = await machine.open()
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).status === 'running')
  const agent = await daemon.connect(id)
  expect(await agent.prompt(1)).toBe('begin')
})

test('adopts a session that was started before its record was updated', async () => {
  const { id } = await daemon.create()
  const pid = await pidOf(id)
  await daemon.db('orchestrator_agents').where({ id }).update({ status: 'pending' })
  await daemon.crash()
  daemon = await machine.open()
  expect(await daemon.orchestrator.agents.get(id)).toMatchObject({ status: 'running', restarts: 0 })
  expect(await pidOf(id)).toBe(pid)
})

test('logs a session with svc’s prefix and no record, and keeps it', async () => {
  await daemon.stop()
  await machine.mux.launch({ name: 'svc-orch-stranger', directory: machine.work, command: ['sleep', '60'] })
  daemon = await machine.open()
  expect(lines.join('\n')).toContain('svc-orch-stranger')
  expect(await machine.mux.get('svc-orch-stranger')).toMatchObject({ dead: false })
})

test('does not create an id twice after an interrupted creation', async () => {
  const id = randomUUID()
  await daemon.orchestrator.agents.create(daemon.spec(), alice, id)
  const pid = await pidOf(id)
  await daemon.crash()
  daemon = await machine.open()
  expect(await daemon.orchestrator.agents.create(daemon.spec(), alice, id)).toMatchObject({ id, status: 'running' })
  expect(await pidOf(id)).toBe(pid)
  expect((await daemon.orchestrator.agents.list()).length).toBe(1)
})

test('completes a removal that the previous daemon began', async () => {
  const { id } = await daemon.createConnected()
  await daemon.db('orchestrator_agents').where({ id }).update({ purge_due: true })
  await daemon.crash()
  daemon = await machine.open()
  expect(await daemon.orchestrator.agents.list()).toEqual([])
  expect(await machine.mux.list()).toEqual([])
  expect(lines.join('\n')).toContain('completed the removal of an agent')
})

test('completes an interrupted removal in the name of its caller', async () => {
  let onKill: (() => Promise<never>) | null = null
  const machine = new TestMachine({
    clock,
    mux: (real) => {
      const kill = real.kill.bind(real)
      return Object.assign(real, { kill: (name: string) => onKill?.() ?? kill(name) })
    },
  })
  try {
    const first = await machine.open()
    const { id } = await first.createConnected()
    let end!: () => void
    const begun = new Promise<void>((resolve) => {
      onKill = () => (resolve(), new Promise((_, reject) => (end = () => reject(new Error('the process is gone')))))
    })
    const purged = first.orchestrator.agents.purge(id, { ...alice, requestId: 'the-removal' })
    await begun
    onKill = null
    await first.db.destroy()
    end()
    await expect(purged).rejects.toThrow('gone')
    await first.stop()
    const next = await machine.open()
    expect(await next.orchestrator.agents.list()).toEqual([])
    const { actor } = alice
    expect(await next.orchestrator.audit.latest('agents', id, '')).toMatchObject({ actor, requestId: 'the-removal' })
  } finally {
    await machine.close()
  }
})

test('does not retry a removal whose failure was reported to the caller', async () => {
  let refuses = false
  const machine = new TestMachine({
    clock,
    mux: (real) => {
      const kill = real.kill.bind(real)
      return Object.assign(real, {
        kill: (name: string) => (refuses ? Promise.reject(new Error('not today')) : kill(name)),
      })
    },
  })
  try {
    const first = await machine.open()
    const { id } = await first.createConnected()
    refuses = true
    await expect(first.orchestrator.agents.purge(id, alice)).rejects.toThrow('not today')
    refuses = false
    await first.crash()
    const next = await machine.open()
    expect((await next.orchestrator.agents.list()).map((agent) => agent.id)).toEqual([id])
  } finally {
    await machine.close()
  }
})
