import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2030, 0, 1, 12)
const rules = (more: object = {}, window: object = {}) =>
  JSON.stringify({
    sync: { ...more, windows: [{ effect: 'allow', schedule: '0 22 * * *', duration: '2h', ...window }] },
  })
const closed = expect.objectContaining({
  status: 409,
  code: 'window-closed',
  message: expect.stringContaining('2030-01-01T22:00:00.000Z'),
})

onEachDatabase((database) => {
  let clock: TestClock
  let stand: Stand
  beforeEach(async () => {
    clock = new TestClock(NOON)
    stand = await createStand(database.db, { clock })
  })
  afterEach(() => stand.close())
  const source = () => stand.controller.source('default')
  const ticking = <T>(done: () => T, ms = 500) => eventually(() => (clock.tick(ms), done()))
  const read = () => ticking(() => source().revision !== null && source().window !== null)

  test('defers automatic writes until the window opens', async () => {
    await stand.files({ 'svc.yaml': rules(), 'things/a.yml': 'name: a\n' })
    await read()
    for (let hour = 0; hour < 9; hour++) clock.tick(HOUR)
    await eventually(async () => (await stand.controller.plan({ source: 'default' }, person)).summary.create === 1)
    expect(stand.names()).toEqual([])
    expect(source().applied_revision).not.toBe(source().revision)
    expect(source().window).toEqual({ open: false, manual: false, changes_at: '2030-01-01T22:00:00.000Z' })
    await ticking(() => stand.names().join() === 'a', 60_000)
    expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2030, 0, 1, 22))
    expect(source().window).toMatchObject({ open: true, changes_at: '2030-01-02T00:00:00.000Z' })
  })

  test('reports drift outside of a window and heals it inside', async () => {
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\n' })
    await ticking(() => stand.names().join() === 'a')
    await stand.files({ 'svc.yaml': rules({ drift: 'heal' }) })
    await read()
    stand.things.changeByHand('a', { size: 5 })
    await ticking(async () => (await stand.controller.drift({ open: true })).items[0]?.live === 5)
    for (let minutes = 0; minutes < 10; minutes++) clock.tick(60_000)
    await read()
    expect(stand.things.find('a')![1].size).toBe(5)
    clock.tick(10 * HOUR)
    await ticking(() => stand.things.find('a')![1].size === 1)
  })

  test('refuses requests with the time at which the window opens', async () => {
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\n' })
    await ticking(() => stand.names().join() === 'a')
    await stand.files({ 'svc.yaml': rules(), 'things/b.yml': 'name: b\n' })
    await read()
    stand.things.changeByHand('a', { size: 5 })
    await ticking(async () => (await stand.controller.drift({ open: true })).items.length === 1)
    await expect(stand.controller.sync('default', person, {})).rejects.toEqual(closed)
    await expect(stand.controller.apply({ source: 'default' }, person, () => undefined)).rejects.toEqual(closed)
    await expect(stand.controller.revert('things', 'a', person)).rejects.toEqual(closed)
    expect([stand.names(), stand.things.find('a')![1].size]).toEqual([['a'], 5])
    expect((await stand.controller.plan({ source: 'default' }, person)).summary).toMatchObject({ create: 1, update: 1 })
  })

  test('allows only requests with manual: true', async () => {
    await stand.files({ 'svc.yaml': rules({}, { manual: true }), 'things/a.yml': 'name: a\n' })
    await read()
    expect(stand.names()).toEqual([])
    const run = stand.pass()
    await ticking(() => stand.names().join() === 'a')
    expect((await run).status).toBe('succeeded')
    await ticking(() => source().applied_revision !== null)
  })

  test('refuses a requested pass when it reads a closed window', async () => {
    await stand.files({ 'things/a.yml': 'name: a\n' })
    await ticking(() => stand.names().join() === 'a')
    await stand.files({ 'svc.yaml': rules(), 'things/b.yml': 'name: b\n' })
    const run = stand.pass()
    await ticking(() => source().window !== null)
    expect(await run).toMatchObject({ status: 'failed', error: expect.stringContaining('outside of its sync windows') })
    expect(stand.names()).toEqual(['a'])
  })

  test('defers a resumed resource until the window opens', async () => {
    await stand.files({ 'svc.yaml': rules(), 'things/a.yml': 'name: a\n' })
    await read()
    await stand.controller.suspend('default', person)
    await stand.controller.resume('default', person)
    for (let minutes = 0; minutes < 5; minutes++) clock.tick(60_000)
    await eventually(async () => (await stand.controller.plan({ source: 'default' }, person)).summary.create === 1)
    expect(stand.names()).toEqual([])
    clock.tick(10 * HOUR)
    await ticking(() => stand.names().join() === 'a')
  })

  test('reports an invalid window as a fault of svc.yaml', async () => {
    const wrong = [{ schedule: '99 * * * *' }, { duration: 'long' }, { timezone: 'Mars/Olympus' }]
    for (const window of wrong) {
      await stand.files({ 'svc.yaml': rules({}, window), 'things/a.yml': 'name: a\n' })
      await expect(
        eventually(async () => {
          clock.tick(500)
          const { diagnostics } = await stand.controller.plan({ source: 'default' }, person)
          return diagnostics.some(
            ({ file, message }) => file === 'svc.yaml' && message.includes(Object.values(window)[0] ?? ''),
          )
        }),
      ).resolves.toBe(true)
    }
    expect(stand.names()).toEqual([])
  })
})
