import { expect, test } from 'vitest'
import type { WorkflowToolPolicy } from '../../schemas/tools/policy.ts'
import { widening } from '../../schemas/tools/policy-width.ts'

const [all, none, ask, auto] = (['allow_all', 'deny_all', 'require_approval', 'auto'] as const).map((mode) => ({
  mode,
}))
const allow = (...tools: string[]): WorkflowToolPolicy => ({ mode: 'allow_list', tools })
const deny = (...tools: string[]): WorkflowToolPolicy => ({ mode: 'deny_list', tools })
const beside = (policy: WorkflowToolPolicy, ...ask: string[]): WorkflowToolPolicy => ({ ...policy, ask })
const UNLISTED = 'every tool that it does not list'

test.each([
  [all, all, null],
  [all, deny(), null],
  [all, none, 'every tool'],
  [all, ask, 'every tool'],
  [all, allow('Read'), 'every tool'],
  [all, deny('Bash', 'Edit'), 'Bash'],
  [none, none, null],
  [ask, none, null],
  [auto, none, null],
  [all, auto, null],
  [allow(), none, null],
  [allow('Read'), all, null],
  [allow('Read'), none, 'Read'],
  [allow('Read'), ask, 'Read'],
  [allow('Read'), allow('Read', 'Edit'), null],
  [allow('Read', 'Write'), allow('Read'), 'Write'],
  [allow('Read(src/**)'), allow('Read'), null],
  [allow('Read'), allow('Read(src/**)'), 'Read'],
  [allow('Read(src/a/*)'), allow('Read(src/**)'), null],
  [allow('Bash(git log *)'), allow('Bash(git *)'), null],
  [allow('Bash(git push)'), allow('Bash(git push:*)'), null],
  [allow('Bash(git pushx)'), allow('Bash(git push:*)'), 'Bash(git pushx)'],
  [allow('Bash(git *)'), allow('Bash(git log *)'), 'Bash(git *)'],
  [allow('mcp__github__get_issue'), allow('mcp__github'), null],
  [allow('mcp__github__get_issue'), allow('mcp__github__get_*'), null],
  [allow('mcp__github2__x'), allow('mcp__github'), 'mcp__github2__x'],
  [allow('Read'), deny('Bash'), null],
  [allow('Bash'), deny('Bash(rm *)'), 'Bash'],
  [allow('Bash(rm -r *)'), deny('Bash(rm *)'), 'Bash(rm -r *)'],
  [allow('Bash(ls *)'), deny('Bash(rm *)'), null],
  [deny('Bash'), none, UNLISTED],
  [deny('Bash'), ask, UNLISTED],
  [deny('Bash'), allow('Read'), UNLISTED],
  [deny('Bash'), deny('Bash(rm *)'), null],
  [deny('Bash(rm *)'), deny('Bash'), 'Bash'],
  [deny('Edit'), deny('Bash', 'Edit'), 'Bash'],
  [beside(allow('Bash(git *)'), 'Bash(git push *)'), beside(allow('Bash(git *)'), 'Bash(git push *)'), null],
  [beside(allow('Bash(git *)'), 'Bash(git push *)'), allow('Bash(git *)'), null],
  [allow('Bash(git *)'), beside(allow('Bash(git *)'), 'Bash(git push *)'), 'Bash(git *)'],
  [beside(allow('Read', 'Write'), 'Write'), allow('Read'), null],
  [{ ...allow('Bash(git *)'), deny: ['Bash(git push *)'] }, beside(allow('Bash(git *)'), 'Bash(git push *)'), null],
  [{ ...allow(), otherwise: 'ask' }, none, null],
  [deny(), beside(deny(), 'Bash'), 'Bash'],
  [all, beside(deny(), 'Bash'), 'Bash'],
  [deny('Bash'), beside(deny(), 'Bash'), null],
] as [WorkflowToolPolicy, WorkflowToolPolicy, string | null][])('%j over %j allows %j', (policy, other, more) =>
  expect(widening(policy, other)).toBe(more),
)
