import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Resource } from '../../schemas/resource.ts'
import { svc } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

let stand: DaemonStand
let folder: string
const agent = (name: string, more = '') => `name: ${name}\nworking_dir: .\nshell: bash\nruntime: scripted\n${more}`
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/planner.yml', agent('planner', 'tool_policy: {mode: allow_all}\n'))
  await stand.startReadyInside()
}, 60_000)
afterAll(() => stand.close())
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-machine-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

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

test('wraps long lines of doctor at words, with indentation', async () => {
  const { stdout } = await svc(['doctor'], {
    env: {
      SVC_CONTROLLER_URL: stand.controller,
      SVC_ORCHESTRATOR_URL: stand.orchestrator,
      PATH: folder,
      COLUMNS: '60',
    },
  })
  const lines = stdout.split('\n').filter((line) => line.startsWith('      '))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.length > 60)).toEqual([])
})

describe('doctor', () => {
  test('reports a complete machine and a running daemon as ok', async () => {
    const { code, findings } = await doctor({
      SVC_CONTROLLER_URL: stand.controller,
      SVC_ORCHESTRATOR_URL: stand.orchestrator,
    })
    expect(code).toBe(0)
    for (const check of ['node', 'git', 'tmux', 'data folder', 'database', 'user of a connection', 'daemon'])
      expect(findings.get(check), check).toMatchObject({ status: 'ok', fix: null })
    expect(findings.get('user of a connection')!.detail).toContain('other users need a token')
    const asked = await doctor({ SVC_AUTH: 'on' })
    expect(asked.findings.get('user of a connection')!.detail).toContain('every request needs a token')
  })

  test('names missing programs with their fix', async () => {
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
        detail: `${port} is used by another program`,
        fix: 'stop that program, or set SVC_CONTROLLER_PORT',
      },
    ])
    expect(findings.get('port of the orchestrator')!.status).toBe('ok')
  })

  test('reports a database that cannot be opened, without the password', async () => {
    writeFileSync(join(folder, 'broken.db'), 'this is no database, whatever its name says '.repeat(100))
    const broken = await doctor({
      SVC_CONTROLLER_URL: stand.controller,
      SVC_ORCHESTRATOR_URL: stand.orchestrator,
      SVC_DATABASE_URL: `sqlite:${join(folder, 'broken.db')}`,
    })
    expect(broken.findings.get('database')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('cannot be opened'),
    })
    const away = await doctor({
      SVC_CONTROLLER_URL: stand.controller,
      SVC_ORCHESTRATOR_URL: stand.orchestrator,
      SVC_DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/svc',
    })
    expect(away.findings.get('database')).toMatchObject({
      status: 'fail',
      fix: 'check SVC_DATABASE_URL and the server',
    })
    expect(JSON.stringify([...away.findings])).not.toContain('hush')
  })

  test('prints one line per check', async () => {
    expect((await svc(['doctor'], { env: { SVC_CONTROLLER_URL: stand.controller } })).stdout).toMatch(
      /^ok {4}node: \d+\./,
    )
  })
})

test('exits with 1 on down without a daemon', async () => {
  expect((await svc(['down'])).code).toBe(1)
})

test('prints JSON Schema for editors', async () => {
  for (const word of ['agents', 'agent', 'Agent'])
    expect(JSON.parse((await svc(['schema', word])).stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { name: { type: 'string' } },
    })
})

test('shows desired, last applied and live state of one resource', async () => {
  const { id } = await stand.agentNamed('planner')
  await stand.ask('PUT', `${stand.orchestrator}/agents/${id}/policy`, { mode: 'deny_all' })
  await eventually(async () => (await stand.get(`${stand.controller}/drift`)).length > 0)
  const { stdout } = await stand.svc(['get', 'agents/planner'])
  expect(stdout).toMatch(
    /\ntool_policy {2}\(set on the live system\)\n {2}desired +\{"mode":"allow_all"\}\n {2}last applied +\{"mode":"allow_all"\}\n {2}live +\{"mode":"deny_all"\}\n/,
  )
  expect(stdout).toMatch(
    /equal in desired, last applied and live\n[\s\S]* {2}runtime +"scripted"\n[\s\S]* {2}and \d+ more empty fields/,
  )
  expect(stdout).toMatch(/Ready=True  Healthy: /)
  expect(JSON.parse((await stand.svc(['get', 'agents', 'planner', '--json'])).stdout)).toEqual(
    await stand.get(`${stand.controller}/resources/agents/planner`),
  )
})

test('lists runs and shows the steps of one', async () => {
  const [run] = await stand.get(`${stand.controller}/runs`)
  const short = run.id.slice(0, 8)
  expect((await stand.svc(['history'])).stdout).toMatch(
    new RegExp(`${short}\\s+default\\s+\\S+\\s+succeeded\\s+1 create\\s+\\S+`),
  )
  expect((await stand.svc(['history', run.id.slice(0, 6)])).stdout).toContain('✓ agents/planner  create done')
  expect((await stand.svc(['history', 'zzz'])).stderr).toContain('run zzz does not exist')
})

test('shows problems in status and get, and sets --exit-code', async () => {
  expect((await stand.svc(['status'])).stdout).toContain('1 of 1 resources Ready')
  stand.write('agents/b.yml', agent('b', 'prompt: EXIT 3\nrestart: never\n'))
  await eventually(async () => {
    const resources = await stand.get<Resource[]>(`${stand.controller}/resources`)
    const ready = resources.find(({ name }) => name === 'b')?.conditions.find(({ type }) => type === 'Ready')
    return ready?.reason === 'Degraded'
  })
  const list = await stand.svc(['get', 'agent', '--source', 'default'])
  expect(list.stdout).toMatch(/agents\/planner\s+True\s+Healthy/)
  expect(list.stdout).toMatch(/agents\/b\s+False\s+Degraded/)

  stand.write('policies/wrong.yml', 'name: wrong\nmod: x\n')
  await eventually(async () => (await stand.get(`${stand.controller}/sources/default`)).error)
  const { code, stdout } = await stand.svc(['status'])
  expect(stdout).toMatch(/source default: .*policies\/wrong\.yml:2:1/)
  expect(stdout).toMatch(/1 of 2 resources Ready, 1 drifted \(svc drift\)\n  agents\/b  \S/)
  expect([code, (await stand.svc(['status', '--exit-code'])).code]).toEqual([0, 1])
})

test('stops the daemon and waits for its end', async () => {
  const { code, stdout } = await stand.svc(['down', '--agents'])
  expect([code, stdout]).toEqual([0, 'The daemon has stopped; its agents were stopped.\n'])
  expect(await stand.panes()).toEqual({})
})
