// Planning and applying from the command line: what is asked of the daemon, what is shown, and how it ends.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Plan } from '../../schemas/plan.ts'
import { problem, startApi, type Api } from './api.ts'
import { agent, svc } from './commands.ts'
import { driftRecord, planOf, planStep, resourceRecord, runOf, runStep, sourceRecord } from './records.ts'

let api: Api
let folder: string
const run = runOf({ steps: [runStep()] })
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-team-'))
  mkdirSync(join(folder, 'agents'))
  writeFileSync(
    join(folder, 'agents', 'planner.yml'),
    'name: planner\nworking_dir: .\nenv:\n  TOKEN: ${TEAM_TOKEN}\n  OTHER: ${UNSET:-x}\n',
  )
  api = await startApi({
    'GET /sources': { json: [sourceRecord(), sourceRecord({ name: 'apply:/elsewhere' })] },
    'GET /drift': { json: [] },
  })
})
afterEach(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

const withPlan = (plan: Plan) => void (api.routes['POST /plan'] = { json: plan })
const guard = {
  deletes: 3,
  owned: 4,
  max_delete: '20%',
  allowed: 1,
  hash: 'abc123',
  resources: ['agents/a', 'agents/b', 'agents/c'],
}
const fault = {
  severity: 'error' as const,
  code: 'x',
  message: 'wrong',
  hint: 'fix it',
  file: 'a.yml',
  line: 1,
  column: 1,
  kind: null,
  name: null,
}
const { kind, name, path, desired, live } = driftRecord()

describe('a dry run', () => {
  const cases: Record<string, { plan: Plan; basic: number; detailed: number; extended: number }> = {
    'without changes': { plan: planOf(), basic: 0, detailed: 0, extended: 0 },
    'with changes': { plan: planOf({ steps: [planStep()] }), basic: 0, detailed: 2, extended: 2 },
    'with drift alone': {
      plan: planOf({ drift: [{ kind, name, path, desired, live }] }),
      basic: 0,
      detailed: 0,
      extended: 10,
    },
    'that holds deletions back': { plan: planOf({ guard }), basic: 0, detailed: 2, extended: 11 },
    'of faulty manifests': { plan: planOf({ diagnostics: [fault] }), basic: 1, detailed: 1, extended: 13 },
    'with warnings only': {
      plan: planOf({ diagnostics: [{ ...fault, severity: 'warning' }] }),
      basic: 0,
      detailed: 0,
      extended: 0,
    },
  }
  for (const [title, { plan, basic, detailed, extended }] of Object.entries(cases)) {
    test(`${title} ends with ${basic}, detailed ${detailed}, extended ${extended}`, async () => {
      withPlan(plan)
      const codes = await Promise.all(
        [[], ['--detailed-exitcode'], ['--detailed-exitcode', '--exit-codes=extended']].map(
          async (flags) => (await svc(['reconcile', '--dry-run', ...flags], { env: api.env })).code,
        ),
      )
      expect(codes).toEqual([basic, detailed, extended])
    })
  }

  test('asks for the plan of each source that the daemon watches, and changes nothing', async () => {
    withPlan(planOf())
    const { stdout } = await svc(['reconcile', '--dry-run', '--target', 'agent/planner', '--prune-override', 'abc'], {
      env: api.env,
    })
    expect(stdout).toMatch(/no changes/i)
    expect(api.asked.filter((asked) => asked.method !== 'GET')).toMatchObject([
      { path: '/plan', body: { source: 'default', targets: ['agents/planner'], prune_override: 'abc' } },
    ])
  })

  test('says who drifted, from the records', async () => {
    withPlan(planOf({ drift: [{ kind, name, path, desired, live }] }))
    api.routes['GET /drift'] = { json: [driftRecord()] }
    expect((await svc(['reconcile', '--dry-run'], { env: api.env })).stdout).toContain(
      'by alice with PUT /agents/{id}/policy',
    )
  })

  test('prints one JSON value a line as ndjson, and a review comment as markdown', async () => {
    withPlan(planOf({ steps: [planStep()] }))
    const ndjson = await svc(['reconcile', '--dry-run', '-o', 'ndjson'], { env: api.env })
    expect(
      ndjson.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    ).toEqual(['planned', 'plan'])
    expect((await svc(['reconcile', '--dry-run', '-o', 'markdown'], { env: api.env })).stdout).toContain(
      '| update | `agents/planner` |',
    )
  })

  test('of a path sends its manifests with the root, the source name and the variables they use', async () => {
    withPlan(planOf())
    await svc(['reconcile', folder, '--dry-run'], { env: { ...api.env, TEAM_TOKEN: 'hush', SECRET_OF_MINE: 'no' } })
    expect(api.asked[0]!.body).toEqual({
      manifests: [{ path: 'agents/planner.yml', content: readFileSync(join(folder, 'agents', 'planner.yml'), 'utf8') }],
      root: folder,
      source: `apply:${folder}`,
      variables: { TEAM_TOKEN: 'hush' },
    })
  })
})

describe('without a daemon', () => {
  test('a dry run of a path plans against nothing, and says so', async () => {
    const { code, stdout, stderr } = await svc(['reconcile', folder, '--dry-run', '--detailed-exitcode'], {
      env: { TEAM_TOKEN: 'hush' },
    })
    expect(stderr).toMatch(/no daemon answers: this plan is against nothing/)
    expect(stdout).toContain('+ agents/planner  create   agents/planner.yml:1:')
    expect(code).toBe(2)
  })

  test('a dry run without a path names the daemon to start, as there is nothing on record', async () => {
    const { code, stderr } = await svc(['reconcile', '--dry-run'])
    expect(code).toBe(1)
    expect(stderr).toContain('svc serve --manifests DIR')
  })

  test('a real pass is an error that says how to start one', async () => {
    const { code, stderr } = await svc(['reconcile', folder])
    expect(code).toBe(1)
    expect(stderr).toContain('hint: start one with "svc serve --manifests DIR"')
  })

  test('an offline plan needs none and asks none', async () => {
    const { code, stdout } = await svc(['plan', folder, '--offline', '--json'], {
      env: { ...api.env, TEAM_TOKEN: 'hush' },
    })
    expect([code, (JSON.parse(stdout) as Plan).summary.create, api.asked]).toEqual([0, 1, []])
  })
})

describe('a pass', () => {
  beforeEach(() => {
    api.routes['POST /sources/default/sync'] = { status: 202, body: { run_id: run.id } }
    api.routes[`GET /runs/${run.id}`] = { json: run }
    withPlan(planOf())
  })

  test('shows each step and a summary', async () => {
    const { code, stdout, stderr } = await svc(['reconcile'], { env: api.env })
    expect(code).toBe(0)
    expect(stderr).toContain('✓ agents/planner  create done (400 ms)')
    expect(stdout).toContain('Run 55555555 succeeded in 1.5 s: 1 done')
  })

  test('follows the run until it ends', async () => {
    let looks = 0
    api.routes[`GET /runs/${run.id}`] = () => ({
      json: ++looks < 3 ? { ...run, status: 'running', steps: [runStep({ status: 'intended' })] } : run,
    })
    expect((await svc(['reconcile', '--json'], { env: api.env })).stdout).toBe(`${JSON.stringify(run, null, 2)}\n`)
    expect(looks).toBe(3)
  })

  test('that failed ends with 1 and tells the step and its error', async () => {
    api.routes[`GET /runs/${run.id}`] = {
      json: runOf({ status: 'failed', steps: [runStep({ status: 'failed', error: 'tmux is gone' })] }),
    }
    const { code, stderr } = await svc(['reconcile'], { env: api.env })
    expect([code, stderr.includes('✗ agents/planner  create FAILED: tmux is gone')]).toEqual([1, true])
  })

  test('that held deletions back ends with 1, or 11, and says how to allow them', async () => {
    withPlan(planOf({ guard }))
    const { code, stdout } = await svc(['reconcile'], { env: api.env })
    expect([code, stdout.includes('svc reconcile --source default --prune-override abc123')]).toEqual([1, true])
    expect((await svc(['reconcile', '--exit-codes', 'extended'], { env: api.env })).code).toBe(11)
  })

  test('that waits for health ends when everything is Ready', async () => {
    let looks = 0
    api.routes['GET /resources'] = () => ({
      json: [
        resourceRecord({}, ++looks < 3 ? { status: 'False', reason: 'Progressing', message: 'not connected' } : {}),
      ],
    })
    expect((await svc(['reconcile', '--wait'], { env: api.env })).code).toBe(0)
    expect(looks).toBe(3)
  })

  test('that waits too long for health ends with 15 and names what is not Ready', async () => {
    api.routes['GET /resources'] = {
      json: [resourceRecord({}, { status: 'False', reason: 'Progressing', message: 'not connected' })],
    }
    const { code, stderr } = await svc(['reconcile', '--wait', '--timeout', '300ms', '--exit-codes=extended'], {
      env: api.env,
    })
    expect(code).toBe(15)
    expect(stderr).toContain('agents/planner: Progressing: not connected')
  })

  test('of an unknown source is refused with the daemon’s words', async () => {
    api.routes['POST /sources/nope/sync'] = {
      status: 404,
      body: problem(404, 'source nope (there are: default) does not exist'),
    }
    expect((await svc(['reconcile', '--source', 'nope'], { env: api.env })).stderr).toContain(
      'source nope (there are: default) does not exist',
    )
  })
})

describe('apply', () => {
  const events = [
    { type: 'plan', source: 'x', plan: planOf({ steps: [planStep({ action: 'create' })] }) },
    { type: 'step', run_id: run.id, step: runStep({ status: 'intended', ended_at: null }) },
    { type: 'step', run_id: run.id, step: runStep() },
    { type: 'run', run },
  ]
  beforeEach(() => {
    api.routes['POST /apply'] = { lines: events }
    api.routes['GET /resources'] = { json: [resourceRecord()] }
  })

  test('shows progress and summary', async () => {
    const { code, stdout, stderr } = await agent(['apply', folder], { env: api.env })
    expect(code).toBe(0)
    expect(stderr).toBe('✓ agents/planner  create done (400 ms)\n')
    expect(stdout).toBe('Run 55555555 succeeded in 1.5 s: 1 done, 4 unchanged\n')
  })

  test('prunes only when told to, and passes ndjson through as it comes', async () => {
    const { stdout } = await agent(['apply', folder, '--prune', '-o', 'ndjson', '--wait-timeout', '0'], {
      env: api.env,
    })
    expect(api.asked).toMatchObject([
      { method: 'POST', path: '/apply', body: { prune: true, source: `apply:${folder}` } },
    ])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(events)
  })

  test('of a file in a kind’s folder takes the folder above as its root', async () => {
    await agent(['apply', join(folder, 'agents', 'planner.yml'), '--wait-timeout', '0'], { env: api.env })
    expect(api.asked[0]!.body).toMatchObject({
      root: folder,
      source: `apply:${join(folder, 'agents', 'planner.yml')}`,
      manifests: [{ path: 'agents/planner.yml' }],
    })
  })

  test('an error in the middle is told with its hint', async () => {
    api.routes['POST /apply'] = {
      lines: [events[1], { type: 'error', problem: problem(503, 'the disk is full: free some space, then try again') }],
    }
    const { code, stderr } = await agent(['apply', folder], { env: api.env })
    expect([code, stderr.includes('error: the disk is full')]).toEqual([1, true])
  })

  test('a conflict in the middle ends with 1, or 14', async () => {
    api.routes['POST /apply'] = { lines: [events[1], { type: 'error', problem: problem(409, 'live moved') }] }
    const codes = await Promise.all(
      [[], ['--exit-codes=extended']].map(
        async (flags) => (await svc(['apply', folder, ...flags], { env: api.env })).code,
      ),
    )
    expect(codes).toEqual([1, 14])
  })

  test('of bytes that are no text sends nothing, and says where they are', async () => {
    const file = join(folder, 'agents', 'planner.yml')
    writeFileSync(file, Buffer.concat([Buffer.from('name: planner\nprompt: '), Buffer.from([0xff, 0xfe])]))
    const { code, stderr } = await agent(['apply', folder], { env: api.env })
    expect([code, api.asked.filter(({ path }) => path === '/apply')]).toEqual([1, []])
    expect(stderr).toBe(`error: the file is not UTF-8 (${file}:2:9, not-utf8)\nhint: save it as UTF-8\n`)
  })

  test('of a folder follows links to folders', async () => {
    mkdirSync(join(folder, '..', `${basename(folder)}-shared`))
    const shared = join(folder, '..', `${basename(folder)}-shared`)
    writeFileSync(join(shared, 'more.yml'), 'name: more\nworking_dir: .\n')
    symlinkSync(shared, join(folder, 'agents', 'shared'))
    await agent(['apply', folder, '--wait-timeout', '0'], { env: api.env })
    rmSync(shared, { recursive: true })
    expect(api.asked[0]!.body.manifests.map((manifest: { path: string }) => manifest.path)).toEqual([
      'agents/planner.yml',
      'agents/shared/more.yml',
    ])
  })

  test('an answer without an end is an error', async () => {
    api.routes['POST /apply'] = { lines: events.slice(0, 2) }
    const { code, stderr } = await agent(['apply', folder], { env: api.env })
    expect([code, stderr.includes('without a run')]).toEqual([1, true])
  })

  test('of what is not there says so', async () => {
    const { code, stderr } = await agent(['apply', join(folder, 'nope')], { env: api.env })
    expect([code, stderr]).toEqual([
      1,
      `error: ${join(folder, 'nope')} does not exist\nhint: name a file or folder of manifests that can be read\n`,
    ])
  })

  test('teardown asks to remove what the manifests name; its dry run shows the plan', async () => {
    await agent(['teardown', folder], { env: api.env })
    expect(api.asked[0]).toMatchObject({ path: '/apply', body: { delete_all: true } })
    withPlan(planOf({ steps: [planStep({ action: 'delete' })] }))
    expect((await agent(['teardown', folder, '--dry-run'], { env: api.env })).stdout).toContain(
      '- agents/planner  delete',
    )
  })

  test('a saved plan is sent whole with its manifests read again, and refused when it no longer holds', async () => {
    const plan = planOf({ source: `apply:${folder}`, steps: [planStep({ action: 'create' })] })
    withPlan(plan)
    const file = join(folder, 'team.plan.json')
    const kept = await svc(['plan', folder, '--out', file], { env: api.env })
    expect(kept.stderr).toContain(`svc apply ${file}`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await svc(['apply', file], { env: api.env })).code).toBe(0)
    expect(api.asked.at(-1)!.body).toMatchObject({ plan, root: folder, manifests: [{ path: 'agents/planner.yml' }] })
    api.routes['POST /apply'] = { status: 409, body: problem(409, 'the plan no longer holds: agents/planner moved') }
    const stale = await svc(['apply', file, '--exit-codes=extended'], { env: api.env })
    expect([stale.code, stale.stderr.includes('agents/planner moved')]).toEqual([14, true])
  })

  test('a file that is no plan is refused before anything is sent', async () => {
    writeFileSync(join(folder, 'x.json'), '{"steps": 3}')
    const { code, stderr } = await svc(['apply', join(folder, 'x.json')], { env: api.env })
    expect([code, stderr.includes('is not a plan'), api.asked]).toEqual([1, true, []])
  })
})

describe('drift', () => {
  test('lists what, by whom and through which door; 10 with the extended codes', async () => {
    api.routes['GET /drift'] = { json: [driftRecord()] }
    const { code, stdout } = await svc(['drift', 'agents/planner'], { env: api.env })
    expect(stdout).toMatch(
      /agents\/planner\s+tool_policy.mode\s+"allow_all"\s+"deny_all"\s+alice\s+PUT \/agents\/\{id\}\/policy/,
    )
    expect([code, api.asked[0]!.path]).toEqual([0, '/drift?open=true&kind=agents&name=planner'])
    expect((await svc(['drift', '--exit-codes=extended'], { env: api.env })).code).toBe(10)
  })

  test('revert asks for it and shows the run', async () => {
    api.routes['POST /drift/agents/planner/revert'] = { json: run }
    const { code, stdout } = await svc(['drift', 'revert', 'agents/planner'], { env: api.env })
    expect([code, stdout.includes('Run 55555555 succeeded')]).toEqual([0, true])
  })
})
