import { expect, test } from 'vitest'
import { renderPlan } from '../../../controller/rendering/plan.ts'
import type { Change } from '../../../schemas/plan.ts'
import { driftRecord, planOf, planStep } from '../../support/plan-records.ts'

const change = (over: Partial<Change> = {}): Change => ({
  path: 'prompt',
  before: 'Say hello.',
  after: 'Say good day.',
  owner: 'manifest',
  cost: 'in-place',
  ...over,
})
const human = (plan: ReturnType<typeof planOf>, options = {}) => renderPlan(plan, 'human', options)

test('prints "No changes" and the number of unchanged resources', () => {
  expect(human(planOf())).toBe('No changes. 4 resources are as desired.\n')
})

test('prints resource, action, position and changed values of a step', () => {
  expect(human(planOf({ steps: [planStep({ changes: [change()] })] }))).toBe(
    [
      '~ agents/planner  update in place   agents/planner.yml:7:1',
      '    prompt: "Say hello." → "Say good day."',
      '    cost: none, in place',
      '',
      'Plan: 1 to update; 4 unchanged.',
      '',
    ].join('\n'),
  )
})

test('prints fields that require a restart and the interrupted work', () => {
  const step = planStep({
    action: 'restart',
    interrupts: 'dispatch 1f3c of workflow build, since 2 min',
    changes: [change({ path: 'model', before: null, after: 'opus', cost: 'restart' })],
  })
  const text = human(planOf({ steps: [step] }))
  expect(text).toContain('~ agents/planner  restart')
  expect(text).toContain('model: null → "opus"')
  expect(text).toContain('cost: restart, for model')
  expect(text).toContain('interrupts: dispatch 1f3c of workflow build, since 2 min')
})

test('prints the fields that widen a resource', () => {
  const step = planStep({ changes: [change({ path: 'may[approve]' })], widens: ['may', 'tool_policy'] })
  expect(human(planOf({ steps: [step] }))).toContain('\n    widens: may, tool_policy\n')
  expect(renderPlan(planOf({ steps: [step] }), 'markdown')).toContain(
    'the manifest changed; **widens** may, tool_policy |',
  )
})

test('prints one line per added or removed element', () => {
  const changes = [
    change({ path: 'tools[Read]', before: 'Read', after: null }),
    change({ path: 'tools["Bash(ls [ab]*)"]', before: null, after: 'Bash(ls [ab]*)' }),
    change({ path: 'people[ann]', before: null, after: { id: 'ann' }, owner: 'live' }),
    change({ path: 'people[bob].role', before: 'a', after: 'b' }),
  ]
  const drift = [{ kind: 'agents', name: 'planner', path: 'tools[Write]', desired: null, live: 'Write' }]
  const text = human(planOf({ steps: [planStep({ changes })], drift }))
  expect(text).toContain(
    ['    - tools[Read]', '    + tools["Bash(ls [ab]*)"]', '    + people[ann]: {"id":"ann"}  (live changed)'].join(
      '\n',
    ),
  )
  expect(text).toContain('    people[bob].role: "a" → "b"')
  expect(text).toContain('  agents/planner  + tools[Write] live')
  const markdown = renderPlan(planOf({ steps: [planStep({ changes })] }), 'markdown')
  expect(markdown).toContain('- tools[Read]\n+ tools["Bash(ls [ab]*)"]\n')
})

test('prints changed lines of a multiline text with two context lines', () => {
  const before = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].join('\n')
  const text = human(
    planOf({ steps: [planStep({ changes: [change({ before, after: before.replace('five', '5') })] })] }),
  )
  expect(text).toContain(
    [
      '    prompt:',
      '      …',
      '        three',
      '        four',
      '      - five',
      '      + 5',
      '        six',
      '        seven',
      '      …',
    ].join('\n'),
  )
  expect(text).not.toContain('two')
})

test('prints a long list element by element', () => {
  const tools = ['Read', 'Grep', 'Glob', 'Edit']
  const text = human(
    planOf({
      steps: [
        planStep({
          changes: [change({ path: 'tool_policy.tools', before: tools, after: [...tools, 'Bash(git log *)'] })],
        }),
      ],
    }),
    {
      width: 60,
    },
  )
  expect(text).toContain('      + - Bash(git log *)')
})

test('hides the values of a changed secret', () => {
  expect(
    human(
      planOf({
        steps: [planStep({ changes: [change({ path: 'env.TOKEN', before: '***', after: '***', cost: 'restart' })] })],
      }),
    ),
  ).toContain('    env.TOKEN: secret changed\n')
})

test('prints creations with their reason, and deletions', () => {
  const steps = [
    planStep({ action: 'create', reason: 'it does not exist' }),
    planStep({ action: 'delete', name: 'old', reason: 'no manifest declares it' }),
  ]
  const text = human(planOf({ steps }))
  expect(text).toContain('+ agents/planner  create   agents/planner.yml:7:1\n    because it does not exist')
  expect(text).toContain('- agents/old  delete')
  expect(text).toContain('Plan: 1 to create, 1 to delete; 4 unchanged.')
})

test('prints drift with its live value, author and revert command', () => {
  const { kind, name, path, desired, live } = driftRecord()
  const text = human(planOf({ drift: [{ kind, name, path, desired, live }] }), { drift: [driftRecord()] })
  expect(text).toContain(
    'agents/planner  tool_policy.mode: "allow_all" desired, "deny_all" live\n      by alice, through PUT /agents/{id}/policy, at 2030-01-01T00:00:00.000Z',
  )
  expect(text).toContain('hint: svc drift revert agents/planner')
  expect(text).toContain('No changes. 4 resources are as desired, apart from 1 drifted field.')
})

test('wraps long drift onto two lines and formats times as configured', () => {
  const list = { mode: 'allow_list', tools: ['Bash(git log *)', 'Bash(git status*)', 'Glob', 'Grep', 'Read'] }
  const record = driftRecord({ path: 'tool_policy', desired: list, live: { mode: 'deny_all' } })
  const { kind, name, path, desired, live } = record
  const options = { drift: [record], width: 80, when: () => '3 s ago' }
  expect(human(planOf({ drift: [{ kind, name, path, desired, live }] }), options)).toContain(
    [
      '  agents/planner  tool_policy',
      '      desired  {"mode":"allow_list","tools":["Bash(git log *)","Bash(git status…',
      '      live     {"mode":"deny_all"}',
      '      by alice, through PUT /agents/{id}/policy, 3 s ago',
    ].join('\n'),
  )
})

test('prints no count for a plan without resources', () => {
  const { summary } = planOf()
  expect(human(planOf({ summary: { ...summary, unchanged: 0 } }))).toBe('No changes.\n')
})

test('lists held-back deletions with the command that allows them', () => {
  const text = human(
    planOf({
      guard: {
        deletes: 3,
        owned: 4,
        max_delete: '20%',
        allowed: 1,
        hash: 'abc123',
        resources: ['agents/a', 'agents/b', 'agents/c'],
      },
    }),
    { command: 'svc reconcile --source team' },
  )
  expect(text).toContain('Held back: 3 deletions of 4 resources (20% allows 1)')
  expect(text).toContain('  - agents/b\n')
  expect(text).toContain('svc reconcile --source team --prune-override abc123')
})

test('prints errors at their position with a hint', () => {
  const diagnostics = [
    {
      severity: 'error' as const,
      code: 'unknown-member',
      message: 'unknown field "promt"',
      hint: 'did you mean "prompt"?',
      file: 'agents/a.yml',
      line: 3,
      column: 2,
      kind: 'agents',
      name: 'a',
    },
  ]
  expect(human(planOf({ diagnostics }))).toContain(
    'error: agents/a.yml:3:2: unknown field "promt" [unknown-member]\n  hint: did you mean "prompt"?',
  )
  expect(human(planOf({ diagnostics }))).toContain(
    'No changes. 4 resources are as desired. 1 error keeps its manifest out of the plan.',
  )
})

test('escapes control characters in values', () => {
  expect(
    human(planOf({ steps: [planStep({ changes: [change({ before: 'x', after: 'a\u001b[31mred\nb\u0007' })] })] }), {
      width: 10,
    }),
  ).not.toMatch(/[\u0007\u001b]/)
})

test('uses colours only on request', () => {
  const plan = planOf({ steps: [planStep({ changes: [change()] })] })
  expect(human(plan)).not.toContain('\u001b[')
  expect(human(plan, { colour: true })).toContain('\u001b[33m~ agents/planner\u001b[39m')
})

test('prints the plan itself as JSON', () => {
  const plan = planOf({ steps: [planStep()] })
  expect(JSON.parse(renderPlan(plan, 'json'))).toEqual(plan)
})

test('escapes values in Markdown tables and code fences', () => {
  const step = planStep({ reason: 'a | b', changes: [change({ before: '```\ncode\n```', after: 'none\n````' })] })
  const text = renderPlan(planOf({ steps: [step] }), 'markdown')
  expect(text).toContain('### Plan: 1 to update; 4 unchanged.')
  expect(text).toContain('| update | `agents/planner` | `agents/planner.yml:7:1` | a \\| b |')
  expect(text).toContain('`````diff\n@@ prompt (in-place) @@')
})

test('renders a huge value quickly', () => {
  const lines = (seed: number) => Array.from({ length: 20_000 }, (_, index) => `line ${index * seed}`).join('\n')
  human(planOf({ steps: [planStep({ changes: [change({ before: lines(1), after: lines(7) })] })] }))
})
