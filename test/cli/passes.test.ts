import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Run } from '../../schemas/run.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

let stand: DaemonStand
let round = 0
let name: string
const policy = (called: string) => `name: ${called}\nmode: allow_list\ntools: [Read]\n`
const agent = (called: string, more = '') =>
  `name: ${called}\nworking_dir: .\nshell: bash\nruntime: scripted\ntool_policy: {mode: allow_all}\n${more}`
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('svc.yaml', 'sync: {mode: manual}\n')
  stand.write('agents/planner.yml', agent('planner'))
  for (const called of ['a', 'b', 'c', 'd']) stand.write(`policies/${called}.yml`, policy(called))
  await stand.startInside()
  const first = await stand.svc(['reconcile', '--wait'])
  expect(first.code, first.stderr + first.stdout).toBe(0)
}, 60_000)
afterAll(() => stand.close())
beforeEach(() => (name = `n${++round}`))

const lastRun = async () => (await stand.get<Run[]>(`${stand.controller}/runs`))[0]!

describe('a pass', () => {
  test('shows each step and a summary', async () => {
    stand.write(`policies/${name}.yml`, policy(name))
    const { code, stdout, stderr } = await stand.svc(['reconcile'])
    expect(code).toBe(0)
    expect(stderr).toMatch(new RegExp(`✓ policies/${name}  create done \\(\\S+ m?s\\)`))
    expect(stdout).toMatch(/Run [0-9a-f]{8} succeeded in \S+ m?s: 1 done, 5 unchanged/)
  })

  test('prints its run as JSON at the end', async () => {
    stand.write(`agents/${name}.yml`, agent(name))
    const { stdout } = await stand.svc(['reconcile', '--json'])
    const run = JSON.parse(stdout) as Run
    expect(run).toEqual(await stand.get(`${stand.controller}/runs/${run.id}`))
    expect(run).toMatchObject({ status: 'succeeded', actor: 'tester', summary: { create: 1 } })
    expect(JSON.parse((await stand.svc(['history', '-o', 'json'])).stdout)[0]).toEqual(run)
    expect(JSON.parse((await stand.svc(['history', run.id.slice(0, 8), '--json'])).stdout)).toEqual(run)
  })

  test('exits with 1 and shows the failed step', async () => {
    stand.write(`agents/${name}.yml`, agent(name, 'user: nobody-by-that-name\n'))
    const { code, stderr } = await stand.svc(['reconcile'])
    rmSync(join(stand.manifests, 'agents', `${name}.yml`))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`✗ agents/${name}  create FAILED: .*nobody-by-that-name`)),
    ])
  })

  test('exits with 1, or 11, for held deletions, with a hint', async () => {
    for (const called of ['a', 'b', 'c']) rmSync(join(stand.manifests, 'policies', `${called}.yml`))
    const { code, stdout } = await stand.svc(['reconcile'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('svc reconcile --source default --prune-override ')])
    expect((await stand.svc(['reconcile', '--exit-codes', 'extended'])).code).toBe(11)
    const override = /--prune-override (\S+)/.exec(stdout)![1]!
    expect((await stand.svc(['reconcile', '--source', 'default', '--prune-override', override])).code).toBe(0)
    expect((await stand.ask('GET', `${stand.orchestrator}/policies/a`)).status).toBe(404)
  })

  test('waits until everything is Ready', async () => {
    stand.write(`agents/${name}.yml`, agent(name))
    expect(await stand.svc(['reconcile', '--wait'])).toMatchObject({ code: 0 })
    expect((await stand.agentNamed(name)).connected).toBe(true)
  })

  test('exits with 15 at the time-out and names resources not Ready', async () => {
    stand.write(`agents/${name}.yml`, agent(name, 'prompt: EXIT 3\nrestart: never\n'))
    expect((await stand.svc(['reconcile'])).code).toBe(0)
    await eventually(async () => (await stand.agentNamed(name)).status === 'failed')
    const words = ['reconcile', '--wait', '--timeout', '300ms', '--exit-codes=extended', '--target', `agents/${name}`]
    const { code, stderr } = await stand.svc(words)
    // Only the target is awaited.
    const other = [...words.slice(0, -1), 'agents/planner']
    expect(await stand.svc(other)).toMatchObject({ code: 0, stderr: '' })
    rmSync(join(stand.manifests, 'agents', `${name}.yml`))
    expect([code, stderr]).toEqual([15, expect.stringContaining(`agents/${name}: `)])
    expect((await stand.svc(['reconcile'])).code).toBe(0)
  })

  test('counts pending changes in the status, or reports them as unknown', async () => {
    stand.write(`policies/${name}.yml`, policy(name))
    expect((await stand.svc(['status'])).stdout).toMatch(
      new RegExp(
        `source default: 1 pending change: create policies/${name}\n +apply with: svc reconcile --source default`,
      ),
    )
    const away = `${stand.manifests}-away`
    renameSync(stand.manifests, away)
    const { stdout } = await stand.svc(['status'])
    const { pending } = JSON.parse((await stand.svc(['status', '--json'])).stdout) as { pending: object[] }
    renameSync(away, stand.manifests)
    expect(stdout).toMatch(
      /source default: pending changes are unknown.*\n +check again with: svc reconcile --source default --dry-run/,
    )
    expect(pending).toEqual([
      { source: 'default', may_ask: true, changes: [], error: expect.stringContaining('manifests') },
    ])
    expect((await stand.svc(['reconcile'])).code).toBe(0)
  })

  test('fails for an unknown source with the message of the daemon', async () => {
    expect((await stand.svc(['reconcile', '--source', 'nope'])).stderr).toContain(
      'source nope does not exist; there is only default',
    )
  })
})

describe('drift', () => {
  test('shows field, author and endpoint, exits with 10, and is reverted', async () => {
    const { id } = await stand.agentNamed('planner')
    await stand.ask(
      'PUT',
      `${stand.orchestrator}/agents/${id}/policy`,
      { mode: 'deny_all' },
      { 'x-svc-actor': 'alice' },
    )
    await eventually(async () => (await stand.get(`${stand.controller}/drift`)).length > 0)
    const { code, stdout } = await stand.svc(['drift', 'agents/planner'])
    expect(stdout).toMatch(
      /agents\/planner\s+tool_policy\s+\{"mode":"allow_all"\}\s+\{"mode":"deny_all"\}\s+alice\s+PUT \/agents\/\{id\}\/policy/,
    )
    expect(code).toBe(0)
    expect((await stand.svc(['drift', '--exit-codes=extended'])).code).toBe(10)
    expect((await stand.svc(['drift', 'policies/d'])).stdout).toContain('No drift')
    const reverted = await stand.svc(['drift', 'revert', 'agents/planner'])
    expect([reverted.code, reverted.stdout]).toEqual([
      0,
      expect.stringContaining(`Run ${(await lastRun()).id.slice(0, 8)} succeeded`),
    ])
    expect((await stand.agentNamed('planner')).config.tool_policy.mode).toBe('allow_all')
  })
})
