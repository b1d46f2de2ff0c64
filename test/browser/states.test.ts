// Screens whose records are late, refused or missing.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page, Route } from 'playwright-core'
import { DaemonStand } from '../support/daemon.ts'
import { graveFindings, inspect, photograph } from './support/inspection.ts'
import { test } from './support/page-test.ts'
import { screens } from './support/screens.ts'
import { addressOf, live } from './support/team.ts'

/** The requests that read the records of screens, by path. */
const READS: Readonly<Record<string, string>> = {
  '/inbox': '**/api/inbox*',
  '/state': '**/api/controller/resources*',
  '/plan': '**/api/controller/sources*',
  '/drift': '**/api/controller/drift*',
  '/runs': '**/api/controller/runs*',
  '/agents': '**/api/orchestrator/agents*',
  '/workflows': '**/api/orchestrator/workflows*',
  '/queues': '**/api/orchestrator/queues*',
}

const REFUSE_CLIPBOARD = `navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`

const refusal = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/problem+json',
    json: { status, code, title: code, detail: `refused <b>here</b>`, request_id: 'r-123' },
  })

describe('a screen', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await DaemonStand.create()
    await stand.start()
  })
  afterAll(() => stand?.close())

  async function inspected(page: Page, name: string): Promise<void> {
    await photograph(page, name)
    expect(await graveFindings(page)).toEqual([])
  }

  for (const { path, title } of screens.filter((screen) => screen.path in READS)) {
    const name = title.toLowerCase()

    test(`shows that ${name} is empty, or why not`, async ({ openTab }) => {
      const page = await live(await openTab(addressOf(stand, path)))
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      await inspected(page, `empty-${name}`)
    })

    test(`shows the reason and the next step when ${name} fails`, async ({ openTab, reports }) => {
      reports.allow(/status of 500/)
      const page = await openTab('about:blank')
      await page.route(READS[path]!, refusal(500, 'internal'))
      await page.goto(addressOf(stand, path))
      const alert = page.locator('main').getByRole('alert').first()
      await alert.getByText('refused <b>here</b>').waitFor()
      await alert.getByText('r-123').waitFor()
      await alert.getByText('Search the daemon log for the request id.').waitFor()
      await inspected(page, `error-${name}`)
      await page.unroute(READS[path]!)
      await alert.getByRole('button', { name: 'Retry' }).click()
      await alert.waitFor({ state: 'detached' })
    })

    test(`shows grey rows while ${name} is read`, async ({ openTab }) => {
      const page = await openTab('about:blank')
      await page.route(READS[path]!, () => undefined)
      await page.goto(addressOf(stand, path))
      await page.locator('main').getByRole('status', { name: 'Loading' }).first().waitFor()
      await inspected(page, `loading-${name}`)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  }

  test('selects a command that the browser does not copy, and says so', async ({ openTab }) => {
    const page = await openTab('about:blank')
    await page.addInitScript({ content: REFUSE_CLIPBOARD })
    await page.goto(addressOf(stand, '/state'))
    await page.getByRole('button', { name: 'Copy the command' }).click()
    await page.getByText('The browser refused the clipboard').waitFor()
    expect(await inspect(page, 'getSelection().toString()')).toBe('svc init')
  })

  test('names the caller when it lacks the permission', async ({ openTab, reports }) => {
    reports.allow(/status of 403/)
    const page = await openTab('about:blank')
    await page.route(READS['/inbox']!, refusal(403, 'agent-may-not'))
    await page.goto(addressOf(stand, '/inbox'))
    const alert = page.locator('main').getByRole('alert')
    await alert.getByText('operator', { exact: true }).waitFor()
    await alert.getByText('permission approve').waitFor()
    await inspected(page, 'denied-inbox')
  })
})
