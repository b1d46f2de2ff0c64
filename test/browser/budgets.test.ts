// Sizes of the first screen, and requests of a page at rest.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { DaemonStand } from '../support/daemon.ts'
import { root } from '../support/root.ts'
import { test } from './support/page-test.ts'
import { addressOf, live, startTeam } from './support/team.ts'

/** Limits in bytes: scripts and styles compressed by gzip, fonts uncompressed. */
const LIMITS = { js: 200_000, css: 12_000, woff2: 62_000 } as const
type Kind = keyof typeof LIMITS
const KINDS = Object.keys(LIMITS) as Kind[]

/** Bytes of a file of the page on the wire. */
function sizeOf(url: string): number {
  const content = readFileSync(join(root, 'dist', 'web', 'assets', basename(new URL(url).pathname)))
  return url.endsWith('woff2') ? content.length : gzipSync(content, { level: 9 }).length
}

describe('the budgets', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await startTeam({ builder: 'echo one' })
  })
  afterAll(() => stand?.close())

  test('hold for the first screen', async ({ openTab }) => {
    const page = await openTab('about:blank')
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.goto(addressOf(stand, '/inbox'))
    await live(page)
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    const sizes = KINDS.map((kind) => {
      const files = urls.filter((url) => url.endsWith(`.${kind}`))
      return { kind, files: files.length, bytes: files.reduce((sum, url) => sum + sizeOf(url), 0), limit: LIMITS[kind] }
    })
    console.table(sizes)
    expect(sizes.filter(({ bytes, limit }) => bytes === 0 || bytes > limit)).toEqual([])
  })

  test('hold for a page at rest, which sends nothing', async ({ openTab }) => {
    const page = await openTab('about:blank')
    const ticks: unknown[] = []
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => payload.includes('"tick"') && ticks.push(payload)),
    )
    await page.goto(addressOf(stand, '/inbox'))
    await live(page)
    await page.getByRole('button', { name: 'Approve once' }).waitFor()
    await expect.poll(() => ticks.length, { timeout: 30_000 }).toBeGreaterThan(1)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const before = ticks.length
    await expect.poll(() => ticks.length, { timeout: 30_000 }).toBeGreaterThan(before + 1)
    expect(sent).toEqual([])
  })
})
