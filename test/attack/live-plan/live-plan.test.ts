// Live is what runs: a process that was started with other values than are configured is a difference, whoever left
// it so.
// And a change that waits for work to end starts when the work ends, not when somebody looks.
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

  test('what runs with other values is a restart in the plan, until it is made', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    const [id, thing] = stand.things.find('t')!
    stand.things.running.set(id, { ...thing, hard: 'old' })
    expect(await steps()).toMatchObject([
      {
        action: 'restart',
        reason: 'it runs with other values than it is configured',
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

  test('a change by hand that was not taken up costs nothing to put back', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'svc.yaml': 'sync: {drift: heal}\n', 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    const [id, thing] = stand.things.find('t')!
    stand.things.live.set(id, { ...thing, hard: 'by hand' })
    stand.things.running.set(id, thing)
    expect(await steps()).toMatchObject([{ action: 'update', changes: [{ path: 'hard', cost: 'in-place' }] }])
  })

  test('in manual mode it waits for somebody to ask, and the resource says so', async () => {
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

  test('a busy resource that is adopted is owned at once, and its restart waits', async () => {
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

  test('a deferred change starts when its work ends: no timer has to fire, and nothing is looked at before', async () => {
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

  test('work that ends while the wait for it is put on record is not waited for', async () => {
    stand = await createStand(database.db, { start: false })
    await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('t')
    await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
    let asked = 0
    // Busy when the plan is made and when the step looks again; idle from then on, and nobody was told.
    stand.things.busy.has = () => ++asked <= 3
    expect((await stand.pass()).steps).toMatchObject([{ status: 'done' }])
    expect(stand.things.find('t')![1].hard).toBe('b')
  })
})

describe('on a daemon', () => {
  let stage: DaemonStand
  beforeEach(async () => {
    stage = await DaemonStand.create()
  })
  afterEach(() => stage.close())
  const manifest = (members: string) =>
    `name: x\nruntime: scripted\nworking_dir: .\nshell: bash\nrestart: never\n${members}\n`
  const processOfX = async () => (await stage.panes())[(await stage.agentNamed('x')).mux_session]
  const detail = () => stage.get<ResourceDetail>(`${stage.controller}/resources/agents/x`)
  // Marks are shorter than what is masked as a secret.
  const markOfX = async () => {
    const { id } = await stage.agentNamed('x')
    const frames = await stage.listen(id)
    await stage.send(id, 'USE_TOOL Bash printenv MARK')
    return (await eventually(() => frames.find((frame) => frame.type === 'result'))).content
  }
  const taken = async (mark: string) => {
    await eventually(async () => (await stage.agentNamed('x')).connected)
    await stage.settled()
    expect(await markOfX()).toBe(`TOOL_OK: ${mark}`)
  }

  test('a change by hand, committed afterwards, is taken up by a new process', { timeout: 60_000 }, async () => {
    stage.write('agents/x.yml', manifest('env: {MARK: a}'))
    await stage.startReady()
    const [before, { id }] = [await processOfX(), await stage.agentNamed('x')]
    const { body } = await stage.ask('PATCH', `${stage.orchestrator}/agents/${id}`, { env: { MARK: 'b' } })
    expect(body.requires_restart).toBe(true)
    stage.write('agents/x.yml', manifest('env: {MARK: b}'))
    await eventually(async () => (await processOfX()) !== before)
    await taken('b')
  })

  test('adopting what runs with other values restarts it', { timeout: 60_000 }, async () => {
    await stage.start()
    const body = { name: 'x', working_dir: stage.project, runtime: 'scripted', shell: 'bash', env: { MARK: 'h' } }
    const { body: made } = await stage.ask<AgentRecord>('POST', `${stage.orchestrator}/agents`, body)
    await stage.connected()
    stage.write('agents/x.yml', manifest('env: {MARK: m}'))
    await eventually(async () => (await stage.agents())[0]!.restarts === 1)
    await taken('m')
    expect((await stage.agents()).map(({ id }) => id)).toEqual([made.id])
  })

  test(
    'a restart whose start failed is made all the same, whatever the restart rule',
    { timeout: 60_000 },
    async () => {
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
    },
  )

  test(
    'status, get and the resource say what waits for what, and the idle frame starts it',
    { timeout: 60_000 },
    async () => {
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
    },
  )

  test(
    'a process whose start an earlier version did not put on record is left alone',
    { timeout: 60_000 },
    async () => {
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
    },
  )
})
