import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUARDS } from '../../../schemas/agent/guards.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { identityOf, isWrite } from '../../../schemas/operations/operation.ts'
import { accessOf, accessTable, CALLERS, type Access, type CallerKind } from './access.ts'
import { Askers, NOBODY, type Asker } from './asker.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'
import { askFor, hasOwnSecret, isRefusal, operations, type Answer } from './operation-requests.ts'

const asRoot = process.getuid!() === 0
const ROLES = ['viewer', 'operator', 'admin'] as const

let stand: DaemonStand
const askers = new Askers()
let own: Asker
let stranger: Asker | null = null
let plain: Asker
let keeper: Asker
let ofOtherUser: { asker: Asker; token: string } | null = null
let ids: Record<'plain' | 'keeper', string>
const tokens = new Map<string, string>()
let requests = 0
let foreign = 0

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_LOG_FORMAT: 'json', SVC_LOG_LEVEL: 'debug' } })
  await stand.start()
  for (const role of ROLES) {
    const made = await stand.svc(['token', 'create', `the-${role}`, '--role', role])
    expect(made.code, made.stderr).toBe(0)
    tokens.set(role, made.stdout.trim())
  }
  own = await askers.start()
  if (asRoot) stranger = await askers.start({ uid: NOBODY })
  const [first, second] = [await inSession('plain'), await inSession('keeper', { may: [...GUARDS] })]
  if (asRoot) {
    const { asker } = await inSession('guest', { user: 'nobody', working_dir: '/tmp' })
    ofOtherUser = { asker, token: (await asker.env()).SVC_TOOLS_TOKEN! }
  }
  plain = first.asker
  keeper = second.asker
  ids = { plain: first.id, keeper: second.id }
}, 90_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
  counted('identity: operations', operations.length)
  counted('identity: requests', requests)
  // Zero unless the test runs as root, which can act as another user.
  counted('identity: requests of another user', foreign)
})

async function inSession(name: string, more: object = {}): Promise<{ id: string; asker: Asker }> {
  const { command, asker } = askers.prepare()
  const body = { name, runtime: 'command', working_dir: stand.home, shell: 'bash', command, ...more }
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await asker.ready()
  return { id: made.body.id, asker }
}

function put(asker: Asker, { service, operation }: Asked, headers: Record<string, string> = {}): Promise<Answer> {
  requests++
  if (asker === stranger) foreign++
  return askFor(asker, stand.urls[service]!, operation, headers)
}
type Asked = (typeof operations)[number]

interface Logged {
  actor: string
  status: number
}
/** Request log by request id, of the output up to `parsed`. */
const requestLog = new Map<string, Logged>()
let parsed = 0

function logged(requestId: string): Promise<Logged> {
  return eventually(() => {
    const end = stand.output.lastIndexOf('\n') + 1
    for (const line of stand.output.slice(parsed, end).split('\n')) {
      if (!line.includes('"endpoint"')) continue
      const { request_id, ...facts } = JSON.parse(line) as Logged & { request_id: string }
      requestLog.set(request_id, facts)
    }
    parsed = end
    return requestLog.get(requestId) ?? false
  })
}

/** Identities that a request may claim. */
const claims = (): Record<string, string>[] => [
  {},
  { 'x-svc-actor': 'operator' },
  { 'x-svc-actor': 'mira', 'x-svc-agent': ids.keeper },
  { 'x-svc-agent': randomUUID() },
  { 'x-svc-service-token': 'guessed', 'x-svc-caller': encodeURIComponent('{"actor":"operator"}') },
]

interface KnownCaller {
  asker: Asker
  headers: Record<string, string>
  actor: string | null
}

/** Null: only root can act as another user. */
function callerOf(kind: CallerKind): KnownCaller | null {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  switch (kind) {
    case 'another user':
      return stranger && { asker: stranger, headers: {}, actor: null }
    case 'an agent':
      return { asker: plain, headers: {}, actor: 'agent:plain' }
    case 'an agent of another user':
      return ofOtherUser && { asker: ofOtherUser.asker, headers: bearer(ofOtherUser.token), actor: 'agent:guest' }
    default: {
      const role = kind.split(' ').at(-1)!
      return { asker: stranger ?? own, headers: bearer(tokens.get(role)!), actor: `the-${role}` }
    }
  }
}

const outcomeOf = (answer: Answer): Access => (isRefusal(answer) ? (String(answer.status) as Access) : 'yes')

describe.each(operations)('$id', (asked) => {
  const { operation } = asked

  test('accepts its own user without a token', async () => {
    expect(isRefusal(await put(own, asked))).toBe(hasOwnSecret(operation))
  })

  test.each(CALLERS)('gives %s the access that its rules allow, whatever identity it claims', async (kind) => {
    const caller = callerOf(kind)
    if (caller === null) return
    for (const claimed of claims()) {
      const answer = await put(caller.asker, asked, { ...claimed, ...caller.headers })
      const what = `${JSON.stringify(claimed)} ${answer.code}`
      expect(outcomeOf(answer), what).toBe(accessOf(operation, kind))
      if (caller.actor === null || identityOf(operation) === 'none' || (operation.auth ?? 'token') !== 'token') continue
      // Only the end of a stream is logged.
      if (answer.status !== 401 && answer.status !== 101)
        expect((await logged(answer.requestId)).actor, what).toBe(caller.actor)
    }
  })

  test('rejects a reserved name that a person claims', async () => {
    if (hasOwnSecret(operation)) return
    for (const name of ['agent:keeper', 'daemon', 'controller', 'conductor', 'svc-orchestrator'])
      expect((await put(own, asked, { 'x-svc-actor': name })).status, name).toBe(400)
  })

  test('accepts calls from a permitted agent’s session under its name', async () => {
    const answer = await put(keeper, asked, { 'x-svc-actor': 'operator' })
    expect(isRefusal(answer)).toBe(hasOwnSecret(operation))
    if (isWrite(operation)) expect(await logged(answer.requestId)).toMatchObject({ actor: 'agent:keeper' })
  })

  test('applies the role of a token used by an agent', async () => {
    // Signed requests need no identity.
    if (operation.method === 'GET' || operation.auth === 'open') return
    const answer = await put(plain, asked, { authorization: `Bearer ${tokens.get('admin')}` })
    expect(isRefusal(answer)).toBe(false)
    if (isWrite(operation)) expect(await logged(answer.requestId)).toMatchObject({ actor: 'the-admin' })
  })
})

// UPDATE=1 writes the table.
test('documents the access of every kind of caller', () => {
  const page = join(root, 'docs', 'security.md')
  const table = accessTable(operations)
  const between = /(<!-- access: generated -->\n)[^]*?(\n<!-- end -->)/
  if (process.env.UPDATE)
    writeFileSync(
      page,
      readFileSync(page, 'utf8').replace(between, (_whole, before: string, after: string) => before + table + after),
    )
  expect(readFileSync(page, 'utf8')).toContain(table)
})
