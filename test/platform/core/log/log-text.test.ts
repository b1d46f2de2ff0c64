import { expect, test } from 'vitest'
import { logText } from '../../../../platform/core/log/log-text.ts'

const ID = '9572f54d-c507-4222-b759-a28ffadb1a47'

test.each([
  [{ msg: 'daemon stopped', agents: false }, 'daemon stopped'],
  [{ msg: 'agent launched', name: 'scribe', agent_id: ID, launch: 1 }, 'agent launched: scribe, launch 1'],
  [{ msg: 'message accepted', agent_id: ID, actor: 'mia', waiting: 0 }, 'message accepted: 9572f54d, by mia'],
  [
    { msg: 'reconciled', source: 'team', run: ID, create: 6, update: 0, took_ms: 2769.2 },
    'reconciled: source team, run 9572f54d, create 6, took 2769 ms',
  ],
  [
    { msg: 'request', endpoint: 'POST /agents', path: '/agents', status: 201, actor: 'mia', tookMs: 12.3 },
    'POST /agents: 201, by mia, 12 ms',
  ],
  [{ msg: 'a pass failed', error: 'one\n  two' }, 'a pass failed: one | two'],
  [{ msg: 'listening', services: { notify: 'http://x' } }, 'listening: services notify http://x'],
  [{ msg: 'left', names: ['a', 'b'], none: [], nothing: null }, 'left: names a b'],
])('formats %j', (facts, text) => {
  expect(logText(facts)).toBe(text)
})

test('writes one line without JSON', () => {
  const text = logText({ msg: 'odd', list: [{ a: 1 }, 'x\ny'], deep: { more: { most: 'z' } } })
  expect(text).toBe('odd: list 1 x | y, deep more most z')
})
