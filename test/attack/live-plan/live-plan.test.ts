import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { Tmux } from '../../../platform/terminal/tmux.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Resource, ResourceDetail } from '../../../schemas/resource.ts'
import { createStand, person, type Stand } from '../../controller/fixture.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())
  const resource = async (): Promise<Resource> => (await stand.controller.resources({})).items[0]!
  const reconciling = async () =>
    (await resource()).conditions.find(({ type, status }) => type === 'Reconciling' && status === 'True')
  const steps = async () => (await stand.controller.plan({ source: 'default' }, person)).steps

  test('plans a restart for a process that runs with other values', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    const [id, thing] = stand.things.find('t')!
    stand.things.running.set(id, { ...thing, hard: 'old' })
    expect(await steps()).toMatchObject([
      {
        action: 'restart',
        reason: 'its running values differ from its configuration',
        changes: [{ path: 'hard', before: 'old', after: 'a', cost: 'restart', owner: 'manifest' }],
      },
    ])
    expect(await stand.controller.resource('things', 't')).toMatchObject({
      live: { hard: 'old' },
      owners: { hard: 'manifest' },
    })
    expect((await stand.pass()).steps).toMatchObject([{ action: 'restart', status: 'done' }])
    expect(stand.things.running.size).toBe(0)
    expect(await steps()).toEqual([])
  })

  test('reverts an unapplied manual change in place', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'svc.yaml': 'sync: {drift: heal}\n', 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    const [id, thing] = stand.things.find('t')!
    stand.things.live.set(id, { ...thing, hard: 'by hand' })
    stand.things.running.set(id, thing)
    expect(await steps()).toMatchObject([{ action: 'update', changes: [{ path: 'hard', cost: 'in-place' }] }])
  })

  test('waits for a sync in manual mode and reports it', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'svc.yaml': 'sync: {mode: manual}\n', 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    const [id, thing] = stand.things.find('t')!
    stand.things.running.set(id, { ...thing, hard: 'old' })
    stand.things.changes.publish({ id, name: 't' })
    await eventually(async () => (await resource()).waiting?.reason === 'WaitingForSync')
    expect(await reconciling()).toMatchObject({ reason: 'WaitingForSync', message: expect.stringContaining('hard') })
    expect((await resource()).waiting).toMatchObject({ action: 'restart', members: ['hard'] })
    await stand.pass()
    await eventually(async () => (await resource()).waiting === null && !(await reconciling()))
  })

  test('owns an adopted busy resource at once and defers its restart', async () => {
    stand = await createStand(database.db, { start: false })
    stand.things.live.set('one', { name: 't', size: 1, hard: 'old', parent: null, env: {} })
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\nhard: new\n' })
    expect((await stand.pass()).steps).toMatchObject([{ action: 'adopt', status: 'deferred', live_id: 'one' }])
    expect(stand.things.live.get('one')).toMatchObject({ size: 2, hard: 'new' })
    expect(stand.things.running.get('one')).toMatchObject({ hard: 'old' })
    expect(await steps()).toMatchObject([{ action: 'restart', interrupts: 'work of t', changes: [{ path: 'hard' }] }])
    stand.things.busy.clear()
    expect((await stand.pass()).steps).toMatchObject([{ action: 'restart', status: 'done' }])
    expect(stand.things.running.size).toBe(0)
  })

  test('starts a deferred change when its work ends, without timers or polling', async () => {
    const clock = new TestClock()
    stand = await createStand(database.db, { clock, drainTimeoutSecs: 60 })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    expect((await stand.pass()).status).toBe('waiting')
    const [id] = stand.things.find('t')!
    stand.things.changes.publish({ id, name: 't' })
    const until = new Date(clock.now() + 60_000).toISOString()
    await eventually(async () => (await resource()).waiting?.reason === 'WaitingForIdle')
    expect((await resource()).waiting).toEqual({
      reason: 'WaitingForIdle',
      action: 'restart',
      members: ['hard'],
      work: 'work of t',
      since: new Date(clock.now()).toISOString(),
      until,
    })
    expect(await reconciling()).toMatchObject({
      reason: 'WaitingForIdle',
      message: `the restart for hard waits until things/t is idle, at most until ${until}`,
    })
    stand.things.busy.clear()
    stand.things.changes.publish({ id, name: 't', moved: 'idle' })
    await eventually(() => stand.things.find('t')![1].hard === 'b')
    await eventually(async () => (await resource()).waiting === null)
  })

  test('does not wait for work that ended while the wait was recorded', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    let asked = 0
    // Busy for the plan and the step's check, then idle without an event.
    stand.things.busy.has = () => ++asked <= 3
    expect((await stand.pass()).steps).toMatchObject([{ status: 'done' }])
    expect(stand.things.find('t')![1].hard).toBe('b')
  })
})

describe('live plan of a daemon', () => {
  let stage: DaemonStand
  beforeEach(async () => {
    stage = await DaemonStand.create()
  })
  afterEach(() => stage.close())
  const manifest = (members: string) =>
    `name: x\nruntime: scripted\nworking_dir: .\nshell: bash\nrestart: never\n${members}\n`
  const processOfX = async () => (await stage.panes())[(await stage.agentNamed('x')).mux_session]
  const detail = () => stage.get<ResourceDetail>(`${stage.controller}/resources/agents/x`)
  // Longer values would be masked as secrets.
  const markOfX = async () => {
    const { id } = await stage.agentNamed('x')
    const frames = await stage.listen(id)
    // Refused until the new process is connected.
    await eventually(async () => (await stage.send(id, 'USE_TOOL Bash printenv MARK')).status === 200)
    return (await eventually(() => frames.find((frame) => frame.type === 'result'))).content
  }
  const taken = async (mark: string) => {
    await eventually(async () => (await stage.agentNamed('x')).connected)
    await stage.settled()
    expect(await markOfX()).toBe(`TOOL_OK: ${mark}`)
  }

  test('applies a manual change that was committed with a new process', { timeout: 60_000 }, async () => {
    stage.write('agents/x.yml', manifest('env: {MARK: a}'))
    await stage.startReady()
    const [before, { id }] = [await processOfX(), await stage.agentNamed('x')]
    const { body } = await stage.ask('PATCH', `${stage.orchestrator}/agents/${id}`, { env: { MARK: 'b' } })
    expect(body.requires_restart).toBe(true)
    stage.write('agents/x.yml', manifest('env: {MARK: b}'))
    await eventually(async () => (await processOfX()) !== before)
    await taken('b')
  })

  test('restarts an adopted agent that runs with other values', { timeout: 60_000 }, async () => {
    await stage.start()
    const body = { name: 'x', working_dir: stage.project, runtime: 'scripted', shell: 'bash', env: { MARK: 'h' } }
    const { body: made } = await stage.ask<AgentRecord>('POST', `${stage.orchestrator}/agents`, body)
    await stage.connected()
    stage.write('agents/x.yml', manifest('env: {MARK: m}'))
    await eventually(async () => (await stage.agents())[0]!.restarts === 1)
    await taken('m')
    expect((await stage.agents()).map(({ id }) => id)).toEqual([made.id])
  })

  test('repeats a restart whose start failed, whatever the restart rule', { timeout: 60_000 }, async () => {
    stage.write('agents/x.yml', manifest('env: {MARK: a}'))
    const real = new Tmux({ socket: stage.muxSocket, env: stage.env })
    let refusals = 0
    const mux = Object.assign(Object.create(real) as typeof real, {
      launch: async (...args: Parameters<typeof real.launch>) => {
        if (refusals-- > 0) throw new Error('no terminal today')
        return real.launch(...args)
      },
    })
    for (const method of ['list', 'get', 'kill', 'capture', 'attachCommand', 'version'] as const)
      Object.assign(mux, { [method]: real[method].bind(real) })
    await stage.startInside({ mux })
    await stage.settled()
    await stage.connected()
    refusals = 1
    stage.write('agents/x.yml', manifest('env: {MARK: b}'))
    await eventually(async () => (await stage.agentNamed('x')).last_error?.includes('no terminal today'))
    await eventually(async () => (await stage.agentNamed('x')).status === 'running', 20_000)
    await taken('b')
  })

  test('shows the wait in status and get until the agent is idle', { timeout: 60_000 }, async () => {
    stage.write('agents/x.yml', manifest('env: {MARK: a}'))
    await stage.startReady()
    const { id } = await stage.agentNamed('x')
    await stage.send(id, 'SLOW 60000')
    await eventually(async () => (await stage.agentNamed('x')).activity === 'busy')
    const before = await processOfX()
    stage.write('agents/x.yml', manifest('env: {MARK: b}'))
    await eventually(async () => (await detail()).waiting?.reason === 'WaitingForIdle')
    expect(await processOfX()).toBe(before)
    const said =
      /agents\/x .*the restart for env waits until agents\/x is idle, at most until .*; it has a message, since/
    expect((await stage.svc(['status'])).stdout).toMatch(said)
    expect((await stage.svc(['get', 'agents/x'])).stdout.replace(/\s+/g, ' ')).toMatch(said)

    const frames = await stage.listen(id)
    await stage.ask('POST', `${stage.orchestrator}/agents/${id}/interrupt`)
    await eventually(() => frames.find(({ type, activity }) => type === 'agent_status' && activity === 'idle'))
    await eventually(async () => (await processOfX()) !== before)
    await taken('b')
    expect((await detail()).waiting).toBeNull()
  })

  test('ignores a process whose start an earlier version did not record', { timeout: 60_000 }, async () => {
    stage.write('agents/x.yml', manifest('env: {MARK: a}'))
    await stage.startReady()
    const before = await processOfX()
    await stage.stopBy('SIGKILL')
    const { openDatabase } = await import('../../../platform/database/database.ts')
    const db = openDatabase(`sqlite:${join(stage.dataDir, 'svc.db')}`)
    await db('orchestrator_agents').update({ launched_config: null })
    await db.destroy()
    await stage.startReady()
    expect(await processOfX()).toBe(before)
    mkdirSync(join(stage.project, randomUUID()))
    stage.write('agents/x.yml', manifest('env: {MARK: b}'))
    await eventually(async () => (await processOfX()) !== before)
    await taken('b')
  })
})
