import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { installPage } from '../../../platform/http/page/page.ts'
import type { HttpServerOptions } from '../../../platform/http/server.ts'
import { serve } from './fixture.ts'

const HTML = '<!doctype html><script type="module" src="./assets/main-1.js"></script><link href="./assets/main-1.css">'
const SCRIPT = 'export const page = 1\n'.repeat(100)

/** A build of the page; null: none. */
function built(html: string | null = HTML): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  if (html !== null) writeFileSync(join(folder, 'index.html'), html)
  writeFileSync(join(folder, 'assets', 'main-1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets', 'main-1.js.gz'), gzipSync(SCRIPT))
  return folder
}

async function served({
  folder = built(),
  options = {},
}: { folder?: string; options?: Partial<HttpServerOptions> } = {}) {
  const app = await serve(options)
  const prefix = options.config?.publicUrl?.pathname.replace(/\/$/, '') ?? ''
  installPage(app, { folder, prefix })
  return app
}

const HOST = { host: '127.0.0.1' }
const CONFIG = { bind: '127.0.0.1', hosts: [], tokensFile: null, publicUrl: new URL('https://team.example.org/svc') }

describe('the page', () => {
  test('is served at every address below /ui', async () => {
    const app = await served()
    const urls = {
      '/ui/': '',
      '/ui/inbox?of=a/b': '',
      '/ui/state/agents/greeter': '../../',
      '/ui/inbox/approval%2F1': '../',
    }
    for (const [url, up] of Object.entries(urls)) {
      const { statusCode, headers, body } = await app.inject({ url, headers: HOST })
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ])
      expect(body).toContain(`src="${up}assets/main-1.js"`)
    }
  })

  test('leads to /ui/ from the root', async () => {
    const app = await served()
    for (const url of ['/', '/ui']) {
      const { statusCode, headers } = await app.inject({ url, headers: HOST })
      expect([statusCode, headers.location]).toEqual([302, 'ui/'])
    }
  })

  test('allows no script, style or frame of others', async () => {
    const app = await served()
    const { headers } = await app.inject({ url: '/ui/', headers: HOST })
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('serves its files compressed, to be kept for a year', async () => {
    const app = await served()
    const url = '/ui/assets/main-1.js'
    const { headers, rawPayload } = await app.inject({ url, headers: { ...HOST, 'accept-encoding': 'gzip' } })
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(rawPayload).toEqual(gzipSync(SCRIPT))
    expect((await app.inject({ url, headers: HOST })).body).toBe(SCRIPT)
  })

  test('leads to the public address from every form of its path', async () => {
    const app = await served({ options: { config: CONFIG } })
    const leads = async (url: string, host: string) => (await app.inject({ url, headers: { host } })).headers.location
    for (const url of ['/', '/svc', '/svc/', '/ui', '/svc/ui'])
      expect([url, await leads(url, 'team.example.org')]).toEqual([url, '/svc/ui/'])
    const others = { '/': 'ui/', '/svc': 'svc/ui/', '/svc/': 'ui/', '/svc/ui': 'ui/' }
    for (const [url, location] of Object.entries(others))
      expect([url, await leads(url, '127.0.0.1')]).toEqual([url, location])
  })

  test('replaces no address that exists already', async () => {
    const config = { ...CONFIG, publicUrl: new URL('https://team.example.org/health') }
    const app = await served({ options: { config } })
    expect(JSON.parse((await app.inject({ url: '/health', headers: HOST })).body)).toMatchObject({ status: 'ok' })
    expect((await app.inject({ url: '/health/ui/', headers: HOST })).statusCode).toBe(200)
  })

  test('loads without a token', async () => {
    const tokensFile = join(built(), 'tokens.json')
    writeFileSync(tokensFile, '[]', { mode: 0o600 })
    const app = await served({ options: { config: { bind: '127.0.0.1', hosts: [], tokensFile } } })
    const urls = ['/ui/', '/ui/assets/main-1.js']
    const answers = await Promise.all(urls.map((url) => app.inject({ url, headers: HOST })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test('names the missing build', async () => {
    const app = await served({ folder: built(null) })
    const { statusCode, body } = await app.inject({ url: '/ui/', headers: HOST })
    expect([statusCode, JSON.parse(body).detail]).toEqual([404, expect.stringContaining('npm run build')])
  })

  test('appears without a restart when it is built', async () => {
    const folder = built(null)
    rmSync(join(folder, 'assets'), { recursive: true })
    const app = await served({ folder })
    expect((await app.inject({ url: '/ui/', headers: HOST })).statusCode).toBe(404)
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), HTML)
    writeFileSync(join(folder, 'assets', 'main-2.js'), SCRIPT)
    expect((await app.inject({ url: '/ui/', headers: HOST })).body).toContain('main-1.js')
    expect((await app.inject({ url: '/ui/assets/main-2.js', headers: HOST })).body).toBe(SCRIPT)
  })

  test('is not part of the documented interface', async () => {
    const app = await served()
    const { paths } = JSON.parse((await app.inject({ url: '/openapi.json', headers: HOST })).body)
    expect(Object.keys(paths).filter((path) => path.startsWith('/ui'))).toEqual([])
  })
})
