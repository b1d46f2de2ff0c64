import { expect, test } from 'vitest'
import { parseToolEntry } from '../../schemas/tools/entry.ts'
import { policyFaults } from '../../schemas/tools/policy-faults.ts'

const faultOf = (entry: string, mode = 'allow_list') => policyFaults({ mode, tools: ['Read', entry] }, ['tool_policy'])

test.each([
  'Read',
  'Bash',
  'Bash(git push:*)',
  'Bash(npm run test)',
  'Bash(git log *)',
  'Bash(*)',
  'Bash(*rm -rf*)',
  'Bash(curl * | bash)',
  'Bash(echo * > out.txt)',
  'Bash(cd "$HOME" && ls)',
  'WebFetch(domain:example.com)',
  'WebFetch(domain:*.example.com)',
  'WebFetch(domain:example.com:8080)',
  'WebFetch(https://docs.example/*)',
  'WebFetch(*)',
  'WebFetch',
  'mcp__server',
  'mcp__server__*',
  'mcp__server__tool',
  'mcp__server__get_*',
  'mcp__a-b__c.d',
  'Read(//abs/**)',
  'Read(~/x)',
  'Edit(src/**)',
  'Read(./.env)',
  'Read(*.env)',
  'Agent(Explore)',
  'Task',
  'Skill(deploy *)',
  'WebSearch(*x*)',
  'SomethingOfMyOwn',
  'my_tool(x)',
])('accepts %s', (entry) => {
  expect(faultOf(entry)).toEqual([])
  expect(parseToolEntry(entry)).not.toBeNull()
})

test.each([
  ['bash', 'did you mean "Bash"?'],
  ['Reed', 'did you mean "Read"?'],
  ['Webfetch(domain:a.b)', 'did you mean "WebFetch"?'],
  ['Bsh(git log)', 'did you mean "Bash"?'],
  ['Gerp', 'did you mean "Grep"?'],
  ['Bash()', 'write Bash for every use, or a pattern in the parentheses'],
  ['Bash( )', 'write Bash for every use, or a pattern in the parentheses'],
  ['Bash(git:* push)', 'write Bash(git push:*)'],
  ["Bash(echo 'a)", 'write it as in a shell'],
  ['Bash(echo (a))', 'write it as in a shell'],
  ['Bash(git log && )', 'write it as in a shell'],
  ['Bash(# x)', 'write it as in a shell'],
  ['Bash(echo $HOME *)', 'an allow list matches only literal words; write the command out'],
  ['Bash(git log $(x) *)', 'an allow list matches only literal words; write the command out'],
  ['Bash(time *)', 'write the command itself'],
  ['WebFetch(example.com)', 'write WebFetch(domain:example.com) or WebFetch(https://example.com/*)'],
  ['WebFetch(domain:)', 'write WebFetch(domain:example.com)'],
  ['WebFetch(domain:https://a.b)', 'write WebFetch(domain:example.com)'],
  ['WebFetch(domain:a.b/c)', 'write WebFetch(domain:example.com)'],
  ['mcp__', 'write mcp__server, mcp__server__* or mcp__server__tool'],
  ['mcp_server', 'write mcp__server, mcp__server__* or mcp__server__tool'],
])('rejects %s, which can never match, with a hint', (entry, hint) => {
  expect(faultOf(entry)).toEqual([
    {
      path: ['tool_policy', 'tools', 1],
      code: 'invalid-value',
      message: expect.stringContaining(`"${entry}" can never match: `),
      hint,
    },
  ])
})

test.each(['', 'a b', 'Read (x)', '*', 'Read*', '(x)', 'Read(x', 'Read x)', '1a', ' Read', 'Read\n'])(
  'rejects %j',
  (entry) => {
    expect(faultOf(entry)).toMatchObject([
      { path: ['tool_policy', 'tools', 1], message: `"${entry}" is not a tool entry` },
    ])
  },
)

test('matches expansions in deny list entries verbatim', () => {
  expect(faultOf('Bash(echo $HOME *)', 'deny_list')).toEqual([])
})
