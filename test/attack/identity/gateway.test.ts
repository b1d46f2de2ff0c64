// The same operations and callers through the gateway, and browsers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityOf, isWrite } from '../../../schemas/operations/operation.ts'
import { accessOf, CALLERS } from './access.ts'
import { counted } from '../../support/counts.ts'
import { IdentityStand, outcomeOf } from './identity-stand.ts'
import { hasOwnSecret, isRefusal, operations } from './operation-requests.ts'

let stand: IdentityStand
beforeAll(async () => {
  stand = await IdentityStand.open((daemon, service) => `${daemon.controller}/api/${service}`)
}, 90_000)
afterAll(async () => {
  await stand.close()
  counted('identity: requests through the gateway', stand.requests)
})

const FOREIGN = ['http://evil.example', 'http://127.0.0.1:1', 'null']

describe.each(operations)('$id', (asked) => {
  const { operation } = asked
  const isSocket = operation.kind === 'socket'

  test('accepts its own user, and its own page', async () => {
    const { own } = stand
    const page = { origin: stand.daemon.controller, 'sec-fetch-site': 'same-origin' }
    expect(isRefusal(await stand.put(own, asked))).toBe(hasOwnSecret(operation))
    const answer = await stand.put(own, asked, page)
    expect(isRefusal(answer), answer.code).toBe(hasOwnSecret(operation))
    if (isWrite(operation) && operation.auth !== 'open' && answer.status !== 101)
      expect(await stand.logged(answer.requestId)).toMatchObject({ actor: 'operator' })
  })

  test.each(CALLERS)('gives %s the access that it has at its own port', async (kind) => {
    const caller = stand.callerOf(kind)
    if (caller === null) return
    // A page in the session of an agent is that agent.
    const page = { origin: stand.daemon.controller, 'x-svc-actor': 'operator' }
    for (const claimed of [...stand.claims(), page]) {
      const answer = await stand.put(caller.asker, asked, { ...claimed, ...caller.headers })
      const what = `${JSON.stringify(claimed)} ${answer.code}`
      expect(outcomeOf(answer), what).toBe(accessOf(operation, kind))
      if (caller.actor === null || identityOf(operation) === 'none' || (operation.auth ?? 'token') !== 'token') continue
      if (answer.status !== 401 && answer.status !== 101)
        expect((await stand.logged(answer.requestId)).actor, what).toBe(caller.actor)
    }
  })

  test('refuses pages of other sites and ports', async () => {
    for (const origin of FOREIGN)
      for (const headers of [{ origin }, { origin, ...stand.bearer('admin') }])
        expect(await stand.put(stand.own, asked, headers), origin).toMatchObject({ status: 403, code: 'forbidden' })
    if (!isWrite(operation) && !isSocket) return
    const hidden = await stand.put(stand.own, asked, { 'sec-fetch-site': 'same-site' })
    expect(hidden).toMatchObject({ status: 403, code: 'forbidden' })
  })
})
