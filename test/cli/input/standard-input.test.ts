import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agent, svc } from '../../support/command.ts'
import { DaemonStand } from '../../support/daemon.ts'

const POLICY = 'kind: Policy\nname: piped\nmode: deny_all\n'

describe('validate', () => {
  test('checks standard input', async () => {
    expect(await svc(['validate', '-'], { input: POLICY })).toMatchObject({ code: 0, stderr: '' })
  })

  test('reports faults of standard input with positions', async () => {
    const { code, stdout } = await svc(['validate', '-'], { input: POLICY.replace('deny_all', 'deny_some') })
    expect([code, stdout]).toEqual([1, expect.stringContaining('stdin.yml:3:7')])
  })

  test('rejects empty input, and - beside a file', async () => {
    const empty = await svc(['validate', '-'], { input: ' \n' })
    expect([empty.code, empty.stderr]).toEqual([64, expect.stringContaining('standard input contains no manifest')])
    const both = await svc(['validate', '-', 'manifests'], { input: POLICY })
    expect([both.code, both.stderr]).toEqual([64, expect.stringContaining('- and files are mutually exclusive')])
  })
})

describe('a command with a daemon', () => {
  let stand: DaemonStand
  beforeAll(async () => {
    stand = await DaemonStand.create()
    stand.write('agents/helper.yml', 'name: helper\nruntime: scripted\nworking_dir: .\nshell: bash\n')
    await stand.startInside()
    await stand.settled()
  })
  afterAll(() => stand.close())

  test('sends standard input to an agent, and a hyphen among words as text', async () => {
    const sent = await stand.agent(['send', 'helper', '-', '--wait'], { input: 'what is next?' })
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('what is next?') })
    const words = await stand.agent(['send', 'helper', 'one', '-', 'two', '--wait'])
    expect(words.stdout).toContain('one - two')
    const empty = await stand.agent(['send', 'helper', '-'])
    expect([empty.code, empty.stderr]).toEqual([64, expect.stringContaining('the message is empty')])
  })

  test.each([
    ['plan', '-'],
    ['diff', '-'],
    ['reconcile', '-', '--dry-run'],
    ['apply', '-', '-o', 'json'],
  ])('reads manifests from standard input: %s %s', async (...args) => {
    const { code, stdout } = await stand.svc(args, { input: POLICY })
    expect([code, stdout]).toEqual([0, expect.stringContaining('piped')])
  })

  test('posts standard input to a room', async () => {
    expect(await stand.agent(['communicate', 'create', 'office', '--as', 'mira'])).toMatchObject({ code: 0 })
    const post = ['communicate', 'post', 'office', '-', '--as', 'mira', '--json']
    const { stdout } = await stand.agent(post, { input: 'several\nlines' })
    expect(JSON.parse(stdout)).toMatchObject({ content: 'several\nlines' })
  })
})

test.each([
  [svc, 'serve --manifests -', '--manifests'],
  [svc, 'export -', '<folder>'],
  [svc, 'plan manifests --out -', '--out'],
  [svc, 'policy test -', '<file>'],
  [svc, 'get agents -', '<name>'],
  [agent, 'orchestrator trigger-workflow w --title -', '--title'],
  [agent, 'index search -', '<query>'],
])('rejects - where standard input is not read: %o %s', async (run, line, shown) => {
  const { code, stdout, stderr } = await run(line.split(' '), { input: POLICY })
  expect([code, stdout]).toEqual([64, ''])
  expect(stderr).toContain(`error: "-" is not accepted for ${shown}: it does not read standard input`)
})

test('rejects - for two inputs', async () => {
  const { code, stderr } = await agent([
    'orchestrator',
    'create-agent',
    '--name',
    'a',
    '--prompt',
    '-',
    '--system-prompt',
    '-',
  ])
  expect([code, stderr]).toEqual([64, expect.stringContaining('standard input can be read once')])
})
