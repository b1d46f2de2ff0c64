import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '../../../schemas/plan.ts'
import { svc } from '../../support/command.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { shownFiles } from '../../first-hour/shown-files.ts'

const EXTENDED = '--exit-codes=extended'
const shown = shownFiles('docs/policies.md')
const rules = shown['crew/svc.yaml']!
const agent = (mode: string) =>
  `name: planner\nworking_dir: .\nshell: bash\nruntime: scripted\ntool_policy:\n  mode: ${mode}\n`

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('svc.yaml', rules)
  stand.write('rooms/lobby.yml', 'name: lobby\n')
  stand.write('agents/planner.yml', agent('deny_all'))
  await stand.startInside()
  expect((await stand.svc(['reconcile', '--wait'])).code).toBe(0)
}, 60_000)
afterAll(() => stand.close())

const away = (path: string) => rmSync(join(stand.manifests, path))
const parsed = (text: string) => JSON.parse(text) as Plan
const denial =
  /agents\/planner\.yml:6:3: policy "no-allow-all" denies: update agents\/planner \(tool_policy.mode is "allow_all"\): name the tools/

test('reports denied steps alike in plan, dry run, reconcile and status', async () => {
  stand.write('agents/planner.yml', agent('allow_all'))
  const plans = [
    ['plan', stand.manifests, '--source', 'default'],
    ['reconcile', '--dry-run'],
    ['plan', stand.manifests, '--source', 'default', '--offline'],
  ]
  const told: unknown[] = []
  for (const words of plans) {
    const { code, stdout } = await stand.svc([...words, '--json', EXTENDED])
    const { steps, policies, held, diagnostics } = parsed(stdout)
    told.push(held, policies)
    expect([code, steps, held?.denied]).toEqual([12, [], ['agents/planner']])
    expect(diagnostics).toMatchObject([{ code: 'policy-denied', file: 'agents/planner.yml', line: 6, column: 3 }])
    expect((await stand.svc([...words])).stdout).toMatch(denial)
  }
  expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(2)
  const asked = await stand.svc(['reconcile', EXTENDED])
  expect([asked.code, asked.stdout]).toEqual([12, expect.stringMatching(denial)])
  expect((await stand.svc(['reconcile'])).code).toBe(1)
  expect((await stand.svc(['status'])).stdout).toContain('no-allow-all')
  expect((await stand.agentNamed('planner')).config.tool_policy).toMatchObject({ mode: 'deny_all' })
  const markdown = await stand.svc(['plan', stand.manifests, '--source', 'default', '-o', 'markdown'])
  expect(markdown.stdout).toMatch(/1 held back by policies.*`agents\/planner.yml:6:3` policy "no-allow-all"/s)
  stand.write('agents/planner.yml', agent('deny_all'))
})

test('deletes only with the hash of the plan', async () => {
  away('rooms/lobby.yml')
  const held = await stand.svc(['reconcile', EXTENDED])
  expect(held).toMatchObject({
    code: 12,
    stdout: expect.stringMatching(/policy "rooms-stay" requires confirmation: delete rooms\/lobby/),
  })
  const [, hash] = /use --confirm ([0-9a-f]{12})/.exec(held.stdout)!
  expect((await stand.svc(['reconcile', '--confirm', '0123456789ab', EXTENDED])).code).toBe(12)
  expect(await stand.get(`${stand.urls.communicate}/rooms/lobby`)).toMatchObject({ name: 'lobby' })
  const confirmed = await stand.svc(['reconcile', '--confirm', hash!, EXTENDED])
  expect(confirmed, confirmed.stdout).toMatchObject({ code: 0, stderr: expect.stringContaining('rooms/lobby') })
  expect((await stand.ask('GET', `${stand.urls.communicate}/rooms/lobby`)).status).toBe(404)
})

test('applies separate rules to applied folders and teardowns', async () => {
  const folder = join(stand.home, 'other')
  const files = { 'svc.yaml': rules, 'rooms/hall.yml': 'name: hall\n', 'policies/p.yml': 'name: p\nmode: deny_all\n' }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  expect((await stand.svc(['apply', folder, EXTENDED])).code).toBe(0)
  const held = await stand.agent(['teardown', folder, EXTENDED])
  expect([held.code, held.stdout]).toEqual([12, expect.stringContaining('requires confirmation: delete rooms/hall')])
  const [, hash] = /--confirm ([0-9a-f]{12})/.exec(held.stdout)!
  expect((await stand.agent(['teardown', folder, '--confirm', hash!, EXTENDED])).code).toBe(0)
  await eventually(async () => (await stand.ask('GET', `${stand.urls.communicate}/rooms/hall`)).status === 404)
})

test('applies rules of the config file without a daemon', async () => {
  const config = join(stand.home, 'config.yaml')
  const sync = { policies: [{ name: 'closed', action: 'create', message: 'not today' }] }
  writeFileSync(config, JSON.stringify({ sources: [{ name: 'other', directory: '.', sync }] }))
  const folder = join(stand.home, 'fresh')
  mkdirSync(join(folder, 'policies'), { recursive: true })
  writeFileSync(join(folder, 'policies', 'q.yml'), 'name: q\nmode: deny_all\n')
  const words = ['plan', folder, '--source', 'other', '--offline', '--config', config, EXTENDED]
  expect(await svc(words)).toMatchObject({
    code: 12,
    stdout: expect.stringContaining('policy "closed" denies: create policies/q'),
  })
  writeFileSync(
    config,
    JSON.stringify({
      sources: [{ name: 'other', directory: '.', sync: { policies: [{ ...sync.policies[0], kind: 'rom' }] } }],
    }),
  )
  expect(await svc(words)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/sources\.0\.sync\.policies\.0\.kind.*did you mean "Room"/s),
  })
})

const inFolder = (name: string, files: Record<string, string>) => {
  const folder = join(stand.home, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
const team = { 'crew/svc.yaml': rules, 'crew/policies/p.yml': 'name: p\nmode: deny_all\n' }

test('passes the documented cases with the documented rules', async () => {
  const cwd = inFolder('cases', { ...shown, ...team })
  const { code, stdout } = await svc(['policy', 'test', 'policy-cases.yaml'], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringContaining('4 cases: 4 as expected')])
})

test('reports an unexpected case with the messages of its policies', async () => {
  const plan = await stand.svc(['plan', stand.manifests, '--source', 'default', '--json'])
  const cases = {
    rules: 'crew/svc.yaml',
    cases: [
      { name: 'none', plan: 'plan.json', expect: 'allow' },
      { name: 'room', steps: [{ action: 'delete', kind: 'room', name: 'a' }], expect: 'deny' },
      {
        name: 'six',
        steps: [1, 2, 3, 4, 5, 6].map((n) => ({ action: 'delete', kind: 'policy', name: `p${n}` })),
        expect: 'deny',
        policies: ['no-allow-all'],
      },
      { name: 'both', plan: 'plan.json', manifests: 'crew', expect: 'allow' },
      { name: 'no file', plan: 'missing.json', expect: 'allow' },
      { name: 'no plan', plan: 'crew/svc.yaml', expect: 'allow' },
    ],
  }
  const cwd = inFolder('wrong', { ...team, 'plan.json': plan.stdout, 'c.yaml': JSON.stringify(cases, null, 2) })
  const told = await svc(['policy', 'test', 'c.yaml', EXTENDED], { cwd })
  expect([told.code, told.stdout]).toEqual([
    12,
    expect.stringMatching(
      /✓ none .*✗ room .*expected deny, instead got confirm.*confirm by "rooms-stay": delete rooms\/a.*6 such steps, at most 5 allowed/s,
    ),
  ])
  const {
    cases: each,
    passed,
    failed,
  } = JSON.parse((await svc(['policy', 'test', 'c.yaml', '--json'], { cwd })).stdout)
  expect([passed, failed]).toEqual([1, 5])
  expect(each.map(({ error }: { error: string | null }) => error)).toEqual([
    null,
    'expected deny, instead got confirm',
    'expected policies no-allow-all, instead got few-deletions',
    expect.stringContaining('instead got 2'),
    expect.stringContaining('cannot read missing.json'),
    expect.stringContaining('is not a plan'),
  ])
})

test.each([
  ['an unknown field', { 'c.yaml': 'rules: crew/svc.yaml\ncasez: []\n' }, 'c.yaml:2:1'],
  ['an empty file', { 'c.yaml': '' }, 'has no cases'],
  [
    'rules with faults',
    { 'c.yaml': shown['policy-cases.yaml']!, 'crew/svc.yaml': 'sync: {policies: [{name: a}]}\n' },
    'crew/svc.yaml:1:',
  ],
  [
    'rules without policies',
    { 'c.yaml': shown['policy-cases.yaml']!, 'crew/svc.yaml': 'sync: {}\n' },
    'no policies to test',
  ],
  [
    'no rules',
    { 'c.yaml': 'cases: [{name: a, steps: [{action: delete, kind: room, name: a}], expect: allow}]\n' },
    'no svc.yaml',
  ],
])('reports %s at its position', async (_what, files, said) => {
  const cwd = inFolder(`faults-${said.replace(/\W/g, '')}`, { ...team, ...files })
  const { code, stdout, stderr } = await svc(['policy', 'test', 'c.yaml', EXTENDED], { cwd })
  expect([code, stdout + stderr]).toEqual([13, expect.stringContaining(said)])
})
