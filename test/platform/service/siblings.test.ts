import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Type from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asActor, type Actor } from '../../../platform/core/actor.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { implement } from '../../../platform/http/implement.ts'
import type { Caller } from '../../../platform/peer/callers.ts'
import { RefusedCalls } from '../../../platform/service/refused-calls.ts'
import { callSibling } from '../../../platform/service/siblings.ts'
import { list, operation, operations } from '../../../schemas/operations/operation.ts'
import { serve } from '../http/fixture.ts'

const Who = Type.Object({ actor: Type.String() })
const reply = { 200: Who } as const
const sample = operations(
  { service: 'sample', port: 17099 },
  {
    write: operation('sample.write', 'POST /write', { summary: 'Write', guard: 'none', reply }),
    approve: operation('sample.approve', 'POST /approve', { summary: 'Approve', guard: 'approve', reply }),
    limited: operation('sample.limited', 'POST /limited', { summary: 'Limit', guard: 'none', reply }),
    readers: list('sample.readers', '/readers', { summary: 'Readers', identity: 'none', item: Who }),
  },
)

const keeper: Caller = { id: 'k1', actor: 'agent:keeper', may: ['approve'] }
const plain: Caller = { id: 'p1', actor: 'agent:plain', may: [] }

async function client() {
  const callers = {
    find: async (id: string) => [keeper, plain].find((caller) => caller.id === id) ?? null,
    ofProcess: async () => null,
    ofToken: async () => null,
  }
  const server = await serve({ callers: () => callers })
  const { write, approve, limited, readers } = sample.operations
  implement(server, write, async ({ actor }) => ({ actor: actor.actor }))
  implement(server, approve, async ({ actor }) => ({ actor: actor.actor }))
  implement(server, limited, async () => {
    throw new Problem(429, 'too many', { code: 'limit-reached', retrySecs: 12 })
  })
  implement(server, readers, async () => [{ actor: 'mia' }])
  const addressOf = () => 'http://127.0.0.1:9'
  const refused = new RefusedCalls('svc-test')
  const options = { self: 'svc-test', serverOf: () => server, addressOf, serviceToken: 'x', token: null, refused }
  return callSibling(sample, options)
}

const by = (more: Partial<Actor>): Actor => ({ actor: 'mia', requestId: 'r1', endpoint: 'test', ...more })

describe('a call within the process', () => {
  test('acts as the original caller', async () => {
    const { write, readers } = await client()
    expect(await asActor(by({}), () => write())).toEqual({ actor: 'mia' })
    expect(await asActor(by({ actor: 'agent:plain', agent: 'p1' }), () => write())).toEqual({ actor: 'agent:plain' })
    expect(await readers()).toEqual([{ actor: 'mia' }])
  })

  test('acts as the calling service in its own work', async () => {
    const { write, approve } = await client()
    expect(await write()).toEqual({ actor: 'svc-test' })
    expect(await approve()).toEqual({ actor: 'svc-test' })
  })

  test('ignores the caller that its headers claim', async () => {
    const { write } = await client()
    const headers = { 'x-svc-actor': 'operator', 'x-svc-agent': 'k1' }
    expect(await asActor(by({}), () => write({ headers }))).toEqual({ actor: 'mia' })
  })

  test('applies the permissions of an agent and the role of a token', async () => {
    const { write, approve } = await client()
    expect(await asActor(by({ actor: 'agent:keeper', agent: 'k1' }), () => approve())).toEqual({
      actor: 'agent:keeper',
    })
    for (const actor of [by({ actor: 'agent:plain', agent: 'p1' }), by({ actor: 'agent:?' })])
      await expect(asActor(actor, () => approve())).rejects.toMatchObject({ status: 403, code: 'agent-may-not' })
    await expect(asActor(by({ role: 'viewer' }), () => write())).rejects.toMatchObject({ status: 403 })
    expect(await asActor(by({ role: 'operator' }), () => approve())).toEqual({ actor: 'mia' })
  })

  test('rethrows the code of a limit and the seconds to wait', async () => {
    const { limited } = await client()
    await expect(limited()).rejects.toMatchObject({ status: 429, code: 'limit-reached', retrySecs: 12 })
  })
})

test('tries a read three times, and a forwarded one once', async () => {
  let tried = 0
  const inject = async () => {
    tried++
    throw new Error('down')
  }
  const options = {
    self: 'svc-test',
    serverOf: () => ({ inject }) as never,
    addressOf: () => 'http://127.0.0.1:9',
    serviceToken: 'x',
    token: null,
    refused: new RefusedCalls('svc-test'),
  }
  await expect(callSibling(sample, options).readers()).rejects.toMatchObject({ status: 503 })
  expect(tried).toBe(3)
  await expect(callSibling(sample, { ...options, forwards: true }).readers()).rejects.toMatchObject({ status: 503 })
  expect(tried).toBe(4)
})

describe('a call to another process that requires tokens', () => {
  const TOKEN = 'a'.repeat(43)

  async function start() {
    const folder = mkdtempSync(join(tmpdir(), 'svc-siblings-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const tokensFile = join(folder, 'tokens.json')
    const sha256 = createHash('sha256').update('t-daemon').digest('hex')
    writeFileSync(tokensFile, JSON.stringify([{ subject: 'dora', role: 'admin', sha256 }]))
    const config = { bind: '127.0.0.1', hosts: [], tokensFile, auth: true }
    const server = await serve({ config, serviceToken: TOKEN })
    implement(server, sample.operations.write, async ({ actor }) => ({ actor: actor.actor }))
    const at = await server.listen({ host: '127.0.0.1', port: 0 })
    const refused = new RefusedCalls('svc-test')
    const clientWith = (serviceToken: string, more: { token?: string; forwards?: boolean } = {}) =>
      callSibling(sample, { self: 'svc-test', addressOf: () => at, serviceToken, token: null, refused, ...more })
    return { at, refused, clientWith }
  }

  test('acts as the original caller with the same service token', async () => {
    const { clientWith, refused } = await start()
    expect(await asActor(by({}), () => clientWith(TOKEN).write())).toEqual({ actor: 'mia' })
    expect(refused.health()).toEqual({})
  })

  test('sends no own token with the request of a caller', async () => {
    const { clientWith } = await start()
    const own = { token: 't-daemon' }
    expect(await asActor(by({}), () => clientWith('b'.repeat(43), own).write())).toEqual({ actor: 'dora' })
    const forwarding = clientWith('b'.repeat(43), { ...own, forwards: true })
    await expect(asActor(by({}), () => forwarding.write())).rejects.toMatchObject({ status: 503 })
  })

  test('is a 503 with another service token, and degrades the caller until it succeeds', async () => {
    const { at, clientWith, refused } = await start()
    const reason =
      `the sample service at ${at} refused the last call of svc-test (401): ` +
      'set SVC_SERVICE_TOKEN_FILE of both processes to the same file'
    await expect(clientWith('b'.repeat(43)).write()).rejects.toMatchObject({ status: 503, message: reason })
    expect(refused.health()).toEqual({ status: 'degraded', reason, refused_calls: [reason] })
    await clientWith(TOKEN).write()
    expect(refused.health()).toEqual({})
  })
})
