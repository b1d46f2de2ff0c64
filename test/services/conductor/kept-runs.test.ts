// Runs that the conductor keeps.
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { pullRequest } from './snapshots.ts'
import { conductorStands } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

const start = conductorStands()

describe('the service', () => {
  test('lists the newest 200 unless a page is given', async () => {
    const { run, ask, db } = await start({})
    const { id } = await run()
    const { seq: _seq, ...row } = await db('conductor_runs').first()
    const newer = Array.from({ length: 200 }, () => ({ ...row, id: randomUUID() }))
    await db.batchInsert('conductor_runs', newer, 50)
    expect((await ask('GET /runs')).body).toHaveLength(200)
    expect((await ask('GET /runs?offset=200')).body.items).toMatchObject([{ id }])
    for (const found of [id, id.slice(0, 8).toUpperCase()])
      expect((await ask(`GET /runs?id=${found}`)).body).toMatchObject([{ id }])
    expect((await ask('GET /runs?id=%25')).body).toEqual([])
  })

  test('keeps the items of the newest 20 runs of a repository', async () => {
    const { run, ask, db } = await start({ pullRequests: [pullRequest({ number: 7, labels: [] })] })
    const { id, items, actions } = await run()
    expect(items).toHaveLength(1)
    const { seq: _seq, ...row } = await db('conductor_runs').first()
    const newer = Array.from({ length: 19 }, () => ({ ...row, id: randomUUID() }))
    await db.batchInsert('conductor_runs', newer, 50)
    expect((await ask(`GET /runs/${id}`)).body.items).toEqual(items)
    await run()
    const { body } = await ask(`GET /runs/${id}`)
    expect([body.items, body.actions]).toEqual([[], actions])
    expect((await ask(`GET /runs/${newer[0]!.id}`)).body.items).toEqual(items)
  })

  test('deletes runs after 90 days', async () => {
    const { run, ask, db, reopen } = await start({})
    const old = await run()
    const recent = await run()
    await db('conductor_runs').where({ id: old.id }).update({ ended_at: '2020-01-01T00:00:00.000Z' })
    await reopen()
    await eventually(async () => (await ask('GET /runs')).body.length === 1)
    expect((await ask('GET /runs')).body).toMatchObject([{ id: recent.id }])
  })
})
