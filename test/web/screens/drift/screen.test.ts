import { expect, test } from 'vitest'
import { NOW, rendered } from '../page.tsx'

const RLO = '\u202e'
const iso = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const record = {
  id: 'd1',
  kind: 'agents',
  name: 'greeter',
  path: 'tool_policy',
  last_applied: { mode: 'allow_list', tools: ['Read'] },
  live: { mode: `${RLO}deny_all` },
  actor: 'mia',
  endpoint: 'PUT /agents/{id}/policy',
  request_id: 'b67c8270-0000-4000-8000-000000000000',
  first_seen: iso(-1320),
  last_seen: iso(0),
  resolution: null,
}
const closed = {
  ...record,
  id: 'd2',
  name: 'builder',
  first_seen: iso(-100),
  last_seen: iso(-98),
  resolution: 'healed',
}

test('shows each field of a change, with its author and a short request id', async () => {
  const html = await rendered({ path: '/drift', records: { drift: [record, closed] } })
  for (const part of ['tool_policy.mode', 'tool_policy.tools', '− Read', 'mia', '>b67c8270<', 'healed', 'for 2 s'])
    expect(html).toContain(part)
  expect(html).toContain('RLO')
  expect(html).not.toContain(RLO)
  expect(html).not.toContain('{"mode"')
})

test('says that a value is not set in the words of the page, not in those of the manifest', async () => {
  const prompt = { ...record, path: 'system_prompt', last_applied: null, live: 'null' }
  const html = await rendered({ path: '/drift', records: { drift: [prompt] } })
  expect(html).toContain('<span class="absent">not set</span>')
  expect(html).toContain('<bdi dir="auto" class="mono">null</bdi>')
})

test('filters by the words of the address', async () => {
  const html = await rendered({ path: '/drift?q=healed', records: { drift: [record, closed] } })
  expect(html).toContain('agents/builder')
  expect(html).not.toContain('agents/greeter')
})

test('says that actions are disabled while disconnected', async () => {
  const html = await rendered({ path: '/drift', records: { drift: [record] }, lostAt: NOW })
  expect(html).toContain('Actions are disabled while disconnected.')
})
