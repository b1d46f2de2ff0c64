import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../../platform/core/actor.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { write } from '../../../platform/database/database.ts'
import { createAuditTable, changedFields, Audit } from '../../../platform/store/audit.ts'
import { Secret } from '../../../schemas/secret.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  const clock = new TestClock()
  const by = (actor: string): Actor => ({ actor, requestId: `request of ${actor}`, endpoint: 'PUT /things/{id}' })
  const open = () => new Audit({ db: database.db, clock, prefix: 'sample', words: { things: { agent: 'agent_id' } } })
  const record = (actor: string, members: string[], id = 'a', kind = 'things') =>
    write(database.db, (transaction) => open().record(transaction, kind, id, members, by(actor)))
  const last = async (member: string, id = 'a', kind = 'things') => (await open().latest(kind, id, member))?.actor

  beforeAll(() => createAuditTable(database.db, 'sample'))
  beforeEach(() => database.db('sample_audit').delete())

  test('returns the last writer of a field with request, endpoint and time', async () => {
    await record('ann', ['model', 'prompt'])
    clock.tick(1000)
    await record('bob', ['prompt'])
    expect(await open().latest('things', 'a', 'model')).toMatchObject({ actor: 'ann', at: '2030-01-01T00:00:00.000Z' })
    expect(await open().latest('things', 'a', 'prompt')).toEqual({
      actor: 'bob',
      requestId: 'request of bob',
      endpoint: 'PUT /things/{id}',
      at: new Date(clock.now()).toISOString(),
    })
  })

  test('counts writes of parents and children, but not of siblings', async () => {
    await record('ann', [''])
    expect(await last('env.A')).toBe('ann')
    await record('bob', ['env'])
    expect(await last('env.A')).toBe('bob')
    await record('cid', ['env.A'])
    expect([await last('env'), await last('env.A'), await last('env.B')]).toEqual(['cid', 'cid', 'bob'])
    await record('dan', ['envelope', 'en%', 'e_v'])
    expect([await last('env'), await last('')]).toEqual(['cid', 'dan'])
    expect([await last('env', 'b'), await last('env', 'a', 'others')]).toEqual([undefined, undefined])
  })

  test('finds a field by its other name', async () => {
    await record('ann', ['agent_id'])
    expect([await last('agent'), await last('agent.name'), await last('agents')]).toEqual(['ann', 'ann', undefined])
  })

  test('attributes list elements separately', async () => {
    await record('ann', ['tools'])
    await record('bob', ['tools[Write]'])
    expect([await last('tools[Write]'), await last('tools[Read]'), await last('tools')]).toEqual(['bob', 'ann', 'bob'])
    await record('cid', ['participants[alice].role', 'tools_of_others'])
    expect([await last('participants[alice]'), await last('participants'), await last('tools')]).toEqual([
      'cid',
      'cid',
      'bob',
    ])
    await record('dan', ['agent_id[a.b]'])
    expect(await last('agent[a.b]')).toBe('dan')
  })

  test('deletes expired rows in batches and commits each', async () => {
    for (let count = 0; count < 24; count++)
      await record(
        'ann',
        Array.from({ length: 50 }, (_, at) => `old${at}`),
      )
    clock.tick(1000)
    const before = new Date(clock.now()).toISOString()
    await record('bob', ['young'])
    const leaving = new AbortController()
    const abortAtDeletion = ({ sql }: { sql: string }) => {
      if (/^delete/i.test(sql)) leaving.abort()
    }
    database.db.on('query', abortAtDeletion)
    const first = await open().trim(before, leaving.signal)
    database.db.off('query', abortAtDeletion)
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(1200)
    expect(await open().trim(before)).toBe(1200 - first)
    expect(await database.db('sample_audit').pluck('field')).toEqual(['young'])
    expect(await open().trim(before)).toBe(0)
  })

  test('stops trimming on abort', async () => {
    await record('ann', ['old'])
    clock.tick(1000)
    expect(await open().trim(new Date(clock.now()).toISOString(), AbortSignal.abort())).toBe(0)
    expect(await last('old')).toBe('ann')
  })

  test('marks the request as audited after its rows', async () => {
    const actor = by('ann')
    await write(database.db, (transaction) => open().record(transaction, 'things', 'a', [], actor))
    expect(actor.audited).toBeUndefined()
    await write(database.db, (transaction) => open().record(transaction, 'things', 'a', ['x'], actor))
    expect(actor.audited).toBe(true)
  })

  test('deletes rows before a time', async () => {
    await record('old', ['x'])
    clock.tick(1000)
    await record('new', ['y'])
    expect(await open().trim(new Date(clock.now()).toISOString())).toBe(1)
    expect([await last('x'), await last('y')]).toEqual([undefined, 'new'])
  })
})

test('names changed fields by paths, and lists as a whole', () => {
  const secret = (value: string) => ({ token: new Secret(value) })
  expect(changedFields({ a: 1, b: { c: 1, d: 2 } }, { a: 1, b: { c: 2, d: 2 } })).toEqual(['b.c'])
  expect(changedFields({ list: [1, 2] }, { list: [2, 1] })).toEqual(['list'])
  const keyed = { tools: '.', 'in.people': 'id' }
  expect(changedFields({ tools: ['a', 'b'] }, { tools: ['c', 'b'] }, keyed)).toEqual(['tools[a]', 'tools[c]'])
  expect(changedFields({ tools: ['a', 'b'] }, { tools: ['b', 'a'] }, keyed)).toEqual([])
  expect(
    changedFields({ in: { people: [{ id: 'x', n: 1 }] } }, { in: { people: [{ id: 'x', n: 2 }] } }, keyed),
  ).toEqual(['in.people[x].n'])
  expect(changedFields({ tools: [1] }, { tools: [2] }, keyed)).toEqual(['tools'])
  expect(changedFields({ a: 1 }, { b: 1 })).toEqual(['a', 'b'])
  expect(changedFields({ a: { b: 1 } }, { a: null })).toEqual(['a'])
  expect(changedFields({ a: undefined }, { a: null })).toEqual(['a'])
  expect([changedFields(secret('x'), secret('x')), changedFields(secret('x'), secret('y'))]).toEqual([[], ['token']])
  expect(changedFields(1, 1)).toEqual([])
})
