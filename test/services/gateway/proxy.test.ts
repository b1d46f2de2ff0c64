import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../platform/core/config.ts'
import { signIn, startGateway, type GatewayStand } from './stand.ts'

const tokens = { olga: 'operator', vera: 'viewer' } as const
const PUBLIC = 'https://team.example.com/svc'
const page = { origin: 'https://team.example.com' }

let stand: GatewayStand | null = null
afterEach(async () => {
  await stand?.close()
  stand = null
})

async function start(env: Record<string, string>): Promise<GatewayStand> {
  return (stand = await startGateway({ tokens, env: { SVC_PUBLIC_URL: PUBLIC, ...env } }))
}

/** Sends a request with any Host, which fetch does not allow. */
async function sendAs(host: string, target: string, more: Record<string, string> = {}): Promise<string> {
  const lines = Object.entries({ host, connection: 'close', ...more }).map(([name, value]) => `${name}: ${value}`)
  return stand!.sendBytes(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
}
const statusOf = (text: string): number => Number(text.split(' ')[1])

describe('behind a proxy', () => {
  test('accepts the public host, and paths with and without the prefix', async () => {
    await start({})
    for (const target of ['/svc/api/health', '/api/health', '/svc/api/notify/health'])
      expect(statusOf(await sendAs('team.example.com', target)), target).toBe(200)
    expect(statusOf(await sendAs('other.example.com', '/svc/api/health'))).toBe(421)
    expect(statusOf(await sendAs('team.example.com', '/svcx/api/health')), 'not open, as nothing is there').toBe(401)
    expect(statusOf(await sendAs('team.example.com', '/svc/api/../api/health'))).toBe(400)
    expect(await sendAs('team.example.com', '/svc/api/nothing')).toContain('"instance":"/svc/api/nothing"')
  })

  test('binds the cookie to the prefix and to https for pages of the public address only', async () => {
    const { send, origin } = await start({})
    const cookieFor = async (headers: Record<string, string>) =>
      (await send('POST /svc/api/session', headers, { token: 't-olga' })).headers.get('set-cookie')
    expect(await cookieFor(page)).toMatch(/; Path=\/svc; .*; SameSite=Strict; Secure$/)
    expect(await cookieFor({ origin })).toMatch(/; Path=\/; .*; SameSite=Strict$/)
  })

  test('recognises the public host with its port', async () => {
    await start({})
    const ended = { cookie: `svc-session-${stand!.port}=x` }
    for (const host of ['team.example.com', 'team.example.com:443', 'TEAM.example.com'])
      expect(await sendAs(host, '/svc/api/whoami', ended), host).toMatch(/set-cookie: .*; Path=\/svc; .*; Secure/i)
    expect(await sendAs('127.0.0.1', '/svc/api/whoami', ended)).toMatch(/set-cookie: .*; Path=\/; /i)
  })

  test('accepts writes of pages of the public origin', async () => {
    const { send } = await start({})
    const { headers } = await signIn(stand!, 'olga')
    const put = (origin: string) =>
      send('PUT /svc/api/orchestrator/policies/a', { ...headers, origin }, { mode: 'deny_all' })
    expect((await put('https://team.example.com')).status).toBe(201)
    const others = [
      'http://team.example.com',
      `http://team.example.com:${stand!.port}`,
      'https://team.example.com:8443',
    ]
    for (const origin of [...others, 'https://example.com', 'null']) {
      expect((await put(origin)).status, origin).toBe(403)
      for (const host of ['team.example.com', `team.example.com:${stand!.port}`])
        expect(statusOf(await sendAs(host, '/svc/api/health', { origin })), `${host} ${origin}`).toBe(403)
    }
  })

  test('believes X-Forwarded headers of trusted proxies only', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }
    const signed = async () => {
      const { headers, status } = await stand!.send(
        'POST /api/session',
        { origin: stand!.origin, 'x-forwarded-proto': 'https' },
        { token: 't-olga' },
      )
      return [status, headers.get('set-cookie')?.endsWith('; Secure') ?? false]
    }
    await start({ SVC_TRUSTED_PROXIES: '10.0.0.0/8, ::1' })
    expect(statusOf(await sendAs('127.0.0.1', '/api/health', forwarded))).toBe(200)
    expect(await signed()).toEqual([200, false])
    await stand!.close()
    await start({ SVC_TRUSTED_PROXIES: '127.0.0.0/8' })
    expect(statusOf(await sendAs('127.0.0.1', '/api/health', forwarded))).toBe(421)
    expect(await signed()).toEqual([200, true])
    expect(statusOf(await sendAs('127.0.0.1', '/api/health', { 'x-forwarded-host': '' }))).toBe(200)
    const hidden = { 'x-forwarded-host': '127.0.0.1' }
    expect(statusOf(await sendAs('evil.example', '/api/health', hidden)), 'a rebound name').toBe(421)
  })
})

describe('the settings', () => {
  const faultOf = (env: Record<string, string>): string | null => {
    try {
      readConfig({ HOME: '/h', ...env })
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  test.each([
    ['SVC_PUBLIC_URL', PUBLIC],
    ['SVC_PUBLIC_URL', 'http://localhost:8080/svc/'],
    ['SVC_TRUSTED_PROXIES', '127.0.0.1'],
  ])('refuse %s=%s without tokens', (name, value) => {
    const needed = `${name}=${value} puts the daemon behind a proxy, which hides its callers: set SVC_TOKENS_FILE first`
    expect(faultOf({ [name]: value })).toContain(needed)
    expect(faultOf({ [name]: value, SVC_TOKENS_FILE: '/h/tokens.json', SVC_AUTH: 'off' })).toContain(needed)
    expect(faultOf({ [name]: value, SVC_AUTH: 'on' })).toBeNull()
  })

  test.each([
    'team.example.com',
    'ftp://team.example.com',
    'https://user@team.example.com',
    'https://team.example.com/?a=1',
    'https://team.example.com/#a',
    'https://team.example.com//svc',
    'https://team.example.com/a;b',
    'https://team.example.com/%2e%2e/a%20b',
  ])('refuse the public address %s', (given) => {
    expect(faultOf({ SVC_PUBLIC_URL: given, SVC_AUTH: 'on' })).toContain(
      `SVC_PUBLIC_URL should be an address such as https://team.example.com/svc, instead got "${given}"`,
    )
  })

  test.each(['example.com', '10.0.0.0/33', '10.0.0.1/', '::1/129', '10.0.0', '0.0.0.0/0', '::/0'])(
    'refuse the proxy %s',
    (given) => {
      expect(faultOf({ SVC_TRUSTED_PROXIES: `127.0.0.1, ${given}`, SVC_AUTH: 'on' })).toContain(
        `instead got "${given}"`,
      )
    },
  )
})
