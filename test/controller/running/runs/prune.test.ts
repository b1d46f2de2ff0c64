import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { createStand, type Stand } from '../../fixture.ts'

const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`things/t${index}.yml`, `name: t${index}\n`]))
const gone = (...indexes: number[]) => Object.fromEntries(indexes.map((index) => [`things/t${index}.yml`, null]))

onEachDatabase((database) => {
  let stand: Stand
  beforeEach(async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files(ten)
    await stand.pass()
  })
  afterEach(() => stand.close())

  test('deletes resources that no manifest declares', async () => {
    await stand.files(gone(3))
    const run = await stand.pass()
    expect(run.summary.delete).toBe(1)
    expect(stand.things.removed).toEqual(['t3'])
    expect((await stand.controller.resources({})).items.map((resource) => resource.name)).not.toContain('t3')
  })

  test('keeps resources that it does not own', async () => {
    stand.things.live.set('foreign', { name: 'foreign', size: 1, hard: '', parent: null, env: {} })
    await stand.files(gone(3))
    await stand.pass()
    expect(stand.names()).toContain('foreign')
  })

  test('reports deletions over budget and applies the rest', async () => {
    await stand.files({ ...gone(1, 2, 3), 'things/new.yml': 'name: new\n' })
    const run = await stand.pass()
    expect(stand.things.removed).toEqual([])
    expect(run).toMatchObject({ summary: { create: 1, delete: 0 } })
    expect(run.error).toMatch(
      /3 deletions exceed the budget of 2 .*: svc reconcile --source default --prune-override [0-9a-f]{12}$/,
    )
  })

  test('deletes over budget if the override matches the hash', async () => {
    await stand.files(gone(1, 2, 3))
    const { guard } = await stand.controller.plan({ source: 'default' }, { actor: 'a', requestId: 'r', endpoint: 'e' })
    await stand.controller.apply(
      { source: 'default', prune_override: guard!.hash },
      { actor: 'a', requestId: 'r', endpoint: 'e' },
      () => undefined,
    )
    expect(stand.things.removed.sort()).toEqual(['t1', 't2', 't3'])
  })

  test.each([
    ['a syntax error', { 'things/broken.yml': 'name: [\n' }],
    ['an unknown field', { 'things/t4.yml': 'name: t4\nsise: 4\n' }],
    ['an oversized file', { 'things/huge.yml': '#'.repeat(2 * 1024 * 1024) }],
  ])('prunes nothing while there is %s, and reports why', async (_what, files) => {
    await stand.files({ ...gone(3), ...files })
    await stand.pass()
    expect(stand.things.removed).toEqual([])
    expect(stand.names()).toHaveLength(10)
    expect(stand.controller.source('default').error).toMatch(/nothing is pruned/)
  })

  test('prunes nothing when a file cannot be read', async () => {
    await stand.files(gone(3))
    await symlink(join(stand.folder, 'nowhere'), join(stand.folder, 'things', 't3.yml'))
    await stand.pass()
    expect(stand.things.removed).toEqual([])
    expect(stand.controller.source('default').error).toContain('t3.yml')
  })

  test('prunes nothing when the folder is missing, and reports why', async () => {
    await stand.files({ '.': null })
    const run = await stand.pass()
    expect(run.status).toBe('failed')
    expect(stand.names()).toHaveLength(10)
    expect(stand.controller.source('default').error).toContain(stand.folder)
  })

  test('prunes nothing when the folder was emptied', async () => {
    await stand.files({ things: null })
    await stand.pass()
    expect(stand.names()).toHaveLength(10)
  })

  test('prunes after the error is fixed', async () => {
    await stand.files({ ...gone(3), 'things/broken.yml': 'name: [\n' })
    await stand.pass()
    await stand.files({ 'things/broken.yml': null })
    await stand.pass()
    expect(stand.things.removed).toEqual(['t3'])
    expect(stand.controller.source('default').error).toBeNull()
  })
})
