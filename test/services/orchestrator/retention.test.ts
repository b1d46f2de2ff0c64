import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { isPostgres } from '../../../platform/database/database.ts'
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

  /** Repeats the tick, because one during a trim starts no second trim. */
  const hourByHour = (condition: () => Promise<boolean>) =>
    eventually(() => {
      daemon.tick(HOUR)
      return condition()
    })
  const count = async (table: string) => Number((await daemon.db(table).count({ count: '*' }).first())!.count)
  const kept = async () => [await count(DISPATCHES), await count(PROMPTS)]
  /** Inserts copies that are older than all other rows. */
  const copies = async (table: string, times: number, members: object) => {
    const [{ seq: _, ...row }] = await daemon.db(table).limit(1)
    const rows = Array.from({ length: times }, () => ({ ...row, id: crypto.randomUUID(), ...members }))
    for (let at = 0; at < rows.length; at += 50) await daemon.db(table).insert(rows.slice(at, at + 50))
    return rows
  }

  test('deletes ended records in batches and keeps open or recent ones', async () => {
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
    // Old, but pending, running or ended recently.
    await copies(DISPATCHES, 1, { ...began, completed_at: null, status: 'pending' })
    await copies(DISPATCHES, 1, { ...began, completed_at: null, status: 'dispatched' })
    await copies(DISPATCHES, 1, { ...began, status: 'completed' })
    await copies(PROMPTS, 1, { ...began, done_at: null, status: 'queued' })
    await copies(PROMPTS, 1, { ...began, done_at: null, status: 'sent' })
    await copies(PROMPTS, 1, { ...began, status: 'done' })
    await hourByHour(async () => (await count(PROMPTS)) === 4)
    expect(await kept()).toEqual([5, 4])
    expect(await daemon.db(DISPATCHES).where({ id: follower!.id })).toHaveLength(1)
    // Once the chain has processed it, the row is deleted.
    await daemon.db('orchestrator_chain_ends').delete()
    await hourByHour(async () => (await count(DISPATCHES)) === 4)
    expect((await workflows.history(flow.id)).items.map(({ status }) => status)).toContain('completed')
  })

  /** Fields that make a row obsolete. */
  const OVER: Record<string, object> = {
    approvals: { status: 'denied', decided_at: OLD, sending_at: OLD },
    audit: { seq: -1, at: OLD },
    dispatches: { status: 'skipped', completed_at: OLD },
    entries: {},
    firing_log: {},
    prompts: { status: 'failed', done_at: OLD },
    queue_tasks: { status: 'completed', ended_at: OLD },
    room_prompts: { status: 'done' },
    tool_calls: { omitted: 'size' },
    transcript: { seq: -1, timestamp: OLD },
    usage_hours: { start: OLD },
  }
  /** Tables that do not grow with time, and why. */
  const BOUNDED: Record<string, string> = {
    agents: 'one per agent until it is purged',
    chain_ends: 'one per ended dispatch that a chain has not yet processed',
    firings: 'one per workflow',
    migrations: 'one per migration',
    migrations_lock: 'one row',
    policies: 'one per policy',
    room_cursors: 'one per existing room',
    room_members: 'one per agent and room',
    seen_tasks: 'one per issue or pull request of a forge: a deleted row would be accepted again',
    sessions: 'per agent, the recent ones and one for all earlier ones',
    trigger_cursors: 'one per workflow',
    workflows: 'one per workflow',
  }
  const tables = async () => {
    const all: string[] = isPostgres(daemon.db)
      ? await daemon.db('information_schema.tables').where({ table_schema: 'public' }).pluck('table_name')
      : await daemon.db('sqlite_master').where({ type: 'table' }).pluck('name')
    return all.filter((name) => name.startsWith('orchestrator_')).map((name) => name.slice('orchestrator_'.length))
  }
  const insertOld = async (name: string, members: object) => {
    const table = `orchestrator_${name}`
    const columns = Object.entries(await daemon.db(table).columnInfo())
    const needed = columns.filter(([column, { nullable }]) => !nullable && column !== 'seq')
    const isTime = (column: string) => /^(.*_)?at$|^timestamp$/.test(column)
    const any = needed.map(([column, { type }]) => [column, isTime(column) ? OLD : /char|text/.test(type) ? '{}' : 0])
    const row = { ...Object.fromEntries(any), id: crypto.randomUUID(), created_at: OLD, ...members }
    const known = Object.entries(row).filter(([column]) => columns.some(([each]) => each === column))
    await daemon.db(table).insert(Object.fromEntries(known))
  }

  test('deletes obsolete rows of each table not documented as bounded', async () => {
    expect([...Object.keys(OVER), ...Object.keys(BOUNDED)].toSorted(byName)).toEqual((await tables()).toSorted(byName))
    for (const [name, members] of Object.entries(OVER)) {
      const before = await count(`orchestrator_${name}`)
      await insertOld(name, members)
      await hourByHour(async () => (await count(`orchestrator_${name}`)) <= before)
    }
  })

  test('keeps pending and session-wide approvals and waiting room prompts', async () => {
    const old = { decided_at: OLD, sending_at: OLD }
    const kept = [
      { status: 'pending' },
      { status: 'approved', decided_at: OLD },
      { status: 'approved', scope: 'session', ...old },
    ]
    for (const members of kept) await insertOld('approvals', { ...members, agent_id: 'kept' })
    for (const members of [
      { status: 'approved', scope: 'session', cause: 'abandoned', ...old },
      { status: 'approved', scope: 'once', ...old },
      { status: 'approved', decided_at: OLD, delivered_at: OLD },
      { status: 'approved', cause: 'abandoned', decided_at: OLD },
      { status: 'timed_out', cause: 'expired', decided_at: OLD },
    ])
      await insertOld('approvals', { ...members, agent_id: 'over' })
    for (const status of ['waiting', 'due'])
      await insertOld('room_prompts', { status, agent_id: 'kept', message_id: status })
    const left = (agent_id: string) => daemon.db('orchestrator_approvals').where({ agent_id })
    await hourByHour(async () => (await left('over')).length === 0)
    expect(await left('kept')).toHaveLength(kept.length)
    expect(await daemon.db('orchestrator_room_prompts').where({ agent_id: 'kept' })).toHaveLength(2)
  })

  test('merges ended sessions into one row and keeps the agent’s total usage', async () => {
    const { agents } = daemon.orchestrator
    const { id } = await daemon.createConnected()
    const sessions = () => daemon.db('orchestrator_sessions').where({ agent_id: id }).orderBy('number')
    const used = { total_cost_usd: 0.5, num_turns: 2, result_count: 1 }
    await sessions().update({ ...used, ended_at: OLD, started_at: '2028-01-01T00:00:00.000Z' })
    for (const number of [2, 3])
      await daemon.db('orchestrator_sessions').insert({ agent_id: id, number, ...used, started_at: OLD, ended_at: OLD })
    await daemon.db('orchestrator_sessions').insert({ agent_id: id, number: 4, ...used, started_at: OLD })
    await hourByHour(async () => (await sessions()).length === 2)
    expect((await sessions()).map(({ number }) => number)).toEqual([3, 4])
    expect(await agents.usage(id)).toMatchObject({
      session_count: 4,
      current_session: { total_cost_usd: 0.5 },
      cumulative: { total_cost_usd: 2, num_turns: 8, result_count: 4, started_at: '2028-01-01T00:00:00.000Z' },
    })
  })
})

const byName = (one: string, other: string) => (one < other ? -1 : 1)
