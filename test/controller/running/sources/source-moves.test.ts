import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async (start: boolean) => {
    stand = await createStand(database.db, { start, sources: ['other'] })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n', 'things/stays.yml': 'name: stays\n' })
    await stand.pass()
    return stand.things.find('t')![0]
  }
  const place = async (name: string) =>
    (await stand.controller.resources({})).items.find((each) => each.name === name)?.source
  const errors = () => stand.controller.sources().map(({ error }) => error)
  const expectMoved = async (liveId: string, watched = ['default', 'other']) => {
    await eventually(async () => (await place('t')) === 'other' && stand.things.find('t')![1].size === 2)
    await eventually(() => errors().every((error) => error === null))
    expect([stand.things.find('t')![0], stand.things.removed]).toEqual([liveId, []])
    for (const name of watched) expect((await stand.controller.plan({ source: name }, person)).steps).toEqual([])
  }

  test('moves a resource that is added before it is removed', async () => {
    const liveId = await open(true)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await eventually(() => stand.controller.source('other').error?.includes('belongs to source "default"'))
    await stand.files({ 'things/t.yml': null })
    await expectMoved(liveId)
  })

  test.each([['default'], ['other']])('moves a resource in one edit when %s passes first', async (first) => {
    const liveId = await open(false)
    await stand.files({ 'things/t.yml': null })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await stand.pass({ source: first })
    await stand.pass({ source: first === 'default' ? 'other' : 'default' })
    await expectMoved(liveId)
  })

  test('moves a resource that was kept because pruning is off', async () => {
    const liveId = await open(true)
    await stand.files({ 'svc.yaml': 'sync:\n  prune: false\n', 'things/t.yml': null })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await expectMoved(liveId)
  })

  test.each([['default'], ['other']])('moves a referenced resource when %s changes first', async (first) => {
    const liveId = await open(true)
    await stand.files({ 'things/child.yml': 'name: child\nparent: t\n' })
    await eventually(() => stand.things.find('child'))
    const here = () => stand.files({ 'things/t.yml': null })
    const there = () => stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await (first === 'default' ? here() : there())
    await eventually(() => stand.controller.source(first).error !== null)
    await (first === 'default' ? there() : here())
    await expectMoved(liveId)
  })

  test('moves a resource whose manifest moved while the daemon was down', async () => {
    const liveId = await open(true)
    await stand.controller.stop()
    await stand.files({ 'things/t.yml': null })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await stand.reopen()
    await expectMoved(liveId)
  })

  test('plans no deletion of a moving resource', async () => {
    await open(false)
    await stand.files({ 'things/t.yml': null })
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await stand.pass({ source: 'other' }).catch(() => undefined)
    expect((await stand.controller.plan({ source: 'default' }, person)).steps).toEqual([])
    expect(stand.things.removed).toEqual([])
  })

  test('deletes a resource that no other source declares', async () => {
    await open(true)
    await stand.files({ 'things/t.yml': null })
    await eventually(() => stand.things.removed.includes('t'))
  })

  test('moves a resource from applied manifests to a watched source', async () => {
    stand = await createStand(database.db, { sources: ['other'] })
    const send = (names: string[]) => ({
      manifests: names.map((name) => ({ path: `things/${name}.yml`, content: `name: ${name}\nsize: 1\n` })),
      root: '/sent',
    })
    await stand.controller.apply(send(['t', 'stays']), person, () => undefined)
    const [liveId] = stand.things.find('t')!
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n' }, 'other')
    await eventually(() => stand.controller.source('other').error?.includes('belongs to source "apply:/sent"'))
    await stand.controller.apply({ ...send(['stays']), prune: true }, person, () => undefined)
    await expectMoved(liveId, ['other'])
  })

  test.each([[false], [true]])(
    'moves a resource to applied manifests; daemon restarted meanwhile: %s',
    async (reopens) => {
      const liveId = await open(true)
      const manifests = [
        { path: 'things/t.yml', content: 'name: t\nsize: 2\n' },
        { path: 'things/mine.yml', content: 'name: mine\n' },
      ]
      await stand.controller.apply({ manifests, root: '/sent' }, person, () => undefined)
      await eventually(() => stand.names().includes('mine'))
      expect([await place('t'), stand.things.find('t')![1].size]).toEqual(['default', 1])
      if (reopens) await stand.reopen()
      await stand.files({ 'things/t.yml': null })
      await eventually(async () => (await place('t')) === 'apply:/sent' && stand.things.find('t')![1].size === 2)
      expect([stand.things.find('t')![0], stand.things.removed]).toEqual([liveId, []])
    },
  )

  test.each([
    ['a wrong type', 'things/t.yml', 'name: t\nsize: many\n'],
    ['invalid YAML', 'things/t.yml', 'size: [\nname: t\n'],
    ['another file name', 'things/deep/moved.yml', 'name: t\nsize: many\n'],
  ])('keeps a resource moved to a manifest with %s until repaired', async (_what, path, faulty) => {
    const liveId = await open(true)
    await stand.files({ [path]: faulty }, 'other')
    await eventually(() => stand.controller.source('other').error)
    await stand.files({ 'things/t.yml': null })
    await eventually(async () => (await place('t')) === 'other')
    expect([stand.things.find('t'), stand.things.removed]).toEqual([[liveId, expect.objectContaining({ size: 1 })], []])
    await stand.files({ [path]: 'name: t\nsize: 2\n' }, 'other')
    await expectMoved(liveId)
  })
})
