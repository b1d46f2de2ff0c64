import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  /** Renames a source; `a` has changed and `b` is no longer declared. */
  const renameSource = async () => {
    stand = await createStand(database.db)
    await stand.files({
      'things/a.yml': 'name: a\nsize: 1\n',
      'things/b.yml': 'name: b\n',
      'things/c.yml': 'name: c\n',
    })
    await stand.pass()
    const ids = [...stand.things.live.keys()].sort()
    await stand.files({ 'things/a.yml': 'name: a\nsize: 2\n', 'things/b.yml': null }, 'default')
    await stand.reopen({ team: 'default' })
    return ids
  }
  const place = async (name: string) =>
    (await stand.controller.resources({})).items.find((each) => each.name === name)?.source
  const pass = () => stand.pass({ source: 'team' })

  test('shows an orphaned source with next steps and changes no resource', async () => {
    const ids = await renameSource()
    await pass()
    expect(stand.controller.source('default')).toMatchObject({
      orphaned: true,
      owned: 3,
      error: expect.stringMatching(/svc sources adopt default --into SOURCE, .* svc sources forget default/),
    })
    expect(stand.controller.source('team')).toMatchObject({ orphaned: false, owned: 0 })
    expect(stand.controller.source('team').error).toContain('belongs to source "default"')
    expect(await stand.controller.health!()).toMatchObject({
      status: 'degraded',
      sources_in_error: ['team', 'default'],
    })
    expect([[...stand.things.live.keys()].sort(), stand.things.removed]).toEqual([ids, []])
    stand.things.changeByHand('c', { size: 7 })
    await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
  })

  test('adopts the declared resources of an orphan and lists the rest', async () => {
    const ids = await renameSource()
    expect(await stand.controller.adopt('default', 'team')).toEqual({
      adopted: ['things/a', 'things/c'],
      left: ['things/b'],
    })
    await eventually(() => stand.things.find('a')![1].size === 2)
    expect(stand.controller.source('default')).toMatchObject({ owned: 1, orphaned: true })
    expect(stand.controller.source('team')).toMatchObject({ owned: 2, error: null })
    expect([[...stand.things.live.keys()].sort(), stand.things.removed]).toEqual([ids, []])
    expect(await stand.controller.release('default')).toEqual({ released: ['things/b'] })
    expect(stand.controller.sources().map(({ name }) => name)).toEqual(['team'])
    expect((await stand.controller.plan({ source: 'team' }, person)).steps).toEqual([])
    expect(stand.names()).toEqual(['a', 'b', 'c'])
    await stand.reopen()
    expect(stand.controller.sources().map(({ name }) => name)).toEqual(['team'])
  })

  test('closes the drift of a released orphan and frees its resources', async () => {
    const ids = await renameSource()
    stand.things.changeByHand('b', { size: 7 })
    await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
    expect((await stand.controller.release('default')).released).toEqual(['things/a', 'things/b', 'things/c'])
    expect((await stand.controller.drift({ open: true })).items).toEqual([])
    await pass()
    expect([await place('a'), await place('b'), stand.things.find('a')![1].size]).toEqual(['team', undefined, 2])
    expect([[...stand.things.live.keys()].sort(), stand.things.removed]).toEqual([ids, []])
  })

  test('rejects adopting or releasing a configured source', async () => {
    await renameSource()
    const isRead = { status: 409, message: expect.stringContaining('is read from') }
    await expect(stand.controller.adopt('team', 'team')).rejects.toMatchObject(isRead)
    await expect(stand.controller.release('team')).rejects.toMatchObject(isRead)
    await expect(stand.controller.adopt('default', 'default')).rejects.toMatchObject({ status: 400 })
    await expect(stand.controller.adopt('default', 'nope')).rejects.toMatchObject({ status: 404 })
    await expect(stand.controller.release('nope')).rejects.toMatchObject({ status: 404 })
  })

  test('adopts applied manifests into a folder that declares them', async () => {
    stand = await createStand(database.db)
    const manifests = [{ path: 'things/t.yml', content: 'name: t\nsize: 1\n' }]
    await stand.controller.apply({ manifests, root: '/sent' }, person, () => undefined)
    const [id] = stand.things.find('t')!
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' })
    await stand.pass()
    expect(await stand.controller.adopt('apply:/sent', 'default')).toEqual({ adopted: ['things/t'], left: [] })
    await eventually(() => stand.things.find('t')![1].size === 2)
    expect(stand.things.find('t')![0]).toBe(id)
    expect(stand.controller.sources().map(({ name }) => name)).toEqual(['default'])
  })

  test('removes a former source without resources', async () => {
    stand = await createStand(database.db)
    await stand.pass()
    await stand.reopen({ team: 'default' })
    expect(stand.controller.sources().map(({ name }) => name)).toEqual(['team'])
  })
})
