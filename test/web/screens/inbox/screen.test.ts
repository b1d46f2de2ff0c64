import { describe, expect, test } from 'vitest'
import { MOST_PROGRAMS } from '../../../../schemas/tools/approval.ts'
import { SCREENS } from '../../../../web/routes.ts'
import { NOW, rendered } from '../page.tsx'

const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()
const id = (number: number) => `5f0c1c1e-8f0d-4b8e-9d5c-${number.toString().padStart(12, '0')}`
const name = (quoted: string) => ({ quoted, by: null })

const request = (number: number, agent: string) => ({
  id: `approval/${id(number)}`,
  kind: 'approval',
  service: 'orchestrator',
  deadline: ago(-160),
  since: ago(140),
  title: [name(agent), { text: ' requests ' }, name('Bash')],
  detail: [],
  alike: 'k1',
  links: [],
})

const approval = {
  id: id(1),
  agent_id: 'a1',
  agent_name: 'builder',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  finding: null,
  policy: null,
  directory: null,
  workflow: null,
  programs: Array.from({ length: MOST_PROGRAMS }, () => 'true'),
  effects: null,
  last_text: null,
  status: 'pending',
  created_at: ago(140),
  expires_at: ago(-160),
  decided_by: null,
  decided_at: null,
  delivered_at: null,
  reason: null,
}

const at = (item: string) => `/inbox/${encodeURIComponent(item)}`
const answered = (isGone: boolean, more: object = {}) =>
  [
    [['approval', approval.id, isGone], { ...approval, ...more }],
    [['similar', approval.id], []],
  ] as const

test('an inbox that could not be read whole does not look empty', async () => {
  const gaps = [{ kind: 'approval', service: 'orchestrator', detail: 'the service does not answer' }]
  const html = await rendered({ path: '/inbox', records: { inbox: [] }, gaps })
  expect(html).toContain('the service does not answer')
  expect(html).not.toContain(SCREENS[0]!.empty.what)
})

describe('a request', () => {
  test('names every agent of identical ones, and offers no decision for a session', async () => {
    const records = { inbox: [request(1, 'builder'), request(2, 'api-2')] }
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(false) })
    for (const part of ['api-2', '2 identical', 'Approve all 2', 'Deny all 2']) expect(html).toContain(part)
    expect(html).not.toContain('For this session')
  })

  test('is asleep when it appears', async () => {
    const records = { inbox: [request(1, 'builder')] }
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(false) })
    expect(html).toMatch(/<button[^>]* disabled=""[^>]*>Approve once/)
    expect(html).toContain('For this session')
  })

  test('does not pass a bounded list of programs off as complete', async () => {
    const records = { inbox: [request(1, 'builder')] }
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(false) })
    expect(html).toContain('and perhaps others')
    const programs = approval.programs.slice(1)
    const whole = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(false, { programs }) })
    expect(whole).toContain('Runs ')
    expect(whole).not.toContain('and perhaps others')
  })

  test('is not decided with the record of another one', async () => {
    const records = { inbox: [request(1, 'builder')] }
    const other = answered(false, { id: id(2), tool_input: { command: 'rm -rf /' } })
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: other })
    expect(html).not.toContain('Approve once')
    expect(html).not.toContain('rm -rf /')
    expect(html).toContain('aria-label="Loading"')
  })

  test('that is long is cut in its middle, and in none of its names', async () => {
    const command = `git push --force ${'x'.repeat(200)} --registry https://pkgs.example`
    const item = { ...request(1, 'builder'), detail: [{ quoted: command, by: 'agent:builder' }] }
    const html = await rendered({ path: '/inbox', records: { inbox: [item] } })
    expect(html).toContain('https://pkgs.example</bdi>')
    expect(html).toContain('git push --force')
    expect(html).not.toContain(command)
  })

  test('that was decided is shown by its address, with the verdict', async () => {
    const verdict = { status: 'denied', decided_by: 'jon', decided_at: ago(1), delivered_at: ago(1) }
    const records = { inbox: [] }
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(true, verdict) })
    expect(html).toContain('jon')
    expect(html).not.toContain('Approve once')
  })

  test('says which permission a viewer lacks', async () => {
    const records = { inbox: [request(1, 'builder')] }
    const caller = { role: 'viewer' as const, may: [] }
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(false), caller })
    expect(html).toContain('This takes the permission approve.')
  })

  test('says why it cannot be decided while the connection is lost', async () => {
    const records = { inbox: [request(1, 'builder')] }
    const html = await rendered({ path: at(`approval/${id(1)}`), records, answers: answered(false), lostAt: NOW })
    expect(html).toContain('decisions are disabled while disconnected')
  })
})

test('drift shows its values and can be reverted', async () => {
  const item = { ...request(3, 'agents/greeter'), id: 'drift/agents/greeter', kind: 'drift', deadline: null }
  const drift = {
    id: 'd1',
    kind: 'agents',
    name: 'greeter',
    path: 'tool_policy.mode',
    last_applied: 'allow_list',
    live: '<img src=x onerror=alert(1)>',
    actor: 'mia',
    endpoint: null,
    first_seen: ago(60),
    resolution: null,
  }
  const html = await rendered({ path: at(item.id), records: { inbox: [item], drift: [drift] } })
  for (const part of ['tool_policy.mode', 'allow_list', 'mia', 'Revert…', 'Accept into the manifest'])
    expect(html).toContain(part)
  expect(html).not.toContain('<img')
})

test('a filter of the address shows one section', async () => {
  const item = { ...request(3, 'agents/greeter'), id: 'drift/agents/greeter', kind: 'drift', alike: null }
  const html = await rendered({
    path: '/inbox?show=held',
    records: { inbox: [item, request(1, 'builder')], drift: [] },
  })
  expect(html).toContain('agents/greeter')
  expect(html).not.toContain('Blocking a turn</h2>')
})
