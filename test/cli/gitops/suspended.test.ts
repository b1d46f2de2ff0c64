import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Drift } from '../../../schemas/resource.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/strict.yml', 'name: strict\nmode: deny_all\nsync: {drift: heal}\n')
  stand.write('policies/held.yml', 'name: held\nmode: deny_all\nsync: {drift: block}\n')
  await stand.startInside()
  await shown('reconcile')
}, 60_000)
afterAll(() => stand.close())

const shown = async (...args: string[]) => {
  const { code, stdout, stderr } = await stand.svc(args)
  expect(code, stderr + stdout).toBe(0)
  return stdout
}
const mode = async (name: string) => (await stand.get<{ mode: string }>(`${stand.orchestrator}/policies/${name}`)).mode
const put = (name: string, wanted: string) =>
  stand.ask('PUT', `${stand.orchestrator}/policies/${name}`, { mode: wanted })
const drifted = async (count: number) =>
  (await stand.get<Drift[]>(`${stand.controller}/drift?open=true`)).length === count

test('leaves a suspended resource unchanged, reports drift, and resumes', async () => {
  expect(await shown('suspend', 'policy/strict')).toBe(
    'policies/strict is suspended: changes to its manifest are pending, drift is still reported\nresume with: svc resume policies/strict\n',
  )
  await put('strict', 'allow_all')
  await eventually(() => drifted(1))
  await shown('reconcile')
  expect(await mode('strict')).toBe('allow_all')
  const status = await shown('status')
  expect(status).toMatch(
    /suspended: policies\/strict {2}by \S+ \S+ \S+ ago: .*drift is still reported\n +resume with: svc resume policies\/strict/,
  )
  expect(status).toContain('1 drifted')
  expect(await shown('get', 'policies/strict')).toMatch(/Suspended=True {2}SetAside: \S+ suspended it/)

  await shown('drift', 'revert', 'policies/strict')
  expect(await mode('strict')).toBe('deny_all')
  stand.write('policies/strict.yml', 'name: strict\nmode: require_approval\n')
  const plan = await stand.svc(['reconcile', '--dry-run'])
  expect(plan.code).toBe(0)
  expect(plan.stdout + plan.stderr).toContain('policies/strict is suspended: its update waits until it is resumed')
  expect(plan.stdout + plan.stderr).toContain('svc resume policies/strict')

  expect(await shown('resume', 'policies/strict')).toBe('policies/strict follows its manifest again\n')
  await eventually(async () => (await mode('strict')) === 'require_approval')
  expect(await shown('status')).not.toContain('suspended')
  expect(await stand.svc(['resume', 'policies/strict'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('policies/strict is neither suspended nor contested'),
  })
  expect(await stand.svc(['suspend', 'policies/strct'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean "policies/strict"'),
  })
})

test('allows manual changes of a blocked resource while suspended', async () => {
  const refused = await put('held', 'allow_all')
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('svc suspend policies/held') } })
  await shown('suspend', 'policies/held')
  expect((await put('held', 'allow_all')).status).toBe(200)
  await shown('resume', 'policies/held')
})
