import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ID, serve } from './fixture.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('request ids and actors', () => {
  test('accepts a well-formed request id, or creates one', async () => {
    const app = await serve()
    const idFor = async (given: string) =>
      (await app.inject({ url: '/health', headers: { 'x-request-id': given } })).headers['x-request-id']
    expect(await idFor('build/17:abc')).toBe('build/17:abc')
    expect(await idFor('a b')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idFor('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('are in answers that no cache keeps', async () => {
    const app = await serve()
    for (const url of ['/health', '/nothing', `/things/${ID}`])
      expect((await app.inject({ url })).headers['cache-control'], url).toBe('no-store')
  })

  test('are in answers that no page of another site embeds, whatever their type', async () => {
    const app = await serve()
    for (const url of ['/health', '/nothing', `/things/${ID}`]) {
      const { headers } = await app.inject({ url })
      expect(headers['x-content-type-options'], url).toBe('nosniff')
      expect(headers['cross-origin-resource-policy'], url).toBe('same-origin')
    }
  })

  test('takes the actor from the header, else anonymous', async () => {
    const app = await serve()
    const actorFor = async (headers: Record<string, string>) =>
      (await app.inject({ method: 'PUT', url: `/things/${ID}`, headers: { 'x-request-id': 'r', ...headers } })).json()
    expect(await actorFor({})).toEqual({ actor: 'anonymous', requestId: 'r', endpoint: 'PUT /things/{id}' })
    expect(await actorFor({ 'x-svc-actor': 'mia' })).toMatchObject({ actor: 'mia' })
    expect(await actorFor({ 'x-svc-actor': 'controller' })).toMatchObject({ status: 400 })
    expect(await actorFor({ 'x-svc-actor': 'x'.repeat(200) })).toMatchObject({ status: 400 })
  })
})

describe('tokens', () => {
  const entry = (subject: string, role: string, token: string) => ({
    subject,
    role,
    sha256: createHash('sha256').update(token).digest('hex'),
  })

  function tokensFile(entries: object[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'))
    folders.push(folder)
    const file = join(folder, 'tokens.json')
    writeFileSync(file, JSON.stringify(entries))
    return file
  }

  async function guarded() {
    const file = tokensFile([
      entry('vera', 'viewer', 't-viewer'),
      entry('olga', 'operator', 't-operator'),
      entry('ada', 'admin', 't-admin'),
    ])
    const app = await serve({ config: { bind: '127.0.0.1', hosts: [], tokensFile: file } })
    const status = async (method: 'GET' | 'PUT' | 'DELETE', token?: string) =>
      (await app.inject({ method, url: `/things/${ID}`, headers: token ? { authorization: `Bearer ${token}` } : {} }))
        .statusCode
    return { app, file, status }
  }

  test('are required, and only known ones admitted', async () => {
    const { app, status } = await guarded()
    expect(await status('GET')).toBe(401)
    expect(await status('GET', 'wrong')).toBe(401)
    expect(await status('GET', 't-viewer')).toBe(200)
    expect((await app.inject({ url: '/things/1' })).headers['www-authenticate']).toBe('Bearer')
    expect((await app.inject({ url: '/nothing' })).statusCode).toBe(401)
  })

  test('are not required with auth off, and unknown or revoked ones are 401', async () => {
    const file = tokensFile([entry('olga', 'operator', 't-operator')])
    const app = await serve({ config: { bind: '127.0.0.1', hosts: [], tokensFile: file, auth: false } })
    const status = async (method: 'GET' | 'PUT', token?: string) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {}
      return (await app.inject({ method, url: `/things/${ID}`, headers })).statusCode
    }
    expect([await status('GET'), await status('GET', 't-operator')]).toEqual([200, 200])
    const agentToken = `agent.${ID}.x`
    expect([await status('GET', 'wrong'), await status('PUT', 'wrong')]).toEqual([401, 401])
    expect(await status('GET', agentToken), 'the tokens of agents are unknown here').toBe(200)
    writeFileSync(file, '[]')
    expect(await status('GET', 't-operator')).toBe(401)
  })

  test('let a viewer read, an operator write, an admin do both', async () => {
    const { status } = await guarded()
    expect([await status('PUT', 't-viewer'), await status('DELETE', 't-viewer')]).toEqual([403, 403])
    expect([await status('PUT', 't-operator'), await status('DELETE', 't-operator')]).toEqual([200, 403])
    expect([await status('PUT', 't-admin'), await status('DELETE', 't-admin')]).toEqual([200, 204])
  })

  test('determine the actor regardless of the header', async () => {
    const { app } = await guarded()
    const response = await app.inject({
      method: 'PUT',
      url: `/things/${ID}`,
      headers: { authorization: 'Bearer t-operator', 'x-svc-actor': 'someone' },
    })
    expect(response.json().actor).toBe('olga')
  })

  test('are not required on /health', async () => {
    expect((await (await guarded()).app.inject({ url: '/health' })).statusCode).toBe(200)
  })

  test('are reloaded when the file changes', async () => {
    const { file, status } = await guarded()
    writeFileSync(file, JSON.stringify([entry('new', 'viewer', 't-new')]))
    expect([await status('GET', 't-new'), await status('GET', 't-viewer')]).toEqual([200, 401])
  })

  test('survive an invalid file and end with a deleted one', async () => {
    const { file, status } = await guarded()
    writeFileSync(file, '[{"subject": "half')
    expect(await status('GET', 't-viewer')).toBe(200)
    rmSync(file)
    expect(await status('GET', 't-viewer')).toBe(401)
  })

  test('prevent the start if the file is unreadable', async () => {
    await expect(
      serve({ config: { bind: '127.0.0.1', hosts: [], tokensFile: '/nowhere/tokens.json' } }),
    ).rejects.toThrow('SVC_TOKENS_FILE=/nowhere/tokens.json cannot be read')
    const file = tokensFile([{ subject: 'a', role: 'king', sha256: 'x' }])
    await expect(serve({ config: { bind: '127.0.0.1', hosts: [], tokensFile: file } })).rejects.toThrow(
      'viewer | operator | admin',
    )
  })
})

describe('hosts and origins', () => {
  test('are checked before anything else, with 421 for an unknown Host', async () => {
    const app = await serve()
    for (const [host, status] of [
      ['localhost:1', 200],
      ['127.0.0.1', 200],
      ['[::1]:17000', 200],
      ['svc.example:443', 200],
      ['LOCALHOST', 200],
      ['evil.example', 421],
      ['localhost.evil.example', 421],
      ['evil@localhost', 421],
    ] as const) {
      expect([host, (await app.inject({ url: '/health', headers: { host } })).statusCode]).toEqual([host, status])
    }
    expect((await app.inject({ url: '/health', headers: { host: 'evil.example' } })).json()).toMatchObject({
      title: 'Misdirected Request',
    })
  })

  test('are refused with 403 for a cross-site Origin', async () => {
    const app = await serve({ ports: () => [17000] })
    const status = async (origin: string, host = '127.0.0.1:17006') =>
      (await app.inject({ method: 'PUT', url: `/things/${ID}`, headers: { origin, host } })).statusCode
    expect(await status('http://evil.example')).toBe(403)
    expect(await status('null')).toBe(403)
    expect(await status('http://localhost:3000')).toBe(403)
    expect(await status('chrome-extension://abc')).toBe(403)
    expect(await status('http://127.0.0.1:17006')).toBe(200)
    expect(await status('http://localhost:17000')).toBe(200)
    expect(await status('https://svc.example', 'svc.example')).toBe(200)
  })
})
