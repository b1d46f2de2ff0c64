import { describe, expect, test } from 'vitest'
import type { MaskedSpec } from '../../../controller/planning/masking.ts'
import { sortMembers } from '../../../controller/planning/masking.ts'
import { makePlan, type PlanFrame, type PlanSubject } from '../../../controller/planning/plan.ts'
import { syncRules } from '../../../controller/planning/sync-rules.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { never, raises } from '../../../schemas/members/widening.ts'
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
  'creates a missing resource': { sides: { desired: one }, action: 'create' },
  'adopts an existing resource without an owner': { sides: { desired: one, live: one }, action: 'adopt' },
  'adopts a resource and lists the fields to change': {
    sides: { desired: two, live: one },
    action: 'adopt',
    paths: ['size'],
  },
  'plans nothing for several adoption candidates': { sides: { desired: one, candidates: 2 }, action: null },
  'plans nothing if desired, applied and live are equal': {
    sides: { desired: one, applied: one, live: one },
    action: null,
  },
  'updates changed fields in place': {
    sides: { desired: two, applied: one, live: one },
    action: 'update',
    paths: ['size'],
  },
  'restarts if a changed field requires it': {
    sides: { desired: { hard: { a: 1 } }, applied: { hard: { a: 0 } }, live: { hard: { a: 0 } } },
    action: 'restart',
    paths: ['hard.a'],
  },
  'restarts a process that was started with outdated values': {
    sides: { desired: { hard: 2 }, applied: { hard: 2 }, live: { hard: 2 }, running: { hard: 1 } },
    action: 'restart',
    paths: ['hard'],
    drift: [],
  },
  'restarts if the manifest later makes the same manual change': {
    sides: { desired: { hard: 2 }, applied: { hard: 1 }, live: { hard: 2 }, running: { hard: 1 } },
    action: 'restart',
    paths: ['hard'],
  },
  'adopts a resource and lists fields with outdated running values': {
    sides: { desired: { hard: 2 }, live: { hard: 2 }, running: { hard: 1 } },
    action: 'adopt',
    paths: ['hard'],
  },
  'reports a manually changed field without restarting the process': {
    sides: { desired: { hard: 1 }, applied: { hard: 1 }, live: { hard: 2 }, running: { hard: 1 } },
    action: null,
    drift: ['hard'],
  },
  'compares an atomic value as a whole': {
    sides: { desired: { whole: { a: 1, b: 1 } }, applied: { whole: { a: 1, b: 1 } }, live: { whole: { a: 2, b: 2 } } },
    action: null,
    drift: ['whole'],
  },
  'reports drift without healing it': {
    sides: { desired: one, applied: one, live: two },
    action: null,
    drift: ['size'],
  },
  'heals and reports drift with self_heal': {
    sides: { desired: one, applied: one, live: two, sync: { self_heal: true } },
    action: 'update',
    drift: ['size'],
    paths: ['size'],
  },
  'ignores drift of fields listed under ignore': {
    sides: { desired: one, applied: one, live: two, sync: { ignore: ['size'] } },
    action: null,
    drift: [],
  },
  'updates only manifest changes when another field has drifted': {
    sides: { desired: { a: 2, b: 1 }, applied: { a: 1, b: 1 }, live: { a: 1, b: 9 } },
    action: 'update',
    paths: ['a'],
    drift: ['b'],
  },
  'resolves a conflict in favour of the manifest and reports it': {
    sides: { desired: { a: 3 }, applied: { a: 1 }, live: { a: 2 } },
    action: 'update',
    paths: ['a'],
    drift: ['a'],
  },
  'plans nothing if live already equals the changed manifest': {
    sides: { desired: two, applied: one, live: two },
    action: null,
    drift: [],
  },
  'blocks a drifted resource under drift: block': {
    sides: { desired: { a: 2, b: 1 }, applied: { a: 1, b: 1 }, live: { a: 1, b: 9 }, sync: { drift: 'block' } },
    action: null,
    drift: ['b'],
  },
  'reports a deleted resource without recreating it': {
    sides: { desired: one, applied: one },
    action: null,
    drift: [''],
  },
  'recreates a deleted resource under drift: heal': {
    sides: { desired: one, applied: one, sync: { drift: 'heal' } },
    action: 'create',
    drift: [''],
  },
  'recreates a deleted resource when its manifest changes': { sides: { desired: two, applied: one }, action: 'create' },
  'continues an unfinished creation': {
    sides: { desired: one, applied: null },
    action: 'create',
  },
  'plans nothing for a finished creation without a record': {
    sides: { desired: one, applied: null, live: one },
    action: null,
  },
  'deletes a resource that no manifest declares': { sides: { applied: one, live: one }, action: 'delete' },
  'keeps an undeclared resource when prune is off': {
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

test('reports file, line and column of the first changed field', () => {
  const plan = planOf(frame(), [subject('x', { desired: two, applied: one, live: one })])
  expect(plan.steps[0]).toMatchObject({
    file: 'things.yml',
    line: 7,
    column: 3,
    changes: [{ path: 'size', before: 1, after: 2, owner: 'manifest', cost: 'in-place' }],
  })
})

test('lists interrupted work for a restart, but not for an update', () => {
  const restart = planOf(frame(), [
    subject('x', { desired: { hard: 2 }, applied: { hard: 1 }, live: { hard: 1 }, interrupts: 'a dispatch' }),
  ])
  const update = planOf(frame(), [subject('x', { desired: two, applied: one, live: one, interrupts: 'a dispatch' })])
  expect([restart.steps[0]!.interrupts, update.steps[0]!.interrupts]).toEqual(['a dispatch', null])
})

const owned = Array.from({ length: 10 }, (_, index) => subject(`x${index}`, { applied: one, live: one }))

test('holds back all deletions if they exceed the budget', () => {
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

test('allows deletions over budget if the override matches their hash', () => {
  const { hash } = planOf(frame({ owned: 10 }), owned.slice(0, 3)).guard!
  expect(planOf(frame({ owned: 10, override: hash }), owned.slice(0, 3)).summary.delete).toBe(3)
  expect(planOf(frame({ owned: 10, override: hash }), owned.slice(0, 4)).summary.delete).toBe(0)
})

test('allows one deletion regardless of the budget', () => {
  expect(planOf(frame({ owned: 2 }), owned.slice(0, 1)).summary.delete).toBe(1)
})

test('deletes nothing if the source was read incompletely', () => {
  expect(planOf(frame({ complete: false }), owned.slice(0, 1)).steps).toEqual([])
})

test('deletes last and in reverse order', () => {
  const plan = planOf(frame({ owned: 10 }), [owned[0]!, owned[1]!, subject('new', { desired: one })])
  expect(plan.steps.map((step) => `${step.action} ${step.name}`)).toEqual(['create new', 'delete x1', 'delete x0'])
})

test('plans only its targets', () => {
  const plan = planOf(frame({ targets: new Set(['things/b']) }), [
    subject('a', { desired: one }),
    subject('b', { desired: one }),
  ])
  expect(plan.steps.map((step) => step.name)).toEqual(['b'])
})

test('changes its hash only when the facts change', () => {
  const hash = (live: object) => planOf(frame(), [subject('x', { desired: two, applied: one, live })]).hash
  expect(hash({ size: 1, note: 'a' })).toBe(hash({ note: 'a', size: 1 }))
  expect(hash({ size: 1, note: 'a' })).not.toBe(hash({ size: 1, note: 'b' }))
})

test('shows a changed secret without its digest', () => {
  const digestOf = (hex: string) => ({ env: { TOKEN: `***${hex.repeat(16)}` } })
  const plan = planOf(frame(), [subject('x', { desired: digestOf('a'), applied: digestOf('b'), live: digestOf('b') })])
  expect(plan.steps[0]!.changes).toMatchObject([{ path: 'env.TOKEN', before: '***', after: '***' }])
})

describe('widening', () => {
  const widens = { size: raises, hard: never }
  const widened = (sides: Sides) =>
    planOf(frame(), [{ ...subject('a', sides), widens }]).steps.map((step) => step.widens)

  test('is marked by comparison with the last applied manifest', () => {
    expect(widened({ desired: two, applied: one, live: one })).toEqual([['size']])
    expect(widened({ desired: one, applied: two, live: two })).toEqual([undefined])
    expect(widened({ desired: { other: 1 }, applied: { other: 2 }, live: { other: 2 } })).toEqual([['other']])
  })

  test('is marked by comparison with live state in an adoption', () => {
    expect(widened({ desired: two, live: one })).toEqual([['size']])
  })

  test('is not marked in a creation, and not where the manifest is unchanged', () => {
    expect(widened({ desired: two })).toEqual([undefined])
    expect(widened({ desired: two, applied: two, live: one, sync: { drift: 'heal' } })).toEqual([undefined])
  })
})
