import { expect, test } from 'vitest'
import { standingsAt } from '../../../controller/running/resource-states.ts'
import { newEntry, type Owned } from '../../../controller/planning/ownership.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import type { Condition, ResourceState, Sides, Waiting } from '../../../schemas/resource.ts'

const clock = new TestClock()
const at = new Date(clock.now()).toISOString()
const expired = new Date(clock.now() - 5 * 60_000 - 1).toISOString()

const condition = (type: Condition['type'], status: Condition['status'], reason: Condition['reason']): Condition => ({
  type,
  status,
  reason,
  message: '',
  revision: null,
  observed_at: at,
})
const READY = condition('Ready', 'True', 'Healthy')
const MISSING = condition('Ready', 'False', 'Missing')
const IN_SYNC = condition('Drifted', 'False', 'InSync')
const DRIFTED = condition('Drifted', 'True', 'DriftFound')
const aged = (conditions: Condition[]) => conditions.map((each) => ({ ...each, observed_at: expired }))

const spec = { name: 't', size: 1 }
const place = { kind: 'things', name: 't', file: 't.yml', line: 1, column: 1, sync: {}, dependsOn: [] }
const owned = (change: Partial<Owned> = {}): Owned => ({
  ...newEntry({ ...place, spec, position: () => ({ line: 1, column: 1 }) }, 'default', 'r1'),
  applied: { ...spec },
  conditions: [READY, IN_SYNC],
  ...change,
})
const waiting: Waiting = {
  reason: 'WaitingForSync',
  action: 'update',
  members: ['size'],
  work: null,
  since: null,
  until: null,
}
const contested = { paths: ['size'], actors: ['mira'], since: at, isOver: false }

const changed = { ...spec, size: 2 }
const cases: [title: string, Owned, Waiting | null, Sides, ResourceState[]][] = [
  ['equal sides', owned(), null, { desired: true, live: true }, ['synced']],
  [
    'a change of the live system',
    owned({ conditions: [READY, DRIFTED] }),
    null,
    { desired: true, live: false },
    ['drifted', 'odd'],
  ],
  [
    'a manifest that is not applied',
    owned({ desired: changed }),
    waiting,
    { desired: false, live: true },
    ['changed', 'waiting', 'odd'],
  ],
  [
    'both',
    owned({ desired: changed, conditions: [READY, DRIFTED] }),
    null,
    { desired: false, live: false },
    ['changed', 'drifted', 'odd'],
  ],
  [
    'a missing live resource',
    owned({ conditions: [MISSING, DRIFTED] }),
    null,
    { desired: true, live: false },
    ['drifted', 'failing', 'odd'],
  ],
  // Deleted by hand and changed in the manifest: no drift is recorded.
  [
    'a missing live resource without drift',
    owned({ conditions: [MISSING, IN_SYNC] }),
    null,
    { desired: true, live: false },
    ['drifted', 'failing', 'odd'],
  ],
  [
    'an unreachable resource',
    owned({ conditions: [condition('Ready', 'Unknown', 'Unreachable'), IN_SYNC] }),
    null,
    { desired: true, live: null },
    ['unknown', 'odd'],
  ],
  [
    'expired verdicts',
    owned({ conditions: aged([READY, IN_SYNC]) }),
    null,
    { desired: true, live: null },
    ['unknown', 'odd'],
  ],
  ['no verdicts', owned({ conditions: [] }), null, { desired: true, live: null }, ['unknown', 'odd']],
  ['an unfinished creation', owned({ applied: null }), null, { desired: false, live: null }, ['changed', 'odd']],
  [
    'a failing resource',
    owned({ conditions: [condition('Ready', 'False', 'Degraded'), IN_SYNC] }),
    null,
    { desired: true, live: true },
    ['synced', 'failing', 'odd'],
  ],
  [
    'a suspended resource',
    owned({ suspended: { actor: 'mira', since: at } }),
    null,
    { desired: true, live: true },
    ['synced', 'suspended', 'odd'],
  ],
  ['a contested resource', owned({ contested }), null, { desired: true, live: true }, ['synced', 'contested', 'odd']],
  [
    'a settled contest',
    owned({ contested: { ...contested, isOver: true } }),
    null,
    { desired: true, live: true },
    ['synced'],
  ],
]

test.each(cases)('compares the sides and derives the states of %s', (_title, entry, wait, sides, states) => {
  expect(standingsAt(clock, () => true)(entry, wait)).toEqual({ sides, states })
})
