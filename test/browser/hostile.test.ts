// Hostile text in what agents, manifests and callers write.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { overflows, photograph } from './support/inspection.ts'
import { test, type Reports } from './support/page-test.ts'
import { addressOf, driftByHand, live, pendingOf, startTeam } from './support/team.ts'

const SCRIPT = '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">'
const LINKS = '[click](javascript:document.title=1) ![seen](http://site.test/pixel) <http://site.test/a>'
const BIDI = 'rm -rf \u202E/ emoh/\u202C \u200B\u0007'
const CORPUS = `${SCRIPT} ${LINKS} ${BIDI} ${'w'.repeat(50_000)}`

/** Fails on dialogs, and on requests to another host. */
function watch(page: Page, stand: DaemonStand, reports: Reports): void {
  const { host } = new URL(stand.controller)
  page.on('dialog', (dialog) => {
    reports.seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).host !== host) reports.seen.push(`request to ${request.url()}`)
  })
}

describe('hostile text', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({})
    const { id } = await stand.agentNamed('greeter')
    await driftByHand(stand, 'greeter', CORPUS)
    await stand.send(id, CORPUS)
    const call = [{ name: 'Bash', input: { command: CORPUS, description: SCRIPT, '<b>field</b>': LINKS } }]
    await stand.send(id, `TOOLS:${JSON.stringify(call)}`)
    await pendingOf(stand, 'greeter')
  })
  afterAll(() => stand?.close())

  const agentPath = async () => `/agents/${(await stand.agentNamed('greeter')).id}/talk`

  const requestPath = async () => `/inbox/approval%2F${(await pendingOf(stand, 'greeter')).id}`
  const places: readonly { name: string; path(): string | Promise<string>; shows: string }[] = [
    { name: 'the inbox', path: () => '/inbox', shows: 'greeter' },
    { name: 'a request', path: requestPath, shows: 'The complete request of greeter' },
    { name: 'a resource', path: () => '/state/agents/greeter', shows: 'system_prompt' },
    { name: 'drift', path: () => '/drift', shows: 'system_prompt' },
    { name: 'a conversation', path: agentPath, shows: '<script>' },
    { name: 'agents', path: () => '/agents', shows: 'greeter' },
    { name: 'runs', path: () => '/runs', shows: 'default' },
  ]
  for (const { name, path, shows } of places)
    test(`stays text in ${name}`, async ({ openTab, reports }) => {
      for (const width of [360, 1280]) {
        const page = await openTab('about:blank', { width })
        watch(page, stand, reports)
        await page.goto(addressOf(stand, await path()))
        await live(page)
        const text = page.locator('main').getByText(shows)
        await text
          .or(page.getByRole('group', { name: shows }))
          .first()
          .waitFor({ state: 'attached' })
        expect(await page.title()).not.toBe('owned')
        expect(await page.locator('main img, main script, main iframe').count()).toBe(0)
        expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
        await photograph(page, `hostile-${name.replaceAll(' ', '-')}-${width}`)
        expect(await overflows(page)).toEqual([])
      }
    })

  test('shows a request whole, with signs for invisible characters', async ({ openTab, reports }) => {
    const { id } = await pendingOf(stand, 'greeter')
    const page = await openTab('about:blank')
    watch(page, stand, reports)
    await page.goto(addressOf(stand, `/inbox/approval%2F${id}`))
    const request = page.getByRole('group', { name: 'The complete request of greeter' })
    await request.waitFor()
    await eventually(async () => (await request.innerText()).includes('w'.repeat(50_000)))
    expect(await request.innerText()).toContain(SCRIPT)
    expect(await request.locator('abbr').allTextContents()).toHaveLength(4)
    expect(await request.innerText()).not.toMatch(/[\u202E\u200B\u0007]/)
  })
})
