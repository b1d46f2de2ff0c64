import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bareServer } from '../../support/bare-server.ts'
import { svc } from '../../support/command.ts'

const HEALTH = JSON.stringify({ status: 'ok', service: 'svc-controller', version: '1.2.3', uptime_secs: 1 })

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-open-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes a program that records its argument. */
function opener(name: string, exitCode = 0): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho "$1" > "${folder}/opened"\nexit ${exitCode}\n`)
  chmodSync(path, 0o755)
  return path
}
const opened = (): string | null =>
  existsSync(join(folder, 'opened')) ? readFileSync(join(folder, 'opened'), 'utf8').trim() : null

/** Runs `svc open` against a daemon. */
async function open(words: string[], env: Record<string, string> = {}) {
  const { url } = await bareServer(200, HEALTH)
  return { url, ...(await svc(['open', ...words], { env: { SVC_CONTROLLER_URL: url, ...env } })) }
}

test('opens the page in the chosen browser and prints its address', async () => {
  const { url, code, stdout, stderr } = await open([], { BROWSER: opener('browser') })
  expect([code, stdout, stderr]).toEqual([0, `${url}/ui/\n`, ''])
  expect(opened()).toBe(`${url}/ui/`)
})

test('opens a screen and the records below it', async () => {
  const { url, stdout } = await open(['state/agents/né w?'], { BROWSER: opener('browser') })
  expect(stdout).toBe(`${url}/ui/state/agents/n%C3%A9%20w%3F\n`)
  expect(opened()).toBe(stdout.trim())
})

test('uses the opener of a system with a display', async () => {
  opener('xdg-open')
  const { url, code } = await open(['drift'], { DISPLAY: ':0', PATH: `${folder}${delimiter}${process.env.PATH}` })
  expect([code, opened()]).toEqual([0, `${url}/ui/drift`])
})

test('prints only the address without a display', async () => {
  const { url, code, stdout, stderr } = await open(['inbox'])
  expect([code, stdout]).toEqual([0, `${url}/ui/inbox\n`])
  expect(stderr).toBe('No browser was opened: this terminal has no display. Open the address in one.\n')
  const json = await open(['-o', 'json'])
  expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { address: `${json.url}/ui/`, opened: false }])
})

test('names a browser that is missing or fails, and succeeds', async () => {
  const failing = opener('failing', 3)
  const reasons = { [join(folder, 'none')]: /ENOENT/, [failing]: /failing ended with 3/ }
  for (const [BROWSER, reason] of Object.entries(reasons)) {
    const { url, code, stdout, stderr } = await open([], { BROWSER })
    expect([code, stdout]).toEqual([0, `${url}/ui/\n`])
    expect(stderr).toMatch(reason)
  }
})

test('opens the public address of a daemon behind a proxy, unless an address is given', async () => {
  const env = { SVC_AUTH: 'on', SVC_PUBLIC_URL: 'https://team.example.org/svc/' }
  expect((await open(['runs'], env)).stdout).toBe('https://team.example.org/svc/ui/runs\n')
  const { url } = await bareServer(200, HEALTH)
  expect((await open(['runs', '--url', url], env)).stdout).toBe(`${url}/ui/runs\n`)
})

test('opens nothing without a daemon', async () => {
  const { code, stdout, stderr } = await svc(['open'], {
    env: { SVC_CONTROLLER_URL: 'http://127.0.0.1:1', BROWSER: opener('browser') },
  })
  expect([code, stdout, opened()]).toEqual([1, '', null])
  expect(stderr).toMatch(/^error: no daemon is reachable at http:\/\/127\.0\.0\.1:1/)
})

test('suggests the nearest screen for an unknown one', async () => {
  const { code, stderr } = await svc(['open', 'drfit'])
  expect([code, stderr]).toEqual([64, 'error: unknown screen drfit\nhint: did you mean "drift"?\n'])
  expect((await svc(['open', '/'])).stderr).toContain('screens: inbox, state, plan, drift, runs, agents')
})
