import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, type Stand } from '../../fixture.ts'

const RESYNC_MS = 120_000

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  /** Replaces a parent of the source folder. The old folder still exists, so no event is sent. */
  function swapParent(next: string): void {
    renameSync(join(stand.folder, 'parent'), join(stand.folder, `${next}.before`))
    renameSync(join(stand.folder, next), join(stand.folder, 'parent'))
  }

  test('reads a replaced folder at the next resync and reports its errors', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { clock, below: 'parent/manifests', start: false })
    await stand.files({
      'parent/manifests/things/t.yml': 'name: t\nsize: 1\n',
      'two/manifests/things/t.yml': 'name: t\nsize: 2\n',
      'faulty/manifests/things/t.yml': 'name: t\nsize: [\n',
    })
    await stand.controller.start()
    const size = () => stand.things.find('t')?.[1].size
    await eventually(() => size() === 1 && stand.controller.source('default').error === null)
    swapParent('two')
    clock.tick(RESYNC_MS - 1)
    expect(size()).toBe(1)
    clock.tick(1)
    await eventually(() => size() === 2)
    swapParent('faulty')
    clock.tick(RESYNC_MS)
    expect(await eventually(() => stand.controller.source('default').error)).toContain('things/t.yml')
    expect(size()).toBe(2)
    expect(await stand.controller.health!()).toMatchObject({ status: 'degraded', sources_in_error: ['default'] })
  })
})
