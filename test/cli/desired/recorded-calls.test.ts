import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { request } from '../../support/http.ts'

const LONG = `npm test -- ${'a-long-name-of-a-test/'.repeat(12)}`
let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  await agentWith('locked', 'deny_all', ['git status', 'git status', LONG, 'make'])
  await agentWith('open', 'allow_all', ['git status', 'make'])
  writeFileSync(join(stand.home, 'calls.yaml'), `${POLICY}calls:\n${CASE}`)
  writeFileSync(join(stand.home, 'policy.yaml'), POLICY)
}, 60_000)
afterAll(() => stand.close())

const POLICY = 'policy: {mode: allow_list, tools: ["Bash(git status)"], ask: ["Bash(npm test *)"]}\n'
const CASE = '  - {tool: Bash, input: {command: git status}, expect: allow}\n'

async function agentWith(name: string, mode: string, commands: readonly string[]): Promise<void> {
  const about = { name, working_dir: stand.home, shell: 'bash', runtime: 'scripted', tool_policy: { mode } }
  const { id } = await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, about)
  await stand.connected()
  for (const [at, command] of commands.entries()) {
    await eventually(async () => (await stand.agentNamed(name)).activity === 'idle')
    await stand.send(id, `USE_TOOL Bash ${command}`)
    const done = { agent: id, recorded: 10, tool_policy: { mode } }
    const recorded = () => request<{ calls: unknown[] }>('POST', `${stand.orchestrator}/policies/test`, done)
    await eventually(async () => (await recorded()).calls.length === at + 1)
  }
}

const tested = (...words: string[]) => stand.svc(['policy', 'test', ...words], { env: { COLUMNS: '80' } })

test('shows the calls of an agent that would change, wider ones first, within 80 columns', async () => {
  const { code, stdout, stderr } = await tested('policy.yaml', '--recorded', '500', '--agent', 'locked')
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['BEFORE', 'AFTER', 'TIMES'],
    ['deny', 'allow', '2'],
    ['deny', 'ask', '1'],
    ['4 recorded calls: 3 would change (2 from deny to allow, 1 from deny to ask), 1 would not, 0 not judged'],
  ])
  expect(stdout).toContain('Bash(git status)')
  for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(80)
})

test('names the agent if the calls are of all, and gives the reason of a refusal', async () => {
  const { code, stdout } = await tested('policy.yaml', '--recorded', '500')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^allow +deny +1 +open +Bash\(make\) +no entry covers/m)])
  expect(stdout).toMatch(/6 recorded calls: 4 would change \(.*, 1 from allow to deny\), 2 would not, 0 not judged\n$/)
})

test('prints all judged calls as JSON beside the cases of the file', async () => {
  const { code, stdout } = await tested('calls.yaml', '--recorded', '2', '--agent', 'open', '-o', 'json')
  const { recorded, ...cases } = JSON.parse(stdout)
  expect([code, cases]).toMatchObject([0, { passed: 1, failed: 0 }])
  const said = { agent: 'open', tool: 'Bash', before: 'allow' }
  expect(recorded).toMatchObject({ changed: 1, unchanged: 1, not_judged: 0 })
  expect(recorded.calls).toMatchObject([
    { ...said, input: 'make', after: 'deny', reason: 'no entry covers it: make' },
    { ...said, input: 'git status', after: 'allow', reason: null },
  ])
})

test('exits with 1 only if an expected answer differs', async () => {
  writeFileSync(join(stand.home, 'wrong.yaml'), `${POLICY}calls:\n${CASE.replace('expect: allow', 'expect: deny')}`)
  const { code, stdout } = await tested('wrong.yaml', '--recorded', '500')
  expect([code, stdout]).toEqual([1, expect.stringMatching(/1 case: 0 as expected, 1 not\n[^]*would change/)])
})

test('takes the manifest of a policy, and says that an agent has no recorded calls', async () => {
  stand.write('policies/tester.yml', 'kind: Policy\nname: tester\nmode: allow_list\ntools: [Read]\n')
  await request('POST', `${stand.orchestrator}/agents`, { name: 'new', working_dir: stand.home, runtime: 'scripted' })
  const file = join(stand.manifests, 'policies', 'tester.yml')
  expect(await tested(file, '--recorded', '5')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('5 recorded calls: '),
  })
  expect(await tested(file, '--recorded', '5', '--agent', 'new')).toMatchObject({
    code: 0,
    stdout: 'No recorded calls of new.\n',
  })
})

test.each([
  ['an agent without a number of calls', ['policy.yaml', '--agent', 'open'], 64, '--agent needs --recorded'],
  ['two files', ['policy.yaml', 'calls.yaml', '--recorded', '5'], 64, '--recorded tests one file, instead got 2'],
  ['too many calls', ['policy.yaml', '--recorded', '1001'], 64, 'expected a number from 1 to 1000'],
  ['an unknown agent', ['policy.yaml', '--recorded', '5', '--agent', 'opne'], 1, 'agent opne does not exist'],
  ['plan cases', ['cases.yaml', '--recorded', '5'], 1, 'cases.yaml has no tool policy'],
  ['several policies', ['crew.yaml', '--recorded', '5'], 1, 'crew.yaml has 2 tool policies; --recorded tests one'],
])('refuses %s with the next step', async (_what, words, exit, said) => {
  const policy = (name: string) => `kind: Policy\nname: ${name}\nmode: deny_all\n`
  writeFileSync(join(stand.home, 'cases.yaml'), 'cases: []\n')
  writeFileSync(join(stand.home, 'crew.yaml'), `${policy('one')}---\n${policy('other')}`)
  const { code, stderr } = await tested(...words)
  expect([code, stderr]).toEqual([exit, expect.stringContaining(said)])
  expect(stderr).toContain('hint: ')
})

test('says that it needs a daemon for recorded calls', async () => {
  const { code, stderr } = await tested('policy.yaml', '--recorded', '5', '--url', 'http://127.0.0.1:1')
  expect([code, stderr]).toEqual([1, expect.stringContaining('no daemon is reachable')])
})
