import { describe, expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { judge } from '../../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', additionalDirs: ['/'], closed: closedUnder('/home/me') }
const bash = (command: string) => ['Bash', { command }] as const
const read = (file_path: string) => ['Read', { file_path }] as const
const grep = (input: object) => ['Grep', { pattern: 'x', ...input }] as const

const git: ToolPolicy = {
  mode: 'allow_list',
  tools: ['Bash(git *)', 'Read', 'Grep', 'mcp__github'],
  ask: ['Bash(git push *)', 'mcp__github__create_*', 'Read(secrets/**)'],
  deny: ['Bash(git push --force *)', 'Read(**/.env)'],
}
const careful: ToolPolicy = { mode: 'deny_list', tools: ['Bash(sudo *)'], ask: ['Bash(rm -rf *)', 'WebFetch'] }
type Case = [policy: ToolPolicy, request: readonly [string, unknown], want: string, reason?: string, part?: string]

const cases: Record<string, Case> = {
  'allows what only tools names': [git, bash('git status'), 'allow'],
  'asks before it allows': [git, bash('git push origin x'), 'ask', 'an entry covers it', 'git push origin x'],
  'denies before it asks': [git, bash('git push --force origin'), 'deny', 'an entry covers it'],
  'asks for an MCP tool by prefix': [git, ['mcp__github__create_issue', {}], 'ask', 'an entry names the tool'],
  'allows the other tools of the server': [git, ['mcp__github__get_issue', {}], 'allow'],
  'denies a file beside an allowed tool': [git, read('/work/app/.env'), 'deny', 'the entry Read(**/.env) covers it'],
  'asks for a folder beside an allowed tool': [git, read('secrets/a'), 'ask', 'the entry Read(secrets/**) covers it'],
  'allows a search above a denied file': [git, grep({}), 'allow'],
  'denies a search of a denied file': [git, grep({ path: '.env' }), 'deny'],
  'asks for a search below a folder that a person decides': [git, grep({ path: 'secrets/a' }), 'ask'],
  'denies by default what no entry covers': [git, bash('make'), 'deny', 'no entry covers it', 'make'],
  'denies by default a tool that no entry names': [
    git,
    ['Write', { file_path: 'a' }],
    'deny',
    'no entry names the tool',
  ],
  'asks for a tool that its program does not name': [
    { mode: 'deny_list', tools: ['mcp__svc__doc_delete'] },
    ['other', { title: 'svc_doc_delete' }],
    'ask',
    'its program does not name the tool',
    '{"title":"svc_doc_delete"}',
  ],
  'does not cover a tool that its program does not name': [git, ['other', {}], 'deny', 'no entry names the tool'],
  'asks for what no entry covers': [{ ...git, otherwise: 'ask' }, bash('make'), 'ask', 'no entry covers it'],
  'asks for what is unclear': [{ ...git, otherwise: 'ask' }, bash('git $X'), 'ask'],
  'still denies what an entry denies': [{ ...git, otherwise: 'ask' }, read('.env'), 'deny'],
  'asks for unclear commands beside a whole tool': [
    { mode: 'allow_list', tools: ['Bash'], deny: ['Bash(git push *)'], otherwise: 'ask' },
    bash('$X'),
    'ask',
  ],
  'allows clear commands beside a whole tool': [
    { mode: 'allow_list', tools: ['Bash'], deny: ['Bash(git push *)'] },
    bash('git status'),
    'allow',
  ],
  'allows under a deny list what no entry names': [careful, bash('ls'), 'allow'],
  'denies what a deny list names': [careful, bash('ls; sudo ls'), 'deny', 'an entry covers it'],
  'asks beside a deny list': [careful, bash('rm -rf src'), 'ask', 'an entry covers it'],
  'asks for a whole tool beside a deny list': [careful, ['WebFetch', { url: 'https://a.b/' }], 'ask'],
  'asks by default for what is unclear under a deny list': [careful, bash('$X y'), 'ask'],
  'denies what is unclear under a deny list': [{ ...careful, otherwise: 'deny' }, bash('$X y'), 'deny'],
  'needs no clear command without patterns for it': [{ mode: 'deny_list', tools: ['Write'] }, bash('$X y'), 'allow'],
  'ignores answers under a mode without a list': [{ mode: 'allow_all', deny: ['Bash'] }, bash('ls'), 'allow'],
}

for (const [title, [policy, [tool, input], want, reason, part]] of Object.entries(cases)) {
  test(title, () => {
    const { decision, finding } = judge(policy, tool, input, place)
    expect(decision).toBe(want)
    if (want === 'allow') expect(finding).toBeNull()
    else expect(finding).toMatchObject({ ...(reason ? { reason } : {}), ...(part ? { part } : {}) })
  })
}

describe('the message of a denial', () => {
  const messageOf = (policy: ToolPolicy, [tool, input]: readonly [string, unknown]) =>
    judge(policy, tool, input, place).message

  test('has the reason with the part that it is about', () => {
    expect(messageOf(git, bash('make all'))).toBe(
      "Tool 'Bash' is not allowed by policy 'allow_list': no entry covers it: make all",
    )
    expect(messageOf(git, bash('git log $X'))).toMatch(/ policy 'allow_list': .*: git log \$X$/)
    expect(messageOf(git, read('.env'))).toBe(
      "Tool 'Read' is not allowed by policy 'allow_list': the entry Read(**/.env) covers it: .env",
    )
  })

  test('is short for a long command', () => {
    expect(messageOf(git, bash(`make ${'a'.repeat(5000)}`)).length).toBeLessThan(300)
  })
})
