// Each screen opens with its data, and a person decides by mouse and by keys.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { DaemonStand } from '../support/daemon.ts'
import { addWorkflows, push } from './support/flows.ts'
import { test } from './support/page-test.ts'
import { screens } from './support/screens.ts'
import { addressOf, awake, decided, driftByHand, live, pendingOf, startTeam } from './support/team.ts'

/** Records that screens show, by path. */
const SHOWN: Readonly<Record<string, string>> = {
  '/inbox': 'builder',
  '/state': 'greeter',
  '/plan': 'greeter',
  '/drift': 'agents/greeter',
  '/runs': 'default',
  '/agents': 'greeter',
  '/workflows': 'nightly-deps',
  '/queues': 'thumbnails',
}

describe('the page', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({ builder: 'echo one', tester: 'echo two' })
    await driftByHand(stand, 'greeter', 'be brief')
    await addWorkflows(stand)
    await push(stand, 'thumbnails', { title: 'Draw a cat' })
  })
  afterAll(() => stand?.close())

  test('shows the records of each screen below its heading', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/')))
    for (const { path, title, key } of screens) {
      await page.keyboard.type(`g${key}`)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/ui${path}`)
      const shown = SHOWN[path]
      if (shown === undefined) continue
      await page.locator('main').getByText(shown, { exact: true }).filter({ visible: true }).first().waitFor()
    }
  })

  test('approves the request on screen by mouse', async ({ openTab }) => {
    const { id } = await pendingOf(stand, 'builder')
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await page.getByRole('region', { name: 'Decisions that wait' }).getByText('builder').click()
    await page.getByRole('group', { name: 'The complete request of builder' }).getByText('echo one').waitFor()
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByText('approved by operator').first().waitFor()
    expect(await decided(stand, id)).toMatchObject({ status: 'approved', decided_by: 'operator' })
  })

  test('denies the request on screen by keys', async ({ openTab }) => {
    const { id } = await pendingOf(stand, 'tester')
    const page = await live(await openTab(addressOf(stand, `/inbox/approval%2F${id}`)))
    await page.getByRole('group', { name: 'The complete request of tester' }).getByText('echo two').waitFor()
    await awake(page)
    await page.keyboard.press('d')
    await page.getByLabel('Reason').fill('not today')
    await page.keyboard.press('Enter')
    expect(await decided(stand, id)).toMatchObject({ status: 'denied', reason: 'not today' })
    await page.getByText('denied by operator').first().waitFor()
  })
})
