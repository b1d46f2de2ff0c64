import { describe, expect, test } from 'vitest'
import { RequestProblem } from '../../../web/client/problem.ts'
import { rootOf, SCREENS } from '../../../web/routes.ts'
import { NOW, rendered } from './page.tsx'

const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const RLO = '\u202e'

const item = {
  id: 'approval/5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11',
  kind: 'approval',
  service: 'orchestrator',
  deadline: iso(161),
  since: iso(-139),
  title: [{ quoted: 'builder', by: null }, { text: ' requests ' }, { quoted: 'Bash', by: null }],
  detail: [{ quoted: `rm ${RLO}gpj.exe`, by: 'agent:builder' }],
  alike: null,
  links: [],
}
const resource = {
  id: 'agents/greeter',
  kind: 'agents',
  name: 'greeter',
  source: 'default',
  file: 'agents/greeter.yml',
  line: 2,
  labels: {},
  conditions: [],
  sides: { desired: true, live: false },
  times: {
    desired: { at: iso(-2), revision: '4f2c1a9' },
    last_applied: { at: iso(-41), revision: '4f2c1a9' },
    live: { at: iso(-3) },
  },
  waiting: null,
  suspended: null,
  contested: null,
  states: ['drifted', 'odd'],
}
const drift = {
  id: 'd1',
  kind: 'agents',
  name: 'greeter',
  path: 'tool_policy.mode',
  last_applied: 'allow_list',
  live: '<img src=x onerror=alert(1)>',
  actor: 'mia',
  endpoint: 'PUT /agents/{id}/policy',
  request_id: 'b67c8270',
  first_seen: iso(-1320),
  last_seen: iso(0),
  resolution: null,
}
const run = {
  id: 'e41f7b02',
  source: 'default',
  status: 'succeeded',
  revision: '4f2c1a9',
  actor: 'jon',
  started_at: iso(-60),
  ended_at: iso(-59),
  steps: [],
  error: null,
  diagnostics: [],
  summary: { unchanged: 210 },
}
const agent = {
  id: 'a1',
  name: 'builder',
  status: 'running',
  activity: 'busy',
  connected: true,
  last_error: null,
  warnings: [],
  config: { runtime: 'scripted', interactive: false, working_dir: '/srv/shop' },
  updated_at: iso(-5),
}
const workflow = {
  id: 'w1',
  name: 'nightly-deps',
  agent_id: 'a1',
  enabled: true,
  trigger_config: { type: 'cron', expression: '30 2 * * *', timezone: 'UTC', catch_up: 'none' },
  prompt_template: 'Update {{title}}',
  poll_interval_secs: 60,
  on_restart: null,
  tool_policy: { mode: 'auto' },
  warnings: ['unknown variable "<img src=x>"'],
  next_fire_at: iso(3600),
  last_fired_at: iso(-7200),
  last_error: null,
  created_at: iso(-9000),
  updated_at: iso(-9000),
}
const screens = [
  { topic: 'inbox', path: '/inbox', records: [item], shown: 'builder' },
  { topic: 'state', path: '/state', records: [resource], shown: '1 owned: 0 in sync, 1 drifted' },
  { topic: 'drift', path: '/drift', records: [drift], shown: 'tool_policy.mode' },
  { topic: 'runs', path: '/runs', records: [run], shown: 'Run e41f7b02' },
  { topic: 'agents', path: '/agents', records: [agent], shown: '/srv/shop' },
  { topic: 'workflows', path: '/workflows', records: [workflow], shown: 'nightly-deps' },
]

const emptyText = (path: string) => SCREENS.find((screen) => rootOf(screen) === path)!.empty.what

describe.each(screens)('the $topic screen', ({ topic, path, records, shown }) => {
  test('shows its records', async () => {
    const html = await rendered({ path, records: { [topic]: records } })
    expect(html).toContain(shown)
    expect(html).not.toContain('<img')
  })

  test('says what would be here when it is empty', async () => {
    expect(await rendered({ path, records: { [topic]: [] } })).toContain(emptyText(path))
  })

  test('shows grey rows while it loads', async () => {
    expect(await rendered({ path })).toContain('aria-label="Loading"')
  })

  test('dates its records when the connection is lost', async () => {
    const html = await rendered({ path, records: { [topic]: records }, lostAt: NOW })
    expect(html).toContain('as of ')
    expect(html).toContain(shown)
  })

  test('explains an error with code, request and next step', async () => {
    const error = new RequestProblem(503, 'storage-unavailable', 'the database cannot be read', { request_id: 'r7' })
    const html = await rendered({ path, records: { [topic]: error } })
    for (const part of [
      'the database cannot be read',
      'storage-unavailable',
      'docs/errors.md',
      'r7',
      'Retry in a moment',
    ])
      expect(html).toContain(part)
  })

  test('says who the caller is when it is denied', async () => {
    const error = new RequestProblem(403, 'forbidden', 'not allowed')
    const html = await rendered({ path, records: { [topic]: error }, caller: { role: 'viewer', may: [] } })
    expect(html).toContain('mia')
    expect(html).toContain('viewer')
  })
})

describe('a filter that matches nothing', () => {
  test.each(screens.filter(({ topic }) => topic !== 'inbox'))('is named on the $topic screen', async (screen) => {
    const { topic, path, records } = screen
    const html = await rendered({ path: `${path}?q=zzz`, records: { [topic]: records } })
    expect(html).toContain('Nothing matches the filter.')
    expect(html).toContain('value="zzz"')
  })
})

test('a screen that was never read says so when the connection is lost', async () => {
  const html = await rendered({ path: '/drift', lostAt: NOW })
  expect(html).toContain('The connection was lost before this was read.')
  expect(html).not.toContain('aria-label="Loading"')
})

const approval = {
  id: item.id.slice('approval/'.length),
  agent_id: 'a1',
  agent_name: 'builder',
  tool_name: 'Bash',
  tool_input: { command: `rm ${RLO}gpj.exe`, timeout: 5 },
  finding: null,
  policy: {
    of: 'agent',
    mode: 'allow_list',
    name: 'ask-a-person',
    field: 'mode',
    entry: null,
    managed_by: { source: 'default', file: 'policies/ask.yml', line: 3 },
  },
  directory: '/srv/shop',
  workflow: null,
  programs: ['rm'],
  effects: null,
  last_text: { text: 'I publish now.', at: iso(-12) },
  status: 'pending',
  created_at: iso(-139),
  expires_at: iso(161),
  decided_by: null,
  decided_at: null,
  reason: null,
}

describe('a request for approval', () => {
  const scene = (more: object = {}, rest: object = {}) => ({
    path: `/inbox/${encodeURIComponent(item.id)}`,
    records: { inbox: [item] },
    answers: [
      [['approval', approval.id, false], { ...approval, ...more }],
      [['similar', approval.id], []],
    ] as const,
    ...rest,
  })

  test('is complete, with invisible characters as signs', async () => {
    const html = await rendered(scene())
    expect(html).toContain('RLO')
    expect(html).not.toContain(RLO)
    expect(html).toContain('Complete: 1 line')
    expect(html).toContain('1 invisible: 1 RLO')
    for (const part of ['timeout', 'policies/ask.yml:3', 'I publish now.', '2:41']) expect(html).toContain(part)
  })

  test('names the person who decided it elsewhere', async () => {
    const html = await rendered(
      scene({ status: 'denied', decided_by: 'jon', decided_at: iso(-1), reason: 'never main' }),
    )
    expect(html).toContain('jon')
    expect(html).toContain('never main')
    expect(html).not.toContain('Approve once')
  })
})
