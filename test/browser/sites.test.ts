// Pages of other sites and ports, which read nothing, change nothing and frame nothing.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { DaemonStand } from '../support/daemon.ts'
import { test } from './support/page-test.ts'
import { addressOf, live, pendingOf, startTeam } from './support/team.ts'

/** Tries to read and to approve by every way of a page, then writes the results to the title. */
const attempts = (target: string, id: string) => `
  const target = ${JSON.stringify(target)}
  const approve = target + '/api/orchestrator/approvals/${id}/approve'
  const tried = (promise) => promise.then((answer) => answer.text()).catch(() => 'refused')
  const socket = (path) => new Promise((resolve) => {
    const socket = new WebSocket(target.replace('http', 'ws') + path)
    socket.onopen = () => socket.send(JSON.stringify({ subscribe: true, topic: 'inbox', after: null }))
    socket.onmessage = ({ data }) => resolve(data)
    socket.onerror = () => resolve('refused')
    socket.onclose = () => resolve('refused')
  })
  const submitted = () => new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.name = 'answer'
    document.body.append(frame)
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: approve, target: 'answer', enctype: 'text/plain' })
    document.body.append(form)
    frame.onload = () => resolve('sent')
    form.submit()
  })
  void (async () => {
    const results = [
      await tried(fetch(target + '/api/orchestrator/agents')),
      await tried(fetch(target + '/api/inbox', { credentials: 'include' })),
      await tried(fetch(approve, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })),
      await tried(fetch(approve, { method: 'POST', mode: 'no-cors', body: '{}' })),
      await socket('/api/live'),
      await submitted(),
    ]
    parent.postMessage(results, '*')
    document.title = JSON.stringify(results)
  })()`

const REFUSED = ['refused', 'refused', 'refused', 'refused', 'refused', 'sent']

describe('a page of another origin', () => {
  let stand: DaemonStand
  let other: Server
  let port: number
  let id: string
  beforeAll(async () => {
    stand = await startTeam({ builder: 'echo one' })
    id = (await pendingOf(stand, 'builder')).id
    const script = attempts(stand.controller, id)
    const pages: Record<string, string> = {
      '/': `<body><script>${script}</script>`,
      '/sandboxed': `<body><script>onmessage = ({ data }) => (document.title = JSON.stringify(data))</script>
        <iframe sandbox="allow-scripts allow-forms" src="/"></iframe>`,
      '/framing': `<body><iframe src="${stand.controller}/ui/inbox" width="900" height="600"></iframe>`,
    }
    other = createServer(({ url = '/' }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(pages[url] ?? '')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    port = (other.address() as AddressInfo).port
  })
  afterAll(async () => {
    other?.close()
    await stand?.close()
  })

  const isPending = async () => (await pendingOf(stand, 'builder')).id === id

  for (const { name, address } of [
    { name: 'another port', address: () => `http://127.0.0.1:${port}/` },
    { name: 'another site', address: () => `http://site.test:${port}/` },
    { name: 'no origin', address: () => `http://127.0.0.1:${port}/sandboxed` },
  ])
    test(`of ${name} reads and changes nothing`, async ({ openTab, reports }) => {
      reports.allow(/./)
      const page = await openTab(address())
      await page.waitForFunction('document.title.startsWith("[")')
      expect(JSON.parse(await page.title())).toEqual(REFUSED)
      expect(await isPending()).toBe(true)
    })

  test('cannot frame the page', async ({ openTab, reports }) => {
    reports.allow(/frame-ancestors/)
    const page = await openTab(`http://127.0.0.1:${port}/framing`)
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  })

  test('gets nothing from a name that leads to the daemon', async ({ openTab, reports }) => {
    reports.allow(/status of (403|421|400)/)
    const { port: own } = new URL(stand.controller)
    const page = await openTab(`http://site.test:${own}/api/orchestrator/agents`)
    expect(await page.content()).not.toContain('builder')
  })

  test('is no obstacle for the page itself', async ({ openTab }) => {
    const page = await live(await openTab(addressOf(stand, '/inbox')))
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByText('approved by operator').first().waitFor()
  })
})
