import { expect, test } from 'vitest'
import { checkAgentManifest } from '../../schemas/agent/check.ts'
import { policyKind } from '../../schemas/policy.ts'
import { policyWarnings } from '../../schemas/tools/policy-warnings.ts'
import { checkPolicyInput } from '../../schemas/policy.ts'

const allow = (...tools: string[]) => ({ mode: 'allow_list' as const, tools })
const deny = (...tools: string[]) => ({ mode: 'deny_list' as const, tools })

test.each([
  [allow('Bash(curl -s http://localhost:*)'), 'does not match a port: ":*" at the end means more words'],
  [allow('Bash(curl http://127.0.0.1:*)'), 'does not match a port: ":*" at the end means more words'],
  [allow('Bash(rm *)'), 'also covers rm -rf with any folder'],
  [allow('Bash(rm -f:*)'), 'also covers rm -rf with any folder'],
  [deny('Read(./.env)'), 'also refuses every Grep, Glob and LS of a folder above'],
  [deny('Read(**/.env)'), 'also refuses every Grep, Glob and LS of a folder above'],
  [{ ...allow('Read'), ask: ['Read'] }, 'has no effect: "ask" has it too, and is evaluated first'],
  [{ ...allow(), ask: ['Read'], deny: ['Read'] }, 'has no effect: "deny" has it too, and is evaluated first'],
])('warns of %j', (policy, why) => {
  const [warning, ...more] = policyWarnings(policy, ['tool_policy'])
  expect([warning?.message, more]).toEqual([expect.stringMatching(/^"[^ ].*" /), []])
  expect(warning).toMatchObject({ severity: 'warning', code: 'entry-misleading', hint: expect.any(String) })
  expect(warning!.message).toContain(why)
})

test.each([
  allow('Bash(curl http://localhost:3*)', 'Bash(git push:*)', 'Read(./.env)', 'Bash(rm dist/*)'),
  { ...allow('Bash(rm *)'), ask: ['Bash(rm -r *)'] },
  { ...allow('Bash(rm *)'), ask: ['Bash'] },
  deny('Read', 'Read(//etc/**)', 'Read(~/.ssh/**)', 'Bash(rm *)'),
  { ...deny(), ask: ['Read(**/.env)'] },
  ...policyKind.builtIn!,
])('does not warn of %j', (policy) => expect(policyWarnings(policy, [])).toEqual([]))

test('warns of manifests, and accepts such a request', () => {
  const policy = { ...allow('Bash(rm *)') }
  expect(policyKind.check({ name: 'p', ...policy }, null as never)).toMatchObject([{ path: ['tools', 0] }])
  expect(checkPolicyInput(policy)).toEqual([])
  const context = { directoryFault: () => null, directory: '/', project: '/', home: '/' } as never
  const agent = { name: 'a', working_dir: '/', tool_policy: policy }
  expect(checkAgentManifest(agent, context)).toMatchObject([{ path: ['tool_policy', 'tools', 0] }])
})
