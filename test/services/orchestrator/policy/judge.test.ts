import { expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { mainArgument } from '../../../../services/orchestrator/policy/main-argument.ts'
import { glob } from '../../../../services/orchestrator/policy/glob.ts'
import { decide, denyMessages, noDecision, type Decision } from '../../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', additionalDirs: ['/'], closed: closedUnder('/home/me') }
const bash = (command: string) => ['Bash', { command }] as const
const read = (file_path: string) => ['Read', { file_path }] as const
const fetch = (url: string) => ['WebFetch', { url }] as const

type Case = [policy: ToolPolicy, request: readonly [string, unknown], want: Decision]
const allow = (...tools: string[]): ToolPolicy => ({ mode: 'allow_list', tools })
const deny = (...tools: string[]): ToolPolicy => ({ mode: 'deny_list', tools, otherwise: 'deny' })

const cases: Record<string, Case> = {
  'allows every tool under allow_all': [{ mode: 'allow_all' }, bash('rm -rf /'), 'allow'],
  'denies every tool under deny_all': [{ mode: 'deny_all' }, read('/work/app/a'), 'deny'],
  'asks a person under require_approval': [{ mode: 'require_approval' }, read('/work/app/a'), 'ask'],
  'denies every tool under an unknown mode': [{ mode: 'sometimes' } as unknown as ToolPolicy, read('/a'), 'deny'],
  'denies every tool under an empty allow list': [allow(), read('/a'), 'deny'],
  'allows every tool under an empty deny list': [deny(), bash('ls'), 'allow'],
  'allows a tool on the allow list': [allow('Read'), read('/anywhere'), 'allow'],
  'denies a tool that is not on the allow list': [allow('Read'), bash('ls'), 'deny'],
  'denies every tool under an allow list without tools': [{ mode: 'allow_list' }, bash('ls'), 'deny'],
  'compares tool names in full': [allow('Rea'), read('/a'), 'deny'],
  'denies a tool on the deny list': [deny('WebFetch'), fetch('https://a.example/'), 'deny'],
  'allows a tool that is not on the deny list': [deny('WebFetch'), bash('ls'), 'allow'],
  'denies Agent, the other name of Task, when Task is denied': [deny('Task'), ['Agent', {}], 'deny'],

  'allows a matching command': [allow('Bash(git log *)'), bash('git log --oneline -5'), 'allow'],
  'denies a command that does not match': [allow('Bash(git log *)'), bash('git push'), 'deny'],
  'allows an exact command': [allow('Bash(npm test)'), bash('npm test'), 'allow'],
  'denies a command longer than the exact one': [allow('Bash(npm test)'), bash('npm test --foo'), 'deny'],
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
      `denies shell control in place of the star: ${JSON.stringify(command)}`,
      [allow('Bash(git log *)'), bash(command), 'deny'],
    ]),
  ),
  'denies a substitution for a star after a dollar sign': [allow('Bash(echo $*)'), bash('echo $(rm x)'), 'deny'],
  'does not treat a quoted parenthesis as shell control': [allow('Bash(grep *)'), bash('grep "f(x)" a'), 'allow'],
  'allows shell control that the pattern contains': [
    allow('Bash(make * && make test)'),
    bash('make all && make test'),
    'allow',
  ],
  'denies shell control in place of the pattern’s star': [
    allow('Bash(make * && make test)'),
    bash('make all; rm x && make test'),
    'deny',
  ],
  'allows a plain command under Bash(*)': [allow('Bash(*)'), bash('ls -l'), 'allow'],
  'allows each command of a chain under Bash(*)': [allow('Bash(*)'), bash('ls; ls'), 'allow'],
  'denies a command substitution as words of a program that does not only read': [
    allow('Bash(*)'),
    bash('rm $(ls)'),
    'deny',
  ],
  'allows a command substitution as words of a program that only reads': [allow('Bash(*)'), bash('ls $(ls)'), 'allow'],
  'denies a missing command under a pattern': [allow('Bash(ls)'), ['Bash', {}], 'deny'],

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
      `finds the denied command in ${JSON.stringify(command)}`,
      [deny('Bash(git push *)'), bash(command), 'deny'],
    ]),
  ),
  'allows commands that do not match the deny pattern': [deny('Bash(git push *)'), bash('git pull; git log'), 'allow'],
  'denies a match anywhere in a chain for a pattern between stars': [
    deny('Bash(*rm -rf*)'),
    bash('ls; rm -rf x'),
    'deny',
  ],

  'allows a file below the pattern': [allow('Read(/work/app/src/*)'), read('/work/app/src/a/b.ts'), 'allow'],
  'resolves a relative pattern against the working directory': [
    allow('Read(src/*)'),
    read('/work/app/src/a.ts'),
    'allow',
  ],
  'resolves a relative path against the working directory': [allow('Read(/work/app/src/*)'), read('src/a.ts'), 'allow'],
  'denies a path that leaves the pattern by dots': [
    allow('Read(src/*)'),
    read('/work/app/src/../../../etc/passwd'),
    'deny',
  ],
  'denies a path that reaches the deny pattern by dots': [
    deny('Read(/etc/*)'),
    read('/work/app/../../etc/passwd'),
    'deny',
  ],
  'resolves ~ in a pattern to the home directory': [deny('Read(~/.ssh/*)'), read('/home/me/.ssh/id'), 'deny'],
  'matches a pattern that begins with a star in any folder': [deny('Read(*.env)'), read('/elsewhere/.env'), 'deny'],
  'denies a sibling folder with a longer name': [allow('Read(src/*)'), read('/work/app/src2/a'), 'deny'],
  'judges Edit by file_path': [allow('Edit(src/*)'), ['Edit', { file_path: 'src/a', old_string: 'x' }], 'allow'],
  'judges NotebookEdit by notebook_path': [
    allow('NotebookEdit(src/*)'),
    ['NotebookEdit', { notebook_path: '/etc/a' }],
    'deny',
  ],
  'judges Grep without a path by the working directory': [
    allow('Grep(/work/app*)'),
    ['Grep', { pattern: 'x' }],
    'allow',
  ],
  'denies a Glob whose pattern leaves its path': [
    allow('Glob(src/*)'),
    ['Glob', { path: 'src/a', pattern: '../../../etc/*' }],
    'deny',
  ],
  'allows a Glob inside its path': [allow('Glob(src/*)'), ['Glob', { path: 'src/a', pattern: '**/*.ts' }], 'allow'],
  'denies a file tool without a path under a deny pattern': [deny('Read(/etc/*)'), ['Read', {}], 'deny'],
  'denies a file tool without a path under an allow pattern': [allow('Read(*)'), ['Read', {}], 'deny'],

  'allows a matching URL': [allow('WebFetch(https://docs.example/*)'), fetch('https://docs.example/a?b'), 'allow'],
  'denies another host that begins with the allowed one': [
    allow('WebFetch(https://docs.example/*)'),
    fetch('https://docs.example.evil/a'),
    'deny',
  ],
  'denies a path that matches a star in the host': [
    allow('WebFetch(https://*.example/*)'),
    fetch('https://evil.test/x.example/'),
    'deny',
  ],
  'allows a subdomain that matches a star in the host': [
    allow('WebFetch(https://*.example/*)'),
    fetch('https://a.b.example/x'),
    'allow',
  ],
  'denies a host disguised by a user part': [
    allow('WebFetch(https://*.example/*)'),
    fetch('https://evil.test@x.example/'),
    'deny',
  ],
  'denies a denied host in capitals': [deny('WebFetch(https://evil.test/*)'), fetch('https://EVIL.test/a'), 'deny'],

  'matches an unknown tool by its complete input': [allow('mcp__x__y({"a":*})'), ['mcp__x__y', { a: 1 }], 'allow'],
  'denies text that is not a shell command': [allow('Bash(echo (a))'), bash('echo (a)'), 'deny'],
  'allows quoted parentheses in a pattern': [allow('Bash(echo "(a)" *)'), bash("echo '(a)' b"), 'allow'],
  'judges WebSearch by its query': [deny('WebSearch(*secret*)'), ['WebSearch', { query: 'a secret' }], 'deny'],
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
  test(`${want ? 'matches' : 'does not match'} "${text}" with "${pattern}"`, () =>
    expect(glob(pattern, text)).toBe(want))
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
  expect(denyMessages.policy('Bash', 'deny_all', null)).toBe("Tool 'Bash' is not allowed by policy 'deny_all'")
  expect(denyMessages.person('Bash', 'alice', 'too risky')).toBe("Tool 'Bash' denied by alice: too risky")
  expect(denyMessages.person('Bash', 'alice', null)).toBe("Tool 'Bash' denied by alice")
  expect(noDecision(300)).toBe('no human decision came within 5 minutes')
  expect(noDecision(1)).toBe('no human decision came within 1 second')
})
