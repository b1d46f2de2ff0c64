import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notification } from '../../../schemas/notify/notification.ts'
import type { Drift, Resource } from '../../../schemas/resource.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/strict.yml', 'name: strict\nmode: deny_all\nsync: {drift: heal}\n')
  await stand.startInside()
  await shown('reconcile')
}, 60_000)
afterAll(() => stand.close())

const shown = async (...args: string[]) => {
  const { code, stdout, stderr } = await stand.svc(args)
  expect(code, stderr + stdout).toBe(0)
  return stdout
}
const strict = () => `${stand.orchestrator}/policies/strict`
const mode = async () => (await stand.get<{ mode: string }>(strict())).mode
const put = (wanted: string) => stand.ask('PUT', strict(), { mode: wanted }, { 'x-svc-actor': 'script' })
const healed = async () =>
  (await stand.get<Drift[]>(`${stand.controller}/drift`)).filter(({ resolution }) => resolution === 'healed').length
const notices = async () =>
  (await stand.get<Notification[]>(`${stand.urls.notify}/notifications`)).filter(({ title }) =>
    title.startsWith('Contested'),
  )
const contested = async () =>
  (await stand.get<Resource[]>(`${stand.controller}/resources`)).some((resource) => resource.contested !== null)

test(
  'reports a contested resource once and resumes it on request',
  {
    timeout: 90_000,
  },
  async () => {
    for (let at = 1; at <= 3; at++) {
      await put('allow_all')
      await eventually(async () => (await mode()) === 'deny_all' && (await healed()) === at)
    }
    await put('allow_all')
    await eventually(contested)
    expect(await shown('status')).toMatch(
      /contested: policies\/strict +mode was reverted 3 times within 10 minutes and changed again by script.*\n +resume with: svc resume policies\/strict/s,
    )
    expect(await shown('get', 'policies/strict')).toMatch(/Contested=True +KeepsBeingUndone/)
    await put('require_approval')
    await shown('reconcile')
    expect(await mode()).toBe('require_approval')
    await eventually(async () => (await notices()).length === 1)
    expect((await notices())[0]).toMatchObject({ title: 'Contested: policies/strict', priority: 'High' })

    expect(await shown('resume', 'policies/strict')).toBe('policies/strict follows its manifest again\n')
    await eventually(async () => (await mode()) === 'deny_all')
    expect(await contested()).toBe(false)
    expect(await stand.svc(['resume', 'policies/strict'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('policies/strict is neither suspended nor contested'),
    })
    expect(await notices()).toHaveLength(1)
  },
)
