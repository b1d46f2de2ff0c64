import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { eventually } from '../../support/eventually.ts'
import { alice, House, workflow, World } from './harness.ts'

const clock = new TestClock()
const lines: string[] = []
const keep = (facts: Record<string, unknown>, text: string) => void lines.push(`${text} ${JSON.stringify(facts)}`)
const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log } as unknown as Log
let world: World
let house: House
beforeEach(async () => {
  lines.length = 0
  world = new World({ clock, log })
  house = await world.open()
})
afterEach(() => world.close())

const pidOf = async (id: string) => (await world.mux.get(`svc-orch-${id}`))?.pid

test('an agent whose session lives is adopted with its process', async () => {
  const { id } = await house.createConnected()
  const pid = await pidOf(id)
  await house.crash()
  house = await world.open()
  expect(await house.orchestrator.agents.get(id)).toMatchObject({ status: 'running', connected: false, restarts: 0 })
  await house.connect(id)
  house.tick(120_000)
  expect(await house.orchestrator.agents.get(id)).toMatchObject({ status: 'running', connected: true, restarts: 0 })
  expect(await pidOf(id)).toBe(pid)
  expect((await world.mux.list()).length).toBe(1)
})

test('a stopped daemon lets sessions live and tells its agents to come back', async () => {
  const { id, agent } = await house.createConnected()
  const closed = once(agent.socket, 'close')
  await house.orchestrator.stop()
  expect((await closed)[0]).toBe(1001)
  await house.stop()
  expect(clock.pending).toBe(0)
  expect(await pidOf(id)).toBeGreaterThan(0)
})

test('an adopted agent that does not reconnect within 60 s is relaunched under its id', async () => {
  const { id } = await house.createConnected()
  const pid = await pidOf(id)
  await house.crash()
  house = await world.open()
  house.tick(60_000)
  await eventually(async () => (await house.orchestrator.agents.get(id)).restarts === 1)
  await eventually(async () => (await house.orchestrator.agents.get(id)).status === 'running')
  expect(await pidOf(id)).not.toBe(pid)
  await house.connect(id)
})

test('an agent whose session is gone is failed first, and only then started again', async () => {
  const always = await house.create({ name: 'always', restart: 'always' })
  const never = await house.create({ name: 'never' })
  const owned = await house.createConnected({ name: 'owned' })
  await house.orchestrator.workflows.create(workflow(owned.id), alice)
  await house.crash()
  for (const id of [always.id, never.id, owned.id]) await world.mux.kill(`svc-orch-${id}`)
  house = await world.open()
  for (const id of [always.id, never.id, owned.id])
    expect(await house.orchestrator.agents.get(id)).toMatchObject({
      status: 'failed',
      last_error: 'its session was gone when the orchestrator started',
    })
  house.tick(1000)
  for (const id of [always.id, owned.id])
    await eventually(async () => (await house.orchestrator.agents.get(id)).status === 'running')
  expect(await house.orchestrator.agents.get(never.id)).toMatchObject({ status: 'failed', restarts: 0 })
  expect(await house.orchestrator.audit.latest('agents', never.id, 'status')).toMatchObject({ actor: 'recovery' })
})

test('a process that ended while no daemon watched is recorded by its exit code', async () => {
  const { id } = await house.create()
  await house.crash()
  process.kill((await pidOf(id))!, 'SIGKILL')
  await eventually(async () => (await world.mux.get(`svc-orch-${id}`))?.dead)
  house = await world.open()
  expect(await house.orchestrator.agents.get(id)).toMatchObject({
    status: 'failed',
    last_error: 'it ended with exit code 137 while the orchestrator was down',
  })
  expect(await pidOf(id)).toBeUndefined()
})

test('dispatches in flight fail, and those that wait survive', async () => {
  const { id, agent } = await house.createConnected()
  const flow = await house.orchestrator.workflows.create(workflow(id), alice)
  const first = await house.orchestrator.workflows.trigger(flow.id, {}, alice)
  await agent.prompt(1)
  await house.orchestrator.agents.message(id, 'a message that waits', alice)
  const waiting = {
    ...(await house.db('orchestrator_dispatches').where({ id: first.id }).first()),
    id: randomUUID(),
    status: 'pending',
    dispatched_at: null,
  }
  delete waiting.seq
  await house.db('orchestrator_dispatches').insert(waiting)
  await house.db('orchestrator_prompts').insert({
    id: randomUUID(),
    agent_id: id,
    kind: 'dispatch',
    rank: 1,
    content: 'a task that waits',
    dispatch_id: waiting.id,
    status: 'queued',
    created_at: waiting.created_at,
  })
  await house.crash()

  house = await world.open()
  const history = await house.orchestrator.workflows.history(flow.id)
  expect(history.find((dispatch) => dispatch.id === first.id)).toMatchObject({
    status: 'failed',
    error: 'the orchestrator was restarted',
    completed_at: expect.any(String),
  })
  expect(history.find((dispatch) => dispatch.id === waiting.id)).toMatchObject({ status: 'pending' })
  const back = await house.connect(id, { state: 'running' })
  expect(await house.orchestrator.agents.get(id)).toMatchObject({ activity: 'busy' })
  expect(back.prompts()).toEqual([])
  back.result({ result: 'late' })
  expect(await back.prompt(1)).toBe('a message that waits')
  expect(
    (await house.orchestrator.workflows.history(flow.id)).find((dispatch) => dispatch.id === first.id),
  ).toMatchObject({ status: 'failed', result: null })
  back.result()
  expect(await back.prompt(2)).toBe('a task that waits')
  back.result()
  await eventually(
    async () =>
      (await house.orchestrator.workflows.history(flow.id)).find((dispatch) => dispatch.id === waiting.id)?.status ===
      'completed',
  )
})

test('the policy of a task holds on until its result, though its dispatch failed with the daemon', async () => {
  const { id, agent } = await house.createConnected()
  const flow = await house.orchestrator.workflows.create(workflow(id, { tool_policy: { mode: 'deny_all' } }), alice)
  await house.orchestrator.workflows.trigger(flow.id, {}, alice)
  await agent.prompt(1)
  await house.crash()
  house = await world.open()
  const back = await house.connect(id, { state: 'running' })
  expect((await back.answer(back.askTool('Bash', { command: 'ls' }))).behavior).toBe('deny')
  back.result()
  await eventually(async () => (await house.orchestrator.agents.get(id)).activity === 'idle')
  expect((await back.answer(back.askTool('Bash', { command: 'ls' }))).behavior).toBe('allow')
})

test('an adopted agent gets no prompt before it has said whether it is at work', async () => {
  const { id } = await house.createConnected()
  await house.crash()
  house = await world.open()
  const back = await house.connect(id, { state: null })
  expect(await house.orchestrator.agents.message(id, 'wait', alice)).toMatchObject({ status: 'queued' })
  const ask = await eventually(() => back.received.find((frame) => frame.request?.subtype === 'initialize'))
  back.answerInitialize(ask.request_id, 'idle')
  expect(await back.prompt(1)).toBe('wait')
})

test('a result that is repeated to the next daemon is not counted again', async () => {
  const { id, agent } = await house.createConnected()
  await house.orchestrator.agents.message(id, 'one', alice)
  await agent.prompt(1)
  const result = agent.result({ total_cost_usd: 0.5 })
  await eventually(async () => (await house.orchestrator.agents.usage(id)).cumulative.result_count === 1)
  await house.crash()
  house = await world.open()
  const back = await house.connect(id)
  await eventually(async () => (await house.orchestrator.agents.message(id, 'two', alice)).status !== undefined)
  await back.prompt(1)
  back.send(result)
  back.send({ type: 'keep_alive' })
  await eventually(() => house.frame('keep_alive', id))
  expect(await house.orchestrator.agents.usage(id)).toMatchObject({
    cumulative: { result_count: 1, total_cost_usd: 0.5 },
  })
  expect(await house.orchestrator.agents.get(id)).toMatchObject({ activity: 'busy' })
})

test('a start that was on record when the daemon died is made good', async () => {
  const { id } = await house.create({ prompt: 'begin' })
  await house.crash()
  await world.mux.kill(`svc-orch-${id}`)
  const db = (house = await world.open()).db
  await house.orchestrator.agents.terminate(id, alice)
  await db('orchestrator_agents').where({ id }).update({ status: 'pending' })
  await house.crash()
  house = await world.open()
  await eventually(async () => (await house.orchestrator.agents.get(id)).status === 'running')
  const agent = await house.connect(id)
  expect(await agent.prompt(1)).toBe('begin')
})

test('a session that was started before its record said so is adopted', async () => {
  const { id } = await house.create()
  const pid = await pidOf(id)
  await house.db('orchestrator_agents').where({ id }).update({ status: 'pending' })
  await house.crash()
  house = await world.open()
  expect(await house.orchestrator.agents.get(id)).toMatchObject({ status: 'running', restarts: 0 })
  expect(await pidOf(id)).toBe(pid)
})

test('a session with our prefix and no record is named in the log and left alone', async () => {
  await house.stop()
  await world.mux.launch({ name: 'svc-orch-stranger', directory: world.work, command: ['sleep', '60'] })
  house = await world.open()
  expect(lines.join('\n')).toContain('svc-orch-stranger')
  expect(await world.mux.get('svc-orch-stranger')).toMatchObject({ dead: false })
})

test('an id that a crash left behind is not created twice', async () => {
  const id = randomUUID()
  await house.orchestrator.agents.create(house.spec(), alice, id)
  const pid = await pidOf(id)
  await house.crash()
  house = await world.open()
  expect(await house.orchestrator.agents.create(house.spec(), alice, id)).toMatchObject({ id, status: 'running' })
  expect(await pidOf(id)).toBe(pid)
  expect((await house.orchestrator.agents.list()).length).toBe(1)
})
