import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { isPostgres, type Knex } from '../../../../platform/database/database.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  let name: string
  beforeAll(async () => {
    machine = new TestMachine({ clock: new TestClock(), url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())
  beforeEach(() => {
    name = `q-${randomUUID()}`
  })

  const queues = () => daemon.orchestrator.queues
  const push = (title: string, priority?: number) => queues().push(name, { title, priority }, alice)
  const consumer = (agentId: string) => {
    const trigger_config = { type: 'queue', queue_name: name }
    const flow = workflow(agentId, { trigger_config, prompt_template: '{{title}}' })
    return daemon.orchestrator.workflows.create(flow, alice)
  }
  const counts = async () => {
    const { pending, processing, completed, dead } = await queues().stats(name)
    return [pending, processing, completed, dead]
  }
  const become = (wanted: number[]) => eventually(async () => expect(await counts()).toEqual(wanted) ?? true)
  const peek = async () => (await queues().peek(name, null)).items

  test('claims tasks for concurrent consumers together, by priority and age', async () => {
    const stands = await Promise.all(Array.from({ length: 8 }, () => daemon.createConnected()))
    const titles = stands.map((_each, at) => `t${at}`)
    await Promise.all(stands.map(({ id }) => consumer(id)))
    let [claims, writes] = [0, 0]
    const note = ({ sql }: { sql: string }) => {
      if (/^with free as .*update .*queue_tasks/.test(sql)) claims++
      if (/update .orchestrator_queue_tasks/.test(sql)) writes++
    }
    daemon.db.on('query', note)
    await Promise.all([push('left', -99), ...titles.map((title, at) => push(title, -at))])
    const given = await Promise.all(stands.map(({ agent }) => agent.prompt(1)))
    daemon.db.off('query', note)
    expect(new Set(given)).toEqual(new Set(titles))
    expect(claims).toBeGreaterThan(0)
    expect(claims).toBeLessThan(stands.length)
    // The claim itself writes the consumer.
    expect(writes).toBe(claims)
    expect((await peek()).map(({ title }) => title)).toEqual(['left'])
    for (const { agent } of stands) agent.result()
    await become([0, 1, 8, 0])
  })

  interface Asked {
    sql: string
    bindings?: readonly unknown[]
  }

  const atWork = async (count: number) => {
    const stands = await Promise.all(Array.from({ length: count }, () => daemon.createConnected()))
    const flows = await Promise.all(stands.map(({ id }) => consumer(id)))
    await Promise.all(stands.map((_each, at) => push(`t${at}`)))
    await Promise.all(stands.map(({ agent }) => agent.prompt(1)))
    return stands.map((each, at) => ({ ...each, flow: flows[at]!.id }))
  }

  test('records turns that end together in one batch, with usage and results', async () => {
    const stands = await atWork(8)
    const ends: string[] = []
    const note = ({ sql }: Asked) =>
      void (/^update .orchestrator_(queue_tasks|dispatches|prompts|agents)/.test(sql) && ends.push(sql))
    daemon.db.on('query', note)
    for (const [at, { agent }] of stands.entries()) {
      const error = at === 5 ? { is_error: true, subtype: 'error_during_execution' } : {}
      agent.result({ result: `answer ${at}`, usage: { input_tokens: at + 1 }, total_cost_usd: at / 8, ...error })
    }
    await become([1, 0, 7, 0])
    daemon.db.off('query', note)
    // Without a batch, each result needs four writes.
    expect(ends.length).toBeLessThan(4 * stands.length)
    for (const [at, { id, flow }] of stands.entries()) {
      const [dispatch] = (await daemon.orchestrator.workflows.history(flow)).items
      const usage = { input_tokens: at + 1, total_cost_usd: at / 8 }
      const status = at === 5 ? 'failed' : 'completed'
      expect(dispatch).toMatchObject({ status, result: `answer ${at}`, error: at === 5 ? 'answer 5' : null, usage })
      expect(await daemon.orchestrator.agents.usage(id)).toMatchObject({ cumulative: { ...usage, result_count: 1 } })
    }
  })

  test('finds a finished task by its id, not by a common column', async () => {
    await daemon.db.raw(
      `insert into orchestrator_queue_tasks (id, queue_name, status, title, body, priority, retry_count, max_retries,
         dispatch_id, created_at, visible_at)
       with recursive many(at) as (select 1 union all select at + 1 from many where at < 5000)
       select ? || at, ?, 'dead', '', '', 0, 0, 3, ? || at, '', '' from many`,
      [`${name}-`, `${name}-many`, `${name}-`].map((text) => text.slice(0, 30)),
    )
    const [{ agent }] = (await atWork(1)) as [Awaited<ReturnType<typeof atWork>>[0]]
    const ends: Asked[] = []
    const note = (asked: Asked) => void (/^update .orchestrator_queue_tasks/.test(asked.sql) && ends.push(asked))
    daemon.db.on('query', note)
    agent.result()
    await become([0, 0, 1, 0])
    daemon.db.off('query', note)
    expect(ends).toHaveLength(1)
    const [{ sql, bindings }] = ends as [Asked]
    const explain = isPostgres(daemon.db) ? 'explain' : 'explain query plan'
    const plan = JSON.stringify(
      await daemon.db.raw(`${explain} ${sql.replaceAll(/\$\d+/g, '?')}`, bindings as Knex.RawBinding[]),
    )
    expect(plan).toMatch(/tasks_id_unique/)
    expect(plan).not.toMatch(/Seq Scan|SCAN|Bitmap Index Scan on \w*status/)
    await daemon
      .db('orchestrator_queue_tasks')
      .where({ queue_name: `${name}-many`.slice(0, 30) })
      .delete()
  })

  test('records the other results when writing one fails', async () => {
    const stands = await atWork(8)
    let refused = 0
    const refuse = ({ sql, bindings = [] }: Asked) => {
      if (!/^update .orchestrator_prompts/.test(sql) || !bindings.includes('bad')) return
      refused++
      throw new Error('refused')
    }
    daemon.db.on('query', refuse)
    for (const [at, { agent }] of stands.entries()) agent.result({ result: at === 4 ? 'bad' : 'good' })
    await become([0, 1, 7, 0])
    // Refused in the batch, then on its own.
    await eventually(() => refused === 2)
    daemon.db.off('query', refuse)
    stands[4]!.agent.result({ result: 'bad' })
    await become([0, 0, 8, 0])
  })

  test('polls an empty queue without writing', async () => {
    const { id } = await daemon.createConnected()
    await consumer(id)
    const asked: string[] = []
    const note = ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) => {
      if (bindings.includes(name)) asked.push(sql)
    }
    daemon.db.on('query', note)
    await eventually(() => {
      daemon.tick(5000)
      return asked.length >= 3
    })
    daemon.db.off('query', note)
    expect(asked.filter((sql) => !sql.startsWith('select'))).toEqual([])
  })

  test('sends the other tasks when one cannot be accepted', async () => {
    const stands = await Promise.all([1, 2, 3].map(() => daemon.createConnected()))
    for (const title of ['good', 'bad', 'fine']) await push(title)
    const refuse = ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) => {
      if (/insert into .orchestrator_dispatches/.test(sql) && bindings.includes('bad')) throw new Error('refused')
    }
    daemon.db.on('query', refuse)
    await Promise.all(stands.map(({ id }) => consumer(id)))
    await eventually(() => stands.filter(({ agent }) => agent.prompts().length > 0).length === 1)
    daemon.db.off('query', refuse)
    await eventually(() => {
      daemon.tick(1000)
      return stands.every(({ agent }) => agent.prompts().length === 1)
    })
    expect(new Set(stands.map(({ agent }) => agent.prompts()[0]))).toEqual(new Set(['bad', 'fine', 'good']))
    expect(await counts()).toEqual([0, 3, 0, 0])
  })
})
