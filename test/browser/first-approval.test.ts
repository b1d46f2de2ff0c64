// The first minute of a person who starts the demo team.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { root } from '../support/root.ts'
import { test } from './support/page-test.ts'
import { addressOf, awake, decided, pendingOf } from './support/team.ts'

const MINUTE = 60_000
/** `UPDATE=1` writes it. */
const PICTURE = join(root, 'docs', 'page.png')

describe('a fresh start', () => {
  let stand: DaemonStand | undefined
  // Not before the tab is closed, which would report the loss.
  afterAll(() => stand?.close())

  test(
    'leads to the first approval within a minute',
    async ({ openTab }) => {
      stand = await DaemonStand.create({ manifests: join(root, 'manifests') })
      await stand.start()
      const page = await openTab(addressOf(stand, '/'))
      await page.getByRole('region', { name: 'Decisions that wait' }).getByText('builder', { exact: true }).waitFor()
      const { id } = await pendingOf(stand, 'builder')
      await page.getByText('echo hello from the builder').first().waitFor()
      await awake(page)
      // The picture of the README.
      if (process.env.UPDATE) await page.screenshot({ path: PICTURE })
      await page.getByRole('button', { name: 'Approve once' }).click()
      expect(await decided(stand, id)).toMatchObject({ status: 'approved', decided_by: 'operator' })
    },
    MINUTE,
  )

  test('has a small picture in the README', () => {
    expect(statSync(PICTURE).size).toBeLessThan(150_000)
  })
})
