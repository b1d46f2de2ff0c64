// The page below a path, behind a reverse proxy that ends TLS.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { Approval } from '../../schemas/tools/approval.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { inspect } from './support/inspection.ts'
import { test } from './support/page-test.ts'
import { screens } from './support/screens.ts'
import { agentManifest, ASK, awake, live } from './support/team.ts'
import { PREFIX, TlsProxy } from './support/tls-proxy.ts'

/** Paths of all links, files and forms of the document. */
const PATHS = `[...document.querySelectorAll('[href], [src], [action]')].map(
  (element) => new URL(element.href || element.src || element.action, document.baseURI).pathname)`

const WAYS = [
  { name: 'leaves the path', removesPath: false, agent: 'builder' },
  { name: 'removes the path', removesPath: true, agent: 'tester' },
]

describe('a page behind a proxy', () => {
  let stand: DaemonStand
  let proxy: TlsProxy
  let token: string
  const find = async (agent: string): Promise<Approval | undefined> => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `${stand.orchestrator}/approvals`
    const { body } = await stand.ask<Approval[]>('GET', url, undefined, headers)
    return body.find(({ agent_name }) => agent_name === agent)
  }
  beforeAll(async () => {
    proxy = await TlsProxy.start()
    const env = { SVC_AUTH: 'on', SVC_PUBLIC_URL: proxy.address(), SVC_TRUSTED_PROXIES: '127.0.0.0/8' }
    stand = await DaemonStand.create({ env })
    stand.write('policies/ask-a-person.yml', ASK)
    for (const { agent } of WAYS)
      stand.write(`agents/${agent}.yml`, agentManifest(agent, `USE_TOOL Bash echo ${agent}`))
    token = (await stand.svc(['token', 'create', 'mia', '--role', 'operator'])).stdout.trim()
    await stand.start()
    proxy.target = stand.controller
    for (const { agent } of WAYS) await eventually(() => find(agent))
  })
  afterAll(async () => {
    await proxy?.close()
    await stand?.close()
  })

  async function signIn(page: Page): Promise<Page> {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return live(page)
  }

  for (const { name, removesPath, agent } of WAYS)
    test(`that ${name} signs in, is live and decides`, async ({ openTab, reports }) => {
      reports.allow(/status of 401|WebSocket connection/)
      proxy.removesPath = removesPath
      const { id } = (await find(agent))!
      const page = await signIn(await openTab(proxy.address(`/ui/inbox/approval%2F${id}`), { isTrusted: false }))
      await page
        .getByRole('group', { name: `The complete request of ${agent}` })
        .getByText(`echo ${agent}`)
        .waitFor()
      await awake(page)
      await page.getByRole('button', { name: 'Approve once' }).click()
      // The list and the verdict come by the socket.
      await page.getByRole('region', { name: 'Decisions that wait' }).locator('.gone').waitFor()
      await page.getByText('approved by mia').first().waitFor()
      expect(await find(agent)).toMatchObject({ status: 'approved', decided_by: 'mia' })
      expect(proxy.sockets.at(-1)).toBe(`${PREFIX}/api/live`)
    })

  test('keeps its addresses and its cookie below the path', async ({ openTab, reports }) => {
    reports.allow(/status of 401|WebSocket connection/)
    const page = await openTab('about:blank', { isTrusted: false })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(proxy.address('/'))
    await signIn(page)
    for (const { path, title, key } of screens) {
      await page.keyboard.type(`g${key}`)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe(`${PREFIX}/ui${path}`)
      const paths = await inspect<string[]>(page, PATHS)
      expect(paths.length).toBeGreaterThan(screens.length)
      expect(paths.filter((each) => !each.startsWith(`${PREFIX}/ui/`))).toEqual([])
      await page.reload()
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    }
    const origin = new URL(proxy.address()).origin
    const isInside = (url: string) => url.startsWith(`${origin}${PREFIX}/`) || url.startsWith('data:')
    expect(requested.filter((url) => !isInside(url))).toEqual([])
    expect(proxy.outside).toEqual([])
    expect(await page.context().cookies()).toEqual([
      expect.objectContaining({ path: PREFIX, secure: true, httpOnly: true, sameSite: 'Strict' }),
    ])
  })

  test('is not served under another host', async ({ openTab, reports }) => {
    // The answer is not the page, which names its icon.
    reports.allow(/status of 421|favicon/)
    const page = await openTab('about:blank', { isTrusted: false })
    for (const path of ['/ui/', '/api/whoami']) {
      const answer = await page.goto(proxy.address(path, 'other.test'))
      expect([path, answer!.status()]).toEqual([path, 421])
    }
    expect(await page.getByLabel('Token').count()).toBe(0)
  })
})
