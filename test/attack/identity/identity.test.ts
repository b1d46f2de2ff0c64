import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityOf, isWrite } from '../../../schemas/operations/operation.ts'
import { accessOf, accessTable, CALLERS } from './access.ts'
import { counted } from '../../support/counts.ts'
import { root } from '../../support/root.ts'
import { IdentityStand, outcomeOf } from './identity-stand.ts'
import { hasOwnSecret, isRefusal, operations } from './operation-requests.ts'

let stand: IdentityStand
beforeAll(async () => {
  stand = await IdentityStand.open((daemon, service) => daemon.urls[service]!)
}, 90_000)
afterAll(async () => {
  await stand.close()
  counted('identity: operations', operations.length)
  counted('identity: requests', stand.requests)
  // Zero unless the test runs as root, which can act as another user.
  counted('identity: requests of another user', stand.foreign)
})

describe.each(operations)('$id', (asked) => {
  const { operation } = asked

  test('accepts its own user without a token', async () => {
    expect(isRefusal(await stand.put(stand.own, asked))).toBe(hasOwnSecret(operation))
  })

  test.each(CALLERS)('gives %s the access that its rules allow, whatever identity it claims', async (kind) => {
    const caller = stand.callerOf(kind)
    if (caller === null) return
    for (const claimed of stand.claims()) {
      const answer = await stand.put(caller.asker, asked, { ...claimed, ...caller.headers })
      const what = `${JSON.stringify(claimed)} ${answer.code}`
      expect(outcomeOf(answer), what).toBe(accessOf(operation, kind))
      if (caller.actor === null || identityOf(operation) === 'none' || (operation.auth ?? 'token') !== 'token') continue
      // Only the end of a stream is logged.
      if (answer.status !== 401 && answer.status !== 101)
        expect((await stand.logged(answer.requestId)).actor, what).toBe(caller.actor)
    }
  })

  test('rejects a reserved name that a person claims', async () => {
    if (hasOwnSecret(operation)) return
    for (const name of ['agent:keeper', 'daemon', 'controller', 'conductor', 'svc-orchestrator'])
      expect((await stand.put(stand.own, asked, { 'x-svc-actor': name })).status, name).toBe(400)
  })

  test('accepts calls from a permitted agent’s session under its name', async () => {
    const answer = await stand.put(stand.keeper, asked, { 'x-svc-actor': 'operator' })
    expect(isRefusal(answer)).toBe(hasOwnSecret(operation))
    if (isWrite(operation)) expect(await stand.logged(answer.requestId)).toMatchObject({ actor: 'agent:keeper' })
  })

  test('applies the role of a token used by an agent', async () => {
    // Signed requests need no identity.
    if (operation.method === 'GET' || operation.auth === 'open') return
    const answer = await stand.put(stand.plain, asked, stand.bearer('admin'))
    expect(isRefusal(answer)).toBe(false)
    if (isWrite(operation)) expect(await stand.logged(answer.requestId)).toMatchObject({ actor: 'the-admin' })
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
