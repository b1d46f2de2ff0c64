// Tests in a real browser. Errors of the console and reports of the content policy fail the test.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect, test as base } from 'vitest'
import { findChromium, maySkip } from './chromium.ts'

export interface View {
  /** Of the window in pixels; default 1280. */
  width?: number
  /** Default: light. */
  scheme?: 'light' | 'dark'
  /** False: the certificate of the server is self-signed. Default: true. */
  isTrusted?: boolean
}

export interface Reports {
  /** Errors and warnings, in order. */
  readonly seen: string[]
  /** Accepts reports that match, such as a lost connection. */
  allow(pattern: RegExp): void
}

interface Fixtures {
  browser: Browser
  reports: Reports
  /** Opens a tab in a browser profile without a history. */
  openTab(address: string, view?: View): Promise<Page>
}

const PATIENCE_MS = 30_000
const HEIGHTS: Readonly<Record<number, number>> = { 360: 740, 1280: 800, 2560: 1440 }

/** Writes each violation to the console, also those that Chromium reports nowhere else. */
const POLICY_REPORTER = `addEventListener('securitypolicyviolation', (event) =>
  console.error('content policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`

function record(context: BrowserContext, seen: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      seen.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => seen.push(`exception: ${error.error().stack ?? error.error().message}`))
}

const inBrowser = base.extend<Fixtures>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest requires a pattern
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: findChromium(process.env),
        args: ['--disable-gpu', '--host-resolver-rules=MAP *.test 127.0.0.1'],
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Vitest requires a pattern
  reports: async ({}, use) => {
    const seen: string[] = []
    const allowed: RegExp[] = []
    await use({ seen, allow: (pattern) => void allowed.push(pattern) })
    expect(seen.filter((report) => !allowed.some((pattern) => pattern.test(report)))).toEqual([])
  },
  openTab: async ({ browser, reports }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (address, { width = 1280, scheme = 'light', isTrusted = true } = {}) => {
      const height = HEIGHTS[width] ?? 800
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: scheme,
        locale: 'en-GB',
        hasTouch: width < 700,
        ignoreHTTPSErrors: !isTrusted,
      })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE_MS)
      record(context, reports.seen)
      await context.addInitScript({ content: POLICY_REPORTER })
      const page = await context.newPage()
      await page.goto(address)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

/** Without a Chromium each test counts as skipped; where one is required, it fails. */
export const test = maySkip(process.env) ? inBrowser.skip : inBrowser
