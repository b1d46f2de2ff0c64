import { expect, test } from 'vitest'
import { NOW, rendered } from '../page.tsx'

const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const source = {
  name: 'default',
  location: '/srv/team',
  applied_revision: '4f2c1a9d00',
  revision: 'b03d5e8100',
  window: null,
  error: null,
}
const step = (action: string, name: string, changes: object[] = [], more: object = {}) => ({
  kind: 'agents',
  name,
  action,
  reason: 'the manifest changed',
  changes,
  file: `agents/${name}.yml`,
  line: 6,
  interrupts: null,
  ...more,
})
const plan = {
  hash: '7c404a9b11',
  source: 'default',
  revision: 'b03d5e8100',
  created_at: iso(-4),
  summary: { create: 1, update: 1, restart: 1, replace: 0, adopt: 0, delete: 0, unchanged: 200 },
  drift: [],
  policies: [{ policy: 'rooms-stay', effect: 'confirm', resources: ['rooms/hiring'], member: null }],
  guard: { deletes: 7, owned: 31, max_delete: '20%', allowed: 6, hash: '93bd2f4e', resources: ['rooms/hiring'] },
  diagnostics: [
    {
      severity: 'error',
      code: 'invalid-value',
      message: 'tool_policy.mode: got <img src=x>',
      hint: 'Did you mean allow_list?',
      file: 'agents/tester.yml',
      line: 6,
      column: 9,
      kind: 'agents',
      name: 'tester',
    },
  ],
  steps: [
    step('update', 'greeter', [{ path: 'tool_policy.tools', before: ['Read'], after: ['Read', 'Bash'] }], {
      widens: ['tool_policy.tools'],
    }),
    step('restart', 'builder', [{ path: 'model', before: 'opus', after: 'sonnet' }], { interrupts: 'turn 41' }),
    step('create', 'reviewer', [{ path: 'model', before: null, after: 'opus' }]),
  ],
}
const scene = (path = '/plan/default', shown: object = plan) => ({
  path,
  records: { state: [] },
  answers: [
    [['sources', '', ''], [source]],
    [['plan', 'default', null], shown],
  ] as const,
})

test('shows steps with their changes, faults, verdicts and the prune guard', async () => {
  const html = await rendered(scene())
  for (const part of [
    '4f2c1a9',
    'b03d5e8',
    '1 create, 1 update, 1 restart; 200 unchanged',
    '+ Bash',
    'create, 1 field',
    'turn 41',
    'agents/tester.yml:6:9',
    'invalid-value',
    '7 deletions on hold',
    '7 of 31 resources exceed the budget of 20%',
    'rooms-stay',
    'Apply 3 steps',
    'Apply all',
  ])
    expect(html).toContain(part)
  expect(html).not.toContain('<img')
})

test('says that a field was not set in the words of the page', async () => {
  const made = { ...plan, steps: [step('update', 'greeter', [{ path: 'model', before: null, after: 'opus' }])] }
  const html = await rendered(scene('/plan/default', made))
  expect(html).toContain('<span class="absent">not set</span>')
  expect(html).not.toContain('>null<')
})

test('makes no plan while the connection is lost', async () => {
  expect(await rendered({ ...scene(), lostAt: NOW })).toMatch(/disabled=""[^>]*>Plan again/)
})

test('plans the first source if the address names none', async () => {
  expect(await rendered(scene('/plan'))).toContain('Plan <code>7c404a9b')
})

test('has nothing to apply if nothing would change', async () => {
  const html = await rendered(scene('/plan/default', { ...plan, steps: [], guard: null, diagnostics: [] }))
  expect(html).toContain('Nothing would change')
  expect(html).not.toContain('Apply all')
  expect(html).toMatch(/disabled=""[^>]*>Apply 0 steps/)
})
