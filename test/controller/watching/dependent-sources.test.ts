import { afterEach, expect, test } from 'vitest'
import type { DesiredState } from '../../../controller/reading/desired-state.ts'
import { DependentSources } from '../../../controller/watching/dependent-sources.ts'
import type { Plan } from '../../../schemas/plan.ts'
import type { Run } from '../../../schemas/run.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { createStand, person, type Stand } from '../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  /** `other` references a resource that `default` creates once the returned function is called. */
  const startCreation = async () => {
    stand = await createStand(database.db, { sources: ['other'] })
    await stand.files({ 'things/child.yml': 'name: child\nparent: base\n' }, 'other')
    await eventually(() => stand.controller.source('other').error?.includes('"base"'))
    let go = () => {}
    const going = new Promise<void>((resolve) => (go = resolve))
    stand.things.before = (call, name) => (call === 'apply' && name === 'base' ? going : undefined)
    await stand.files({ 'things/base.yml': 'name: base\n' })
    await eventually(async () => (await stand.controller.resources({})).items.some(({ name }) => name === 'base'))
    return go
  }

  test('creates dependents despite a concurrent plan', async () => {
    const go = await startCreation()
    const plan = await stand.controller.plan({ source: 'other' }, person)
    expect(plan.diagnostics).toEqual([])
    go()
    await eventually(() => stand.names().includes('child'))
    expect(stand.controller.source('other').error).toBeNull()
  })
})

const stepDone = { kind: 'things', name: 'base', status: 'done' } as Run['steps'][number]
const missing = { diagnostics: [{ code: 'unknown-reference' }] } as unknown as DesiredState

test('repeats only a read that began before the creation', () => {
  const woken: string[] = []
  const users = new DependentSources({
    inventory: { all: () => [] },
    wakes: { wakeSource: (name) => void woken.push(name) },
  })
  const made = () => users.wake({ plan: { source: 'default' } as Plan, run: { steps: [stepDone] } as unknown as Run })
  users.beginRead('other')
  made()
  users.endRead('other', missing)
  expect(woken).toEqual(['other'])
  users.beginRead('other')
  users.endRead('other', missing)
  expect(woken).toEqual(['other'])
  made()
  expect(woken).toEqual(['other', 'other'])
})
