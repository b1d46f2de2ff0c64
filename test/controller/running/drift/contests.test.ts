import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const MANIFEST = 'name: a\nsize: 1\nsync: {drift: heal}\n'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const size = () => stand.things.find('a')?.[1].size
  const healed = async () =>
    (await stand.controller.drift({})).items.filter(({ resolution }) => resolution === 'healed').length
  const shown = () => stand.controller.resource('things', 'a')
  const condition = async () => (await shown()).conditions.find(({ type }) => type === 'Contested')

  async function open(): Promise<void> {
    stand = await createStand(database.db)
    await stand.files({ 'things/a.yml': MANIFEST, 'things/b.yml': MANIFEST.replace('name: a', 'name: b') })
    await stand.pass()
  }

  async function changeAndHeal(times: number): Promise<void> {
    await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 0)
    const before = await healed()
    for (let at = 1; at <= times; at++) {
      stand.things.changeByHand('a', { size: 7 })
      await eventually(async () => size() === 1 && (await healed()) === before + at)
    }
  }

  async function contest(): Promise<void> {
    await changeAndHeal(3)
    stand.things.changeByHand('a', { size: 7 })
    await eventually(async () => (await shown()).contested !== null)
  }

  test('stops all writes to a contested field, also after a restart', async () => {
    await open()
    await contest()
    const detail = await shown()
    expect(detail.contested).toEqual({ paths: ['size'], actors: ['mira'], since: expect.any(String) })
    expect(await condition()).toMatchObject({ status: 'True', reason: 'KeepsBeingUndone' })
    const still = async () => {
      await stand.pass()
      const { items } = await stand.controller.drift({ open: true })
      expect([size(), items.map(({ path }) => path)]).toEqual([7, ['size']])
    }
    await still()
    stand.things.changeByHand('a', { size: 8 })
    await eventually(async () => (await stand.controller.drift({ open: true })).items[0]!.live === 8)
    expect(size()).toBe(8)
    stand.things.changeByHand('a', { size: 7 })
    stand.things.changeByHand('b', { size: 7 })
    await eventually(() => stand.things.find('b')![1].size === 1)
    await stand.reopen()
    await still()
    expect((await shown()).contested).not.toBeNull()
  })

  test('reverts the field on resume and restarts the count', async () => {
    await open()
    await contest()
    expect(await stand.controller.resumeResource('things', 'a')).toMatchObject({ id: 'things/a', contested: null })
    await eventually(() => size() === 1)
    await eventually(async () => (await condition())?.status === 'False')
    await changeAndHeal(2)
    expect((await shown()).contested).toBeNull()
    await expect(stand.controller.resumeResource('things', 'a')).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('things/a is neither suspended nor contested'),
    })
  })

  test('ends a contest on a revert or a manifest change', async () => {
    await open()
    await contest()
    await stand.controller.revert('things', 'a', person)
    expect(size()).toBe(1)
    expect((await shown()).contested).toBeNull()
    await contest()
    await stand.files({ 'things/b.yml': 'name: b\nsize: 2\n' })
    await stand.pass()
    expect([size(), stand.things.find('b')![1].size]).toEqual([7, 2])
    await stand.files({ 'things/a.yml': MANIFEST.replace('1', '3') })
    await stand.pass()
    await eventually(() => size() === 3)
    expect((await shown()).contested).toBeNull()
  })
})
