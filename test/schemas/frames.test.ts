// Recorded frames of agent programs must be accepted.
import { expect, test } from 'vitest'
import { frameFault } from '../../schemas/frames/check.ts'

const session_id = 'febe6149-0b6f-44ab-a982-59dcb209db25'

test.each([
  ['claude, a list of words', ['interrupt_receipt_v1']],
  ['the bridge', { clears_context: true }],
  ['a program without any', null],
])('accepts the capabilities of %s', (_who, capabilities) => {
  expect(frameFault({ type: 'system', subtype: 'init', session_id, tools: ['Bash'], capabilities })).toBeNull()
})

test('checks the capabilities that the daemon reads', () => {
  expect(frameFault({ type: 'system', subtype: 'bridge', capabilities: { clears_context: 'yes' } })).toContain(
    'boolean',
  )
  expect(frameFault({ type: 'system', subtype: 'init', capabilities: 'all' })).toContain('capabilities must be')
})
