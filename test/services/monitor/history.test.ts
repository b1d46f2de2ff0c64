import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { DiskSpace, DiskUse } from '../../../schemas/monitor/disk.ts'
import type { SystemMetrics } from '../../../schemas/monitor/metrics.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { Samples } from '../../../services/monitor/samples.ts'
import { FIGURES, startMonitor, type MonitorStand } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

const MINUTE_MS = 60_000
const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1) + minutes * MINUTE_MS).toISOString()

onEachDatabase((database) => {
  let stand: MonitorStand
  let space: DiskSpace | null = { total_bytes: 1000, available_bytes: 500 }
  afterEach(async () => {
    await stand.close()
    await database.db('monitor_samples').delete()
  })

  const start = async () => {
    stand = await startMonitor(database.url, {
      // Collections on request only.
      env: { SVC_COLLECTION_INTERVAL_SECS: '10000000' },
      spaceIn: async () => space,
    })
    await eventually(async () => (await stand.ask('GET /health')).body.metrics_collected === 1)
  }
  const collect = async (cpu: number, afterMs = 0) => {
    if (afterMs > 0) stand.clock.tick(afterMs)
    stand.machine.cpu(cpu)
    expect((await stand.ask('POST /collect')).status).toBe(200)
  }
  const history = async (query: string) => (await stand.ask<SystemMetrics[]>(`GET /history${query}`)).body
  const loads = (all: SystemMetrics[]) => all.map(({ collected_at, cpu }) => [collected_at, cpu.usage_percent])

  test('keeps the means of minutes over a restart', async () => {
    await start()
    await collect(30, 20_000)
    await collect(50, 20_000)
    await collect(70, MINUTE_MS)
    expect(loads(await history(`?since=${at(-10)}`))).toEqual([
      [at(1), 70],
      [at(0), 30],
    ])
    expect((await history(`?since=${at(-10)}`))[1]).toMatchObject({
      cpu: { core_count: 2, per_core: [] },
      memory: { total_bytes: 1000, used_bytes: 200, available_bytes: 800, usage_percent: 20 },
      disks: [{ mount_point: '/', available_bytes: 70 }],
      load_average: { one: 1, five: 2, fifteen: 3 },
    })
    await stand.reopen()
    await eventually(async () => (await stand.ask('GET /health')).body.metrics_collected === 1)
    expect(loads(await history(`?since=${at(-10)}`)).at(-1)).toEqual([at(0), 30])
    expect(await history('')).toHaveLength(1)
  })

  test('combines minutes by step and leaves out steps without samples', async () => {
    await start()
    await collect(20, MINUTE_MS)
    await collect(40, 10 * MINUTE_MS)
    await collect(60, MINUTE_MS)
    expect(loads(await history(`?since=${at(0)}&step=600`))).toEqual([
      [at(10), 50],
      [at(0), 15],
    ])
    expect(loads(await history(`?since=${at(1)}&until=${at(11)}`))).toEqual([
      [at(11), 40],
      [at(1), 20],
    ])
    expect((await history('?step=86400')).length).toBe(1)
    const page = (await stand.ask(`GET /history?step=60&limit=1&offset=1`)).body
    expect([page.total, loads(page.items)]).toEqual([4, [[at(11), 40]]])
  })

  test('returns the last 24 hours by default and deletes samples after two days', async () => {
    await start()
    await collect(20, 30 * 60 * MINUTE_MS)
    expect(loads(await history('?step=60'))).toEqual([[at(30 * 60), 20]])
    expect(await history(`?since=${at(-1)}`)).toHaveLength(2)
    await collect(20, 20 * 60 * MINUTE_MS)
    await collect(20, MINUTE_MS)
    await eventually(async () => {
      const minutes: number[] = await stand.db('monitor_samples').orderBy('minute').pluck('minute')
      return minutes.length === 2 && minutes[0] === Date.parse(at(30 * 60)) / MINUTE_MS
    })
  })

  test.each([
    [`?since=${at(5)}&until=${at(5)}`, 'since'],
    ['?since=2030-01-01T23:59:60Z', 'since'],
    ['?since=yesterday', 'since'],
    ['?step=59', 'step'],
    ['?step=86401', 'step'],
  ])('rejects %s with 400', async (query, member) => {
    await start()
    const { status, body } = await stand.ask(`GET /history${query}`)
    expect([status, body.errors[0].path]).toEqual([400, member])
  })

  test('stores samples later if the database fails, and logs it', async () => {
    await start()
    await stand.db.schema.renameTable('monitor_samples', 'elsewhere')
    await collect(20, MINUTE_MS)
    await eventually(() => stand.log().includes('failed to store metrics'))
    await stand.db.schema.renameTable('elsewhere', 'monitor_samples')
    await collect(30, MINUTE_MS)
    expect(loads(await history(`?since=${at(-1)}`)).map(([, cpu]) => cpu)).toEqual([30, 20, 10])
    await eventually(async () => (await stand.db('monitor_samples')).length === 2)
  })

  test('stores a minute once if the clock goes back', async () => {
    await start()
    const samples = new Samples(stand.db)
    for (const [minute, one] of [
      [-3, 1],
      [-2, 2],
      [-3, 5],
    ] as const)
      samples.add({ collected_at: at(minute), ...FIGURES, load_average: { one, five: 1, fifteen: 1 } }, null)
    samples.end()
    await samples.store()
    expect((await history(`?since=${at(-5)}&until=${at(-1)}`)).map(({ load_average }) => load_average.one)).toEqual([
      2, 5,
    ])
  })

  test('forecasts when the disk of the data folder is full', async () => {
    await start()
    const disk = async () => (await stand.ask<DiskUse>('GET /disk')).body
    expect((await disk()).forecast).toBeNull()
    for (let round = 1; round <= 4; round++) {
      space = { total_bytes: 1000, available_bytes: 500 - 10 * round }
      await collect(10, 15 * MINUTE_MS)
    }
    expect(await disk()).toMatchObject({
      space: { total_bytes: 1000, available_bytes: 460 },
      forecast: { bytes_per_hour: -40, hours: 1, full_at: at(60 + (460 / 40) * 60) },
    })
    space = null
    expect((await disk()).space).toBeNull()
  })

  test('measures the entries of the data folder in the background', async () => {
    await start()
    const { path } = (await stand.ask<DiskUse>('GET /disk')).body
    mkdirSync(join(path, 'worktrees', 'a'), { recursive: true })
    writeFileSync(join(path, 'worktrees', 'a', 'large'), Buffer.alloc(3 << 20, 1))
    writeFileSync(join(path, 'single'), Buffer.alloc(2 << 20, 1))
    stand.clock.tick(15 * MINUTE_MS)
    const folder = await eventually(async () => {
      const { folder: found } = (await stand.ask<DiskUse>('GET /disk')).body
      return found?.entries.some(({ name }) => name === 'worktrees') && found
    })
    const [first, second] = folder.entries
    expect([first!.name, second!.name, folder.complete]).toEqual(['worktrees', 'single', true])
    expect(first!.bytes).toBeGreaterThanOrEqual(3 << 20)
    expect(folder.measured_at).toBe(new Date(stand.clock.now()).toISOString())
  })
})
