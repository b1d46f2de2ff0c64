import { afterEach, expect, test, vi } from 'vitest'
import type { ControllerEvent } from '../../../controller/face.ts'
import { DesiredStates } from '../../../controller/running/sources/desired-states.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('rejects a stale saved plan and names the changed resource', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    stand.things.changeByHand('t', { size: 9 })
    const refused = stand.controller.apply({ plan }, person, () => undefined)
    await expect(refused).rejects.toMatchObject({ status: 409, message: expect.stringContaining('things/t changed') })
    expect(stand.things.find('t')![1].size).toBe(9)
  })

  test('rejects a saved plan if a hidden value has changed', async () => {
    stand = await createStand(database.db, { start: false })
    const input = (value: string) => ({
      manifests: [{ path: 'things/t.yml', content: 'name: t\nenv: { TOKEN: "${TOKEN}" }\n' }],
      root: '/sent',
      source: 'apply:/sent',
      variables: { TOKEN: value },
    })
    const plan = await stand.controller.plan(input('one'), person)
    await expect(stand.controller.apply({ ...input('two'), plan }, person, () => undefined)).rejects.toMatchObject({
      status: 409,
    })
    expect((await stand.controller.apply({ ...input('one'), plan }, person, () => undefined)).status).toBe('succeeded')
  })

  test('applies a saved plan whose facts still hold', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    const events: ControllerEvent[] = []
    const run = await stand.controller.apply({ plan: JSON.parse(JSON.stringify(plan)) }, person, (event) =>
      events.push(event),
    )
    expect(run.status).toBe('succeeded')
    expect(events.map((event) => event.type)).toEqual(['plan', 'step', 'step', 'run'])
  })

  test('treats sent manifests as a separate source that can be torn down', async () => {
    stand = await createStand(database.db, { start: false })
    const send = (content: string, more = {}) =>
      stand.controller.apply(
        { manifests: [{ path: 'things/all.yml', content }], root: '/sent', source: 'apply:/sent', ...more },
        person,
        () => undefined,
      )
    await send('name: a\n---\nname: b\n')
    await send('name: a\n')
    expect(stand.names()).toEqual(['a', 'b'])
    await send('name: a\n', { prune: true })
    expect(stand.names()).toEqual(['a'])
    stand.things.live.set('foreign', { name: 'foreign', size: 0, hard: '', parent: null, env: {} })
    await send('name: a\n---\nname: foreign\n', { delete_all: true })
    expect(stand.names()).toEqual(['foreign'])
    expect(stand.controller.sources().map((source) => source.name)).toEqual(['default'])
  })

  test('plans no change to a resource of another source', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    const input = {
      manifests: [{ path: 'things/t.yml', content: 'name: t\nsize: 2\n' }],
      root: '/sent',
      source: 'apply:/sent',
    }
    const plan = await stand.controller.plan(input, person)
    expect(plan).toMatchObject({
      steps: [],
      diagnostics: [{ code: 'owned-elsewhere', message: 'things/t belongs to source "default" (things/t.yml:1)' }],
    })
  })

  test('rejects an unknown target in plans and passes', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await expect(stand.controller.plan({ source: 'default', targets: ['things/nope'] }, person)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('things/nope'),
    })
    const { run_id } = await stand.controller.sync('default', person, { targets: ['things/nope'] })
    await eventually(async () => (await stand.controller.run(run_id)).status === 'failed')
  })

  test('rejects a plan of a missing folder and names the folder', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ '.': null })
    await expect(stand.controller.plan({ source: 'default' }, person)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(stand.folder),
    })
  })

  test('applies nothing from a suspended source until it is resumed', async () => {
    stand = await createStand(database.db)
    await stand.controller.suspend('default', person)
    await expect(stand.controller.sync('default', person)).rejects.toMatchObject({ status: 409 })
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await stand.reopen()
    expect(stand.controller.source('default').suspended).toBe(true)
    await stand.controller.resume('default', person)
    await eventually(() => stand.names().length === 1)
  })

  test.each(['automatic', 'requested'])('ignores files saved after a suspension in a running pass: %s', async (how) => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await eventually(() => stand.names().length === 1)
    const reading = pauseFirstCall(DesiredStates.prototype, 'ofSource')
    if (how === 'automatic') await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' })
    const asked = how === 'automatic' ? null : await stand.controller.sync('default', person)
    await reading.begun
    await stand.controller.suspend('default', person)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 3\n' })
    await reading.letGo()
    if (asked)
      expect(await eventually(async () => ended(await stand.controller.run(asked.run_id)))).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('suspended'),
      })
    // Earlier work has ended when this request has been answered.
    await stand.controller.apply({ manifests: [], root: '/sent' }, person, () => undefined)
    expect(stand.things.find('t')![1].size).toBe(1)
    await stand.controller.resume('default', person)
    await eventually(() => stand.things.find('t')![1].size === 3)
  })

  test('keeps no errors of rejected manifests', async () => {
    stand = await createStand(database.db, { start: false })
    const send = (content: string) =>
      stand.controller.apply({ manifests: [{ path: 'things/t.yml', content }], root: '/sent' }, person, () => undefined)
    await send('name: t\n').catch(() => undefined)
    await send('name: t\nsize: [\n').catch(() => undefined)
    expect(await stand.controller.health!()).toMatchObject({ status: 'ok', sources_in_error: [] })
    expect(stand.controller.sources().map(({ error }) => error)).toEqual([null, null])
  })
})

const ended = <R extends { status: string }>(run: R) => run.status !== 'running' && run

/** Pauses the first call of a method; `letGo` continues it and waits for its end. */
function pauseFirstCall<T extends object>(owner: T, method: keyof T & string) {
  const original = owner[method] as (...args: unknown[]) => Promise<unknown>
  let [begin, go] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const gate = new Promise<void>((resolve) => (go = resolve))
  let done: Promise<unknown> = Promise.resolve()
  const spy = vi.spyOn(owner, method as never).mockImplementationOnce(async function (this: T, ...args: unknown[]) {
    begin()
    await gate
    return (done = original.apply(this, args))
  } as never)
  return {
    begun,
    letGo: async () => {
      go()
      await eventually(() => done.then(() => true))
      spy.mockRestore()
    },
  }
}
