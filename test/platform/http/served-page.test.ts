// The page over connections, as browsers and proxies send requests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { installPage } from '../../../platform/http/page/page.ts'
import { readProxySettings } from '../../../platform/core/proxies.ts'
import { serve } from './fixture.ts'

const HTML = '<!doctype html><script type="module" src="./assets/main-1.js"></script>'
const SCRIPT = 'export const page = 1\n'.repeat(100)
const SECRET = 'not of the page'

function built(): string {
  const parent = mkdtempSync(join(tmpdir(), 'svc-page-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'web')
  mkdirSync(join(folder, 'assets', 'fonts'), { recursive: true })
  for (const path of ['../secret', 'secret', 'assets2']) writeFileSync(join(folder, path), SECRET)
  writeFileSync(join(folder, 'index.html'), HTML)
  const script = join(folder, 'assets', 'main-1.js')
  writeFileSync(script, SCRIPT)
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT))
  return folder
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends the path unchanged, unlike fetch. */
async function ask(url: URL, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: url.hostname, port: url.port, path, method, headers, agent: false })
    sent.on('error', reject).on('response', (response) => {
      const { statusCode: status, headers: given } = response
      buffer(response).then((body) => resolve({ status: status!, headers: given, body }), reject)
    })
    sent.end()
  })
}

/** Returns the address of a server with the page. */
async function listening(env: Record<string, string> = {}): Promise<URL> {
  const proxies = readProxySettings({ SVC_AUTH: 'on', ...env }, true, [])
  const app = await serve({ config: { bind: '127.0.0.1', hosts: [], tokensFile: null, ...proxies } })
  installPage(app, { folder: built(), prefix: proxies.publicUrl?.pathname.replace(/\/$/, '') ?? '' })
  return new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
}

describe('the page over HTTP', () => {
  test('answers HEAD as GET, without a body', async () => {
    const url = await listening()
    for (const path of ['/', '/ui/', '/ui/inbox', '/ui/assets/main-1.js']) {
      const [head, get] = [await ask(url, path, {}, 'HEAD'), await ask(url, path)]
      const comparable = ({ status, headers: { 'x-request-id': _id, date: _date, ...rest } }: Answer) => [status, rest]
      expect(comparable(head)).toEqual(comparable(get))
      expect(head.body).toHaveLength(0)
    }
  })

  test('refuses other methods', async () => {
    const url = await listening()
    for (const path of ['/', '/ui/', '/ui/assets/main-1.js']) {
      const { status, headers } = await ask(url, path, {}, 'DELETE')
      expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD'])
    }
  })

  test('sends the variant that the browser accepts, and says that there are others', async () => {
    const url = await listening()
    const variants = { 'gzip, deflate, br': 'br', 'br;q=0, gzip': 'gzip', gzip: 'gzip', identity: undefined }
    for (const [accepted, encoding] of Object.entries(variants)) {
      const { headers } = await ask(url, '/ui/assets/main-1.js', { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers.vary).toContain('accept-encoding')
      expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/)
    }
  })

  test('lists no folder', async () => {
    const url = await listening()
    for (const path of ['/ui/assets/', '/ui/assets/fonts', '/ui/assets/fonts/', '/ui/assets//'])
      for (const encoding of ['identity', 'br']) {
        const { status, body } = await ask(url, path, { 'accept-encoding': encoding })
        expect([path, status]).toEqual([path, 404])
        expect(body.toString()).not.toContain('main-1')
      }
  })

  test.each([
    '/ui/assets/../secret',
    '/ui/assets/../../secret',
    '/ui/assets/..%2fsecret',
    '/ui/assets/%2e%2e/secret',
    '/ui/assets/%2e%2e%2fsecret',
    '/ui/assets/..%5csecret',
    '/ui/assets/..\\secret',
    '/ui/assets/%252e%252e/secret',
    '/ui/assets/%00/../../secret',
    '/ui/assets/../assets2',
    '/ui/assets/%c0%ae%c0%ae/secret',
    '/ui/../secret',
    '/ui/%2e%2e/secret',
    '/ui//secret',
    '//ui/assets/../secret',
  ])('serves no file outside its folder for %s', async (path) => {
    const { status, body } = await ask(await listening(), path)
    expect(body.toString()).not.toContain(SECRET)
    expect([200, 400, 404]).toContain(status)
  })
})

/** A proxy that removes the path of the public address, or leaves it, and keeps the Host of the client, or sets its own. */
async function proxy(target: URL, { removes, keeps }: { removes: boolean; keeps: boolean }): Promise<URL> {
  const server = createServer((incoming, outgoing) => {
    const path = removes ? incoming.url!.replace(/^\/svc/, '') || '/' : incoming.url!
    const host: Record<string, string> = keeps ? { host: 'team.example.org' } : {}
    ask(target, path, { ...host, 'x-forwarded-proto': 'https' }).then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
      (error: Error) => outgoing.writeHead(502).end(error.message),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise((done) => server.close(() => done())))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

describe.each([
  { removes: true, keeps: true },
  { removes: true, keeps: false },
  { removes: false, keeps: true },
  { removes: false, keeps: false },
])('behind a proxy that ends TLS (removes the path: $removes, keeps the host: $keeps)', (how) => {
  test('finds its files at every depth, and its start from the path', async () => {
    const env = { SVC_PUBLIC_URL: 'https://team.example.org/svc', SVC_TRUSTED_PROXIES: '127.0.0.1' }
    const outer = await proxy(await listening(env), how)
    for (const path of ['/svc/ui/', '/svc/ui/inbox/1f3c9a2b', '/svc/ui/state/agents/greeter']) {
      const { body } = await ask(outer, path)
      const [, script] = /src="([^"]+)"/.exec(body.toString())!
      const address = new URL(script!, new URL(path, outer))
      expect(address.pathname).toBe('/svc/ui/assets/main-1.js')
      expect((await ask(outer, address.pathname)).body.toString()).toBe(SCRIPT)
    }
    const { headers } = await ask(outer, '/svc/')
    expect(new URL(headers.location!, new URL('/svc/', outer)).pathname).toBe('/svc/ui/')
  })
})
