import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gateway } from '../../../services/gateway/service.ts'
import { onEachDatabase, type TestDatabase } from '../../support/databases.ts'
import { signIn, startGateway, type GatewayStand } from './stand.ts'

const ROLES = { vera: 'viewer', olga: 'operator', ada: 'admin' } as const
const policy = { mode: 'deny_all' }
const isCleared = (headers: Headers): boolean => /^svc-session-\d+=;.*Max-Age=0/.test(headers.get('set-cookie') ?? '')

describe('with tokens off', () => {
  let stand: GatewayStand
  beforeAll(async () => {
    stand = await startGateway({})
  }, 60_000)
  afterAll(() => stand.close())

  test('answers who the caller is, and needs no session', async () => {
    const may = ['approve', 'policy', 'agent', 'workflow', 'source', 'apply', 'shutdown', 'conductor']
    const operator = { subject: 'operator', role: 'admin', may, agent: null }
    expect((await stand.send('GET /api/whoami')).body).toEqual(operator)
    expect((await stand.send('GET /api/whoami', { 'sec-fetch-site': 'same-origin' })).body).toEqual(operator)
    expect((await stand.send('GET /api/whoami', { 'x-svc-actor': 'mira' })).body).toMatchObject({ subject: 'mira' })
    for (const request of ['POST /api/session', 'DELETE /api/session'])
      expect(await stand.send(request, {}, request.startsWith('POST') ? { token: 'x' } : undefined)).toMatchObject({
        status: 409,
        body: { code: 'auth-off' },
      })
    for (const body of [undefined, {}, { token: 7 }, 'x'])
      expect(await stand.send('POST /api/session', {}, body), String(body)).toMatchObject({
        status: 409,
        body: { code: 'auth-off' },
      })
  })

  test('records the writes of its page under the operator', async () => {
    const headers = { origin: stand.origin, 'x-request-id': 'req-page' }
    expect((await stand.send('PUT /api/orchestrator/policies/page', headers, policy)).status).toBe(201)
    expect(await stand.db('orchestrator_audit').where({ request_id: 'req-page' })).toMatchObject([
      { actor: 'operator' },
    ])
  })

  test.each([
    ['another site', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: 'null' }],
    ['a hidden origin', { 'sec-fetch-site': 'same-origin' }],
    ['a cookie and no origin', { cookie: 'svc-session-PORT=x' }],
  ])('refuses a write of a page of %s', async (_what, headers: Record<string, string>) => {
    const { cookie } = headers
    const sent = { ...headers, ...(cookie ? { cookie: cookie.replace('PORT', String(stand.port)) } : {}) }
    for (const url of ['/api/orchestrator/policies/refused', '/api/session'])
      expect((await stand.send(`POST ${url}`, sent, policy)).status, url).toBe(403)
    const direct = await fetch(`${stand.host.urls.orchestrator}/policies/refused`, { method: 'PUT', headers: sent })
    expect(direct.status).toBe(403)
  })
})

onEachDatabase((database: TestDatabase) => {
  let stand: GatewayStand
  beforeAll(async () => {
    stand = await startGateway({ url: database.url, tokens: ROLES })
  }, 60_000)
  afterAll(() => stand.close())
  const put = (headers: Record<string, string>) => stand.send('PUT /api/orchestrator/policies/kept', headers, policy)

  test('signs in with a token, for a cookie and a key', async () => {
    const { origin, port } = stand
    const { status, headers, body } = await stand.send('POST /api/session', { origin }, { token: 't-olga' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ subject: 'olga', role: 'operator', key: expect.stringMatching(/^[\w-]{43}$/) })
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(`^svc-session-${port}=[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`),
    )
    const wrong = await stand.send('POST /api/session', { origin }, { token: 'wrong' })
    expect(wrong).toMatchObject({ status: 401, body: { code: 'token-unknown' } })
    expect(wrong.headers.get('set-cookie')).toBeNull()
    expect(await stand.db('gateway_audit').where({ actor: 'olga' })).not.toEqual([])
  })

  test('identifies a caller with cookie and key as the subject of the token', async () => {
    const { headers } = await signIn(stand, 'olga')
    const shown = await stand.send('GET /api/whoami', headers)
    const may = ['approve', 'policy', 'agent', 'workflow', 'source', 'apply', 'conductor']
    expect(shown.body).toEqual({ subject: 'olga', role: 'operator', may, agent: null })
    const ada = await signIn(stand, 'ada')
    expect((await stand.send('GET /api/whoami', ada.headers)).body.may).toContain('shutdown')
    for (const path of ['whoami', 'inbox', 'orchestrator/agents']) {
      const answer = await stand.send(`GET /api/${path}`, headers)
      expect(answer.headers.get('cache-control'), path).toBe('no-store')
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(answer.headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    }
    expect((await put({ ...headers, 'x-request-id': 'req-olga', 'x-svc-actor': 'mira' })).status).toBeLessThan(300)
    expect(await stand.db('orchestrator_audit').where({ request_id: 'req-olga' })).toMatchObject([{ actor: 'olga' }])
    const vera = await signIn(stand, 'vera')
    expect((await stand.send('GET /api/whoami', vera.headers)).body).toMatchObject({ role: 'viewer', may: [] })
    expect((await stand.send('GET /api/orchestrator/policies', vera.headers)).status).toBe(200)
    expect((await put(vera.headers)).status).toBe(403)
    expect((await stand.send('DELETE /api/session', vera.headers)).status).toBe(204)
    expect((await stand.send('GET /api/whoami', vera.headers)).status).toBe(401)
  })

  test('refuses one part without the other', async () => {
    const { headers, key } = await signIn(stand, 'olga')
    const { cookie, origin } = headers
    const other = await signIn(stand, 'olga')
    const cases: [string, Record<string, string>, string][] = [
      ['cookie without key', { origin, cookie }, 'session-key-missing'],
      ['another key', { ...headers, 'x-svc-session-key': other.key }, 'session-key-missing'],
      ['key without cookie', { origin, 'x-svc-session-key': key }, 'token-missing'],
      ['key alone', { 'x-svc-session-key': key }, 'token-missing'],
    ]
    for (const [what, sent, code] of cases) {
      const write = await put(sent)
      expect(write, what).toMatchObject({ status: 401, body: { code } })
      expect(isCleared(write.headers), what).toBe(false)
      expect((await stand.send('GET /api/orchestrator/policies', sent)).status, what).toBe(401)
    }
    expect((await put({ cookie, 'x-svc-session-key': key })).status, 'no origin').toBe(403)
    expect((await put(headers)).status).toBeLessThan(300)
  })

  test('refuses a write of a page that sends a token', async () => {
    const authorization = 'Bearer t-olga'
    expect((await put({ authorization })).status).toBeLessThan(300)
    expect(await put({ authorization, origin: stand.origin })).toMatchObject({ status: 401 })
  })

  test('limits and counts sign-ins with unknown tokens, and no others', async () => {
    const send = async (token: string) => {
      const { status, body, headers } = await stand.send('POST /api/session', {}, { token })
      return { status, code: body.code, after: headers.get('retry-after') }
    }
    const metric = async () =>
      Number(
        /^gateway_sign_in_failures_total (\d+)$/m.exec(
          await (await fetch(`${stand.origin}/api/metrics`, { headers: { authorization: 'Bearer t-vera' } })).text(),
        )![1],
      )
    const before = await metric()
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(`wrong-${index}`)))
    expect(answers).toContainEqual({ status: 401, code: 'token-unknown', after: null })
    expect(answers).toContainEqual({ status: 429, code: 'limit-reached', after: '1' })
    expect((await send('t-vera')).status).toBe(200)
    expect((await metric()) - before).toBe(40)
    expect((await send('x'.repeat(5000))).status).toBe(413)
  })

  test('clears a forged cookie', async () => {
    const { headers, cookie } = await signIn(stand, 'olga')
    for (const forged of [`${cookie}x`, cookie.replace(/=.*/, '='), cookie.replace(/=.*/, `=${'x'.repeat(5000)}`)]) {
      const answer = await stand.send('GET /api/whoami', { ...headers, cookie: forged })
      expect(answer).toMatchObject({ status: 401, body: { code: 'session-ended' } })
      expect(isCleared(answer.headers)).toBe(true)
    }
  })

  test('has a cookie of the bound port, whatever address is configured', async () => {
    const env = { SVC_GATEWAY_URL: 'http://127.0.0.1:1/api' }
    const own = await startGateway({ tokens: ROLES, env })
    const { cookie, headers } = await signIn(own, 'olga')
    expect(cookie).toMatch(new RegExp(`^svc-session-${own.port}=`))
    for (const path of ['/api/whoami', '/api/gateway/whoami'])
      expect((await own.send(`GET ${path}`, headers)).body, path).toMatchObject({ subject: 'olga' })
    await own.close()
  }, 30_000)

  test('is found among other values of its cookie', async () => {
    const { headers, cookie } = await signIn(stand, 'olga')
    const other = cookie.replace(/=.*/, '=x')
    const vera = await signIn(stand, 'vera')
    const subjectOf = async (sent: string) => {
      const { status, body, headers: answered } = await stand.send('GET /api/whoami', { ...headers, cookie: sent })
      return [status, body.subject ?? body.code, isCleared(answered)]
    }
    expect(await subjectOf(`${other}; ${cookie}`)).toEqual([200, 'olga', false])
    expect(await subjectOf(`${vera.cookie}; ${other}; ${other}; ${cookie}`)).toEqual([200, 'olga', false])
    expect(await subjectOf(`${other}; ${vera.cookie}`)).toEqual([401, 'session-key-missing', false])
    expect(await subjectOf(`${other}; ${other}`)).toEqual([401, 'session-ended', true])
    expect(await subjectOf(`${`${other}; `.repeat(4)}${cookie}`)).toEqual([401, 'session-ended', true])
  })

  test('ends with its token', async () => {
    const { headers } = await signIn(stand, 'olga')
    stand.setTokens({ ...ROLES, olga: 'viewer' })
    expect((await stand.send('GET /api/whoami', headers)).body).toMatchObject({ role: 'viewer' })
    const { olga: _olga, ...others } = ROLES
    stand.setTokens(others)
    const answer = await stand.send('GET /api/whoami', headers)
    expect(answer).toMatchObject({ status: 401, body: { code: 'session-ended' } })
    expect(isCleared(answer.headers)).toBe(true)
    stand.setTokens(ROLES)
  })

  test('ends at its time, and on request', async () => {
    const first = await signIn(stand, 'olga')
    await stand.db('gateway_sessions').update({ expires_at: '2020-01-01T00:00:00.000Z' })
    expect(await put(first.headers)).toMatchObject({ status: 401, body: { code: 'session-ended' } })
    const second = await signIn(stand, 'olga')
    expect(await stand.db('gateway_sessions'), 'the expired ones are deleted').toHaveLength(1)
    const ended = await stand.send('DELETE /api/session', second.headers)
    expect(ended.status).toBe(204)
    expect(isCleared(ended.headers)).toBe(true)
    expect((await put(second.headers)).status).toBe(401)
    expect((await stand.send('DELETE /api/session', { authorization: 'Bearer t-olga' })).status).toBe(404)
  })

  test('survives a restart, and stores no secret in clear', async () => {
    const { headers, cookie, key } = await signIn(stand, 'ada')
    const rows = JSON.stringify(await stand.db('gateway_sessions'))
    for (const secret of [cookie.split('=')[1]!, key, 't-ada']) {
      expect(rows).not.toContain(secret)
      expect(stand.log()).not.toContain(secret)
    }
    const port = String(stand.port)
    await stand.reopen()
    // The test restarts on another port, which the name of the cookie contains.
    const moved = { ...headers, origin: stand.origin, cookie: cookie.replace(port, String(stand.port)) }
    expect((await stand.send('GET /api/whoami', moved)).body).toMatchObject({ subject: 'ada', role: 'admin' })
  })

  test('verifies the key of a first frame, and follows the token of the session', async () => {
    const { sessions } = stand.host.find(gateway)!
    const { cookie, key, headers } = await signIn(stand, 'olga')
    const session = (await sessions.find(cookie.split('=')[1]!))!
    for (const wrong of [`${key}x`, '', undefined, null, 7, { key }, [key]])
      expect(sessions.admits(session, wrong), JSON.stringify(wrong)).toBe(false)
    expect([sessions.admits(session, key), sessions.admits(null, undefined)]).toEqual([true, true])
    const { holder } = session
    expect(await sessions.current(holder, session)).toMatchObject({ subject: 'olga', role: 'operator' })
    stand.setTokens({ ...ROLES, olga: 'viewer' })
    expect(await sessions.current(holder, session)).toMatchObject({ role: 'viewer' })
    stand.setTokens({})
    expect([await sessions.current(holder, session), await sessions.current(holder, null)]).toEqual([null, null])
    stand.setTokens(ROLES)
    await stand.send('DELETE /api/session', headers)
    expect(await sessions.current(holder, session)).toBeNull()
    expect(await sessions.current(holder, null)).toMatchObject({ subject: 'olga' })
  })

  test('keeps the newest hundred sessions of a token', async () => {
    const { headers } = await signIn(stand, 'vera')
    for (let made = 0; made < 100; made++) await signIn(stand, 'vera')
    expect((await stand.send('GET /api/whoami', headers)).status).toBe(401)
    const last = await signIn(stand, 'vera')
    expect((await stand.send('GET /api/whoami', last.headers)).status).toBe(200)
  })

  test('opens no socket for a page, except one that takes the key in its first frame', async () => {
    const { headers } = await signIn(stand, 'olga')
    const { 'x-svc-session-key': _key, ...withoutKey } = headers
    const upgrade = Object.entries({
      ...withoutKey,
      host: `127.0.0.1:${stand.port}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
    }).map(([name, value]) => `${name}: ${value}`)
    const text = await stand.sendBytes(`GET /api/notify/stream HTTP/1.1\r\n${upgrade.join('\r\n')}\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text).toContain('session-key-missing')
  })
})
