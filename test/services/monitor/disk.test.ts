import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { DataFolderMeter, entriesOf, spaceIn } from '../../../services/monitor/disk/data-folder.ts'
import { forecastOf } from '../../../services/monitor/disk/forecast.ts'
import type { Sample } from '../../../services/monitor/samples.ts'
import { eventually } from '../../support/eventually.ts'
import { FIGURES } from './stand.ts'

const NOW = Date.UTC(2030, 0, 1)

describe('forecast', () => {
  const samples = (available: readonly number[], total = 1000): Sample[] =>
    available.map((available_bytes, at) => ({
      minute: NOW / 60_000 - 10 * (available.length - 1 - at),
      figures: FIGURES,
      space: { total_bytes: total, available_bytes },
    }))

  test.each([
    ['without samples', []],
    ['with samples of less than half an hour', samples([100, 90, 80])],
    ['without known space', samples([100, 90, 80, 70]).map((each) => ({ ...each, space: null }))],
    ['after the disk was resized', [...samples([1000, 900, 800, 700], 2000).slice(0, 3), ...samples([300])]],
  ])('is null %s', (_when, all) => {
    expect(forecastOf(all, NOW)).toBeNull()
  })

  test.each([
    ['grows', [100, 200, 300, 400]],
    ['does not change', [100, 100, 100, 100]],
    ['would last for more than a year', [1e12 + 3, 1e12 + 2, 1e12 + 1, 1e12]],
  ])('names no end while the space %s', (_how, available) => {
    expect(forecastOf(samples(available), NOW)!.full_at).toBeNull()
  })

  test('follows the trend of noisy samples', () => {
    const found = forecastOf(samples([700, 650, 660, 600, 580, 530, 540]), NOW)!
    expect(found.bytes_per_hour).toBeLessThan(-150)
    expect(found.bytes_per_hour).toBeGreaterThan(-190)
    const hours = (Date.parse(found.full_at!) - NOW) / 3_600_000
    expect(hours).toBeCloseTo(540 / -found.bytes_per_hour, 5)
  })
})

describe('data folder', () => {
  let folder: string
  let clock: TestClock
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-data-'))
    clock = new TestClock(NOW)
    mkdirSync(join(folder, 'index'))
    writeFileSync(join(folder, 'index', 'chunks'), Buffer.alloc(1 << 20, 1))
    writeFileSync(join(folder, 'svc.db'), Buffer.alloc(4096, 1))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('lists folders and files, largest first, also through a link', async () => {
    const link = `${folder}-link`
    symlinkSync(folder, link)
    try {
      const meter = new DataFolderMeter(link, { clock })
      const found = await eventually(() => meter.look())
      expect(found.entries.map(({ name }) => name)).toEqual(['index', 'svc.db'])
      expect(found).toMatchObject({ complete: true, other_bytes: 0, measured_at: '2030-01-01T00:00:00.000Z' })
    } finally {
      rmSync(link)
    }
  })

  test('bounds the list and sums the rest', async () => {
    for (let at = 0; at < 25; at++) writeFileSync(join(folder, `file-${at}`), Buffer.alloc(4096, 1))
    const found = await eventually(() => new DataFolderMeter(folder, { clock }).look())
    expect(found.entries).toHaveLength(20)
    expect(found.other_bytes).toBeGreaterThanOrEqual(7 * 4096)
  })

  test('measures again only after 15 minutes', async () => {
    const meter = new DataFolderMeter(folder, { clock })
    await eventually(() => meter.look())
    writeFileSync(join(folder, 'later'), '1')
    clock.tick(14 * 60_000)
    expect((await meter.look())!.entries).toHaveLength(2)
    clock.tick(60_000)
    await eventually(async () => (await meter.look())!.entries.length === 3)
  })

  test.each([
    ['takes too long', ['sh', '-c', 'printf "8\\t%s/index\\n" "$0"; exec sleep 60']],
    ['fails', ['sh', '-c', 'printf "8\\t%s/index\\n" "$0"; exit 1']],
  ])('keeps what was measured if the program %s', async (_how, command) => {
    const meter = new DataFolderMeter(folder, { clock, command: command as [string, ...string[]], timeoutMs: 300 })
    const found = await eventually(() => meter.look())
    expect(found).toMatchObject({ complete: false, entries: [{ name: 'index', bytes: 8192 }, { name: 'svc.db' }] })
  })

  test('lists files if the program is missing', async () => {
    const found = await eventually(() => new DataFolderMeter(folder, { clock, command: ['no-such-du'] }).look())
    expect(found).toMatchObject({ complete: false, entries: [{ name: 'svc.db' }] })
  })

  test('ends a running measurement when it stops', async () => {
    const meter = new DataFolderMeter(folder, { clock, command: ['sleep', '600'], timeoutMs: 600_000 })
    const looked = meter.look()
    expect(meter.measuring).toBe(true)
    await meter.stop()
    expect([await looked, meter.measuring]).toEqual([null, false])
  })

  test('reads only entries of the first level', () => {
    const printed = '4\t/data/a b\n8\t/data/a/c\n12\t/data\nnonsense\n16\t/database/x\n'
    expect(entriesOf(printed, '/data')).toEqual([{ name: 'a b', bytes: 4096 }])
  })

  test('knows no space of a missing folder', async () => {
    expect(await spaceIn(join(folder, 'missing'))).toBeNull()
    expect((await spaceIn(folder))!.total_bytes).toBeGreaterThan(0)
  })
})
