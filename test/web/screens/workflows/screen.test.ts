import { describe, expect, test } from 'vitest'
import { NOW, rendered, type Scene } from '../page.tsx'

const RLO = '\u202e'
const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const workflow = {
  id: 'w1',
  name: 'nightly-deps',
  agent_id: 'a1',
  enabled: true,
  trigger_config: { type: 'cron', expression: '30 2 * * 1-5', timezone: 'Europe/Vienna', catch_up: 'last' },
  prompt_template: 'Update {{title}}',
  poll_interval_secs: 60,
  on_restart: 'fail',
  tool_policy: { mode: 'auto' },
  warnings: ['unknown variable "channel"'],
  next_fire_at: '2026-11-30T01:30:00.000Z',
  last_fired_at: iso(-7200),
  last_error: null,
  created_at: iso(-9000),
  updated_at: iso(-9000),
}
const review = {
  ...workflow,
  id: 'w2',
  name: 'review-deps',
  trigger_config: { type: 'dispatch_result', source_workflow_id: 'w1', status: 'completed' },
  next_fire_at: null,
  last_fired_at: null,
  warnings: [],
}
const agent = {
  id: 'a1',
  name: 'builder',
  status: 'running',
  activity: 'idle',
  connected: true,
  updated_at: iso(-5),
}
const dispatch = {
  id: '6f21ab90-0000-4000-8000-000000000001',
  workflow_id: 'w1',
  source_id: 'cron:2026-11-27T01:30:00.000Z',
  agent_id: 'a1',
  prompt_sent: 'Update shop',
  status: 'failed',
  trigger_type: 'cron',
  attempt: 2,
  error: `1 of 418 <b>tests</b> ${RLO}fails`,
  result: null,
  usage: { total_cost_usd: 0.61 },
  created_at: iso(-7200),
  dispatched_at: iso(-7200),
  completed_at: iso(-6540),
}
const pageOf = (items: readonly object[], next: string | null = null) => ({
  pages: [{ items, next, previous: null }],
  pageParams: [''],
})
const rights = { may: ['workflow' as const] }
const scene = (more: Partial<Scene> = {}): Scene => ({
  path: '/workflows/w1',
  records: { workflows: [review, workflow], agents: [agent], state: [] },
  answers: [
    [['dispatches', 'w1'], pageOf([dispatch], 'older')],
    [['prompt', 'w1', dispatch.id, workflow.prompt_template], { dispatch_id: dispatch.id, prompt: 'Update shop now' }],
  ],
  caller: rights,
  ...more,
})

describe('a workflow', () => {
  test('is shown with its trigger, its next firing and its warnings', async () => {
    const html = await rendered(scene())
    for (const part of [
      '30 2 * * 1-5',
      'Europe/Vienna',
      'the latest missed firing runs late',
      'Mon 30 Nov, 02:30',
      'in 2 d',
      'unknown variable &quot;channel&quot;',
      'on restart: fail',
      '2 h ago',
    ])
      expect(html).toContain(part)
  })

  test('is shown with its prompt, rendered with a recorded task', async () => {
    const html = await rendered(scene())
    expect(html).toContain('Update shop now')
    expect(html).toContain('aria-label="Recorded task"')
  })

  test('shows its template without a recorded task', async () => {
    const html = await rendered(scene({ answers: [[['dispatches', 'w1'], pageOf([])]] }))
    expect(html).toContain('Update {{title}}')
    expect(html).toContain('No task is recorded yet')
    expect(html).toContain('The workflow has not run yet.')
  })

  test('shows its template to a caller that may not see tasks', async () => {
    const html = await rendered(scene({ caller: { role: 'viewer', may: [] } }))
    expect(html).toContain('This takes the permission workflow.')
    expect(html).not.toContain('Update shop now')
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Run now/)
  })

  test('lists its dispatches with outcome, attempt, error, duration and cost', async () => {
    const html = await rendered(scene())
    for (const part of ['failed, attempt 2', '418 &lt;b&gt;tests', 'RLO', '11 m', '$0.61', '6f21ab90', 'Show older'])
      expect(html).toContain(part)
    expect(html).not.toContain(RLO)
  })

  test('lists its chain and leads to the other workflows', async () => {
    const html = await rendered(scene())
    expect(html).toContain('if completed: ')
    expect(html).toContain('href="/workflows/w2"')
    const next = await rendered(scene({ path: '/workflows/w2' }))
    expect(next).toContain('href="/workflows/w1"')
    expect(next).toContain('on result')
  })

  test('shows its manifest and its three sides', async () => {
    const resource = {
      id: 'workflows/nightly-deps',
      file: 'workflows/deps.yml',
      line: 3,
      sides: { desired: true, live: true },
      states: [],
      times: { desired: { at: null, revision: '' } },
    }
    const html = await rendered(scene({ records: { ...scene().records, state: [resource] } }))
    expect(html).toContain('workflows/deps.yml:3')
    expect(html).toContain('desired, last applied and live are equal')
  })

  test('shows the error that keeps its trigger from firing', async () => {
    const failing = { ...workflow, last_error: 'the forge answers 403' }
    const html = await rendered(scene({ records: { workflows: [failing], agents: [agent] } }))
    expect(html).toContain('trigger fails')
    expect(html).toContain('the forge answers 403')
  })

  test('cannot be run while it is disabled or disconnected', async () => {
    const isOff = /<button[^>]*disabled=""[^>]*>Run now/
    const disabled = await rendered(scene({ records: { workflows: [{ ...workflow, enabled: false }], agents: [] } }))
    expect(disabled).toMatch(isOff)
    expect(disabled).toContain('Enable…')
    const lost = await rendered(scene({ lostAt: NOW }))
    expect(lost).toMatch(isOff)
    expect(lost).toContain('Actions are disabled while disconnected.')
    expect(lost).toContain('Mon 30 Nov')
  })
})

test('says that no workflow has an id', async () => {
  expect(await rendered(scene({ path: '/workflows/w9' }))).toContain('No workflow has this id.')
})

test('filters by the words of the address', async () => {
  const html = await rendered(scene({ path: '/workflows?q=review', answers: [] }))
  expect(html).toContain('review-deps')
  expect(html).not.toContain('aria-label="Rendered prompt"')
})
