// Every operation with the session of a browser, with tokens on.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { isWrite } from '../../../schemas/operations/operation.ts'
import { accessOf } from './access.ts'
import { Askers, type Asker } from './asker.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { outcomeOf } from './identity-stand.ts'
import { askFor, hasOwnSecret, operations, type Answer } from './operation-requests.ts'

interface Parts {
  origin: string
  cookie: string
  'x-svc-session-key': string
}

const askers = new Askers()
const sessions = new Map<string, Parts>()
let stand: DaemonStand
let own: Asker
let plain: Asker
let requests = 0

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_AUTH: 'on' } })
  const tokens = new Map<string, string>()
  for (const role of ['viewer', 'operator', 'admin']) {
    const { code, stdout, stderr } = await stand.svc(['token', 'create', `the-${role}`, '--role', role])
    expect(code, stderr).toBe(0)
    tokens.set(role, stdout.trim())
  }
  await stand.start()
  own = await askers.start()
  for (const [role, token] of tokens) sessions.set(role, await signIn(token))
  const { command, asker } = askers.prepare()
  const body = { name: 'plain', runtime: 'command', working_dir: stand.home, shell: 'bash', command }
  const authorization = `Bearer ${tokens.get('admin')}`
  const made = await stand.ask<AgentRecord>('POST', `${stand.orchestrator}/agents`, body, { authorization })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await asker.ready()
  plain = asker
}, 90_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
  counted('identity: requests with a session', requests)
})

async function signIn(token: string): Promise<Parts> {
  const origin = stand.controller
  const response = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const { key } = (await response.json()) as { key: string }
  return { origin, cookie: response.headers.get('set-cookie')!.split(';')[0]!, 'x-svc-session-key': key }
}

describe.each(operations.filter(({ operation }) => operation.auth !== 'open'))('$id', ({ service, operation }) => {
  const ports = () => [stand.urls[service]!, `${stand.controller}/api/${service}`]
  const isSensitive = isWrite(operation) || operation.kind === 'socket'
  const put = async (asker: Asker, headers: Partial<Parts>): Promise<Answer[]> => {
    requests += 2
    const sent = headers as Record<string, string>
    return Promise.all(ports().map((url) => askFor(asker, url, operation, sent)))
  }

  test.each(['viewer', 'operator', 'admin'] as const)(
    'gives the session of an %s the access of its token',
    async (role) => {
      const wanted = accessOf(operation, role === 'viewer' ? 'a viewer' : `an ${role}`)
      for (const answer of await put(own, sessions.get(role)!)) expect(outcomeOf(answer), answer.code).toBe(wanted)
    },
  )

  test('refuses one part of a session without the others', async () => {
    if (hasOwnSecret(operation)) return
    const { origin, cookie, 'x-svc-session-key': key } = sessions.get('admin')!
    const other = sessions.get('operator')!['x-svc-session-key']
    // The first frame of some sockets has the key.
    const isLater = 'keyInFrame' in operation && operation.keyInFrame === true
    for (const [headers, status] of [
      [{ origin, cookie }, isLater ? 101 : 401],
      [{ origin, cookie, 'x-svc-session-key': other }, isLater ? 101 : 401],
      [{ origin, 'x-svc-session-key': key }, 401],
      [{ 'x-svc-session-key': key }, 401],
      [{ origin, cookie: `${cookie}x`, 'x-svc-session-key': key }, 401],
      [{ origin: 'null', cookie, 'x-svc-session-key': key }, 403],
      [{ origin: 'http://127.0.0.1:1', cookie, 'x-svc-session-key': key }, 403],
      ...(isSensitive ? [[{ cookie, 'x-svc-session-key': key }, 403] as const] : []),
    ] as const)
      for (const answer of await put(own, headers))
        expect(answer.status, `${JSON.stringify(headers)} ${answer.code}`).toBe(status)
  })

  test('takes the session of a person in the process of an agent for the agent', async () => {
    const wanted = accessOf(operation, 'an agent')
    for (const answer of await put(plain, sessions.get('admin')!)) expect(outcomeOf(answer), answer.code).toBe(wanted)
  })

  test.each(['viewer', 'operator'] as const)('limits an agent to the role of its session: %s', async (role) => {
    const allowed = [
      accessOf(operation, 'an agent'),
      accessOf(operation, role === 'viewer' ? 'a viewer' : `an ${role}`),
    ]
    const wanted = allowed.find((access) => access !== 'yes') ?? 'yes'
    for (const answer of await put(plain, sessions.get(role)!)) expect(outcomeOf(answer), answer.code).toBe(wanted)
  })
})
