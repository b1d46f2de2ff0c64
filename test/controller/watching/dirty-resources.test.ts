import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { controllerMigrations } from '../../../controller/migrations.ts'
import { NO_INTENTS } from '../../../controller/planning/intents.ts'
import type { Owned } from '../../../controller/planning/ownership.ts'
import type { Preview } from '../../../controller/planning/preview.ts'
import type { DesiredState } from '../../../controller/reading/desired-state.ts'
import { Dirty } from '../../../controller/watching/dirty-resources.ts'
import { Inventory } from '../../../controller/running/inventory.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { migrate, openDatabase } from '../../../platform/database/database.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import type { RunStep } from '../../../schemas/run.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

const COUNT = 60
/** Interval of the full resync, which would hide missed changes. */
const RESYNC_MS = 120_000

async function standOf(clock: TestClock): Promise<Stand> {
  const { url, remove } = await sqliteDatabase()
  const db = openDatabase(url)
  const stand = await createStand(db, { clock, start: false })
  onTestFinished(async () => {
    await stand.close()
    await db.destroy()
    await remove()
  })
  return stand
}

const fileOf = (name: string) => `things/${name}.yml`
const thing = (name: string, size: number, more = '') => `name: ${name}\nsize: ${size}\n${more}`

async function callsOf({ controller }: Stand): Promise<Record<string, number>> {
  const metric = controller.metrics!.find(({ name }) => name === 'controller_reconciler_calls_total')!
  return { ...((await metric.read()) as Record<string, number>) }
}

/** Steps of an automatic full pass. */
async function planOf({ controller }: Stand, keepDrift: boolean): Promise<string[]> {
  const { steps } = await controller.plan({ source: 'default', keep_drift: keepDrift }, person)
  return steps.map(({ action, name }) => `${action} ${name}`)
}

/** Creates more things than are observed one by one; waits for their first passes. */
async function converged(clock: TestClock, sync = 'sync: {}\n'): Promise<Stand> {
  const stand = await standOf(clock)
  const names = Array.from({ length: COUNT }, (_, index) => `t${index}`)
  const files = Object.fromEntries(names.map((name) => [fileOf(name), thing(name, 1)]))
  await stand.files({ 'svc.yaml': sync, ...files })
  await stand.controller.start()
  await eventually(() => stand.things.live.size === COUNT)
  await waitUntilIdle(stand)
  // After so many creations, the next pass observes everything.
  await stand.files({ [fileOf('t0')]: thing('t0', 2) })
  await eventually(() => stand.things.find('t0')![1].size === 2)
  await waitUntilIdle(stand)
  return stand
}

const depthOf = ({ controller }: Stand) =>
  controller.metrics!.find(({ name }) => name === 'controller_workqueue_depth')!.read() as number

/** Waits until only timers are pending. */
async function waitUntilIdle(stand: Stand): Promise<void> {
  await eventually(() => depthOf(stand) === 0)
}

test('observes only the changed manifest', async () => {
  const stand = await converged(new TestClock(Date.now()))
  const before = await callsOf(stand)
  await stand.files({ [fileOf('t7')]: thing('t7', 9) })
  await eventually(() => stand.things.find('t7')![1].size === 9)
  await waitUntilIdle(stand)
  const after = await callsOf(stand)
  expect(after.observeAll).toBe(before.observeAll)
  expect(after.apply! - before.apply!).toBe(1)
  expect(after.observe! - before.observe!).toBeLessThanOrEqual(4)
  const run = (await stand.controller.runs()).items.find(({ steps }) => steps.length === 1 && steps[0]!.name === 't7')
  expect(run?.summary).toMatchObject({ update: 1, unchanged: COUNT - 1 })
})

test('does not observe a deleted resource again', async () => {
  const stand = await converged(new TestClock(Date.now()))
  const before = await callsOf(stand)
  await stand.files({ [fileOf('t7')]: null })
  await eventually(() => stand.names().length === COUNT - 1)
  await stand.files({ [fileOf('t8')]: thing('t8', 9) })
  await eventually(() => stand.things.find('t8')![1].size === 9)
  await waitUntilIdle(stand)
  const after = await callsOf(stand)
  expect(after.observeAll).toBe(before.observeAll)
  expect(after.remove! - before.remove!).toBe(1)
})

test('plans only healed resources, without reading manifests', async () => {
  const stand = await converged(new TestClock(Date.now()), 'sync: { drift: heal }\n')
  const [before, seen] = [await callsOf(stand), stand.controller.source('default').observed_at]
  stand.things.changeByHand('t9', { size: 77 })
  await eventually(() => stand.things.find('t9')![1].size === 1)
  await waitUntilIdle(stand)
  const after = await callsOf(stand)
  expect(after.observeAll).toBe(before.observeAll)
  expect(stand.controller.source('default').observed_at).toBe(seen)
  const { items } = await stand.controller.drift({}, null)
  expect(items).toMatchObject([{ name: 't9', path: 'size', live: 77, resolution: 'healed' }])
})

test('finds changes without events by the full resync', async () => {
  const clock = new TestClock(Date.now())
  const stand = await converged(clock, 'sync: { drift: heal }\n')
  const [id, spec] = stand.things.find('t3')!
  stand.things.live.set(id, { ...spec, size: 55 })
  await stand.files({ [fileOf('t4')]: thing('t4', 4) })
  await eventually(() => stand.things.find('t4')![1].size === 4)
  await waitUntilIdle(stand)
  expect(stand.things.find('t3')![1].size).toBe(55)
  clock.tick(RESYNC_MS)
  await eventually(() => stand.things.find('t3')![1].size === 1)
})

test('holds and reports deletions over budget until they are allowed', async () => {
  const stand = await converged(new TestClock(Date.now()), 'sync: { max_delete: "2" }\n')
  await stand.files({ [fileOf('t1')]: null, [fileOf('t2')]: null })
  await eventually(() => stand.names().length === COUNT - 2)
  await stand.files({ [fileOf('t3')]: null, [fileOf('t4')]: null, [fileOf('t5')]: null })
  await eventually(() => stand.controller.source('default').error?.startsWith('3 deletions'))
  await stand.files({ [fileOf('t6')]: thing('t6', 6) })
  await eventually(() => stand.things.find('t6')![1].size === 6)
  expect(stand.controller.source('default').error).toMatch(/^3 deletions exceed the budget of 2/)
  await stand.files({ [fileOf('t5')]: thing('t5', 1) })
  await eventually(() => stand.names().length === COUNT - 4)
  await eventually(() => stand.controller.source('default').error === null)
})

/** A deterministic random generator. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2654435761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0
    return state % below
  }
}

/** Causes a random event and returns its description. */
async function causeEvent(stand: Stand, random: (below: number) => number): Promise<string> {
  const { things } = stand
  const name = `t${random(COUNT)}`
  const size = random(1000)
  const present = things.find(name) !== undefined
  switch (random(9)) {
    case 0:
    case 1:
      await stand.files({ [fileOf(name)]: thing(name, size) })
      return `${name} written`
    case 2:
      await stand.files({ [fileOf(name)]: thing(name, size, `hard: h${size}\n`) })
      return `${name} written hard`
    case 3:
      await stand.files({ [fileOf(name)]: thing(name, size) })
      await stand.files({ [fileOf(name)]: null })
      return `${name} removed`
    case 4:
      if (present) things.changeByHand(name, { size })
      return `${name} changed by hand`
    case 5:
      if (present) things.changeByHand(name, null)
      return `${name} deleted by hand`
    case 6:
      await stand.files({ [fileOf(name)]: `name: ${name}\nsize: [\n` })
      return `${name} broken`
    case 7:
      things.failing.set(name, new Error('the service refuses'))
      await stand.files({ [fileOf(name)]: thing(name, size) })
      return `${name} fails`
    default:
      things.busy.add(name)
      await stand.files({ [fileOf(name)]: thing(name, size, `hard: b${size}\n`) })
      return `${name} is busy`
  }
}

for (const [seed, rule] of [
  [1, 'report'],
  [2, 'heal'],
  [3, 'report'],
  [4, 'heal'],
] as const)
  test(`leaves nothing for a full pass after partial passes (${rule}, ${seed})`, async () => {
    const clock = new TestClock(Date.now())
    const stand = await converged(clock, `sync: { drift: ${rule}, max_delete: "100%" }\n`)
    const random = randomOf(seed)
    const passed = clock.monotonic()
    for (let batch = 0; batch < 6; batch++) {
      const happened: string[] = []
      for (let left = 1 + random(4); left > 0; left--) happened.push(await causeEvent(stand, random))
      await waitForUntimedWork(stand)
      // Ends all failures, busy agents and broken manifests.
      stand.things.failing.clear()
      for (const name of stand.things.busy) {
        stand.things.busy.delete(name)
        const found = stand.things.find(name)
        if (found) stand.things.changes.publish({ id: found[0], name, moved: 'idle' })
      }
      for (const event of happened.filter((each) => each.endsWith('broken'))) {
        const name = event.split(' ', 1)[0]!
        await stand.files({ [fileOf(name)]: thing(name, batch) })
      }
      await eventually(async () => {
        if (clock.monotonic() - passed < RESYNC_MS - 6000) clock.tick(250)
        const steps = await planOf(stand, rule === 'report')
        if (steps.length > 0) throw new Error(`batch ${batch}, after ${happened.join(', ')}: ${steps.join(', ')}`)
        return true
      }, 20_000)
    }
    expect(clock.monotonic() - passed).toBeLessThan(RESYNC_MS)
  }, 120_000)

/** Waits for work that needs no timer. */
async function waitForUntimedWork(stand: Stand): Promise<void> {
  const passes = () =>
    stand.controller.metrics!.find(({ name }) => name === 'controller_passes_total')!.read() as number
  const before = passes()
  await eventually(() => passes() > before || depthOf(stand) === 0, 3000).catch(() => undefined)
}

const NOTHING_SEEN = { subjects: [], judged: [], unknown: [], waiting: new Set<string>() }

test('observes dependents of a recreated resource in all sources', async () => {
  const inventory = await inventoryOf()
  const state: DesiredState = { revision: 'r', resources: [], diagnostics: [], complete: true, sync: {} }
  const dirty = new Dirty({ inventory, intents: NO_INTENTS })
  for (const source of ['one', 'two']) expect(dirty.beginPass(source, state, [])).toBe(undefined)
  const preview = { plan: { steps: [], diagnostics: [], guard: null }, ...NOTHING_SEEN } as unknown as Preview
  for (const source of ['one', 'two']) dirty.endPass(source, state, preview)
  await inventory.put([entryOf('parent', 'one', []), entryOf('child', 'two', ['things/parent'])])
  const step = { kind: 'things', name: 'parent', action: 'create' } as RunStep
  dirty.recordRun({ steps: [{ ...step, action: 'update' }] })
  expect(dirty.beginPass('two', state, [])).toEqual(new Set())
  dirty.endPass('two', state, preview)
  dirty.recordRun({ steps: [step] })
  expect(dirty.beginPass('one', state, [])).toEqual(new Set(['things/parent']))
  expect(dirty.beginPass('two', state, [])).toEqual(new Set(['things/child']))
})

test('runs a full resync after an interrupted observation or lost events', async () => {
  const dirty = new Dirty({ inventory: await inventoryOf(), intents: NO_INTENTS })
  const state: DesiredState = { revision: 'r', resources: [], diagnostics: [], complete: true, sync: {} }
  const preview = { plan: { steps: [], diagnostics: [], guard: null }, ...NOTHING_SEEN } as unknown as Preview
  const look = (now = state) => {
    const only = dirty.beginPass('one', now, [])
    dirty.endPass('one', now, preview)
    return only
  }
  expect(look()).toBe(undefined)
  expect(look()).toEqual(new Set())
  dirty.beginPass('one', state, [])
  expect(look()).toBe(undefined)
  dirty.beginPass('one', state, [])
  dirty.markAll('one')
  dirty.endPass('one', state, preview)
  expect(look()).toBe(undefined)
  expect(look()).toEqual(new Set())
  expect(look({ ...state, sync: { drift: 'heal' } })).toBe(undefined)
})

async function inventoryOf(): Promise<Inventory> {
  const { url, remove } = await sqliteDatabase()
  const db = openDatabase(url)
  onTestFinished(async () => {
    await db.destroy()
    await remove()
  })
  await migrate(db, controllerMigrations)
  return Inventory.load({ db, vault: new Vault(randomBytes(32)), clock: new TestClock() })
}

function entryOf(name: string, source: string, dependsOn: string[]): Owned {
  const place = { file: `${name}.yml`, line: 1, column: 1, revision: 'r', sync: {}, dependsOn }
  const spec = { name }
  return {
    kind: 'things',
    name,
    source,
    ...place,
    liveId: name,
    desired: spec,
    applied: spec,
    conditions: [],
    deferredSince: null,
  }
}
