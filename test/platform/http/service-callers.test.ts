import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asActor } from '../../../platform/core/actor.ts'
import { callerHeaders, openServiceToken, originalCaller } from '../../../platform/http/service-callers.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-service-token-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the service token', () => {
  test('is created once, readable by its owner only', () => {
    const file = join(folder, 'data', 'service-token')
    const token = openServiceToken(file)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(openServiceToken(file)).toBe(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe(token)
  })

  test('is rejected if it is too short to be a secret', () => {
    const file = join(folder, 'service-token')
    writeFileSync(file, 'short')
    expect(() => openServiceToken(file)).toThrow(
      /service token in .*service-token has 5 characters, expected at least 32/,
    )
  })
})

const TOKEN = 'a'.repeat(43)
const builder = { actor: 'agent:builder', agent: 'a1', requestId: 'r', endpoint: 'e' }
const request = (headers: Record<string, string>, socket: object = new Socket()) =>
  ({ headers, raw: { socket } }) as unknown as FastifyRequest

describe('the original caller of a request', () => {
  test('is the caller that the headers of a service name', () => {
    expect(originalCaller(request(callerHeaders(builder, TOKEN)), TOKEN)).toEqual({
      actor: 'agent:builder',
      agent: 'a1',
    })
    const sender = { agent: 'a1', actor: 'agent:builder' }
    const mia = { actor: 'mia', sender, role: 'admin' } as const
    const sent = callerHeaders({ ...mia, requestId: 'r', endpoint: 'e' }, TOKEN)
    expect(originalCaller(request(sent), TOKEN)).toEqual(mia)
    const viewer = { actor: 'vera', role: 'viewer', requestId: 'r', endpoint: 'e' } as const
    expect(originalCaller(request(callerHeaders(viewer, TOKEN)), TOKEN)).toEqual({ actor: 'vera', role: 'viewer' })
  })

  test.each([
    ['without the token', { 'x-svc-caller': callerHeaders(builder, TOKEN)['x-svc-caller']! }, TOKEN],
    ['with another token', callerHeaders(builder, 'b'.repeat(43)), TOKEN],
    ['with a prefix of the token', callerHeaders(builder, TOKEN.slice(1)), TOKEN],
    ['for a server without a token', callerHeaders(builder, TOKEN), null],
  ])('is unknown %s', (_how, headers, token) => {
    expect(originalCaller(request(headers), token)).toBe(null)
  })

  test.each(['', '%', '{}', '{"actor":""}', '{"actor":"a","role":"king"}'])('is refused if it is %j', (text) => {
    const headers = { ...callerHeaders(builder, TOKEN), 'x-svc-caller': text }
    expect(() => originalCaller(request(headers), TOKEN)).toThrow('X-Svc-Caller should be a caller')
  })

  test('is a value for a request within the process, which no header replaces', async () => {
    const forged = callerHeaders({ ...builder, actor: 'operator' }, TOKEN)
    expect(originalCaller(request(forged, {}), TOKEN)).toBe(null)
    await asActor(builder, async () => expect(originalCaller(request(forged, {}), TOKEN)).toBe(builder))
  })
})
