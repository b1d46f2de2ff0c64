// Notifications of alerts: one for each, from when it is raised until it clears, over restarts too.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '../../../schemas/notify/notification.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { startMonitor, type MonitorStand } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

/** As pino counts. */
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
const told = async () => (await stand.ask<Notification[]>('GET /notifications', undefined, 'notify')).body
/** Told as soon as a collection finds the one before told of: it waits for no other. */
const tells = (count: number) =>
  eventually(async () => {
    await stand.ask('POST /collect')
    return (await told()).length === count
  })

test('an alert is one notification until it clears, then another', async () => {
  stand.machine.memory(97)
  await tells(1)
  for (let round = 0; round < 3; round++) await stand.ask('POST /collect')
  expect(await told()).toMatchObject([
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
    return (await told())[0]!.status === 'Dismissed'
  })
  stand.machine.memory(97)
  await tells(2)
})

test('who asks for a collection is nobody who tells of what it finds', async () => {
  stand.machine.memory(97)
  await tells(1)
  stand.machine.memory(10)
  await eventually(async () => {
    await stand.ask('POST /collect')
    return (await told())[0]!.status === 'Dismissed'
  })
  const actors: string[] = await stand.db('notify_audit').orderBy('seq').pluck('actor')
  expect(actors).toEqual(['svc-monitor', 'svc-monitor'])
})

test('after a restart an alert that goes on has the notification it had', async () => {
  stand.machine.cpu(99)
  await tells(1)
  await stand.reopen()
  await collected(1)
  for (let round = 0; round < 3; round++) await stand.ask('POST /collect')
  await stand.reopen()
  expect(await told()).toHaveLength(1)
})

test('after a restart the notification of an alert that cleared meanwhile is put aside', async () => {
  stand.machine.cpu(99)
  await tells(1)
  stand.machine.cpu(1)
  await stand.reopen()
  await eventually(async () => {
    await stand.ask('POST /collect')
    return (await told())[0]!.status === 'Dismissed'
  })
  expect(await told()).toHaveLength(1)
})

test('a notification that cannot be left at a stop is no warning, and is left by the next monitor', async () => {
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
  // The alert itself is one.
  expect(own).toMatchObject([{ metric: 'memory' }])
  await stand.reopen()
  await tells(1)
})

test('what keeps a notification from being left is told, with the service that does not answer', async () => {
  const alone = await startMonitor(`sqlite:${stand.folder}/alone.db`)
  try {
    alone.machine.memory(97)
    await alone.ask('POST /collect')
    await eventually(() => alone.log().includes('notifications of alerts wait for the next collection'))
    expect(alone.log()).toMatch(/the notify service does not answer at http:[^"]*: is it running\?/)
  } finally {
    await alone.close()
  }
})
