import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Drift } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import type { Source } from '../../schemas/source.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/root.ts'

let stage: DaemonStand
const create = async () => {
  stage = await DaemonStand.create({ manifests: join(root, 'manifests') })
}

const RULES = 'sync:\n  mode: auto\n  prune: true\n  max_delete: 20%\n'
const manifest = (path: string) => readFileSync(join(stage.manifests, path), 'utf8')

/** Changes the scribe's policy manually and returns the drift. */
async function changeByHand(): Promise<Drift[]> {
  const { id } = await stage.agentNamed('scribe')
  const answer = await stage.ask(
    'PUT',
    `${stage.orchestrator}/agents/${id}/policy`,
    { mode: 'allow_all' },
    { 'x-svc-actor': 'mia', 'x-request-id': 'by-hand-1' },
  )
  expect(answer.status).toBe(200)
  return eventually(async () => {
    const records = await stage.get<Drift[]>(`${stage.controller}/drift`)
    return records.length > 0 && records
  })
}
const BY_HAND = {
  kind: 'agents',
  name: 'scribe',
  path: 'tool_policy',
  desired: { mode: 'deny_all' },
  live: { mode: 'allow_all' },
  actor: 'mia',
  request_id: 'by-hand-1',
  endpoint: 'PUT /agents/{id}/policy',
  first_seen: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
}
const policyOfScribe = async () => (await stage.agentNamed('scribe')).config.tool_policy.mode

const errorOf = async () => (await stage.get<Source>(`${stage.controller}/sources/default`)).error

describe('sync rules', () => {
  beforeEach(create)
  afterEach(() => stage.close())

  test('holds a change in manual mode and shows it in the plan', { timeout: 60_000 }, async () => {
    stage.write('svc.yaml', RULES.replace('auto', 'manual'))
    await stage.startInside()
    expect(await stage.svc(['reconcile', '--wait', '--timeout', '30s'])).toMatchObject({ code: 0 })
    await stage.settled()
    const scribe = await stage.agentNamed('scribe')
    await stage.send(scribe.id, 'SLOW 60000')
    await eventually(async () => (await stage.agentNamed('scribe')).activity === 'busy')
    stage.write(
      'agents/scribe.yml',
      manifest('agents/scribe.yml').replace('You write things down.', 'You write everything down.'),
    )

    const { code, stdout } = await stage.svc(['reconcile', '--dry-run', '--detailed-exitcode'])
    expect(code).toBe(2)
    expect(stdout).toMatch(/agents\/scribe {2}restart {3}agents\/scribe\.yml:7:\d+/)
    expect(stdout).toContain('system_prompt: "You write things down." → "You write everything down."')
    expect(stdout).toMatch(/interrupts: \S.*/)
    expect((await stage.agentNamed('scribe')).config.system_prompt).toBe('You write things down.')
  })

  test('reverts and records drift with self_heal', { timeout: 60_000 }, async () => {
    stage.write('svc.yaml', `${RULES}  self_heal: true\n`)
    await stage.startReadyInside()
    await changeByHand()
    await eventually(async () => (await policyOfScribe()) === 'deny_all')
    const healed = await eventually(async () => {
      const records = await stage.get<Drift[]>(`${stage.controller}/drift`)
      return records.every((each) => each.resolution !== null) && records
    })
    expect(healed).toEqual([expect.objectContaining({ ...BY_HAND, resolution: 'healed' })])
  })
})

describe('a running team', () => {
  beforeAll(async () => {
    await create()
    await stage.startReadyInside()
  })
  afterAll(() => stage.close())

  test('applies an edited prompt without replacing a process', { timeout: 60_000 }, async () => {
    const before = await stage.panes()
    stage.write('agents/builder.yml', manifest('agents/builder.yml').replace('hello from the builder', 'good morning'))
    await eventually(
      async () => (await stage.agentNamed('builder')).config.prompt === 'USE_TOOL Bash echo good morning',
    )
    expect(await stage.panes()).toEqual(before)
  })

  test('records a manual policy change once and keeps it', { timeout: 60_000 }, async () => {
    const drift = await changeByHand()
    expect(drift).toEqual([expect.objectContaining({ ...BY_HAND, resolution: null })])
    await stage.ask('POST', `${stage.controller}/sources/default/sync`, { keep_drift: true })
    await eventually(async () =>
      (await stage.get<Run[]>(`${stage.controller}/runs`)).every((run) => run.status !== 'running'),
    )
    expect(await policyOfScribe()).toBe('allow_all')
    expect(await stage.get<Drift[]>(`${stage.controller}/drift`)).toEqual([
      expect.objectContaining({ ...BY_HAND, resolution: null }),
    ])
  })

  test('prunes nothing and reports why when the folder is broken', { timeout: 60_000 }, async () => {
    const before = await stage.panes()
    const greeter = manifest('agents/greeter.yml')

    symlinkSync('nowhere', join(stage.manifests, 'agents', 'dangling.yml'))
    expect(await eventually(errorOf)).toContain('dangling.yml')
    rmSync(join(stage.manifests, 'agents', 'greeter.yml'))
    rmSync(join(stage.manifests, 'agents', 'dangling.yml'))
    stage.write('agents/greeter.yml', 'name: greeter\n  runtime: [scripted\n')
    expect(await eventually(async () => (await errorOf())?.match(/agents\/greeter\.yml:\d+:\d+.*/)?.[0])).toBeTruthy()
    expect(await stage.panes()).toEqual(before)
    stage.write('agents/greeter.yml', greeter)
    await eventually(async () => (await errorOf()) === null)

    for (const kind of readdirSync(stage.manifests, { withFileTypes: true }))
      if (kind.isDirectory()) rmSync(join(stage.manifests, kind.name), { recursive: true })
    mkdirSync(join(stage.manifests, 'policies'))
    expect(await eventually(errorOf)).toMatch(
      /^9 deletions exceed the budget of 1 \(max_delete 20%\); nothing was pruned/,
    )
    expect(await stage.panes()).toEqual(before)
    expect((await stage.get<unknown[]>(`${stage.orchestrator}/agents?status=running`)).length).toBe(3)
    expect((await stage.get<unknown[]>(`${stage.orchestrator}/policies`)).length).toBe(2)
  })
})
