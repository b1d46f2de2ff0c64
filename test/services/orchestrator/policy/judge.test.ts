import { expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { mainArgument } from '../../../../services/orchestrator/policy/main-argument.ts'
import { glob } from '../../../../services/orchestrator/policy/glob.ts'
import { decide, denyMessages, noDecision, type Decision } from '../../../../services/orchestrator/policy/judge.ts'

const place = { workingDir: '/work/app', home: '/home/me', additionalDirs: ['/'] }
const bash = (command: string) => ['Bash', { command }] as const
const read = (file_path: string) => ['Read', { file_path }] as const
const fetch = (url: string) => ['WebFetch', { url }] as const

type Case = [policy: ToolPolicy, request: readonly [string, unknown], want: Decision]
const allow = (...tools: string[]): ToolPolicy => ({ mode: 'allow_list', tools })
const deny = (...tools: string[]): ToolPolicy => ({ mode: 'deny_list', tools })

const cases: Record<string, Case> = {
  'allow_all allows': [{ mode: 'allow_all' }, bash('rm -rf /'), 'allow'],
  'deny_all denies': [{ mode: 'deny_all' }, read('/work/app/a'), 'deny'],
  'require_approval asks': [{ mode: 'require_approval' }, read('/work/app/a'), 'ask'],
  'an unknown mode denies': [{ mode: 'sometimes' } as unknown as ToolPolicy, read('/a'), 'deny'],
  'an empty allow list denies all': [allow(), read('/a'), 'deny'],
  'an empty deny list allows all': [deny(), bash('ls'), 'allow'],
  'an allow list allows a listed tool': [allow('Read'), read('/anywhere'), 'allow'],
  'an allow list denies an unlisted tool': [allow('Read'), bash('ls'), 'deny'],
  'an allow list without tools denies': [{ mode: 'allow_list' }, bash('ls'), 'deny'],
  'compares names in full': [allow('Rea'), read('/a'), 'deny'],
  'a deny list denies a listed tool': [deny('WebFetch'), fetch('https://a.example/'), 'deny'],
  'a deny list allows the others': [deny('WebFetch'), bash('ls'), 'allow'],
  'Task is denied when it asks as Agent': [deny('Task'), ['Agent', {}], 'deny'],

  'a matching command is allowed': [allow('Bash(git log *)'), bash('git log --oneline -5'), 'allow'],
  'a command that does not match is denied': [allow('Bash(git log *)'), bash('git push'), 'deny'],
  'an exact command is allowed': [allow('Bash(npm test)'), bash('npm test'), 'allow'],
  'a longer command than the exact one is denied': [allow('Bash(npm test)'), bash('npm test --foo'), 'deny'],
  ...Object.fromEntries(
    [
      'git log; rm -rf x',
      'git log x; rm -rf x',
      'git log x && rm x',
      'git log x | sh',
      'git log x > /etc/passwd',
      'git log < x',
      'git log `rm x`',
      'git log $(rm x)',
      'git log x\nrm x',
      'git log x & rm x',
      'git log x\rrm x',
    ].map((command): [string, Case] => [
      `the star of an allowed command does not span shell control: ${JSON.stringify(command)}`,
      [allow('Bash(git log *)'), bash(command), 'deny'],
    ]),
  ),
  'a dollar before a star does not allow a substitution': [allow('Bash(echo $*)'), bash('echo $(rm x)'), 'deny'],
  'a single parenthesis is not shell control': [allow('Bash(grep *)'), bash('grep "f(x)" a'), 'allow'],
  'control characters in the pattern itself match': [
    allow('Bash(make * && make test)'),
    bash('make all && make test'),
    'allow',
  ],
  'and only there': [allow('Bash(make * && make test)'), bash('make all; rm x && make test'), 'deny'],
  'Bash(*) allows a plain command': [allow('Bash(*)'), bash('ls -l'), 'allow'],
  'Bash(*) allows each command of a chain': [allow('Bash(*)'), bash('ls; ls'), 'allow'],
  'Bash(*) allows no unknown construct': [allow('Bash(*)'), bash('ls $(ls)'), 'deny'],
  'a missing command matches no pattern': [allow('Bash(ls)'), ['Bash', {}], 'deny'],

  ...Object.fromEntries(
    [
      'git push origin',
      'ls; git push origin',
      'ls && git push x',
      'ls || git push x',
      'ls | git push x',
      '  git   push   x',
      'GIT_SSH=x git push x',
      'A=1 B="2 3" git push x',
      '(git push x)',
      'echo $(git push x)',
      'echo `git push x`',
      'true\ngit push x',
      'sudo git push x',
      'env A=b git push x',
      '/usr/bin/git push x',
      'g"i"t push x',
      'g\\it push x',
      'git push',
      'if true; then git push x; fi',
      '! git push x',
      'ls & git push x',
    ].map((command): [string, Case] => [
      `a denied command is found in ${JSON.stringify(command)}`,
      [deny('Bash(git push *)'), bash(command), 'deny'],
    ]),
  ),
  'a deny pattern does not affect other commands': [deny('Bash(git push *)'), bash('git pull; git log'), 'allow'],
  'a deny pattern with a star spans everything': [deny('Bash(*rm -rf*)'), bash('ls; rm -rf x'), 'deny'],

  'a file below the pattern is allowed': [allow('Read(/work/app/src/*)'), read('/work/app/src/a/b.ts'), 'allow'],
  'a relative pattern starts at the working directory': [allow('Read(src/*)'), read('/work/app/src/a.ts'), 'allow'],
  'a relative path does too': [allow('Read(/work/app/src/*)'), read('src/a.ts'), 'allow'],
  'dots do not lead out of the pattern': [allow('Read(src/*)'), read('/work/app/src/../../../etc/passwd'), 'deny'],
  'dots do not lead around a deny pattern': [deny('Read(/etc/*)'), read('/work/app/../../etc/passwd'), 'deny'],
  'a home path is resolved': [deny('Read(~/.ssh/*)'), read('/home/me/.ssh/id'), 'deny'],
  'a pattern that begins with a star matches anywhere': [deny('Read(*.env)'), read('/elsewhere/.env'), 'deny'],
  'a sibling with a longer name does not match': [allow('Read(src/*)'), read('/work/app/src2/a'), 'deny'],
  'an Edit is judged by file_path': [allow('Edit(src/*)'), ['Edit', { file_path: 'src/a', old_string: 'x' }], 'allow'],
  'a NotebookEdit is judged by notebook_path': [
    allow('NotebookEdit(src/*)'),
    ['NotebookEdit', { notebook_path: '/etc/a' }],
    'deny',
  ],
  'a Grep without a path searches the working directory': [
    allow('Grep(/work/app*)'),
    ['Grep', { pattern: 'x' }],
    'allow',
  ],
  'a Glob whose pattern leaves its path is denied': [
    allow('Glob(src/*)'),
    ['Glob', { path: 'src/a', pattern: '../../../etc/*' }],
    'deny',
  ],
  'a Glob inside its path is allowed': [allow('Glob(src/*)'), ['Glob', { path: 'src/a', pattern: '**/*.ts' }], 'allow'],
  'a file tool without a path is denied by a deny pattern': [deny('Read(/etc/*)'), ['Read', {}], 'deny'],
  'a file tool without a path is not allowed by a pattern': [allow('Read(*)'), ['Read', {}], 'deny'],

  'a matching address is allowed': [
    allow('WebFetch(https://docs.example/*)'),
    fetch('https://docs.example/a?b'),
    'allow',
  ],
  'another host is denied': [allow('WebFetch(https://docs.example/*)'), fetch('https://docs.example.evil/a'), 'deny'],
  'a star in the host does not span the path': [
    allow('WebFetch(https://*.example/*)'),
    fetch('https://evil.test/x.example/'),
    'deny',
  ],
  'a star in the host matches a subdomain': [
    allow('WebFetch(https://*.example/*)'),
    fetch('https://a.b.example/x'),
    'allow',
  ],
  'a user part does not disguise a host': [
    allow('WebFetch(https://*.example/*)'),
    fetch('https://evil.test@x.example/'),
    'deny',
  ],
  'capitals do not disguise a denied host': [
    deny('WebFetch(https://evil.test/*)'),
    fetch('https://EVIL.test/a'),
    'deny',
  ],

  'an unknown tool is matched by its whole input': [allow('mcp__x__y({"a":*})'), ['mcp__x__y', { a: 1 }], 'allow'],
  'text that is no shell command is never allowed': [allow('Bash(echo (a))'), bash('echo (a)'), 'deny'],
  'an entry keeps parentheses in quotes': [allow('Bash(echo "(a)" *)'), bash("echo '(a)' b"), 'allow'],
  'the main argument of a search is its query': [
    deny('WebSearch(*secret*)'),
    ['WebSearch', { query: 'a secret' }],
    'deny',
  ],
}

for (const [title, [policy, [tool, input], want]] of Object.entries(cases)) {
  test(title, () => expect(decide(policy, tool, input, place)).toBe(want))
}

for (const [pattern, text, want] of [
  ['', '', true],
  ['*', '', true],
  ['a*', 'a', true],
  ['*a', 'ba', true],
  ['a*b*c', 'a--b--b--c', true],
  ['a*b', 'a', false],
  ['**', 'x', true],
  ['a', 'ab', false],
  ['.', 'x', false],
  ['a*a', 'a', false],
] as const) {
  test(`"${pattern}" ${want ? 'matches' : 'does not match'} "${text}"`, () => expect(glob(pattern, text)).toBe(want))
}

test('matches many stars against a long text in bounded time', () => {
  expect(glob(`${'*a'.repeat(50)}b`, 'a'.repeat(20_000))).toBe(false)
})

test('finds the main argument of a tool', () => {
  expect(mainArgument('Bash', { command: 'ls' })).toBe('ls')
  expect(mainArgument('Read', { file_path: '/a' })).toBe('/a')
  expect(mainArgument('WebFetch', { url: 'u' })).toBe('u')
  expect(mainArgument('Other', { a: 1 })).toBe('{"a":1}')
})

test('explains why a tool is denied', () => {
  expect(denyMessages.policy('Bash', 'deny_all')).toBe("Tool 'Bash' is not allowed by policy 'deny_all'")
  expect(denyMessages.person('Bash', 'alice', 'too risky')).toBe("Tool 'Bash' denied by alice: too risky")
  expect(denyMessages.person('Bash', 'alice', null)).toBe("Tool 'Bash' denied by alice")
  expect(denyMessages.timeout('Bash', 300)).toBe("Tool 'Bash' denied: no human decision came within 5 minutes")
  expect(noDecision(1)).toBe('no human decision came within 1 second')
})
