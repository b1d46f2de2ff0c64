// `svc doctor`, `down`, `schema`, `get` and `status`: the machine, the daemon as a whole, and what it has on record.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApi, type Api } from './api.ts'
import { svc } from './commands.ts'
import { driftRecord, resourceRecord, runOf, runStep, sourceRecord } from './records.ts'

let api: Api
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-machine-'))
  api = await startApi({
    'GET /health': { json: { status: 'ok', service: 'svc-controller', version: '0.1.0', uptime_secs: 3 } },
  })
})
afterEach(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Finding {
  check: string
  status: string
  detail: string
  fix: string | null
}
const doctor = async (env: Record<string, string>) => {
  const { code, stdout } = await svc(['doctor', '--json'], { env })
  return { code, findings: new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.check, finding])) }
}

test('doctor breaks long lines between words, below where they begin', async () => {
  const { stdout } = await svc(['doctor'], { env: { ...api.env, PATH: folder, COLUMNS: '60' } })
  const lines = stdout.split('\n').filter((line) => line.startsWith('      '))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.length > 60)).toEqual([])
})

describe('doctor', () => {
  test('finds a machine that has what is needed well, and the daemon that answers', async () => {
    const { code, findings } = await doctor(api.env)
    expect(code).toBe(0)
    for (const check of ['node', 'git', 'tmux', 'data folder', 'database', 'daemon'])
      expect(findings.get(check), check).toMatchObject({ status: 'ok', fix: null })
  })

  test('names what is missing, each with its fix', async () => {
    const tools = join(folder, 'bin')
    mkdirSync(tools)
    symlinkSync(process.execPath, join(tools, 'node'))
    const { code, findings } = await doctor({ PATH: tools })
    expect(code).toBe(1)
    for (const check of ['git', 'tmux'])
      expect(findings.get(check)).toMatchObject({
        status: 'fail',
        detail: 'not installed',
        fix: expect.stringContaining(`install ${check}`),
      })
    for (const check of ['zsh', 'claude', 'daemon']) expect(findings.get(check)!.status).toBe('warn')
  })

  test('finds a port that another program holds', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => holder.once('listening', done))
    const { port } = holder.address() as AddressInfo
    const { code, findings } = await doctor({ SVC_CONTROLLER_PORT: String(port), SVC_ORCHESTRATOR_PORT: '0' })
    holder.close()
    expect([code, findings.get('port of the controller')]).toEqual([
      1,
      {
        check: 'port of the controller',
        status: 'fail',
        detail: `${port} is taken by another program`,
        fix: 'stop that program, or set SVC_CONTROLLER_PORT',
      },
    ])
    expect(findings.get('port of the orchestrator')!.status).toBe('ok')
  })

  test('finds a database that does not open, and shows no password', async () => {
    writeFileSync(join(folder, 'broken.db'), 'this is no database, whatever its name says '.repeat(100))
    const broken = await doctor({ ...api.env, SVC_DATABASE_URL: `sqlite:${join(folder, 'broken.db')}` })
    expect(broken.findings.get('database')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('does not open'),
    })
    const away = await doctor({ ...api.env, SVC_DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/svc' })
    expect(away.findings.get('database')).toMatchObject({
      status: 'fail',
      fix: 'check SVC_DATABASE_URL and the server',
    })
    expect(JSON.stringify([...away.findings])).not.toContain('hush')
  })

  test('people read a line a check', async () => {
    expect((await svc(['doctor'], { env: api.env })).stdout).toMatch(/^ok {4}node: \d+\./)
  })
})

describe('down', () => {
  test('asks the daemon to stop and waits until it is gone', async () => {
    api.routes['POST /shutdown'] = () => {
      setTimeout(() => void api.close(), 50)
      return { status: 202, body: { status: 'stopping', agents: true } }
    }
    const { code, stdout } = await svc(['down', '--agents'], { env: api.env })
    expect([code, stdout]).toEqual([0, 'The daemon has stopped; its agents were ended.\n'])
    expect(api.asked[0]).toMatchObject({ method: 'POST', path: '/shutdown', body: { agents: true } })
    api = await startApi()
  })

  test('without a daemon there is nothing to stop', async () => {
    expect((await svc(['down'])).code).toBe(1)
  })
})

test('a schema is JSON Schema that an editor can use', async () => {
  for (const word of ['agents', 'agent', 'Agent'])
    expect(JSON.parse((await svc(['schema', word])).stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { name: { type: 'string' } },
    })
})

test('get lists a kind with its readiness, in any of its words', async () => {
  api.routes['GET /resources'] = {
    json: [resourceRecord(), resourceRecord({ id: 'agents/b', name: 'b' }, { status: 'False', reason: 'Degraded' })],
  }
  const { stdout } = await svc(['get', 'agent', '--source', 'default'], { env: api.env })
  expect(api.asked[0]!.path).toBe('/resources?kind=agents&source=default')
  expect(stdout).toMatch(/agents\/planner\s+True\s+Healthy/)
  expect(stdout).toMatch(/agents\/b\s+False\s+Degraded/)
})

test('get of one resource shows desired, last applied and live side by side', async () => {
  const detail = {
    ...resourceRecord(),
    desired: { prompt: 'a' },
    last_applied: { prompt: 'a' },
    live: { prompt: 'b' },
    owners: { prompt: 'live' },
    drift: [driftRecord()],
    history: [{ run_id: runOf().id, action: 'create', status: 'done', revision: 'abc', at: null }],
  }
  api.routes['GET /resources/agents/planner'] = { json: detail }
  const { stdout } = await svc(['get', 'agents/planner'], { env: api.env })
  expect(stdout).toMatch(/MEMBER\s+DESIRED\s+LAST APPLIED\s+LIVE\s+OWNER\nprompt\s+"a"\s+"a"\s+"b"\s+live/)
  expect(stdout).toContain('Ready=True  Healthy: connected and idle')
  expect(JSON.parse((await svc(['get', 'agents', 'planner', '--json'], { env: api.env })).stdout)).toEqual(detail)
})

test('status tells errors of sources, what is not Ready, and drift; --exit-code makes it an exit code', async () => {
  Object.assign(api.routes, {
    'GET /sources': { json: [sourceRecord({ error: 'a.yml:1:1: wrong; nothing is pruned' })] },
    'GET /resources': { json: [resourceRecord({}, { status: 'False', message: 'not connected' })] },
    'GET /drift': { json: [driftRecord()] },
  })
  const { code, stdout } = await svc(['status'], { env: api.env })
  expect(stdout).toContain('source default: a.yml:1:1: wrong; nothing is pruned')
  expect(stdout).toContain('0 of 1 resources Ready, 1 drifted (svc drift)\n  agents/planner  not connected')
  expect([code, (await svc(['status', '--exit-code'], { env: api.env })).code]).toEqual([0, 1])
})

test('history lists the runs and shows the steps of one', async () => {
  const run = runOf({ steps: [runStep()], summary: { ...runOf().summary, create: 1 } })
  Object.assign(api.routes, { 'GET /runs': { json: { items: [run], total: 1, limit: 20, offset: 0 } } })
  expect((await svc(['history'], { env: api.env })).stdout).toMatch(
    /55555555\s+default\s+abc\s+succeeded\s+1 create\s+tester/,
  )
  expect((await svc(['history', '5555'], { env: api.env })).stdout).toContain('✓ agents/planner  create done')
  expect((await svc(['history', '9'], { env: api.env })).stderr).toContain('run 9 does not exist')
})
