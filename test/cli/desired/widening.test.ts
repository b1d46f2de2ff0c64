// `agent apply` and `svc apply` show what widens rights, and ask for it.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'

const run = promisify(execFile)
const EXTENDED = '--exit-codes=extended'

let stand: DaemonStand
let team: string
/** The user's tmux server. */
let own: string
beforeAll(async () => {
  stand = await DaemonStand.create()
  team = join(stand.project, 'team')
  mkdirSync(join(team, 'agents'), { recursive: true })
  own = `${stand.muxSocket}-person`
  stand.write('agents/editor.yml', 'name: editor\nworking_dir: .\nshell: bash\nruntime: scripted\n')
  await stand.startInside()
  await stand.settled()
  declare('tool_policy: { mode: deny_all }')
  // No agent is widened by the first apply of a path.
  expect(await stand.agent(['apply', team])).toMatchObject({ code: 0 })
}, 60_000)
afterAll(async () => {
  await run('tmux', ['-L', own, 'kill-server']).catch(() => undefined)
  await stand.close()
})

const declare = (policy: string) =>
  writeFileSync(
    join(team, 'agents', 'helper.yml'),
    `name: helper\nworking_dir: .\nshell: bash\nruntime: scripted\n${policy}\n`,
  )
const list = (...tools: string[]) => `tool_policy: { mode: allow_list, tools: [${tools.join(', ')}] }`
const policy = async () => (await stand.agentNamed('helper')).config.tool_policy.tools ?? []

test('holds the steps in a script, until --confirm or --yes', async () => {
  declare(list('Read'))
  const held = await stand.agent(['apply', team, EXTENDED])
  expect([held.code, await policy()]).toEqual([12, []])
  expect(held.stdout).toMatch(
    /policy "svc\/widening" requires confirmation: update agents\/helper \(it widens tool_policy; its manifest could have been written by editor\)/,
  )
  const [, hash] = /use --confirm ([0-9a-f]{12})/.exec(held.stdout)!
  expect((await stand.svc(['reconcile', team, EXTENDED])).code).toBe(12)
  expect((await stand.svc(['apply', team, '--confirm', hash!, EXTENDED])).code).toBe(0)
  expect(await policy()).toEqual(['Read'])

  declare(list('Grep', 'Read'))
  const yes = await stand.svc(['apply', team, '--yes', EXTENDED])
  expect([yes.code, await policy()]).toEqual([0, ['Grep', 'Read']])
  expect(yes.stderr).toMatch(
    /~ agents\/helper {2}update in place.*\n.*\+ tool_policy\.tools\[Grep\]\n.*\n +widens: tool_policy/,
  )
})

test('--yes releases no step that another policy holds', async () => {
  const rule = { name: 'asks', kind: 'agent', effect: 'confirm', message: 'look' }
  writeFileSync(join(team, 'svc.yaml'), JSON.stringify({ sync: { policies: [rule] } }))
  declare(list('Glob', 'Grep', 'Read'))
  expect((await stand.svc(['apply', team, '--yes', EXTENDED])).code).toBe(12)
  expect(await policy()).toEqual(['Grep', 'Read'])
  writeFileSync(join(team, 'svc.yaml'), '{}')
})

test('asks in a terminal, and applies nothing without a yes', async () => {
  declare(list('Edit', 'Grep', 'Read'))
  const environment = Object.entries({ ...stand.env, PATH: `${root}/bin:${stand.env.PATH}` }).map(
    ([k, v]) => `${k}=${v}`,
  )
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', own, '-f', '/dev/null', ...args])).stdout
  const type = (line: string) => tmux('send-keys', '-t', 'shell', line, 'Enter')
  const shows = (pattern: RegExp) =>
    eventually(async () => pattern.test(await tmux('capture-pane', '-p', '-t', 'shell')))
  await tmux('new-session', '-d', '-s', 'shell', '-x', '140', '-y', '40', 'env', ...environment, 'sh')
  const question = /widens: tool_policy[^]*An agent could have written this.*Apply agents\/helper\? \[y\/N\]/
  await type(`agent apply ${team}`)
  await shows(question)
  await type('n')
  await shows(/cancelled: the answer was not yes/)
  expect(await policy()).toEqual(['Grep', 'Read'])
  await type('clear')
  await type(`agent apply ${team}`)
  await shows(question)
  await type('y')
  await eventually(async () => (await policy()).length === 3)
})
