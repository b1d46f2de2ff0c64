import { expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { canWrite } from '../../../../services/orchestrator/policy/writing-policies.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work', home: '/home/me', closed: closedUnder('/home/me') }
const FILE = '/work/manifests/agents/a.yml'
const can = (policy: ToolPolicy) => canWrite(policy, FILE, place)
const allow = (...tools: string[]): ToolPolicy => ({ mode: 'allow_list', tools })
const deny = (...tools: string[]): ToolPolicy => ({ mode: 'deny_list', tools })

test.each<[string, ToolPolicy]>([
  ['allow_all', { mode: 'allow_all' }],
  ['a deny list without a writing tool', deny('Bash', 'Write', 'Edit', 'MultiEdit')],
  ['a deny list of some commands', deny('Bash(rm *)', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit')],
  ...[
    'Write',
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'Edit(manifests/**)',
    'Write(*.yml)',
    'Bash',
    'mcp__files',
    'mcp__files__write_file',
  ].map((entry): [string, ToolPolicy] => [entry, allow('Read', entry)]),
  ...['npm test', 'python3 *', 'sed *', 'git checkout *', 'echo * > a.yml', 'cp *', 'make:*'].map(
    (command): [string, ToolPolicy] => [`Bash(${command})`, allow(`Bash(${command})`)],
  ),
])('%s lets an agent write', (_, policy) => {
  expect(can(policy)).toBe(true)
})

test.each<[string, ToolPolicy]>([
  ['deny_all', { mode: 'deny_all' }],
  ['require_approval', { mode: 'require_approval' }],
  ['a deny list of all writing tools', deny('Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit')],
  ['an empty allow list', allow()],
  ...['Read', 'Grep', 'WebFetch', 'Write(src/**)', 'Edit(/other/*)', 'mcp__files__read_file', 'Task'].map(
    (entry): [string, ToolPolicy] => [entry, allow(entry)],
  ),
  ...['cat *', 'grep *', 'ls:*', 'git status', 'git log *', 'git diff *', 'sort *', 'find *', 'sed -n 1p a'].map(
    (command): [string, ToolPolicy] => [`Bash(${command})`, allow(`Bash(${command})`)],
  ),
])('%s lets no agent write', (_, policy) => {
  expect(can(policy)).toBe(false)
})
