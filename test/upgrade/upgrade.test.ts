// Databases of earlier versions, made by make.mjs.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import type { Drift, Resource } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import type { Usage } from '../../schemas/agent/usage.ts'
import type { DispatchRecord, WorkflowRecord } from '../../schemas/workflow.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { folder, restoreDatabase, versions } from './kept-databases.ts'

/** Responses of the old daemon. */
interface Records {
  agents: AgentRecord[]
  workflows: WorkflowRecord[]
  policies: { name: string }[]
  dispatches: Record<string, DispatchRecord[]>
  approvals: Approval[]
  usage: Record<string, { cumulative: Usage }>
  runs: Run[]
  drift: Drift[]
  resources: Pick<Resource, 'kind' | 'name' | 'live_id'>[]
  /** By service and path. */
  companions: Record<string, object[]>
}

const idsByName = (records: { id: string; name: string }[]) => records.map(({ id, name }) => `${name} ${id}`).sort()

describe.each(versions.map(({ name }) => name))('the database of %s', (version) => {
  const kept = join(folder, version)
  const old = JSON.parse(readFileSync(join(kept, 'records.json'), 'utf8')) as Records
  let stand: DaemonStand

  let removeDatabase: () => Promise<void> = async () => undefined

  beforeAll(async () => {
    const database = await restoreDatabase(version)
    removeDatabase = database.remove
    // Retention would delete old records.
    const env = { SVC_DATABASE_URL: database.url, SVC_RETENTION_DAYS: '36500' }
    stand = await DaemonStand.create({ manifests: join(folder, 'manifests'), env })
    mkdirSync(stand.dataDir, { recursive: true })
    cpSync(join(kept, 'key'), join(stand.dataDir, 'key'))
    await stand.start()
    await stand.settled()
    await stand.connected()
  }, 60_000)
  afterAll(async () => {
    await stand.close()
    await removeDatabase()
  })

  const orchestrator = <T>(path: string) => stand.get<T>(`${stand.orchestrator}${path}`)
  const controller = <T>(path: string) => stand.get<T>(`${stand.controller}${path}`)
  const turnsOf = async (name: string) =>
    (await orchestrator<{ cumulative: Usage }>(`/agents/${(await stand.agentNamed(name)).id}/usage`)).cumulative
      .num_turns

  test('converges to an empty plan', async () => {
    const { code, stdout } = await stand.svc(['reconcile', '--dry-run', '--detailed-exitcode', '--keep-drift'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/no changes/i)])
    expect((await controller<Run[]>('/runs')).filter((run) => run.status === 'failed')).toEqual([])
    const { agents, workflows, policies, approvals, runs, drift, resources } = old
    const counts = Object.entries({ agents, workflows, policies, approvals, runs, drift, resources })
    console.log(`${version}: ${counts.map(([what, records]) => `${records.length} ${what}`).join(', ')}: empty plan`)
  })

  test('creates no duplicates and loses no resources', async () => {
    const agents = await stand.agents()
    expect(idsByName(agents)).toEqual(idsByName(old.agents))
    expect(idsByName(await orchestrator<WorkflowRecord[]>('/workflows'))).toEqual(idsByName(old.workflows))
    expect(await orchestrator('/policies')).toMatchObject(old.policies)
    expect((await controller<Resource[]>('/resources')).sort(byKindAndName)).toMatchObject(
      old.resources.sort(byKindAndName),
    )
    const running = agents.filter((agent) => agent.status === 'running').map((agent) => agent.mux_session)
    expect(Object.keys(await stand.panes()).sort()).toEqual(running.sort())
  })

  test('restarts only declared agents without a session', async () => {
    const states = (await stand.agents()).map(({ name, status, connected, last_error }) => [
      name,
      status,
      connected,
      last_error,
    ])
    expect(states.sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['builder', 'running', true, null],
      ['guest', 'failed', false, 'its session no longer existed when the orchestrator started'],
      ['reader', 'running', true, null],
      ['writer', 'running', true, null],
    ])
  })

  test('returns old dispatches, approvals, runs and drift unchanged', async () => {
    for (const { id, name } of old.workflows)
      expect(await orchestrator(`/workflows/${id}/history`), name).toMatchObject(old.dispatches[name]!)
    for (const run of old.runs) expect(await controller(`/runs/${run.id}`)).toMatchObject(run)

    const approvals = await orchestrator<Approval[]>('/approvals')
    expect(approvals.map(({ id }) => id).sort()).toEqual(old.approvals.map(({ id }) => id).sort())
    for (const approval of old.approvals) expect(approvals.find(({ id }) => id === approval.id)).toMatchObject(approval)
    const names = new Map(old.agents.map(({ id, name }) => [id, name]))
    for (const { agent_id, agent_name } of approvals) expect(agent_name).toBe(names.get(agent_id))

    const drift = await controller<Drift[]>('/drift')
    const same = (record: Drift) =>
      drift.find(({ request_id, path }) => request_id === record.request_id && path === record.path)
    // A record of a nested field may now have the path of its parent.
    const isOpen = ({ path }: Drift) =>
      drift.some((each) => each.resolution === null && (each.path === path || path.startsWith(`${each.path}.`)))
    for (const record of old.drift) {
      const { resolution, last_seen: _, ...rest } = record
      expect(same(record)).toMatchObject({ ...rest, last_seen: expect.stringMatching(/^\d{4}-/) })
      if (resolution === null) expect(isOpen(record), record.path).toBe(true)
      else expect(same(record)!.resolution).toBe(resolution)
    }
  })

  test.each(Object.keys(old.companions))('returns %s unchanged', async (path) => {
    const [service] = path.split('/') as [string]
    expect(await stand.get(path.replace(service, stand.urls[service]!))).toEqual(
      // Later versions add members.
      expect.arrayContaining(old.companions[path]!.map((record) => expect.objectContaining(record))),
    )
  })

  test('keeps a pending approval, which can be decided once', async () => {
    const [{ id }] = old.approvals.filter(({ status }) => status === 'pending') as [Approval]
    expect((await stand.agent(['orchestrator', 'deny', id, '--reason', 'too late'])).code).toBe(0)
    expect(await orchestrator(`/approvals/${id}`)).toMatchObject({ status: 'denied', reason: 'too late' })
    expect((await stand.agent(['orchestrator', 'approve', id])).code).toBe(1)
  })

  test('delivers a queued message once and does not repeat an interrupted turn', async () => {
    const before = old.usage.writer!.cumulative.num_turns
    await eventually(async () => (await turnsOf('writer')) > before)
    await eventually(async () => (await stand.agentNamed('writer')).activity === 'idle')
    expect(await turnsOf('writer')).toBe(before + 1)
  })

  test('passes a secret from the database to the agent', async () => {
    const guest = await stand.agentNamed('guest')
    expect(guest.config.env).toEqual({ GUEST_SECRET: '***' })
    const frames = await stand.listen(guest.id)
    expect((await stand.agent(['orchestrator', 'restart-agent', 'guest'])).code).toBe(0)
    await stand.connected()
    // The secret itself would be redacted.
    await stand.send(guest.id, 'USE_TOOL Bash printenv GUEST_SECRET | sha256sum')
    const result = await eventually(() => frames.find((frame) => frame.type === 'result'))
    expect(result.content).toContain(createHash('sha256').update('of-the-guest\n').digest('hex'))
  })
})

function byKindAndName(a: { kind: string; name: string }, b: { kind: string; name: string }): number {
  return `${a.kind}/${a.name}`.localeCompare(`${b.kind}/${b.name}`)
}
