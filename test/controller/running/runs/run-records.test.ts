import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { Runs } from '../../../../controller/running/runs/run-records.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import { Vault } from '../../../../platform/secrets/vault.ts'
import type { RunStep } from '../../../../schemas/run.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { createStand, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const step = (name: string): RunStep => ({
    kind: 'things',
    name,
    action: 'update',
    status: 'done',
    live_id: null,
    error: null,
    started_at: null,
    ended_at: null,
  })
  const runsOf = (clock: TestClock) => new Runs({ db: database.db, vault: Vault.ephemeral(), clock })
  /** Inserts ended runs, a millisecond apart. */
  const seed = async (count: number, clock: TestClock, more = {}) => {
    for (let from = 0; from < count; from += 50) {
      const rows = Array.from({ length: 50 }, () => {
        clock.tick(1)
        const at = new Date(clock.now()).toISOString()
        const run = { id: randomUUID(), source: 'default', status: 'succeeded', actor: 'mira', summary: '{}' }
        return { ...run, started_at: at, ended_at: at, ...more }
      })
      await database.db('controller_runs').insert(rows)
    }
  }
  const take = async (runs: Runs, steps: RunStep[]) => {
    const run = await runs.open(randomUUID(), 'default', 'mira')
    run.steps = steps
    if (steps.length > 0) await database.db.transaction((transaction) => runs.intend(transaction, run))
    await runs.close(Object.assign(run, { status: 'succeeded' }))
    return run.id
  }

  test('keeps a run with steps after many empty runs', { timeout: 60_000 }, async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    const { id } = await stand.pass()
    const [{ started_at }] = await database.db('controller_runs').where({ id }).select('started_at')
    const clock = new TestClock()
    const runs = runsOf(clock)
    expect(started_at < '2030').toBe(true)
    await seed(1900, clock)
    for (let count = 0; count < 100; count++) {
      clock.tick(1)
      await take(runs, [])
    }
    expect((await stand.controller.run(id)).steps).toMatchObject([{ action: 'create', status: 'done' }])
    expect((await stand.controller.resource('things', 't')).history).toMatchObject([{ run_id: id, action: 'create' }])
    const { items, total } = await stand.controller.runs({ limit: 200, offset: 0 })
    expect([total, items.at(-1)!.id]).toEqual([101, id])
    await stand.pass()
    expect((await stand.controller.run(id)).status).toBe('succeeded')
  })

  test('limits empty, failed and effective runs separately', async () => {
    stand = await createStand(database.db, { start: false })
    const clock = new TestClock()
    const runs = runsOf(clock)
    const did = await take(runs, [step('t')])
    const fail = async () => {
      clock.tick(1)
      const run = await runs.open(randomUUID(), 'default', 'mira')
      await runs.close(Object.assign(run, { status: 'failed', error: 'the folder does not exist' }))
      return run.id
    }
    const failed = await fail()
    await seed(150, clock)
    clock.tick(1)
    await take(runs, [])
    expect((await runs.get(failed)).error).toBe('the folder does not exist')
    await seed(150, clock, { status: 'failed' })
    await fail()
    await expect(runs.get(failed)).rejects.toThrow('does not exist')
    expect((await runs.get(did)).steps).toHaveLength(1)
    expect((await runs.list({ limit: 1, offset: 0 })).total).toBe(1 + 100 + 100)
  })

  test('keeps only the newest runs with steps', { timeout: 60_000 }, async () => {
    stand = await createStand(database.db)
    const clock = new TestClock()
    const runs = runsOf(clock)
    const first = await take(runs, [step('a')])
    await seed(950, clock, { has_steps: true })
    for (let count = 0; count < 50; count++) {
      clock.tick(1)
      await take(runs, [step('a')])
    }
    await expect(runs.get(first)).rejects.toMatchObject({ status: 404 })
    expect(await database.db('controller_steps').where({ run_id: first })).toEqual([])
    expect((await runs.list({ limit: 1, offset: 0 })).total).toBe(1000)
  })

  test('returns all steps of a run in order', async () => {
    stand = await createStand(database.db, { start: false })
    const runs = runsOf(new TestClock(Date.UTC(2040, 0, 1)))
    const names = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`)
    const counts = [2001, 3, 500, 1000]
    const ids: string[] = []
    for (const count of counts) ids.push(await take(runs, names(count).map(step)))
    const { items } = await runs.list({ limit: 10, offset: 0 })
    const stepsOfRuns = ids.map((id) => items.find((run) => run.id === id)!.steps)
    expect(stepsOfRuns.map((steps) => steps.map(({ name }) => name))).toEqual(counts.map(names))
    expect(stepsOfRuns[0]![2000]).toEqual(step('t2000'))
    expect((await runs.get(ids[0]!)).steps).toEqual(stepsOfRuns[0])
    expect((await runs.get(ids[1]!)).steps).toEqual(stepsOfRuns[1])
  })

  test('keeps a run that ends in the same millisecond as others', async () => {
    stand = await createStand(database.db)
    const runs = runsOf(new TestClock())
    for (let count = 0; count < 120; count++) expect((await runs.get(await take(runs, []))).status).toBe('succeeded')
  })

  test('keeps an interrupted run with steps after many empty runs', async () => {
    stand = await createStand(database.db)
    const runs = runsOf(new TestClock())
    const run = await runs.open(randomUUID(), 'default', 'mira')
    run.steps = [{ ...step('a'), status: 'intended' }]
    await database.db.transaction((transaction) => runs.intend(transaction, run))
    await runs.closeInterrupted(noLog)
    for (let count = 0; count < 200; count++) await take(runs, [])
    expect(await runs.get(run.id)).toMatchObject({ status: 'interrupted', steps: [{ name: 'a' }] })
  })
})
