// Budgets of the page with 10,000 resources, 200 agents, a conversation of 100,000 entries, and the changes of a day.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { LargeTeam } from './support/large-team.ts'
import { firstShown, longestTask, PageMeter, watchFirst } from './support/measures.ts'
import { test } from './support/page-test.ts'
import { screens } from './support/screens.ts'
import { addressOf, live } from './support/team.ts'

/** `npm run campaign -- page-scale` uses all; the suite of the page the same screens with fewer changes. */
const isWhole = process.env.SVC_TEST_SCALE === 'whole'
const SIZE = { resources: isWhole ? 10_000 : 1000, agents: 200, frames: 100_000 }
/** Of 8 hours at 5 a second. */
const CHANGES = isWhole ? 144_000 : 4800
const SECONDS = isWhole ? 280 : 10
const HOURS = 3_600_000
const SCROLLS = 60

interface Budget {
  what: string
  measured: number
  budget: number | null
  unit: string
}

const figures: Budget[] = []

/** Prints a figure beside its budget, and checks it. */
function within(what: string, measured: number, budget: number | null, unit: string): void {
  figures.push({ what, measured: Math.round(measured * 10) / 10, budget, unit })
  if (budget !== null) expect.soft(measured, what).toBeLessThanOrEqual(budget)
}

const nextFrame = (page: Page) => page.locator('html').evaluate(() => new Promise((done) => setTimeout(done, 16)))

describe('the budgets of a large team', () => {
  let team: LargeTeam
  beforeAll(async () => {
    team = await LargeTeam.start(SIZE)
  }, HOURS)
  afterAll(async () => {
    console.table(figures)
    await team?.close()
  })

  const places = () => [
    { name: `${SIZE.resources} resources`, path: '/state', selector: '[role=treeitem][aria-level="2"]' },
    { name: `${SIZE.agents} agents`, path: '/agents', selector: 'main tbody td a' },
    { name: `${SIZE.frames} entries`, path: `/agents/${team.agentId}/talk`, selector: '[role=log] [data-index]' },
  ]

  test('hold for the first paint', async ({ openTab }) => {
    for (const { name, path, selector } of places()) {
      const page = await openTab('about:blank')
      await watchFirst(page, selector)
      const meter = await PageMeter.of(page)
      const before = { page: await meter.mainThread(), daemon: team.daemonTime() }
      await page.goto(addressOf(team.stand, path))
      within(`first paint of ${name}, on the clock`, await firstShown(page), null, 'ms')
      const daemon = team.daemonTime() - before.daemon
      const main = (await meter.mainThread()) - before.page
      within(`first paint of ${name}, CPU of the daemon`, daemon, null, 'ms')
      within(`first paint of ${name}, CPU of the page`, main, null, 'ms')
      within(`first paint of ${name}, CPU of both`, main + daemon, 1500, 'ms')
      await page.close()
    }
  })

  /** Opens the state with all rows unfolded. */
  async function openState(page: Page): Promise<void> {
    await page.goto(addressOf(team.stand, '/state'))
    await live(page)
    await page.getByText(`${SIZE.resources} owned`).waitFor()
    await page.getByRole('treeitem', { name: /more in sync/ }).click()
    await page.getByRole('treeitem').getByText('p100', { exact: true }).waitFor()
  }

  async function scroll(page: Page, label: 'tree' | 'log', by: number): Promise<void> {
    await page.getByRole(label).hover()
    for (let step = 0; step < SCROLLS; step++) {
      await page.mouse.wheel(0, by)
      await nextFrame(page)
    }
  }

  test('hold for tasks while scrolling and typing', async ({ openTab, browser }) => {
    const page = await openTab('about:blank')
    await openState(page)
    const down = await longestTask(browser, page, () => scroll(page, 'tree', 700))
    within('longest task, scrolling the state', down, 100, 'ms')
    await page.keyboard.press('f')
    const typed = await longestTask(browser, page, async () => {
      await page.keyboard.type('kind:policies p12', { delay: 50 })
      await page.getByRole('treeitem').getByText('p100', { exact: true }).waitFor({ state: 'detached' })
    })
    within('longest task, typing in the filter of the state', typed, 100, 'ms')
    const searched = await longestTask(browser, page, async () => {
      await page.keyboard.press('Control+K')
      await page.keyboard.type('policies/p123', { delay: 50 })
      await page.getByRole('option').getByText('policies/p123', { exact: true }).first().waitFor()
    })
    within('longest task, typing in the command bar', searched, 100, 'ms')
    await page.goto(addressOf(team.stand, `/agents/${team.agentId}/talk`))
    await page.locator('[role=log] [data-index]').first().waitFor()
    const up = await longestTask(browser, page, () => scroll(page, 'log', -1500))
    within('longest task, scrolling the conversation', up, 100, 'ms')
  })

  test('hold for a page at rest, which sends nothing', async ({ openTab }) => {
    const page = await openTab('about:blank')
    let ticks = 0
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void (payload.includes('"tick"') && ticks++)),
    )
    await openState(page)
    await page.waitForLoadState('networkidle')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const before = ticks
    await expect.poll(() => ticks, { timeout: 30_000 }).toBeGreaterThan(before)
    within('requests at rest', sent.length, 0, '')
  })

  test(
    'hold after the changes of a day',
    async ({ openTab, browser }) => {
      const page = await openTab('about:blank')
      const meter = await PageMeter.of(page)
      let received = 0
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => (received += payload.toString().split('"seq":"').length - 1)),
      )
      await openState(page)
      within('heap before the changes', await meter.heap(), 150, 'MB')
      const before = { thread: await meter.mainThread(), received }
      const first = await team.change(CHANGES / 10, SECONDS / 10)
      const used = ((await meter.mainThread()) - before.thread) / first
      within(
        `main thread of the state, ${Math.round(CHANGES / SECONDS)} changes a second`,
        used / 10,
        10,
        '% of a core',
      )
      const visits = [...screens.map(({ key }) => `g${key}`), 'Enter']
      let visit = 0
      const rest = await team.change(CHANGES * 0.9, SECONDS * 0.9, async () => {
        const keys = visits[visit++ % visits.length]!
        await (keys.length > 2 ? page.keyboard.press(keys) : page.keyboard.type(keys))
      })
      within(`time of ${CHANGES} changes`, first + rest, isWhole ? 300 : null, 's')
      // Runs and entries are received while their screen is open.
      await expect.poll(() => received - before.received, { timeout: 120_000 }).toBeGreaterThan(CHANGES * 0.8)
      within('changes that the page received', received - before.received, null, '')
      within(`heap after ${CHANGES} changes`, await meter.heap(), 150, 'MB')
      for (const [key, name] of [
        ['d', 'drift'],
        ['r', 'runs'],
      ] as const) {
        await page.keyboard.press('Escape')
        await page.keyboard.type(`g${key}`)
        await page.getByRole('heading', { level: 1, name: new RegExp(name, 'i') }).waitFor()
        await page.getByRole('button', { name: /^Show \d+ of \d+ more/ }).waitFor()
        await page.keyboard.press('f')
        const typed = await longestTask(browser, page, () => page.keyboard.type('default p1', { delay: 50 }))
        within(`longest task, typing in the filter of ${name}`, typed, 100, 'ms')
      }
    },
    HOURS,
  )
})
