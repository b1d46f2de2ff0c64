import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Plan } from '../../schemas/plan.ts'
import type { Drift } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const agent = (name: string, more = '') =>
  `name: ${name}\nruntime: scripted\nshell: bash\nworking_dir: .\nrestart: always\npolicy: careful\n${more}`

let stand: DaemonStand
const drift = () => stand.get<Drift[]>(`${stand.controller}/drift`)
const resolutions = async () => (await drift()).map(({ kind, path, resolution }) => `${kind} ${path} ${resolution}`)

beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/careful.yml', 'name: careful\nmode: allow_list\ntools: [Read]\n')
  for (const name of ['one', 'two']) stand.write(`agents/${name}.yml`, agent(name))
  mkdirSync(join(stand.project, 'prompts'))
  stand.write('prompts/task.md', 'Do {{title}}\n')
  stand.write(
    'workflows/by-hand.yml',
    'name: by-hand\nagent: one\ntrigger_config: {type: manual}\nprompt_template_file: ../prompts/task.md\n',
  )
  await stand.startReady()
}, 60_000)
afterAll(() => stand.close())

const BY_HAND: Record<string, () => Promise<unknown>> = {
  'a changed policy': () => stand.ask('PUT', `${stand.orchestrator}/policies/careful`, { mode: 'deny_all' }),
  'a changed policy of an agent': async () =>
    stand.ask('PUT', `${stand.orchestrator}/agents/${(await stand.agentNamed('one')).id}/policy`, {
      mode: 'allow_all',
    }),
  'a deleted agent': async () =>
    stand.ask('DELETE', `${stand.orchestrator}/agents/${(await stand.agentNamed('two')).id}?purge=true`),
  'a deleted workflow': async () => {
    const [{ id }] = await stand.get(`${stand.orchestrator}/workflows`)
    return stand.ask('DELETE', `${stand.orchestrator}/workflows/${id}`)
  },
}

describe.each(Object.keys(BY_HAND))('manual change: %s', (what) => {
  test('is reported, shown by a dry run, kept on request, and reverted', async () => {
    await BY_HAND[what]!()
    await eventually(async () => (await drift()).some(({ resolution }) => resolution === null))
    const shown = await stand.svc(['reconcile', '--dry-run', '--detailed-exitcode'])
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringMatching(/Plan: 1 to/)])

    const kept = await stand.svc(['reconcile', '--keep-drift'])
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringMatching(/no changes/i)])
    expect((await stand.svc(['reconcile', '--dry-run', '--detailed-exitcode', '--keep-drift'])).code).toBe(0)

    const done = await stand.svc(['reconcile', '--wait'])
    expect([done.code, done.stderr]).toEqual([0, expect.anything()])
    expect(await stand.plan()).toMatchObject({ steps: [], drift: [] })
    expect((await drift()).filter(({ resolution }) => resolution === null)).toEqual([])
    expect((await resolutions())[0]).toMatch(/reverted$/)
  }, 60_000)
})

test('restores a deleted agent by svc apply and agent apply, recording drift', async () => {
  const folder = join(stand.home, 'team')
  mkdirSync(join(folder, 'agents'), { recursive: true })
  writeFileSync(join(folder, 'agents', 'guest.yml'), agent('guest').replace('policy: careful\n', ''))
  expect((await stand.agent(['apply', folder])).code).toBe(0)
  for (const command of [() => stand.agent(['apply', folder]), () => stand.svc(['apply', folder])]) {
    const { id } = await stand.agentNamed('guest')
    await stand.ask('DELETE', `${stand.orchestrator}/agents/${id}?purge=true`)
    expect((await command()).code).toBe(0)
    expect(await stand.agentNamed('guest')).toMatchObject({ status: 'running' })
    const [record] = (await drift()).filter(({ name }) => name === 'guest')
    expect(record).toMatchObject({ path: '', actor: 'tester', resolution: 'reverted' })
  }
  expect((await stand.agent(['teardown', folder])).code).toBe(0)
}, 60_000)

describe('another checkout of a watched source', () => {
  let checkout: string
  const review = async (...args: string[]): Promise<Plan> => {
    const { code, stdout, stderr } = await stand.svc(['plan', checkout, '--source', 'default', '--json', ...args])
    if (code !== 0) throw new Error(`${code}: ${stdout}${stderr}`)
    return JSON.parse(stdout) as Plan
  }
  const steps = ({ steps }: Plan) => steps.map(({ action, kind, name }) => `${action} ${kind}/${name}`)

  beforeEach(async () => {
    const copy = join(stand.home, 'checkout')
    rmSync(copy, { recursive: true, force: true })
    cpSync(stand.project, copy, { recursive: true })
    execFileSync('git', ['init', '--quiet', copy])
    checkout = join(copy, 'manifests')
    await stand.settled()
  })

  test('has no changes if identical, despite relative paths', async () => {
    expect(await review()).toMatchObject({ steps: [], drift: [], diagnostics: [], source: 'default' })
  })

  test('plans creations, changes and deletions by the rules of the source', async () => {
    writeFileSync(join(checkout, 'agents', 'three.yml'), agent('three', 'model: opus\n'))
    writeFileSync(join(checkout, 'agents', 'one.yml'), agent('one', 'system_prompt: Be brief.\n'))
    rmSync(join(checkout, 'agents', 'two.yml'))
    writeFileSync(join(checkout, 'prompts', 'task.md'), 'Do it: {{title}}\n')
    const plan = await review()
    expect(steps(plan).sort()).toEqual([
      'create agents/three',
      'delete agents/two',
      'restart agents/one',
      'update workflows/by-hand',
    ])
    const created = plan.steps.find(({ action }) => action === 'create')!
    expect(created.changes).toContainEqual(
      expect.objectContaining({ path: 'working_dir', before: null, after: stand.project }),
    )
    expect(created.changes).toContainEqual(expect.objectContaining({ path: 'model', before: null, after: 'opus' }))
    const dry = await stand.svc(['reconcile', checkout, '--source', 'default', '--dry-run', '--detailed-exitcode'])
    expect([dry.code, dry.stdout]).toEqual([2, expect.stringMatching(/1 to create.*1 to delete/)])
    expect((await stand.plan()).steps, 'a dry run changes nothing').toEqual([])
  })

  test('is planned from sent files alone', async () => {
    const manifests = ['agents/one.yml', 'agents/two.yml', 'policies/careful.yml', 'workflows/by-hand.yml'].map(
      (path) => ({ path, content: readFileSync(join(checkout, path), 'utf8') }),
    )
    const template = { path: 'prompts/task.md', content: 'Do it otherwise: {{title}}\n' }
    const body = { source: 'default', manifests: [...manifests, template] }
    const { status, body: plan } = await stand.ask<Plan>('POST', `${stand.controller}/plan`, body)
    expect([status, steps(plan)]).toEqual([200, ['update workflows/by-hand']])
    expect(
      (await stand.ask('POST', `${stand.controller}/apply`, body)).status,
      'a watched source is changed by a merge, not by apply',
    ).toBe(409)
  })

  test('reports a missing template as a fault', async () => {
    rmSync(join(checkout, 'prompts', 'task.md'))
    const { code, stdout } = await stand.svc(['plan', checkout, '--source', 'default', '--exit-codes=extended'])
    expect([code, stdout]).toEqual([13, expect.stringContaining('workflows/by-hand.yml:')])
  })

  test('suggests the nearest source, and refuses single files and applying', async () => {
    const unknown = await stand.svc(['plan', checkout, '--source', 'defualt'])
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('did you mean "default"?')])
    expect((await stand.svc(['plan', join(checkout, 'agents/one.yml'), '--source', 'default'])).code).toBe(64)
    expect((await stand.svc(['reconcile', checkout, '--source', 'default'])).code).toBe(64)
  })

  test('names the source when the watched folder itself is planned', async () => {
    const { stderr } = await stand.svc(['plan', stand.manifests])
    expect(stderr).toMatch(/is watched by source "default".*--source default/s)
  })
})

describe('accepted drift', () => {
  test('is shown as the smallest manifest change, then written', async () => {
    const text = '# who reads\nname: careful\nmode: allow_list # never more\ntools: [Read]\n'
    stand.write('policies/careful.yml', text)
    await stand.settled()
    await stand.ask('PUT', `${stand.orchestrator}/policies/careful`, { mode: 'allow_list', tools: ['Read', 'Grep'] })
    await eventually(async () => (await drift()).some(({ resolution }) => resolution === null))
    const shown = await stand.svc(['drift', 'accept', 'policies/careful'])
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/-tools: \[Read\]\n\+tools: \[Read, Grep\]/)])
    expect(readFileSync(join(stand.manifests, 'policies/careful.yml'), 'utf8')).toBe(text)
    expect((await stand.svc(['drift', 'accept', 'policies/careful', '--write'])).code).toBe(0)
    expect(readFileSync(join(stand.manifests, 'policies/careful.yml'), 'utf8')).toBe(
      text.replace('[Read]', '[Read, Grep]'),
    )
    await stand.settled()
    expect((await stand.ask('POST', `${stand.controller}/drift/policies/careful/accept`)).status).toBe(409)
  }, 60_000)
})

test('logs an invalid save once and makes status exit with 1', async () => {
  const logged = () => stand.output.split('\n').filter((line) => line.includes('manifests have errors'))
  stand.write('agents/one.yml', 'name: one\nworking_dirr: .\n')
  await eventually(() => logged().length > 0)
  const status = await stand.svc(['status', '--exit-code'])
  expect([status.code, status.stdout]).toEqual([1, expect.stringContaining('agents/one.yml:2:1')])
  for (let again = 0; again < 3; again++) await stand.svc(['reconcile'])
  expect(logged()).toHaveLength(1)
  expect(logged()[0]).toMatch(/agents\/one\.yml:\d+:\d+/)
  stand.write('agents/one.yml', agent('one'))
  await stand.settled()
  expect((await stand.svc(['status', '--exit-code'])).code).toBe(0)
}, 60_000)

test('applies a plan of sent manifests and records invalid ones as failed', async () => {
  const manifests = [{ path: 'policies/sent.yml', content: 'name: sent\nmode: deny_all\n' }]
  const planned = await stand.ask<Plan>('POST', `${stand.controller}/plan`, {
    manifests,
    root: stand.home,
    prune: true,
  })
  const apply = async (body: unknown): Promise<Run> => {
    const headers = { 'content-type': 'application/json', 'x-svc-actor': 'tester' }
    const answer = await fetch(`${stand.controller}/apply`, { method: 'POST', headers, body: JSON.stringify(body) })
    const lines = (await answer.text()).trim().split('\n')
    return JSON.parse(lines.at(-1)!).run as Run
  }
  expect(await apply({ plan: planned.body })).toMatchObject({ status: 'succeeded', steps: [{ name: 'sent' }] })
  const faulty = [...manifests, { path: 'policies/other.yml', content: 'name: other\nmod: x\n' }]
  const run = await apply({ manifests: faulty, root: stand.home, source: planned.body.source })
  expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('policies/other.yml:') })
  expect(run.diagnostics.map(({ file }) => file)).toContain('policies/other.yml')
  expect(await stand.get<Run>(`${stand.controller}/runs/${run.id}`)).toMatchObject({ diagnostics: run.diagnostics })
  await apply({ manifests, root: stand.home, source: planned.body.source, delete_all: true })
}, 60_000)

test('notices a renamed parent folder at the next pass and watches it', async () => {
  const next = `${stand.project}.next`
  cpSync(stand.project, next, { recursive: true })
  renameSync(stand.project, `${stand.project}.old`)
  renameSync(next, stand.project)
  await stand.svc(['reconcile'])
  stand.write('policies/after.yml', 'name: after\nmode: deny_all\n')
  await eventually(async () => (await stand.ask('GET', `${stand.orchestrator}/policies/after`)).status === 200)
  // Not earlier: deleting a folder that is still watched would report the change.
  rmSync(`${stand.project}.old`, { recursive: true })
}, 60_000)
