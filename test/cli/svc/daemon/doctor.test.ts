// `svc doctor` checks the daemon that commands use from here.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { VERSION } from '../../../../cli/version.ts'
import { DaemonStand } from '../../../support/daemon.ts'

let stand: DaemonStand
let token: string
beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_AUTH: 'on' } })
  token = JSON.parse((await stand.svc(['token', 'create', 'mia', '--json'])).stdout).token as string
  await stand.start()
}, 60_000)
afterAll(() => stand.close())

interface Finding {
  check: string
  status: string
  detail: string
  fix: string | null
}

async function doctor(env: Record<string, string>, ...words: string[]) {
  const { code, stdout } = await stand.svc(['doctor', '--json', ...words], { env })
  const findings = new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.check, finding]))
  return { code, findings, of: (check: string) => findings.get(check) }
}

/** Answers each path with a fixed body, and others with 404. */
async function fakeDaemon(bodies: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    const body = bodies[request.url!]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { detail: 'not here' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('shows address, version, access and services of the daemon', async () => {
  const { of } = await doctor({ SVC_TOKEN: token })
  const file = join(stand.dataDir, 'runtime.json')
  expect(of('daemon')).toMatchObject({ status: 'ok', detail: `${stand.controller} (from ${file}) is ok` })
  expect(of('version of the daemon')).toMatchObject({ status: 'ok', detail: VERSION })
  expect(of('access to the daemon')).toMatchObject({ status: 'ok', detail: 'by the token in SVC_TOKEN' })
  expect(of('services of the daemon')).toMatchObject({ status: 'ok', detail: expect.stringContaining('svc-index') })
})

test.each([
  ['without a token', {}],
  ['with an unknown token', { SVC_TOKEN: 'unknown' }],
])('fails %s if the daemon requires one', async (_how, env) => {
  const { code, of } = await doctor(env)
  expect(of('daemon')!.status).toBe('ok')
  expect(of('access to the daemon')).toMatchObject({ status: 'fail', fix: expect.stringContaining('set SVC_TOKEN') })
  expect(code).toBe(1)
})

test('checks the daemon of --url, and neither ports nor services of this machine', async () => {
  const health = { status: 'degraded', service: 'svc-controller', version: '9.9.9', uptime_secs: 1 }
  const url = await fakeDaemon({ '/health': health, '/sources': [] })
  const { of, findings } = await doctor({}, '--url', url)
  expect(of('daemon')).toMatchObject({ status: 'warn', detail: `${url} (from --url) is degraded` })
  expect(of('version of the daemon')).toMatchObject({
    status: 'warn',
    detail: `9.9.9, but that of this command is ${VERSION}`,
  })
  expect(of('access to the daemon')).toMatchObject({ status: 'ok', detail: 'needs no token' })
  const local = [...findings.keys()].filter((check) => /^(port of|services of|webhooks)/.test(check))
  expect(local).toEqual([])
})

test('names another program or service that answers at the address', async () => {
  const other = await doctor({}, '--url', await fakeDaemon({ '/health': { up: true } }))
  expect(other.of('daemon')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/\(from --url\) is a program other than svc$/),
  })
  const service = await doctor({ SVC_CONTROLLER_URL: stand.urls.notify! })
  expect(service.of('daemon')).toMatchObject({
    status: 'fail',
    detail: `${stand.urls.notify} (from SVC_CONTROLLER_URL) is the service svc-notify`,
  })
  expect([other.code, service.code]).toEqual([1, 1])
})

test('fails if no daemon answers at an address that was set', async () => {
  const { code, of } = await doctor({}, '--url', '127.0.0.1:1')
  expect(of('daemon')).toMatchObject({
    status: 'fail',
    detail: 'no daemon is reachable at http://127.0.0.1:1 (from --url)',
    fix: expect.stringContaining('--url'),
  })
  expect(code).toBe(1)
  expect((await doctor({}, '--url', ':::')).of('daemon')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('which is not an address'),
  })
})
