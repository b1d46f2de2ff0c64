// Sign-in with tokens on, and what a viewer can do.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { Approval } from '../../schemas/tools/approval.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { test } from './support/page-test.ts'
import { addressOf, ASK, live } from './support/team.ts'

const BUILDER = `name: builder
runtime: scripted
shell: bash
working_dir: .
policy: ask-a-person
prompt: USE_TOOL Bash echo hello
`

describe('a page of a daemon with tokens', () => {
  let stand: DaemonStand
  const tokens: Record<string, string> = {}
  const find = async (): Promise<Approval> => {
    const headers = { authorization: `Bearer ${tokens['mia']}` }
    const { body } = await stand.ask<Approval[]>('GET', `${stand.orchestrator}/approvals`, undefined, headers)
    return body[0]!
  }
  beforeAll(async () => {
    stand = await DaemonStand.create({ env: { SVC_AUTH: 'on' } })
    stand.write('policies/ask-a-person.yml', ASK)
    stand.write('agents/builder.yml', BUILDER)
    for (const [name, role] of Object.entries({ mia: 'operator', vic: 'viewer' }))
      tokens[name] = (await stand.svc(['token', 'create', name, '--role', role])).stdout.trim()
    await stand.start()
    await eventually(find)
  })
  afterAll(() => stand?.close())

  async function signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('shows nothing before a sign-in with a known token', async ({ openTab, reports }) => {
    reports.allow(/status of 401|WebSocket connection/)
    const page = await openTab(addressOf(stand, '/inbox'))
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await signIn(page, 'guessed')
    await page.getByText(/token/i).nth(1).waitFor()
    expect(await page.getByText('builder').count()).toBe(0)
    await signIn(page, tokens['mia']!)
    await live(page)
    await page.getByRole('region', { name: 'Decisions that wait' }).getByText('builder', { exact: true }).waitFor()
    // A second tab of the same browser.
    const second = await page.context().newPage()
    await second.goto(addressOf(stand, '/agents'))
    await second.getByRole('link', { name: 'builder' }).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Decisions that wait' }).getByText('builder', { exact: true }).waitFor()
  })

  test('lets a viewer read but not decide', async ({ openTab, reports }) => {
    reports.allow(/status of 401|WebSocket connection/)
    const page = await openTab(addressOf(stand, `/inbox/approval%2F${(await find()).id}`))
    await signIn(page, tokens['vic']!)
    await live(page)
    await page.getByText('echo hello').first().waitFor()
    const approve = page.getByRole('button', { name: 'Approve once' })
    await approve.waitFor()
    expect(await approve.isDisabled()).toBe(true)
    await page.keyboard.press('a')
    expect((await find()).status).toBe('pending')
  })

  test('records the person of the token as the one who decided', async ({ openTab, reports }) => {
    reports.allow(/status of 401|WebSocket connection/)
    const page = await openTab(addressOf(stand, '/inbox'))
    await signIn(page, tokens['mia']!)
    await live(page)
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByText('approved by mia').first().waitFor()
    expect(await find()).toMatchObject({ status: 'approved', decided_by: 'mia' })
  })
})
