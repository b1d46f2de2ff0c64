import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import parseExposition from 'parse-prometheus-text-format'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Collected, SystemMetrics } from '../../../schemas/monitor/metrics.ts'
import { AgentLoads } from '../../../services/monitor/agent-loads.ts'
import { Alerts } from '../../../services/monitor/alerts.ts'
import { systemCollector } from '../../../services/monitor/collector.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { FIGURES, FakeMachine, startMonitor, type MonitorStand } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

let stand: MonitorStand | null = null
let remove: () => Promise<void> = async () => undefined
afterEach(async () => {
  stand?.machine.open()
  await stand?.close()
  stand = null
  await remove()
})
async function start(options: Parameters<typeof startMonitor>[1] = {}): Promise<MonitorStand> {
  const database = await sqliteDatabase()
  remove = database.remove
  return (stand = await startMonitor(database.url, options))
}
const collected = (count: number) =>
  eventually(async () => (await stand!.ask('GET /health')).body.metrics_collected === count)

test('returns 503 before the first collection, then the documented metrics', async () => {
  const machine = new FakeMachine()
  machine.close()
  await start({ machine })
  expect((await stand!.ask('GET /metrics')).body).toMatchObject({ status: 503, title: 'Unavailable' })
  expect((await stand!.ask('GET /history')).body).toEqual([])
  expect((await stand!.ask('GET /status')).body).toEqual({ status: 'healthy', alerts: [], last_collected_at: null })
  machine.open()
  await collected(1)
  expect(await stand!.ask('GET /metrics')).toEqual({
    status: 200,
    body: { collected_at: '2030-01-01T00:00:00.000Z', ...FIGURES },
  })
  expect((await stand!.ask('GET /health')).body).toMatchObject({
    status: 'ok',
    service: 'svc-monitor',
    metrics_collected: 1,
  })
})

test('collects every thirty seconds and keeps 120, newest first', async () => {
  await start()
  await collected(1)
  for (let round = 2; round <= 3; round++) {
    stand!.clock.tick(29_999)
    expect((await stand!.ask('GET /health')).body.metrics_collected).toBe(round - 1)
    stand!.clock.tick(1)
    await collected(round)
  }
  for (let round = 0; round < 120; round++) await stand!.ask('POST /collect')
  const { body: history } = await stand!.ask<SystemMetrics[]>('GET /history')
  expect(history).toHaveLength(120)
  const times = history.map(({ collected_at }) => collected_at)
  expect(times).toEqual(times.toSorted().reverse())
})

test('applies the documented variables and rejects invalid values', async () => {
  const env = {
    SVC_COLLECTION_INTERVAL_SECS: '5',
    SVC_CPU_ALERT_THRESHOLD: '9.5',
    SVC_MEMORY_ALERT_THRESHOLD: '19',
    SVC_DISK_ALERT_THRESHOLD: '29',
    SVC_HISTORY_SIZE: '2',
  }
  await start({ env })
  await collected(1)
  for (const count of [2, 3]) {
    stand!.clock.tick(5000)
    await collected(count)
  }
  expect((await stand!.ask('GET /history')).body).toHaveLength(2)
  const { body } = await stand!.ask('GET /status')
  expect(body.alerts.map(({ metric, threshold }: any) => [metric, threshold])).toEqual([
    ['cpu', 9.5],
    ['memory', 19],
    ['disk:/', 29],
  ])
  for (const [name, value] of Object.entries({ SVC_HISTORY_SIZE: '1.5', SVC_CPU_ALERT_THRESHOLD: '101' }))
    await expect(startMonitor('sqlite::memory:', { env: { [name]: value } })).rejects.toThrow(name)
})

test('collects immediately on POST /collect and returns active alerts', async () => {
  await start()
  await collected(1)
  stand!.machine.cpu(93)
  const { status, body } = await stand!.ask<Collected>('POST /collect')
  expect([status, body.metrics.cpu.usage_percent]).toEqual([200, 93])
  expect(body.alerts).toEqual([
    {
      metric: 'cpu',
      current_value: 93,
      threshold: 90,
      message: 'CPU usage 93.0% exceeds threshold 90.0%',
      raised_at: body.metrics.collected_at,
    },
  ])
})

describe('an alert', () => {
  const metrics = (cpu: number, memory = 0, disk = 0): SystemMetrics => ({
    collected_at: '2030-01-01T00:00:00.000Z',
    ...FIGURES,
    cpu: { ...FIGURES.cpu, usage_percent: cpu },
    memory: { ...FIGURES.memory, usage_percent: memory },
    disks: FIGURES.disks.map((each) => ({ ...each, usage_percent: disk })),
  })
  const usual = { cpu: 90, memory: 90, disk: 90 }

  test('is raised once above the threshold while the value flaps', () => {
    const alerts = new Alerts(usual)
    const raised = [90, 90.1, 89.9, 90.5, 86, 91, 85.1, 92].flatMap((value) => alerts.look(metrics(value)).raised)
    expect(raised).toHaveLength(1)
    expect(alerts.look(metrics(85)).cleared).toEqual(['cpu'])
    expect(alerts.active).toEqual([])
    expect(alerts.look(metrics(90.1)).raised).toHaveLength(1)
  })

  test('keeps the time it was raised and updates its value', () => {
    const alerts = new Alerts(usual)
    alerts.look(metrics(95))
    alerts.look({ ...metrics(88), collected_at: '2030-01-01T00:01:00.000Z' })
    expect(alerts.active).toMatchObject([{ current_value: 88, raised_at: '2030-01-01T00:00:00.000Z' }])
  })

  test('clears for a removed disk', () => {
    const alerts = new Alerts(usual)
    alerts.look(metrics(0, 0, 99))
    expect(alerts.look({ ...metrics(0), disks: [] }).cleared).toEqual(['disk:/'])
  })

  test.each([
    [[50, 50, 50], 'healthy'],
    [[91, 0, 0], 'degraded'],
    [[95, 0, 0], 'degraded'],
    [[95.1, 0, 0], 'critical'],
    [[91, 91, 0], 'critical'],
    [[0, 0, 96], 'critical'],
  ])('sets the status for %j to %s', ([cpu, memory, disk], status) => {
    const alerts = new Alerts(usual)
    alerts.look(metrics(cpu!, memory, disk))
    expect(alerts.status).toBe(status)
  })

  test('is raised above a threshold of 0 and clears at 0', () => {
    const alerts = new Alerts({ ...usual, cpu: 0 })
    expect(alerts.look(metrics(0)).raised).toEqual([])
    expect(alerts.look(metrics(1)).raised).toHaveLength(1)
    expect(alerts.look(metrics(0)).cleared).toEqual(['cpu'])
  })
})

test('collects and returns alerts without a notification service', async () => {
  await start()
  stand!.machine.cpu(99)
  const { body } = await stand!.ask<Collected>('POST /collect')
  expect(body.alerts).toHaveLength(1)
  await eventually(() => stand!.log().includes('failed to update alert notifications'))
  expect((await stand!.ask('GET /health')).body.status).toBe('ok')
})

test('raises no alert for the load of its own start', async () => {
  const usages = [[100], [99], [98], [30]]
  const cores = { look: async () => usages.shift() ?? [30] }
  await start({ machine: Object.assign(new FakeMachine(), systemCollector({ calmPercent: 90, cores })) })
  await collected(1)
  expect((await stand!.ask('GET /metrics')).body.cpu.usage_percent).toBe(30)
  expect((await stand!.ask('GET /status')).body.alerts.map(({ metric }: { metric: string }) => metric)).not.toContain(
    'cpu',
  )
})

test('exposes node_exporter names with disk, core and alert labels', async () => {
  await start()
  stand!.machine.disk(99)
  await stand!.ask('POST /collect')
  const text = await (await fetch(`${stand!.host.urls.monitor}/prom-metrics`)).text()
  const family = (name: string) =>
    parseExposition(text).find((each) => each.name === name)?.metrics as any[] | undefined
  expect(family('node_load1')).toMatchObject([{ value: '1' }])
  expect(family('node_memory_total_bytes')).toMatchObject([{ value: '1000' }])
  expect(family('node_filesystem_avail_bytes')).toMatchObject([
    { labels: { device: '/dev/a', mountpoint: '/' }, value: '70' },
  ])
  expect(new Set(family('node_cpu_seconds_total')!.map(({ labels }) => labels.cpu)).size).toBe(cpus().length)
  expect(family('svc_monitor_alert_active')).toMatchObject([{ labels: { metric: 'disk:/' }, value: '1' }])
  expect(family('service_info')).toBeDefined()
})

describe('collector of host metrics', () => {
  const memory = () => {
    const text = readFileSync('/proc/meminfo', 'utf8')
    const of = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)![1]) * 1024
    return { total: of('MemTotal'), available: of('MemAvailable') }
  }
  /** Ticks of all CPUs since boot: total and busy. */
  const ticks = () => {
    const all = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/ +/).slice(1, 9).map(Number)
    const total = all.reduce((sum, each) => sum + each, 0)
    return { total, busy: total - all[3]! - all[4]! }
  }

  test('agrees with /proc on memory, disks, load and CPU', async () => {
    const collector = systemCollector()
    await collector.collect()
    const before = ticks()
    await promisify(execFile)(process.execPath, [
      '-e',
      'const end = process.uptime() + 1; while (process.uptime() < end);',
    ])
    const around = memory()
    const figures = await collector.collect()
    const after = ticks()
    const then = memory()
    const used = ((after.busy - before.busy) / (after.total - before.total)) * 100
    expect(Math.abs(figures.cpu.usage_percent - used)).toBeLessThan(5)
    expect(figures.cpu.core_count).toBe(cpus().length)
    expect(figures.memory.total_bytes).toBe(around.total)
    expect(figures.memory.used_bytes).toBe(figures.memory.total_bytes - figures.memory.available_bytes)
    const [least, most] = [around.available, then.available].sort((one, other) => one - other) as [number, number]
    // Available memory changes while it is read.
    expect(figures.memory.available_bytes).toBeGreaterThan(least - around.total / 50)
    expect(figures.memory.available_bytes).toBeLessThan(most + around.total / 50)
    for (const { mount_point, total_bytes } of figures.disks) {
      const { blocks, bsize } = await statfs(mount_point)
      expect(total_bytes).toBe(blocks * bsize)
    }
    expect(figures.disks.length).toBeGreaterThan(0)
    expect(
      Math.abs(figures.load_average.one - Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0])),
    ).toBeLessThan(1)
  })
})

test('sums the load of all processes below an agent’s terminals', async () => {
  const id = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'
  const script = `"${process.execPath}" -e 'for (;;);' & wait`
  const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' })
  const panes = [
    { session: `svc-orch-${id}`, pid: child.pid!, server: 1 },
    { session: 'own', pid: process.pid, server: 1 },
  ]
  const loads = new AgentLoads({ panes: async () => panes }, async () => new Map([[id, 'planner']]))
  let at = 0
  const load = await eventually(async () => {
    const [found] = await loads.look((at += 1000))
    return found!.processes === 2 && found!.cpu_percent > 0 && found!
  })
  expect(load).toMatchObject({ agent_id: id, name: 'planner', processes: 2 })
  expect(load.memory_bytes).toBeGreaterThan(10_000_000)
  expect(load.cpu_seconds).toBeGreaterThan(0)
  process.kill(-child.pid!, 'SIGKILL')
})
