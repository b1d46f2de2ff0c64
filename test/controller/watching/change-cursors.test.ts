import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    stand.things.changeByHand('t', { size: 1 }, 'jon')
    await eventually(async () => (await database.db('controller_cursors').where({ kind: 'things' }))[0]?.cursor)
  }
  const actor = () =>
    eventually(
      async () => (await stand.controller.drift({ open: true })).items.find(({ path }) => path === 'size')?.actor,
    )

  test('attributes a change made while the daemon was down', async () => {
    await open()
    await stand.controller.stop()
    stand.things.changeByHand('t', { size: 5 }, 'mira')
    // Only the change event has the writer; the audit is trimmed after a while.
    stand.things.writers.clear()
    await stand.reopen()
    expect(await actor()).toBe('mira')
  })

  test('attributes a change that was not observed before the shutdown', async () => {
    await open()
    stand.things.before = () => new Promise(() => undefined)
    stand.things.changeByHand('t', { size: 5 }, 'mira')
    stand.things.writers.clear()
    await stand.controller.stop()
    stand.things.before = () => undefined
    await stand.reopen()
    expect(await actor()).toBe('mira')
  })
})
