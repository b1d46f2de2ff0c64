// Dispatches and messages are forgotten some days after they ended.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { alice, TestMachine, workflow, type TestOrchestrator } from './harness.ts'

const DISPATCHES = 'orchestrator_dispatches'
const PROMPTS = 'orchestrator_prompts'
const OLD = '2029-01-01T00:00:00.000Z'
const HOUR = 3_600_000

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url, env: { SVC_ORCHESTRATOR_HISTORY_DAYS: '30' } })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const count = async (table: string) => Number((await daemon.db(table).count({ count: '*' }).first())!.count)
  const kept = async () => [await count(DISPATCHES), await count(PROMPTS)]
  /** As many rows like those there are, that came before all of them. */
  const copies = async (table: string, times: number, members: object) => {
    const [{ seq: _, ...row }] = await daemon.db(table).limit(1)
    const rows = Array.from({ length: times }, () => ({ ...row, id: crypto.randomUUID(), ...members }))
    for (let at = 0; at < rows.length; at += 50) await daemon.db(table).insert(rows.slice(at, at + 50))
    return rows
  }

  test('what ended before that goes, in batches, and what is open or younger stays', async () => {
    const { workflows } = daemon.orchestrator
    const { id, agent } = await daemon.createConnected()
    const flow = await workflows.create(workflow(id), alice)
    await eventually(() => workflows.trigger(flow.id, {}, alice))
    await agent.prompt(1)
    agent.result()
    await eventually(async () => (await workflows.history(flow.id)).items[0]?.status === 'completed')
    const began = { created_at: OLD }
    const [follower] = await copies(DISPATCHES, 1, { ...began, completed_at: OLD, status: 'completed' })
    await daemon.db('orchestrator_chain_ends').insert({ workflow_id: flow.id, dispatch_id: follower!.id })
    await copies(DISPATCHES, 1201, { ...began, completed_at: OLD, status: 'failed' })
    await copies(DISPATCHES, 1, { ...began, completed_at: OLD, status: 'skipped' })
    await copies(PROMPTS, 601, { ...began, done_at: OLD, status: 'done' })
    await copies(PROMPTS, 1, { ...began, done_at: OLD, status: 'failed' })
    // Old, and open: waiting, in hand, or ended a moment ago.
    await copies(DISPATCHES, 1, { ...began, completed_at: null, status: 'pending' })
    await copies(DISPATCHES, 1, { ...began, completed_at: null, status: 'dispatched' })
    await copies(DISPATCHES, 1, { ...began, status: 'completed' })
    await copies(PROMPTS, 1, { ...began, done_at: null, status: 'queued' })
    await copies(PROMPTS, 1, { ...began, done_at: null, status: 'sent' })
    await copies(PROMPTS, 1, { ...began, status: 'done' })
    daemon.tick(HOUR)
    await eventually(async () => (await count(PROMPTS)) === 4)
    expect(await kept()).toEqual([5, 4])
    expect(await daemon.db(DISPATCHES).where({ id: follower!.id })).toHaveLength(1)
    // Once its end was followed on, it goes too.
    await daemon.db('orchestrator_chain_ends').delete()
    daemon.tick(HOUR)
    await eventually(async () => (await count(DISPATCHES)) === 4)
    expect((await workflows.history(flow.id)).items.map(({ status }) => status)).toContain('completed')
  })
})
