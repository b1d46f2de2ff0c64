import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const never = () => new Promise<void>(() => undefined)

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  /** Simulates a git command that runs in the folder until the test ends. */
  const keepBusy = async (source: string) => {
    const folder = stand.controller.source(source).location
    await mkdir(join(folder, '.git'), { recursive: true })
    await writeFile(join(folder, '.git', 'index.lock'), '')
    await stand.files({ 'things/restless.yml': 'name: restless\n' }, source)
  }

  test('applies one source while the folder of another keeps changing', async () => {
    stand = await createStand(database.db, { start: false, sources: ['restless'] })
    await keepBusy('restless')
    await stand.controller.sync('restless', person)
    await stand.files({ 'things/t.yml': 'name: t\n' })
    expect((await stand.pass()).status).toBe('succeeded')
    expect(stand.controller.source('restless'), 'it is still being read').toMatchObject({ error: null, revision: null })
  })

  test('isolates a source in error and keeps its resources', async () => {
    stand = await createStand(database.db, { sources: ['broken'] })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n', 'things/gone.yml': 'name: gone\n' })
    await stand.files({ 'things/kept.yml': 'name: kept\n' }, 'broken')
    await eventually(() => stand.names().length === 3)
    const { location } = stand.controller.source('broken')
    await rename(location, `${location}.away`)
    await expect(stand.pass({ source: 'broken' })).resolves.toMatchObject({ status: 'failed' })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n', 'things/gone.yml': null })
    await eventually(() => stand.names().join() === 'kept,t' && stand.things.find('t')![1].size === 2)
    expect(stand.controller.source('default').error).toBeNull()
    expect(stand.controller.source('broken').error).toContain('the folder does not exist')
    expect(await stand.controller.health!()).toMatchObject({ status: 'degraded', sources_in_error: ['broken'] })
    await rename(`${location}.away`, location)
    await eventually(() => stand.controller.source('broken').error === null)
    expect(stand.names()).toEqual(['kept', 't'])
  })

  test('reverts drift while the folder keeps changing', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await keepBusy('default')
    await stand.controller.sync('default', person)
    stand.things.changeByHand('t', { size: 5 })
    const run = await stand.controller.revert('things', 't', person)
    expect([run.status, stand.things.find('t')![1].size]).toEqual(['succeeded', 1])
    expect(stand.controller.source('default').error).toBeNull()
  })

  test('applies one source while changes of many others hang', async () => {
    const hanging = Array.from({ length: 9 }, (_, index) => `hanging-${index}`)
    stand = await createStand(database.db, { sources: hanging })
    const begun = new Set<string>()
    stand.things.before = (call, name) => {
      if (call !== 'apply' || !name!.startsWith('hanging')) return undefined
      begun.add(name!)
      return never()
    }
    for (const name of hanging) await stand.files({ 'things/t.yml': `name: ${name}\n` }, name)
    await eventually(() => begun.size === hanging.length)
    await stand.files({ 'things/t.yml': 'name: t\n' })
    await eventually(() => stand.names().includes('t'))
    await stand.pass()
  })

  test('records drift while observations of another kind hang', async () => {
    stand = await createStand(database.db)
    const many = Array.from({ length: 12 }, (_, index) => [`gadgets/g${index}.yml`, `name: g${index}\n`])
    await stand.files({ ...Object.fromEntries(many), 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    stand.gadgets.before = never
    for (const [id, { name }] of stand.gadgets.live) stand.gadgets.changes.publish({ id, name })
    stand.things.changeByHand('t', { size: 5 })
    await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
  })

  test('stops despite a hanging change, a hanging observation and a busy folder', async () => {
    stand = await createStand(database.db, { sources: ['restless'] })
    await stand.files({ 'things/slow.yml': 'name: slow\n', 'gadgets/g.yml': 'name: g\n' })
    await keepBusy('restless')
    stand.things.before = (call) => (call === 'apply' ? never() : undefined)
    await eventually(async () => (await stand.controller.runs()).items[0]?.steps.some(({ name }) => name === 'slow'))
    stand.gadgets.before = never
    const looked = stand.controller.resource('gadgets', 'g').catch((error: Error) => error.message)
    await stand.controller.stop()
    expect(await looked).toContain('the daemon is stopping')
    stand.things.before = stand.gadgets.before = () => undefined
    await stand.reopen()
    await eventually(() => stand.names().includes('slow'))
  })

  test('creates a resource of two sources once and reports its owner', async () => {
    stand = await createStand(database.db, { start: false, sources: ['other'] })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await Promise.all([stand.pass(), stand.pass({ source: 'other' })])
    await Promise.all([stand.pass(), stand.pass({ source: 'other' })])
    expect(stand.names()).toEqual(['t'])
    const errors = stand.controller.sources().map(({ error }) => error)
    expect(errors.filter((error) => error?.includes('belongs to source'))).toHaveLength(1)
    expect(stand.things.removed).toEqual([])
  })
})
