// The main path of each screen by keys alone.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import type { Drift } from '../../schemas/resource.ts'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { test } from './support/page-test.ts'
import { addressOf, awake, decided, driftByHand, live, pendingOf, startTeam } from './support/team.ts'

const MOST_PRESSES = 40

/** Time for the page to follow a key, in milliseconds. */
const FOLLOWS_MS = 700

/** Presses a key until the target is there. */
async function pressUntil(page: Page, key: string, target: Locator): Promise<void> {
  for (let press = 0; press < MOST_PRESSES; press++) {
    const found = await target.waitFor({ timeout: FOLLOWS_MS }).then(
      () => true,
      () => false,
    )
    if (found) return
    await page.keyboard.press(key)
  }
  throw new Error(`${MOST_PRESSES} times ${key}: ${target.toString()} is not there`)
}

/** The focus follows Tab at once. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = target.and(page.locator(':focus'))
  for (let press = 0; press < MOST_PRESSES && (await focused.count()) === 0; press++) await page.keyboard.press('Tab')
  await focused.waitFor()
}

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const decision = (page: Page, agent: string) => page.locator('article h2').filter({ hasText: agent })
/** Goes to the first row, then down. */
async function selectRequest(page: Page, agent: string): Promise<void> {
  for (let press = 0; press < 5; press++) await page.keyboard.press('k')
  await pressUntil(page, 'j', decision(page, agent))
}
const filter = (page: Page) => page.locator('input.find:focus')

describe('keys alone', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({ builder: 'echo one', tester: 'echo two' })
    await driftByHand(stand, 'greeter', 'be brief')
  })
  afterAll(() => stand?.close())

  const promptOf = async () => (await stand.agentNamed('greeter')).config.system_prompt
  const drifts = () => stand.get<Drift[]>(`${stand.controller}/drift`)
  const isInSync = () => eventually(async () => (await drifts()).every(({ resolution }) => resolution !== null))

  test('select a request, approve it, and deny another with a reason', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/agents')))
    await page.keyboard.type('gi')
    await title(page, 'Inbox')
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    const approved = await pendingOf(stand, 'builder')
    const denied = await pendingOf(stand, 'tester')
    await selectRequest(page, 'builder')
    await awake(page)
    await page.keyboard.press('a')
    expect(await decided(stand, approved.id)).toMatchObject({ status: 'approved' })
    await selectRequest(page, 'tester')
    await awake(page)
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('not today')
    await page.keyboard.press('Enter')
    expect(await decided(stand, denied.id)).toMatchObject({ status: 'denied', reason: 'not today' })
    // Filters are a menu.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    await page.getByRole('menu', { name: 'Filter' }).waitFor()
    await pressUntil(
      page,
      'ArrowDown',
      page.getByRole('menuitem', { name: 'On hold until you decide' }).and(page.locator(':focus')),
    )
    await page.keyboard.press('Enter')
    await decision(page, 'greeter').waitFor()
    expect(page.url()).toContain('show=')
  })

  test('filter the resources, open one and revert it', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await page.keyboard.type('gs')
    await title(page, 'State')
    await page.getByRole('treeitem', { name: 'greeter' }).waitFor()
    await page.keyboard.press('f')
    await filter(page).waitFor()
    await page.keyboard.type('kind:agents is:drifted')
    await page.getByRole('treeitem', { name: 'builder' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await filter(page).waitFor({ state: 'detached' })
    await pressUntil(page, 'j', page.locator('[role=treeitem][data-focused=true]').filter({ hasText: 'greeter' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Revert…', disabled: false }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('be brief').waitFor()
    await tabTo(page, dialog.getByRole('button', { name: 'Revert', exact: true, disabled: false }))
    await page.keyboard.press('Enter')
    await isInSync()
    expect(await promptOf()).not.toBe('be brief')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/ui/state')
  })

  test('accept and revert a change, and plan and apply another', async ({ openTab }) => {
    await driftByHand(stand, 'greeter', 'be loud')
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await page.keyboard.type('gd')
    await title(page, 'Drift')
    const dialog = page.getByRole('dialog')
    await page.locator('li[aria-current=true]').filter({ hasText: 'be loud' }).waitFor()
    // Keys of a record that has just appeared sleep at first.
    await pressUntil(page, 'c', dialog)
    await dialog.getByText('svc drift accept').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await pressUntil(page, 'r', dialog)
    await tabTo(page, dialog.getByRole('button', { name: 'Revert', exact: true, disabled: false }))
    await page.keyboard.press('Enter')
    await isInSync()
    await dialog.waitFor({ state: 'detached' })
    await driftByHand(stand, 'greeter', 'be quiet')
    await page.keyboard.type('gp')
    await title(page, 'Plan')
    await page.getByRole('button', { name: 'Apply 1 step…', disabled: false }).waitFor()
    await page.getByText('be quiet').first().waitFor()
    await page.keyboard.press('a')
    await tabTo(page, dialog.getByRole('button', { name: 'Apply', exact: true, disabled: false }))
    await page.keyboard.press('Enter')
    await isInSync()
    expect(await promptOf()).not.toBe('be quiet')
    // The page leads to the run.
    await title(page, 'Runs')
  })

  test('move through the runs, and show why a folder has no rollback', async ({ openTab, reports }) => {
    reports.allow(/status of 409/)
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await page.keyboard.type('gr')
    await title(page, 'Runs')
    const entries = page.getByRole('region', { name: 'Runs' }).locator('a.entry')
    await entries.first().waitFor()
    const count = await entries.count()
    expect(count).toBeGreaterThan(1)
    await pressUntil(page, 'j', entries.last().and(page.locator('[aria-current=page]')))
    await page.getByRole('button', { name: /^Roll back/, disabled: false }).waitFor()
    await page.keyboard.press('b')
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    await filter(page).waitFor()
    await page.keyboard.type('nothing-has-this-name')
    await entries.first().waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await filter(page).waitFor({ state: 'detached' })
  })

  test('open an agent and talk to it', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await page.keyboard.type('ga')
    await title(page, 'Agents')
    await page.getByRole('link', { name: 'greeter' }).waitFor()
    await page.keyboard.press('f')
    await filter(page).waitFor()
    await page.keyboard.type('greet')
    await page.getByRole('link', { name: 'tester' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await filter(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await title(page, 'greeter')
    await tabTo(page, page.getByLabel('Message to greeter'))
    await page.keyboard.type('good morning')
    await page.keyboard.press('Control+Enter')
    await page
      .locator('main')
      .getByText(/^ECHO\(\d+\): good morning$/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Message to greeter').and(page.locator(':focus')).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await title(page, 'Agents')
  })
})
