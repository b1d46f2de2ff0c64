import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { shownFiles } from '../../first-hour/shown-files.ts'
import { svc } from '../../support/command.ts'

const EXTENDED = '--exit-codes=extended'
const shown = shownFiles('docs/policies.md')
const top = mkdtempSync(join(tmpdir(), 'svc-calls-'))
afterAll(() => rmSync(top, { recursive: true }))

async function tested(files: Record<string, string>, ...words: string[]) {
  const cwd = mkdtempSync(join(top, 'case-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return svc(['policy', 'test', 'calls.yaml', ...words], { cwd })
}
const call = (command: string, expect: string) =>
  `  - {tool: Bash, input: {command: ${JSON.stringify(command)}}, expect: ${expect}}\n`

test('passes the documented calls with the documented policy, without a daemon', async () => {
  const { code, stdout } = await tested({ ...shown, 'calls.yaml': shown['policy-calls.yaml']! })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/4 cases: 4 as expected\n$/)])
})

test('judges calls by a built-in policy', async () => {
  const calls = `policy: builder\ncalls:\n${call('npm test', 'allow')}${call('git push', 'ask')}${call('sudo ls', 'deny')}`
  expect(await tested({ 'calls.yaml': calls })).toMatchObject({ code: 0 })
})

test('reports an unexpected answer with its reason and line', async () => {
  const policy = 'policy: {mode: allow_list, tools: ["Bash(git *)"], ask: ["Bash(git push *)"]}\n'
  const read = '  - {tool: Read, input: {file_path: /etc/passwd}, expect: allow}\n'
  const calls = `${policy}calls:\n${call('git push', 'allow')}${call('git log', 'allow')}${call('make', 'ask')}${read}`
  const { code, stdout } = await tested({ 'calls.yaml': calls }, EXTENDED)
  expect(code).toBe(12)
  expect(stdout).toContain(
    '✗ Bash(git push)  calls.yaml:3\n    expected allow, instead got ask: an entry covers it: git push\n✓ Bash(git log)  calls.yaml:4\n',
  )
  expect(stdout).toContain('expected ask, instead got deny: no entry covers it: make\n')
  expect(stdout).toMatch(/expected allow, instead got deny: Tool 'Read' is refused: .*\/etc\/passwd is outside/)
  const { cases, passed, failed } = JSON.parse((await tested({ 'calls.yaml': calls }, '--json')).stdout)
  expect([passed, failed]).toEqual([1, 3])
  expect(cases[1]).toMatchObject({ name: 'Bash(git log)', line: 4, expected: 'allow', outcome: 'allow', passed: true })
})

test('finds a named policy in its manifests', async () => {
  const manifest = 'name: own\nmode: allow_list\ntools: [Read]\n'
  const calls = `policy: own\nmanifests: crew\ncalls:\n${call('ls', 'deny')}`
  expect(await tested({ 'calls.yaml': calls, 'crew/policies/own.yml': manifest })).toMatchObject({ code: 0 })
})

test.each([
  ['an unknown policy', `policy: bilder\ncalls:\n${call('ls', 'allow')}`, 'policy "bilder" is not built in'],
  ['an unknown field', `policy: open\ncalz: []\n`, 'calls.yaml:2:1'],
  ['an unknown answer', `policy: open\ncalls:\n${call('ls', 'yes')}`, 'calls.yaml:3:'],
  [
    'a policy that no mode allows',
    `policy: {mode: allow_all, ask: [Read]}\ncalls:\n${call('ls', 'allow')}`,
    'mode allow_all does not take "ask"',
  ],
  ['missing calls', 'policy: open\n', 'calls'],
])('reports %s at its position', async (_what, text, said) => {
  const { code, stdout, stderr } = await tested({ 'calls.yaml': text }, EXTENDED)
  expect([code, stdout + stderr]).toEqual([13, expect.stringContaining(said)])
})
