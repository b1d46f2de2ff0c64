// A workflow is run, disabled and enabled, and the dead tasks of a queue are redriven and purged.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { addWorkflows, deadIn, push, statsOf, workflowNamed } from './support/flows.ts'
import { test } from './support/page-test.ts'
import { addressOf, live, startTeam } from './support/team.ts'

describe('workflows and queues', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({})
    await addWorkflows(stand)
  })
  afterAll(() => stand?.close())

  test('run now by keys, and show the dispatch until its end', async ({ openTab }) => {
    const { id } = await workflowNamed(stand, 'nightly-deps')
    const page = await live(await openTab(addressOf(stand, `/workflows/${id}`)))
    await page.getByText('The workflow has not run yet.').waitFor()
    await page.getByText('No task is recorded yet').waitFor()
    await page.getByRole('button', { name: 'Run now…', disabled: false }).waitFor()
    await page.keyboard.press('t')
    await page.getByLabel('Title of the task').fill('shop')
    await page.getByLabel('Variables').fill('channel')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('line 1: expected key=value; got "channel"').waitFor()
    await page.getByLabel('Variables').fill('channel=#releases')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const prompt = page.getByRole('group', { name: 'Rendered prompt' })
    await prompt.getByText('Update the dependencies of shop.').waitFor()
    await prompt.getByText('report to #releases').waitFor()
    const history = page.getByRole('table', { name: 'Past dispatches, newest first' })
    await history.getByText('completed').waitFor()
    await history.getByRole('button').click()
    await history.getByText('conversation of clerk').waitFor()
    const firings = page.getByRole('table', { name: 'Firings, newest first' })
    await firings.getByText('dispatched').waitFor()
    // Four times after the next one.
    expect((await page.locator('.pair', { hasText: 'then' }).locator('dd').innerText()).split(';')).toHaveLength(4)
    // The next workflow of the chain has run.
    await page.getByRole('link', { name: 'review-deps' }).last().click()
    await history.getByText('completed').waitFor()
  })

  test('are disabled and enabled, with what that changes', async ({ openTab }) => {
    const { id } = await workflowNamed(stand, 'review-deps')
    const page = await live(await openTab(addressOf(stand, `/workflows/${id}`)))
    const isEnabled = async () => (await workflowNamed(stand, 'review-deps')).enabled
    await page.getByRole('button', { name: 'Disable…', disabled: false }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('workflows/review-deps.yml').waitFor()
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('button', { name: 'Enable…' }).click()
    expect(await isEnabled()).toBe(false)
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByRole('button', { name: 'Disable…' }).waitFor()
    expect(await isEnabled()).toBe(true)
  })

  test('show why a task is dead, and redrive and purge it', async ({ openTab }) => {
    await push(stand, 'mail', { title: 'Invoice 2288', body: 'second reminder' })
    const page = await live(await openTab(addressOf(stand, '/queues/mail')))
    // Each attempt of its workflow is seen without a read by hand.
    await page.getByRole('heading', { level: 2, name: 'Dead letters' }).waitFor()
    await page.getByText('no answer to Invoice 2288').waitFor()
    await page.getByText('3 of 3 attempts failed').waitFor()
    await page.getByRole('button', { name: 'Redrive this task' }).click()
    await eventually(async () => (await statsOf(stand, 'mail')).dead === 0)
    await deadIn(stand, 'mail')
    await page.getByRole('heading', { level: 2, name: 'Dead letters' }).waitFor()
    await page.keyboard.press('Shift+R')
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(async () => (await statsOf(stand, 'mail')).dead === 0)
    await deadIn(stand, 'mail')
    await page.getByRole('button', { name: 'Purge…' }).click()
    const purge = page.getByRole('dialog').getByRole('button', { name: 'Purge' })
    await page.getByLabel('Type 1, the number of tasks').fill('2')
    expect(await purge.isDisabled()).toBe(true)
    await page.getByLabel('Type 1, the number of tasks').fill('1')
    await purge.click()
    await page.getByText('The queue mail has no tasks.').waitFor()
    expect(await statsOf(stand, 'mail')).toMatchObject({ pending: 0, dead: 0 })
  })
})
