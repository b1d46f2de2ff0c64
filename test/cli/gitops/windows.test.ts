import { afterEach, beforeEach, expect, test } from 'vitest'
import { Origin } from '../../platform/git/origin.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const policy = (mode: string) => `name: strict\nmode: ${mode}\n`
/** A sync window that is always closed. */
const NEVER = (more = {}) =>
  JSON.stringify({ sync: { windows: [{ effect: 'deny', schedule: '* * * * *', duration: '2m', ...more }] } })
const CLOSED = 'source default is outside of its sync windows'

let stand: DaemonStand
let origin: Origin
beforeEach(async () => {
  stand = await DaemonStand.create()
  origin = new Origin()
  origin.commit({ 'policies/strict.yml': policy('require_approval') })
  await stand.startInside({ manifests: `git+${origin.url}#main` })
  expect((await stand.svc(['reconcile'])).code).toBe(0)
}, 60_000)
afterEach(() => stand.close())

const mode = async () => (await stand.get<{ mode: string }>(`${stand.orchestrator}/policies/strict`)).mode
const status = async () => (await stand.svc(['status'])).stdout

test('holds a commit until its window opens, and refuses manual applies', { timeout: 90_000 }, async () => {
  const [{ id }] = await stand.get<[{ id: string }]>(`${stand.controller}/runs`)
  origin.commit({ 'svc.yaml': NEVER(), 'policies/strict.yml': policy('deny_all') })
  // The first pass reads the commit that closes the window.
  expect((await stand.svc(['reconcile'])).code).toBe(1)
  const told = await status()
  expect(told).toMatch(/default +\S+ +\S+ +closed/)
  expect(told).toMatch(
    /source default: outside its sync windows: they do not open in the foreseeable future; changes are pending/,
  )
  expect(told).toMatch(/source default: 1 pending change: update policies\/strict/)
  expect(told).not.toContain('apply with')
  for (const words of [['reconcile'], ['rollback', id.slice(0, 8)]]) {
    const { code, stderr } = await stand.svc([...words, '--exit-codes=extended'])
    expect([code, stderr]).toEqual([14, expect.stringContaining(CLOSED)])
  }
  expect(await stand.ask('POST', `${stand.controller}/sources/default/sync`, {})).toMatchObject({
    status: 409,
    body: { code: 'window-closed' },
  })
  expect(await mode()).toBe('require_approval')
  expect((await stand.svc(['plan', '--help'])).code).toBe(0)
  expect((await stand.svc(['reconcile', '--dry-run', '--detailed-exitcode'])).code).toBe(2)
  origin.commit({ 'svc.yaml': NEVER({ manual: true }) })
  await stand.svc(['reconcile', '--dry-run'])
  await eventually(async () => (await status()).includes('manual applies are allowed'))
  expect(await mode()).toBe('require_approval')
  expect((await stand.svc(['reconcile'])).code).toBe(0)
  expect(await mode()).toBe('deny_all')
})
