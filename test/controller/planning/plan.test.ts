import { expect, test } from 'vitest'
import type { MaskedSpec } from '../../../controller/planning/masking.ts'
import { sortMembers } from '../../../controller/planning/masking.ts'
import { makePlan, type PlanFrame, type PlanSubject } from '../../../controller/planning/plan.ts'
import { syncRules } from '../../../controller/planning/sync-rules.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import type { SourceSync } from '../../../schemas/source.ts'

const planOf = (frame: PlanFrame, subjects: readonly PlanSubject[]) => atOnce(makePlan(frame, subjects))

const masked = (value: object): MaskedSpec => ({
  value: value as Record<string, unknown>,
  digest: JSON.stringify(sortMembers(value)),
})
const frame = (more: Partial<PlanFrame> = {}): PlanFrame => ({
  id: 'p',
  source: 's',
  root: '/s',
  revision: 'r',
  createdAt: 'now',
  diagnostics: [],
  complete: true,
  prune: true,
  maxDelete: '20%',
  owned: 1,
  ...more,
})

interface Sides {
  desired?: object
  applied?: object | null
  live?: object
  running?: object
  sync?: SourceSync
  interrupts?: string
  candidates?: number
}

function subject(
  name: string,
  { desired, applied, live, running, sync, interrupts, candidates = 0 }: Sides,
): PlanSubject {
  return {
    kind: 'things',
    name,
    desired: desired
      ? { masked: masked(desired), file: 'things.yml', position: (path) => ({ line: path === '' ? 1 : 7, column: 3 }) }
      : null,
    owned:
      applied === undefined ? null : { applied: applied && masked(applied), file: 'things.yml', line: 1, column: 1 },
    live: live
      ? { masked: masked(live), running: running ? masked(running) : null, interrupts: interrupts ?? null }
      : null,
    candidates,
    rules: syncRules(sync),
    change: (path) => (path.startsWith('hard') ? 'restart' : 'in-place'),
    atoms: ['whole'],
  }
}

const one = { size: 1 }
const two = { size: 2 }
const cases: Record<string, { sides: Sides; action: string | null; drift?: string[]; paths?: string[] }> = {
  'creates what does not exist': { sides: { desired: one }, action: 'create' },
  'adopts what exists and nobody owns': { sides: { desired: one, live: one }, action: 'adopt' },
  'adopts and names what will change': { sides: { desired: two, live: one }, action: 'adopt', paths: ['size'] },
  'leaves several candidates alone': { sides: { desired: one, candidates: 2 }, action: null },
  'does nothing where all three agree': { sides: { desired: one, applied: one, live: one }, action: null },
  'updates in place what the manifest changed': {
    sides: { desired: two, applied: one, live: one },
    action: 'update',
    paths: ['size'],
  },
  'restarts where a changed member costs it': {
    sides: { desired: { hard: { a: 1 } }, applied: { hard: { a: 0 } }, live: { hard: { a: 0 } } },
    action: 'restart',
    paths: ['hard.a'],
  },
  'restarts what is configured as desired and was started with other values': {
    sides: { desired: { hard: 2 }, applied: { hard: 2 }, live: { hard: 2 }, running: { hard: 1 } },
    action: 'restart',
    paths: ['hard'],
    drift: [],
  },
  'restarts for a change that was made by hand before the manifest made it': {
    sides: { desired: { hard: 2 }, applied: { hard: 1 }, live: { hard: 2 }, running: { hard: 1 } },
    action: 'restart',
    paths: ['hard'],
  },
  'adopts, and names what runs with other values': {
    sides: { desired: { hard: 2 }, live: { hard: 2 }, running: { hard: 1 } },
    action: 'adopt',
    paths: ['hard'],
  },
  'reports a member that was configured by hand, and leaves its process alone': {
    sides: { desired: { hard: 1 }, applied: { hard: 1 }, live: { hard: 2 }, running: { hard: 1 } },
    action: null,
    drift: ['hard'],
  },
  'compares a member that is one value as a whole': {
    sides: { desired: { whole: { a: 1, b: 1 } }, applied: { whole: { a: 1, b: 1 } }, live: { whole: { a: 2, b: 2 } } },
    action: null,
    drift: ['whole'],
  },
  'reports drift and does not heal it': {
    sides: { desired: one, applied: one, live: two },
    action: null,
    drift: ['size'],
  },
  'heals drift when told to, and still reports it': {
    sides: { desired: one, applied: one, live: two, sync: { self_heal: true } },
    action: 'update',
    drift: ['size'],
    paths: ['size'],
  },
  'ignores drift of members it is told to ignore': {
    sides: { desired: one, applied: one, live: two, sync: { ignore: ['size'] } },
    action: null,
    drift: [],
  },
  'changes only what the manifest moved when another member drifted': {
    sides: { desired: { a: 2, b: 1 }, applied: { a: 1, b: 1 }, live: { a: 1, b: 9 } },
    action: 'update',
    paths: ['a'],
    drift: ['b'],
  },
  'lets the manifest win a conflict, and reports it': {
    sides: { desired: { a: 3 }, applied: { a: 1 }, live: { a: 2 } },
    action: 'update',
    paths: ['a'],
    drift: ['a'],
  },
  'takes no step where somebody made live what the manifest now wants': {
    sides: { desired: two, applied: one, live: two },
    action: null,
    drift: [],
  },
  'blocks a drifted resource under drift: block': {
    sides: { desired: { a: 2, b: 1 }, applied: { a: 1, b: 1 }, live: { a: 1, b: 9 }, sync: { drift: 'block' } },
    action: null,
    drift: ['b'],
  },
  'reports what was deleted and does not make it again': {
    sides: { desired: one, applied: one },
    action: null,
    drift: [''],
  },
  'makes again what was deleted when told to heal': {
    sides: { desired: one, applied: one, sync: { drift: 'heal' } },
    action: 'create',
    drift: [''],
  },
  'makes again what was deleted once its manifest changes': { sides: { desired: two, applied: one }, action: 'create' },
  'goes on with a creation that was begun and never closed': {
    sides: { desired: one, applied: null },
    action: 'create',
  },
  'closes a creation that was made and never recorded': {
    sides: { desired: one, applied: null, live: one },
    action: null,
  },
  'deletes what no manifest names': { sides: { applied: one, live: one }, action: 'delete' },
  'keeps what no manifest names when prune is off': {
    sides: { applied: one, live: one, sync: { prune: false } },
    action: null,
  },
}

for (const [title, { sides, action, drift, paths }] of Object.entries(cases)) {
  test(title, () => {
    const plan = planOf(frame(), [subject('x', sides)])
    expect(plan.steps.map((step) => step.action)).toEqual(action ? [action] : [])
    if (paths) expect(plan.steps[0]!.changes.map((change) => change.path)).toEqual(paths)
    expect(plan.drift.map((found) => found.path)).toEqual(drift ?? [])
    expect(plan.summary.unchanged).toBe(action || !sides.desired ? 0 : 1)
  })
}

test('names file, line and column of the first member that changed', () => {
  const plan = planOf(frame(), [subject('x', { desired: two, applied: one, live: one })])
  expect(plan.steps[0]).toMatchObject({
    file: 'things.yml',
    line: 7,
    column: 3,
    changes: [{ path: 'size', before: 1, after: 2, owner: 'manifest', cost: 'in-place' }],
  })
})

test('says what a restart interrupts, and that an update in place interrupts nothing', () => {
  const restart = planOf(frame(), [
    subject('x', { desired: { hard: 2 }, applied: { hard: 1 }, live: { hard: 1 }, interrupts: 'a dispatch' }),
  ])
  const update = planOf(frame(), [subject('x', { desired: two, applied: one, live: one, interrupts: 'a dispatch' })])
  expect([restart.steps[0]!.interrupts, update.steps[0]!.interrupts]).toEqual(['a dispatch', null])
})

const owned = Array.from({ length: 10 }, (_, index) => subject(`x${index}`, { applied: one, live: one }))

test('holds every deletion back when they are more than the budget', () => {
  const plan = planOf(frame({ owned: 10 }), owned.slice(0, 3))
  expect(plan.steps).toEqual([])
  expect(plan.guard).toMatchObject({
    deletes: 3,
    owned: 10,
    allowed: 2,
    max_delete: '20%',
    resources: ['things/x0', 'things/x1', 'things/x2'],
  })
})

test('makes them once the override names that very set', () => {
  const { hash } = planOf(frame({ owned: 10 }), owned.slice(0, 3)).guard!
  expect(planOf(frame({ owned: 10, override: hash }), owned.slice(0, 3)).summary.delete).toBe(3)
  expect(planOf(frame({ owned: 10, override: hash }), owned.slice(0, 4)).summary.delete).toBe(0)
})

test('allows one deletion whatever the share', () => {
  expect(planOf(frame({ owned: 2 }), owned.slice(0, 1)).summary.delete).toBe(1)
})

test('deletes nothing while the source was not read whole', () => {
  expect(planOf(frame({ complete: false }), owned.slice(0, 1)).steps).toEqual([])
})

test('deletes last, and in the opposite order', () => {
  const plan = planOf(frame({ owned: 10 }), [owned[0]!, owned[1]!, subject('new', { desired: one })])
  expect(plan.steps.map((step) => `${step.action} ${step.name}`)).toEqual(['create new', 'delete x1', 'delete x0'])
})

test('observes only its targets', () => {
  const plan = planOf(frame({ targets: new Set(['things/b']) }), [
    subject('a', { desired: one }),
    subject('b', { desired: one }),
  ])
  expect(plan.steps.map((step) => step.name)).toEqual(['b'])
})

test('has the same hash for the same facts and another one when live moved', () => {
  const hash = (live: object) => planOf(frame(), [subject('x', { desired: two, applied: one, live })]).hash
  expect(hash({ size: 1, note: 'a' })).toBe(hash({ note: 'a', size: 1 }))
  expect(hash({ size: 1, note: 'a' })).not.toBe(hash({ size: 1, note: 'b' }))
})

test('shows a changed secret as changed and never its digest', () => {
  const digestOf = (hex: string) => ({ env: { TOKEN: `***${hex.repeat(16)}` } })
  const plan = planOf(frame(), [subject('x', { desired: digestOf('a'), applied: digestOf('b'), live: digestOf('b') })])
  expect(plan.steps[0]!.changes).toMatchObject([{ path: 'env.TOKEN', before: '***', after: '***' }])
})
