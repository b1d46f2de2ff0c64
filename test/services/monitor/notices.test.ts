import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '../../../schemas/notify/notification.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startMonitor, type MonitorStand } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

/** Level number of pino. */
const WARN = 40

let stand: MonitorStand
let remove: () => Promise<void>
beforeEach(async () => {
  const database = await sqliteDatabase()
  remove = database.remove
  stand = await startMonitor(database.url, { names: ['monitor', 'notify'] })
  await collected(1)
})
afterEach(async () => {
  stand.machine.open()
  await stand.close()
  await remove()
})
const collected = (count: number) =>
  eventually(async () => (await stand.ask('GET /health')).body.metrics_collected === count)
const notifications = async () => (await stand.ask<Notification[]>('GET /notifications', undefined, 'notify')).body
/** Collects repeatedly: a collection during an update sends nothing. */
const untilCount = (count: number) =>
  eventually(async () => {
    await stand.ask('POST /collect')
    return (await notifications()).length === count
  })

test('sends one notification per alert, and another after it cleared', async () => {
  stand.machine.memory(97)
  await untilCount(1)
  for (let round = 0; round < 3; round++) await stand.ask('POST /collect')
  expect(await notifications()).toMatchObject([
    {
      source: { MonitorService: { alert_type: 'memory' } },
      status: 'Pending',
      message: expect.stringContaining('97.0%'),
    },
  ])
  stand.machine.memory(10)
  await stand.ask('POST /collect')
  await eventually(async () => {
    await stand.ask('POST /collect')
    return (await notifications())[0]!.status === 'Dismissed'
  })
  stand.machine.memory(97)
  await untilCount(2)
})

test('notifies as the monitor, not as the caller of a collection', async () => {
  stand.machine.memory(97)
  await untilCount(1)
  stand.machine.memory(10)
  await eventually(async () => {
    await stand.ask('POST /collect')
    return (await notifications())[0]!.status === 'Dismissed'
  })
  const actors: string[] = await stand.db('notify_audit').orderBy('seq').pluck('actor')
  expect(actors).toEqual(['svc-monitor', 'svc-monitor'])
})

test('keeps the notification of a continuing alert over a restart', async () => {
  stand.machine.cpu(99)
  await untilCount(1)
  await stand.reopen()
  await collected(1)
  for (let round = 0; round < 3; round++) await stand.ask('POST /collect')
  await stand.reopen()
  expect(await notifications()).toHaveLength(1)
})

test('dismisses notifications of alerts that cleared during a restart', async () => {
  stand.machine.cpu(99)
  await untilCount(1)
  stand.machine.cpu(1)
  await stand.reopen()
  await eventually(async () => {
    await stand.ask('POST /collect')
    return (await notifications())[0]!.status === 'Dismissed'
  })
  expect(await notifications()).toHaveLength(1)
})

test('sends a notification after a restart if stopping prevented it', async () => {
  stand.machine.memory(97)
  stand.machine.close()
  stand.clock.tick(30_000)
  const notify = stand.host.urls.notify!
  const stopped = stand.host.stop()
  const isGone = () =>
    fetch(`${notify}/health`).then(
      () => false,
      () => true,
    )
  await eventually(isGone)
  stand.machine.open()
  await stopped
  const lines: Record<string, unknown>[] = stand
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const own = lines.filter(({ service, level }) => service === 'monitor' && Number(level) >= WARN)
  // Only the warning about the alert is logged.
  expect(own).toMatchObject([{ metric: 'memory' }])
  await stand.reopen()
  await untilCount(1)
})

test('logs why a notification failed, with the unreachable service', async () => {
  const alone = await startMonitor(`sqlite:${stand.folder}/alone.db`)
  try {
    alone.machine.memory(97)
    await alone.ask('POST /collect')
    await eventually(() => alone.log().includes('failed to update alert notifications'))
    expect(alone.log()).toMatch(/the notify service does not answer at http:[^"]*: is it running\?/)
  } finally {
    await alone.close()
  }
})
