// Decisions on requests while the list changes.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { inspect } from './support/inspection.ts'
import { test } from './support/page-test.ts'
import { addressOf, awake, decided, live, pendingOf, startTeam } from './support/team.ts'

const list = (page: Page) => page.getByRole('region', { name: 'Decisions that wait' })
const request = (page: Page, agent: string) => page.getByRole('group', { name: `The complete request of ${agent}` })

/** Opens the request of `second`, and presses a key in the second frame that shows it. */
const CLICK_THEN_DENY = `new Promise((resolve) => {
  const press = () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }))
    requestAnimationFrame(resolve)
  }
  const observer = new MutationObserver(() => {
    if (!document.querySelector('article h2').textContent.startsWith('second')) return
    observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(press))
  })
  observer.observe(document.querySelector('article'), { subtree: true, childList: true, characterData: true })
  for (const entry of document.querySelectorAll('.entry')) if (entry.textContent.includes('second')) entry.click()
}).then(() => null)`

describe('the inbox', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({ first: 'echo first', second: 'echo second', twin: 'make all', copy: 'make all' })
  })
  afterAll(() => stand?.close())

  /** Lets `greeter` request a command. */
  async function ask(command: string) {
    const { id } = await stand.agentNamed('greeter')
    await stand.send(id, `USE_TOOL Bash ${command}`)
    return pendingOf(stand, 'greeter')
  }

  test('shows who decided a request elsewhere', async ({ openTab }) => {
    const { id } = await pendingOf(stand, 'first')
    const page = await live(await openTab(addressOf(stand, `/inbox/approval%2F${id}`)))
    await awake(page)
    const answer = await stand.ask('POST', `${stand.orchestrator}/approvals/${id}/deny`, { reason: 'not now' })
    expect(answer.status).toBe(200)
    await page.getByText('denied by tester').first().waitFor()
    await page.getByText('not now').first().waitFor()
    await list(page).locator('.gone').waitFor()
    expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
  })

  test('keeps the request on screen when another one arrives', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await list(page).getByText('second', { exact: true }).click()
    await request(page, 'second').getByText('echo second').waitFor()
    const before = await list(page).getByRole('listitem').count()
    const { id } = await ask('echo late')
    await page.getByRole('button', { name: '1 new. Show' }).waitFor()
    expect(await list(page).getByRole('listitem').count()).toBe(before)
    await request(page, 'second').getByText('echo second').waitFor()
    await page.keyboard.press('.')
    await list(page).getByText('greeter', { exact: true }).click()
    await request(page, 'greeter').getByText('echo late').waitFor()
    await page.getByRole('button', { name: 'Approve once' }).click()
    expect(await decided(stand, id)).toMatchObject({ status: 'approved', tool_input: { command: 'echo late' } })
  })

  test('ignores a key within 400 ms of another request', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    // Both are read once, so that the second click shows the request at once.
    for (const [row, agent] of [
      [/^second$/, 'second'],
      [/2 identical/, /twin|copy/],
    ] as const) {
      await list(page).getByText(row).click()
      await page.locator('article h2').getByText(agent).first().waitFor()
    }
    await awake(page)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await inspect(page, CLICK_THEN_DENY)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await awake(page)
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
  })

  test('keeps a reason and an edited input over a reload', async ({ openTab }) => {
    const { id } = await pendingOf(stand, 'second')
    const page = await live(await openTab(addressOf(stand, `/inbox/approval%2F${id}`)))
    await awake(page)
    await page.keyboard.press('d')
    await page.getByLabel('Reason').fill('not on a Friday')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByLabel('command').fill('echo kept')
    await page.keyboard.press('Escape')
    await page.getByLabel('command').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toContain(id)
    await page.reload()
    await awake(page)
    await page.keyboard.press('e')
    expect(await page.getByLabel('command').inputValue()).toBe('echo kept')
    await page.getByLabel('command').fill('echo second')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('d')
    expect(await page.getByLabel('Reason').inputValue()).toBe('not on a Friday')
  })

  test('runs the edited input', async ({ openTab }) => {
    const { id } = await pendingOf(stand, 'second')
    const page = await live(await openTab(addressOf(stand, `/inbox/approval%2F${id}`)))
    await awake(page)
    await page.keyboard.press('e')
    await page.getByLabel('command').fill('echo edited')
    await page.getByRole('button', { name: 'Approve the edited request' }).click()
    const { status, agent_id } = await decided(stand, id)
    expect(status).toBe('approved')
    await eventually(async () =>
      JSON.stringify(await stand.get(`${stand.orchestrator}/agents/${agent_id}/transcript`)).includes(
        'TOOL_OK: edited',
      ),
    )
  })

  test('decides identical requests at once', async ({ openTab }) => {
    const ids = [(await pendingOf(stand, 'twin')).id, (await pendingOf(stand, 'copy')).id]
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await list(page).getByText('2 identical').click()
    await page.getByText('2 identical', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Approve all 2' }).click()
    for (const id of ids) expect(await decided(stand, id)).toMatchObject({ status: 'approved', decided_by: 'operator' })
  })
})
