import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Plan } from '../../schemas/plan.ts'
import { createAjv } from '../../schemas/validation/ajv.ts'
import { bareServer, problem } from '../support/bare-server.ts'
import { svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

let stand: DaemonStand
const POLICIES = ['a', 'b', 'c', 'd']
const policy = (name: string, tools = 'Read') => `name: ${name}\nmode: allow_list\ntools: [${tools}]\n`
const agent = 'name: planner\nworking_dir: .\nshell: bash\nruntime: scripted\ntool_policy: {mode: allow_all}\n'
const HALL = 'name: hall\nagent: planner\nsource: { type: manual }\nprompt_template: "{{hall}}"\n'

/** The applied manifests; tests only plan. */
function writeTeam(): void {
  for (const kind of ['policies', 'agents', 'workflows'])
    rmSync(join(stand.manifests, kind), { recursive: true, force: true })
  stand.write('svc.yaml', 'sync: {mode: manual}\n')
  stand.write('agents/planner.yml', agent)
  for (const name of POLICIES) stand.write(`policies/${name}.yml`, policy(name))
}
beforeAll(async () => {
  stand = await DaemonStand.create()
  writeTeam()
  await stand.startInside()
  const first = await stand.svc(['reconcile', '--wait'])
  expect(first.code, first.stderr + first.stdout).toBe(0)
}, 60_000)
afterAll(() => stand.close())
beforeEach(writeTeam)

const dryRun = (...args: string[]) => stand.svc(['reconcile', '--dry-run', ...args])
const setPolicy = async (mode: string) => {
  const { id } = await stand.agentNamed('planner')
  await stand.ask('PUT', `${stand.orchestrator}/agents/${id}/policy`, { mode })
  await eventually(async () => (await stand.plan()).drift.length > 0 === (mode !== 'allow_all'))
}

describe('a dry run', () => {
  const cases: Record<string, { make(): void | Promise<void>; codes: [number, number, number] }> = {
    'no changes': { make: () => undefined, codes: [0, 0, 0] },
    changes: { make: () => stand.write('policies/a.yml', policy('a', 'Grep')), codes: [0, 2, 2] },
    'reverted drift': { make: () => setPolicy('deny_all'), codes: [0, 2, 2] },
    'held deletions': {
      make: () => ['a', 'b', 'c'].forEach((name) => rmSync(join(stand.manifests, 'policies', `${name}.yml`))),
      codes: [0, 2, 11],
    },
    'faulty manifests': { make: () => stand.write('policies/a.yml', 'name: a\nmod: x\n'), codes: [1, 1, 13] },
    warnings: { make: () => stand.write('workflows/hall.yml', HALL), codes: [0, 2, 2] },
  }
  for (const [title, { make, codes }] of Object.entries(cases)) {
    test(`exits with ${codes.join(', ')} (basic, detailed, extended) for ${title}`, async () => {
      await make()
      const flags = [[], ['--detailed-exitcode'], ['--detailed-exitcode', '--exit-codes=extended']]
      expect(await Promise.all(flags.map(async (each) => (await dryRun(...each)).code))).toEqual(codes)
      await setPolicy('allow_all')
    })
  }

  test('exits with 0, or extended 10, for kept drift', async () => {
    await setPolicy('deny_all')
    const flags = [[], ['--detailed-exitcode'], ['--detailed-exitcode', '--exit-codes=extended']]
    const codes = await Promise.all(flags.map(async (each) => (await dryRun('--keep-drift', ...each)).code))
    expect(codes).toEqual([0, 0, 10])
    await setPolicy('allow_all')
  })

  test('shows only the target and changes nothing', async () => {
    stand.write('policies/a.yml', policy('a', 'Grep'))
    stand.write('policies/b.yml', policy('b', 'Grep'))
    expect((await dryRun('--target', 'agent/planner')).stdout).toMatch(/no changes/i)
    const { stdout } = await dryRun('--target', 'policy/b')
    expect(stdout).toMatch(/policies\/b\s+update in place\s+policies\/b\.yml:/)
    expect(stdout).not.toContain('policies/a')
    expect(await stand.get(`${stand.orchestrator}/policies/b`)).toMatchObject({ tools: ['Read'] })
  })

  test('shows who caused drift, from the records', async () => {
    await setPolicy('deny_all')
    expect((await dryRun()).stdout).toContain('by tester, through PUT /agents/{id}/policy')
    await setPolicy('allow_all')
  })

  test('prints ndjson, JSON and a review comment in markdown', async () => {
    stand.write('policies/a.yml', policy('a', 'Grep'))
    const lines = (await dryRun('-o', 'ndjson')).stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['planned', 'plan'])
    const { id: _, created_at: __, choices: ___, ...plan } = await stand.plan()
    expect(JSON.parse((await dryRun('--json')).stdout)).toMatchObject(plan)
    expect((await dryRun('-o', 'markdown')).stdout).toContain('| update | `policies/a` |')
  })

  test('matches the published schema as JSON', async () => {
    stand.write('policies/a.yml', policy('a', 'Grep'))
    rmSync(join(stand.manifests, 'policies', 'b.yml'))
    const schema = JSON.parse((await svc(['schema', 'plan'])).stdout) as object
    expect(await stand.get(`${stand.controller}/schemas/plan.json`)).toEqual({ ...schema, $id: 'urn:svc:v1:plan' })
    const valid = createAjv().compile(schema)
    valid(JSON.parse((await dryRun('--json')).stdout))
    expect(valid.errors).toBeNull()
    expect(valid({ steps: [] })).toBe(false)
  })

  test('shows stopped resources and their dependents', async () => {
    stand.write('workflows/hall.yml', HALL.replace('{{hall}}', 'Go'))
    stand.write('agents/planner.yml', `${agent}model: opus\n`)
    expect((await dryRun()).stdout).toContain('Stops: agents/planner; dependents: workflows/hall')
    expect((await dryRun('-o', 'markdown')).stdout).toContain('**Stops: agents/planner; dependents: workflows/hall**')
  })
})

describe('a plan of a path', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(stand.home, 'team-'))
    mkdirSync(join(folder, 'agents'))
    const env = 'env:\n  TOKEN: ${TEAM_TOKEN}\n  OTHER: ${UNSET:-x}\n'
    writeFileSync(join(folder, 'agents', 'worker.yml'), `name: worker\nworking_dir: .\n${env}`)
  })

  test('sends only its manifests, root, source name and used variables', async () => {
    const { url, asked } = await bareServer(503, problem(503, 'no'))
    const env = { SVC_CONTROLLER_URL: url, TEAM_TOKEN: 'hush', SECRET_OF_MINE: 'no' }
    await svc(['reconcile', folder, '--dry-run'], { env })
    expect(asked[0]).toMatchObject({ method: 'POST', path: '/plan' })
    expect(JSON.parse(asked[0]!.body)).toEqual({
      manifests: [{ path: 'agents/worker.yml', content: readFileSync(join(folder, 'agents', 'worker.yml'), 'utf8') }],
      texts: [],
      absent: [],
      root: folder,
      source: `apply:${folder}`,
      variables: { TEAM_TOKEN: 'hush' },
    })
  })

  test('is made by a running daemon, without its secrets', async () => {
    const { code, stdout } = await stand.svc(['reconcile', folder, '--dry-run', '--json'], {
      env: { TEAM_TOKEN: 'hush' },
    })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { source: `apply:${folder}`, summary: { create: 1 } }])
    expect(stdout).not.toContain('hush')
  })

  test('is made against an empty state without a daemon, with a note', async () => {
    const { code, stdout, stderr } = await svc(['reconcile', folder, '--dry-run', '--detailed-exitcode'], {
      env: { TEAM_TOKEN: 'hush' },
    })
    expect(stderr).toMatch(/no daemon is reachable; planned against nothing/)
    expect(stdout).toContain('+ agents/worker  create   agents/worker.yml:1:')
    expect(code).toBe(2)
  })

  test('does not contact a daemon with --offline', async () => {
    const { url, asked } = await bareServer(200, '{}')
    const { code, stdout } = await svc(['plan', folder, '--offline', '--json'], {
      env: { SVC_CONTROLLER_URL: url, TEAM_TOKEN: 'hush' },
    })
    expect([code, (JSON.parse(stdout) as Plan).summary.create, asked]).toEqual([0, 1, []])
  })
})

describe('commands without a daemon', () => {
  test('name the daemon to start for a dry run without a path', async () => {
    const { code, stderr } = await svc(['reconcile', '--dry-run'])
    expect(code).toBe(1)
    expect(stderr).toContain('svc serve --manifests DIR')
  })

  test('fail a real pass with a hint', async () => {
    const { code, stderr } = await svc(['reconcile', mkdtempSync(join(tmpdir(), 'svc-none-'))])
    expect(code).toBe(1)
    expect(stderr).toMatch(/hint: /)
  })
})
