import { expect, test } from 'vitest'
import { policyParts } from '../../../../../web/screens/agents/policy/policy-parts.ts'

test('names the parts of a policy in the order in which they decide', () => {
  const titles = (policy: Parameters<typeof policyParts>[0]) => policyParts(policy).map(({ title }) => title)
  expect(titles({ mode: 'allow_list', tools: ['Read'], ask: ['Bash'], deny: ['Bash(rm *)'] })).toEqual([
    'Deny',
    'Ask',
    'Allow',
    'Otherwise: deny',
  ])
  expect(titles({ mode: 'allow_list', tools: ['Read'], otherwise: 'ask' })).toEqual(['Allow', 'Otherwise: ask'])
  expect(titles({ mode: 'deny_list', tools: ['Bash'] })).toEqual(['Deny', 'Undeterminable: ask', 'Otherwise: allow'])
  const whole = (['allow_all', 'deny_all', 'require_approval'] as const).map((mode) => titles({ mode }).join())
  expect(whole).toEqual(['Allow all', 'Deny all', 'Ask for all'])
})
