// A manual change, from its appearance on the open page to its reversal.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { test } from './support/page-test.ts'
import { addressOf, driftByHand, live, startTeam } from './support/team.ts'

describe('drift', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({})
  })
  afterAll(() => stand?.close())

  const promptOf = async () => (await stand.agentNamed('greeter')).config.system_prompt

  test('appears on the open page and is reverted by its plan', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/drift')))
    await page.getByText('No manual change has been seen').waitFor()
    await driftByHand(stand, 'greeter', 'be brief')
    await page.getByRole('link', { name: 'agents/greeter' }).first().waitFor()
    await page.getByText('tester', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revert…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('system_prompt').waitFor()
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => (await promptOf()) !== 'be brief')
    await page.getByText('0 open, 1 closed in 24 h').waitFor()
  })

  test('is not reverted by a plan that no longer holds', async ({ openTab, reports }) => {
    // The browser reports the refusal.
    reports.allow(/status of 409/)
    await driftByHand(stand, 'greeter', 'be loud')
    const page = await live(await openTab(addressOf(stand, '/state/agents/greeter')))
    await page.getByRole('button', { name: 'Revert…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('be loud').waitFor()
    await driftByHand(stand, 'greeter', 'be quiet')
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click()
    await dialog.getByText('stale-plan').waitFor()
    await dialog.getByText('be quiet').waitFor()
    expect(await promptOf()).toBe('be quiet')
    await dialog.getByRole('button', { name: 'Revert', exact: true }).click()
    await eventually(async () => (await promptOf()) !== 'be quiet')
    await page.getByText('in sync').first().waitFor()
  })
})
