import { expect, test } from 'vitest'
import { NOW, rendered } from '../page.tsx'

const RLO = '\u202e'
const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const condition = (type: string, status: string, message = '') => ({ type, status, message, observed_at: iso(-3) })
const drift = {
  id: 'd1',
  kind: 'agents',
  name: 'greeter',
  path: 'tool_policy',
  live: { mode: 'deny_all' },
  last_applied: { mode: 'allow_list', tools: ['Read', 'Glob'] },
  actor: 'mia',
  endpoint: 'PUT /agents/{id}/policy',
  request_id: 'b67c8270-0000-4000-8000-000000000000',
  first_seen: iso(-1320),
  last_seen: iso(0),
  resolution: null,
}
const resource = {
  id: 'agents/greeter',
  kind: 'agents',
  name: 'greeter',
  source: 'default',
  file: 'agents/greeter.yml',
  line: 2,
  labels: {},
  desired_hash: 'h',
  revision: null,
  conditions: [
    condition('Ready', 'True'),
    condition('Drifted', 'True', 'tool_policy differs'),
    condition('Reconciling', 'False', 'no changes are pending'),
    condition('Sandboxed', 'False', `${RLO}off`),
  ],
  sides: { desired: true, live: false },
  times: {
    desired: { at: iso(-2), revision: '4f2c1a9d00' },
    last_applied: { at: iso(-41), revision: '4f2c1a9d00' },
    live: { at: iso(-3) },
  },
  states: ['drifted', 'odd'],
  waiting: null,
  suspended: null,
  contested: null,
  references: { to: { total: 1, ids: ['policies/reading'] }, from: { total: 0, ids: [] } },
}
const detail = {
  ...resource,
  desired: { model: null, tool_policy: drift.last_applied },
  last_applied: { model: null, tool_policy: drift.last_applied },
  live: { model: null, tool_policy: drift.live },
  drift: [drift],
  history: [{ run_id: 'cbf9d600-1', action: 'update', status: 'done', revision: '4f2c1a9d00', at: iso(-41) }],
}
const plan = {
  hash: '7c404a9b11',
  created_at: iso(-4),
  steps: [
    {
      action: 'update',
      interrupts: null,
      changes: [{ path: 'tool_policy', before: drift.live, after: drift.last_applied }],
    },
  ],
}
const blame = { members: [{ path: 'tool_policy.mode', place: 'agents/greeter.yml:6:9' }] }

const scene = (more: object = {}) => {
  const { states, waiting, suspended, revision, desired_hash, id } = { ...resource, ...more }
  return {
    path: '/state/agents/greeter',
    records: { state: [{ ...resource, ...more }] },
    answers: [
      [['resource', id, desired_hash, states, waiting, suspended, revision, ''], { ...detail, ...more }],
      [['blame', id, desired_hash], blame],
      [['effect', ['d1', drift.live]], [plan]],
    ] as const,
  }
}

test('shows each drifted field on three sides, with place, run and author', async () => {
  const html = await rendered(scene())
  for (const part of [
    'tool_policy.mode',
    'tool_policy.tools',
    'agents/greeter.yml:6',
    'run cbf9d600',
    'mia',
    'PUT /agents/{id}/policy',
    'title="b67c8270-0000-4000-8000-000000000000"',
    'Drifted, 2 fields',
    'Updates 2 fields in place. No restart, nothing interrupted.',
    '7c404a9b',
    '4f2c1a9',
    'href="/state/policies/reading"',
  ])
    expect(html).toContain(part)
  expect(html).not.toContain('{"mode"')
})

test('shows only conditions that are odd, with signs for invisible characters', async () => {
  const html = await rendered(scene())
  expect(html).not.toContain('Reconciling')
  expect(html).toContain('RLO')
  expect(html).not.toContain(RLO)
})

test('says what a change waits for, and who suspended the resource', async () => {
  const html = await rendered(
    scene({
      waiting: { reason: 'WaitingForIdle', action: 'restart', members: [], work: null, since: null, until: iso(600) },
      suspended: { actor: 'jon', since: iso(-60) },
    }),
  )
  expect(html).toContain('restart waits until the agent is idle')
  expect(html).toContain('suspended by')
  expect(html).toContain('Resume')
})

test('says why a viewer cannot act', async () => {
  const html = await rendered({ ...scene(), caller: { role: 'viewer', may: [] } })
  expect(html).toContain('You are mia (viewer). This takes the permission apply.')
})

test('says that no source owns an unknown resource', async () => {
  expect(await rendered({ ...scene(), path: '/state/agents/gone' })).toContain('No source owns agents/gone.')
})
