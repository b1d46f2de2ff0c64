// The page while the daemon is killed and started again.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { test } from './support/page-test.ts'
import { addressOf, awake, live, pendingOf, startTeam } from './support/team.ts'

/** A socket without a server, and requests that the page sent while it was down. */
const LOST = /WebSocket connection to .* failed|net::ERR_CONNECTION_(REFUSED|RESET)/

describe('a page whose daemon is killed', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({ builder: 'echo one' })
  })
  afterAll(() => stand?.close())

  test('dates what it shows, refuses decisions and continues afterwards', async ({ openTab, reports }) => {
    reports.allow(LOST)
    const { id } = await pendingOf(stand, 'builder')
    const page = await live(await openTab(addressOf(stand, `/inbox/approval%2F${id}`)))
    await awake(page)
    await stand.stopBy('SIGKILL')
    await page.getByText('connection lost at').waitFor()
    await page.getByText('as of').waitFor()
    expect(await page.getByRole('button', { name: 'Approve once' }).isDisabled()).toBe(true)
    await page.keyboard.press('d')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await stand.start()
    await live(page)
    await page.getByText('as of').waitFor({ state: 'detached' })
    await awake(page)
  })

  test('offers a reload to an old page, which loses no text', async ({ openTab, reports }) => {
    reports.allow(LOST)
    await stand.connected()
    const { id } = await stand.agentNamed('greeter')
    const page = await live(await openTab(addressOf(stand, '/agents')))
    await page.getByLabel('Filter agents').fill('greet')
    await page.getByRole('link', { name: 'greeter' }).click()
    await page.getByLabel('Message to greeter').fill('a long thought')
    // What a newer daemon answers.
    const newer = '<script type="module" src="./assets/main-newer.js"></script>'
    await page.route('**/ui/', (route) => route.fulfill({ contentType: 'text/html', body: newer }))
    await stand.stopBy('SIGKILL')
    await page.getByText('connection lost at').waitFor()
    await stand.start()
    await page.getByText('The daemon has a newer page.').waitFor()
    await page.unroute('**/ui/')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('The daemon has a newer page.').waitFor({ state: 'detached' })
    await live(page)
    expect(new URL(page.url()).pathname).toContain(id)
    expect(await page.getByLabel('Message to greeter').inputValue()).toBe('a long thought')
    await page.getByLabel('Message to greeter').fill('')
    // The first one leaves the field.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByLabel('Filter agents').waitFor()
    expect(await page.getByLabel('Filter agents').inputValue()).toBe('greet')
  })

  test('shows each turn once after the daemon is back', async ({ openTab, reports }) => {
    reports.allow(LOST)
    await stand.connected()
    const { id } = await stand.agentNamed('greeter')
    const address = addressOf(stand, `/agents/${id}/talk`)
    const page = await live(await openTab(address))
    const answers = (tab: Page, word: string) => tab.locator('main').getByText(new RegExp(`^ECHO\\(\\d+\\): ${word}$`))
    const counts = async (tab: Page) => [await answers(tab, 'before').count(), await answers(tab, 'after').count()]
    await stand.send(id, 'before')
    await answers(page, 'before').first().waitFor()
    await stand.stopBy('SIGKILL')
    await page.getByText('connection lost at').waitFor()
    await stand.start()
    await stand.connected()
    await stand.send(id, 'after')
    await answers(page, 'after').first().waitFor()
    await eventually(async () => (await stand.agentNamed('greeter')).activity === 'idle')
    // A tab that has seen no loss.
    const fresh = await live(await openTab(address))
    await answers(fresh, 'after').first().waitFor()
    await expect.poll(() => counts(page), { timeout: 15_000 }).toEqual(await counts(fresh))
  })
})
