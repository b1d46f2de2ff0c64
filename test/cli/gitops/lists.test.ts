// Filters of `svc get` and `svc drift`, the revert of one field, and pages by cursor of a running daemon.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Drift, Resource, StateCounts } from '../../../schemas/resource.ts'
import type { Slice } from '../../../schemas/operations/page.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { ask, request } from '../../support/http.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/strict.yml', 'name: strict\nmode: deny_all\ndescription: none\nlabels: {team: build}\n')
  stand.write('policies/reading.yml', 'name: reading\nmode: allow_list\ntools: [Read]\nlabels: {team: review}\n')
  await stand.startInside()
  await stand.settled()
  await request('PUT', `${stand.orchestrator}/policies/strict`, { mode: 'allow_all', description: 'all' })
  await eventually(async () => (await openDrift()).length === 2)
  await eventually(async () => (await found('--is', 'drifted')).length === 1)
})
afterAll(() => stand.close())

const openDrift = () => stand.get<Drift[]>(`${stand.controller}/drift?open=true`)

async function shown(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await stand.svc(words)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const found = async (...options: string[]) =>
  (JSON.parse(await shown('get', 'all', '-o', 'json', ...options)) as Resource[]).map(({ id }) => id)
const drifted = async (...options: string[]) =>
  (JSON.parse(await shown('drift', '-o', 'json', ...options)) as Drift[]).map(({ path }) => path).sort()

test('filters resources by state, label and words', async () => {
  expect(await found('--is', 'odd')).toEqual(['policies/strict'])
  expect(await found('--is', 'synced')).toEqual(['policies/reading'])
  expect(await found('--label', 'team=review')).toEqual(['policies/reading'])
  expect(await found('--label', 'team', '--search', 'STRICT')).toEqual(['policies/strict'])
  expect(await found('--search', 'policies/ is:synced')).toEqual(['policies/reading'])
  expect(await shown('get', 'policies', '--label', 'team=none')).toBe('No resources.\n')
  const unknown = await stand.svc(['get', 'all', '--is', 'strange'])
  expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining('synced, changed')])
})

test('filters drift by author and time', async () => {
  const [{ actor }] = (await openDrift()) as [Drift]
  expect(await drifted('--actor', actor!)).toEqual(['description', 'mode'])
  expect(await drifted('--actor', 'somebody')).toEqual([])
  expect(await drifted('--since', '1h')).toEqual(['description', 'mode'])
  expect(await drifted('--until', '1h')).toEqual([])
  expect(await shown('drift', '--since', '1h')).toContain('revert one with: svc drift revert policies/strict')
  const fault = await stand.svc(['drift', '--since', 'yesterday'])
  expect([fault.code, fault.stderr]).toEqual([64, expect.stringContaining('expected a time ago such as 10m')])
})

test('pages resources by cursor with counts', async () => {
  const page = (query: string) =>
    stand.get<Slice<Resource, StateCounts>>(`${stand.controller}/resources?limit=1&${query}`)
  const first = await page('after=')
  const second = await page(`after=${first.next}`)
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['policies/reading', 'policies/strict'])
  expect([first.previous, second.next, first.counts]).toMatchObject([null, null, { total: 2, synced: 1, drifted: 1 }])
  expect((await page(`before=${second.previous}`)).items).toMatchObject([{ id: 'policies/reading' }])
  expect(await ask('GET', `${stand.controller}/drift?after=${first.next}`)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'after' }] },
  })
})

test('reverts one field and keeps the others', async () => {
  const wrong = await stand.svc(['drift', 'revert', 'policies/strict', 'tools'])
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/tools of policies\/strict has not drifted.*\nhint: drifted: \w+, \w+\n$/s),
  ])
  expect(await shown('drift', 'revert', 'policies/strict', 'description')).toContain('✓ policies/strict  update done')
  expect(await stand.get(`${stand.orchestrator}/policies/strict`)).toMatchObject({
    mode: 'allow_all',
    description: 'none',
  })
  expect((await openDrift()).map(({ path }) => path)).toEqual(['mode'])
  const none = await stand.svc(['drift', 'revert', 'policies/reading', 'mode'])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('"svc drift" lists drift')])
})
