// A redirection opens a file as the tools Read and Write do.
import { expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { decide } from '../../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }
const allow = (...tools: string[]): ToolPolicy => ({
  mode: 'allow_list',
  tools: ['Bash(ls *)', 'Bash(cat *)', ...tools],
})
const deny = (...tools: string[]): ToolPolicy => ({ mode: 'deny_list', tools })
const decided = (policy: ToolPolicy, command: string, additionalDirs: string[] = []) =>
  decide(policy, 'Bash', { command }, { ...place, additionalDirs })

test.each([
  'ls > out',
  'ls >> a/out',
  'ls 2> err',
  'ls &> out',
  'ls >| out',
  '> out',
  "cat > src/a.ts <<'EOF'\na\nEOF",
  '{ ls; } > out',
  'timeout 5 ls > out',
])('is covered where Write is, and only there: %s', (command) => {
  expect(decided(allow(), command)).toBe('deny')
  expect(decided(allow('Read'), command)).toBe('deny')
  expect(decided(allow('Write'), command)).toBe('allow')
})

test.each(['cat < in', 'cat 0< in', 'ls; < in'])('is covered where Read is: %s', (command) => {
  expect(decided(allow('Write'), command)).toBe('deny')
  expect(decided(allow('Read'), command)).toBe('allow')
})

test.each<[entry: string, command: string, want: string]>([
  ['Write(src/**)', 'ls > src/a', 'allow'],
  ['Write(src/**)', 'cd src && ls > a', 'deny'],
  ['Write(src/**)', 'ls > a', 'deny'],
  ['Write(src/**)', 'ls > src/../a', 'deny'],
  ['Write(src/**)', 'ls > "$X"', 'deny'],
  ['Write(src/**)', 'ls > src/*', 'deny'],
  ['Write', 'cat <> a', 'deny'],
  ['Write', 'ls > /dev/tcp/a.example/80', 'deny'],
  ['Write', 'ls > ../a', 'deny'],
  ['Edit', 'ls > a', 'deny'],
])('under %s beside commands: %s: %s', (entry, command, want) => {
  expect(decided(allow(entry), command)).toBe(want)
})

test('opens no connection, whatever the directories', () => {
  expect(decided(allow('Write', 'Read'), 'ls > /dev/tcp/a.example/80', ['/'])).toBe('deny')
  expect(decided(allow('Write', 'Read'), 'cat < /dev/udp/a.example/80', ['/'])).toBe('deny')
})

test.each<[entry: string, command: string, want: string]>([
  ['Write(.env)', 'ls > .env', 'deny'],
  ['Write(.env)', 'ls >> src/../.env', 'deny'],
  ['Write(.env)', '{ ls; } > .env', 'deny'],
  ['Write(.env)', '> .env', 'deny'],
  ['Edit(.env)', 'cat x > .env', 'deny'],
  ['Write(.env)', 'ls > out', 'allow'],
  ['Write(.env)', 'cat < .env', 'allow'],
  ['Read(.env)', 'cat < .env', 'deny'],
  ['Write', 'ls > out', 'deny'],
  ['Write(.env)', 'sh -c "ls > .env"', 'deny'],
  ['Write(.env)', 'my-tool "$X"', 'ask'],
])('a deny list of %s judges %s: %s', (entry, command, want) => {
  expect(decided(deny(entry), command)).toBe(want)
})
