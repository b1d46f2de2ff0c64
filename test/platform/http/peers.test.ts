// Access by the identity of the peer process.
import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import type { Caller, Callers } from '../../../platform/peer/callers.ts'
import { Peers, type Peer } from '../../../platform/peer/peers.ts'
import type { Lineage } from '../../../platform/peer/processes.ts'
import { ID, serve } from './fixture.ts'

const NOWHERE: Lineage = { processes: [], sessions: [], agentIds: [] }

/** Returns configured peers. */
class FakePeers extends Peers {
  asked = 0
  readonly #peer: Peer
  readonly #lineage: Lineage | 'unknown' | 'gone'
  constructor(peer: Peer, lineage: Lineage | 'unknown' | 'gone' = NOWHERE) {
    super()
    this.#peer = peer
    this.#lineage = lineage
  }
  override of(): Promise<Peer> {
    this.asked++
    return Promise.resolve(this.#peer)
  }
  override lineageOf(): Promise<Lineage | 'unknown' | 'gone'> {
    return Promise.resolve(this.#lineage)
  }
}

const builder: Caller = { id: 'a1', actor: 'agent:builder', may: ['policy'] }
const BUILDERS = `agent.${ID}.of-the-builder`
const keeper: Caller = { id: 'a2', actor: 'agent:keeper', may: ['policy'] }
const unnamed: Caller = { id: null, actor: 'agent:?', may: [] }

async function asked(
  peer: Peer,
  options: {
    lineage?: Lineage | 'unknown' | 'gone'
    found?: Caller | null
    guard?: string
    headers?: Record<string, string>
  } = {},
) {
  const peers = new FakePeers(peer, options.lineage)
  const callers: Callers = {
    find: async (id) => (id === 'a1' ? builder : null),
    ofProcess: async () => options.found ?? null,
    ofToken: async (token) => (token === BUILDERS ? builder : null),
  }
  const app = await serve({ peers, callers: () => callers })
  app.post('/guarded', { config: { guard: options.guard ?? 'approve' } }, async ({ actor }) => actor)
  const headers = options.headers ?? {}
  const send = async (method: 'GET' | 'PUT' | 'POST', url: string) => {
    const response = await app.inject({ method, url, headers })
    return { status: response.statusCode, ...(response.json() as { actor?: string; code?: string }) }
  }
  const read = await send('GET', `/things/${ID}`)
  const askedByRead = peers.asked
  return { read, askedByRead, write: await send('PUT', `/things/${ID}`), guarded: await send('POST', '/guarded') }
}

const own = { uid: process.getuid!(), inode: 1 }

test('does not identify the caller of a read', async () => {
  expect(await asked({ uid: 4242, inode: 1 })).toMatchObject({ read: { status: 200 }, askedByRead: 0 })
})

test.each([
  ['accepts a write of the own user', own, 200],
  ['accepts a write of root', { uid: 0, inode: 1 }, 200],
  ['accepts an in-process write', 'here' as const, 200],
  ['accepts a write of an unidentifiable peer', 'unknown' as const, 200],
  ['rejects a write of another user', { uid: 4242, inode: 1 }, 401],
  ['rejects a write over a closed connection', 'gone' as const, 401],
])('%s', async (_who, peer, status) => {
  const { write, guarded } = await asked(peer)
  expect([write.status, guarded.status]).toEqual([status, status])
  if (status === 401) expect(write.code).toBe('token-missing')
})

test('identifies an agent and enforces its permissions', async () => {
  const inside = { found: builder, headers: { 'x-svc-actor': 'operator' } }
  expect((await asked(own, inside)).guarded).toMatchObject({ status: 403, code: 'agent-may-not' })
  expect((await asked(own, { ...inside, guard: 'policy' })).guarded).toMatchObject({ actor: 'agent:builder' })
  expect((await asked(own, { found: unnamed, guard: 'policy' })).guarded.status).toBe(403)
})

test('uses the agent header only if the process is unknown', async () => {
  const says = { headers: { 'x-svc-agent': 'a1' }, guard: 'policy' }
  for (const lineage of [NOWHERE, 'unknown'] as const)
    expect(await asked(own, { ...says, lineage })).toMatchObject({
      write: { status: 200, actor: 'agent:builder' },
      guarded: { status: 200, actor: 'agent:builder' },
    })
  expect((await asked(own, { ...says, found: unnamed })).guarded.status).toBe(403)
  expect((await asked(own, { ...says, lineage: 'gone' })).guarded.status).toBe(401)
  expect((await asked(own, { headers: { 'x-svc-agent': 'of-another-daemon' } })).guarded).toMatchObject({
    status: 200,
    actor: 'anonymous',
  })
})

test('reserves the names of agents', async () => {
  const { write, guarded } = await asked(own, { headers: { 'x-svc-actor': 'agent:builder' } })
  expect([write.status, guarded.status]).toEqual([400, 400])
})

test('identifies an agent by its token and refuses the token of another', async () => {
  const token = { headers: { authorization: `Bearer ${BUILDERS}`, 'x-svc-actor': 'operator' } }
  for (const peer of [own, { uid: 4242, inode: 1 }]) {
    const { read, write, guarded } = await asked(peer, token)
    expect([read, write]).toMatchObject([{ status: 200 }, { status: 200, actor: 'agent:builder' }])
    expect(guarded).toMatchObject({ status: 403, code: 'agent-may-not' })
    expect((await asked(peer, { ...token, guard: 'policy' })).guarded).toMatchObject({ actor: 'agent:builder' })
  }
  expect((await asked(own, { ...token, guard: 'policy', found: unnamed })).guarded.status).toBe(403)
  expect((await asked(own, { ...token, guard: 'policy', found: keeper })).guarded).toMatchObject({
    actor: 'agent:keeper',
  })
  const unknown = { headers: { authorization: `Bearer ${BUILDERS}-not` } }
  expect((await asked({ uid: 4242, inode: 1 }, unknown)).write).toMatchObject({ status: 401, code: 'token-unknown' })
})

test('refuses an agent behind a proxy where its user must be known', async () => {
  const callers: Callers = { find: async () => null, ofProcess: async () => null, ofToken: async () => builder }
  const statusFor = async (headers: Record<string, string>, proxy = '10.0.0.1') => {
    const trustedProxies = new BlockList()
    trustedProxies.addAddress(proxy)
    const config = { bind: '127.0.0.1', hosts: [], tokensFile: null, trustedProxies }
    const app = await serve({ peers: new FakePeers(own), callers: () => callers, config })
    app.get('/owned', { config: { ownUser: true } }, async ({ actor }) => actor)
    const authorization = `Bearer ${BUILDERS}`
    return (await app.inject({ url: '/owned', headers: { authorization, ...headers } })).statusCode
  }
  expect(await statusFor({})).toBe(200)
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'])
    expect(await statusFor({ [name]: 'x' }), name).toBe(403)
  expect(await statusFor({}, '127.0.0.1')).toBe(403)
})
