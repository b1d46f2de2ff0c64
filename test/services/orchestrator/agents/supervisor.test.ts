import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { createLog } from '../../../../platform/core/log/log.ts'
import type { Mux } from '../../../../platform/terminal/mux.ts'
import type { AgentRecord } from '../../../../schemas/agent.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestOrchestrator, workflow, TestMachine } from '../harness.ts'

const clock = new TestClock()
let machine: TestMachine
let daemon: TestOrchestrator
beforeEach(async () => {
  machine = new TestMachine({ clock })
  daemon = await machine.open()
})
afterEach(() => machine.close())

const agents = () => daemon.orchestrator.agents
const SWEEP = 2000

function bridge(name: string, script: string): string {
  const path = join(machine.folder, `${name}.mjs`)
  writeFileSync(path, script)
  return path
}

/** Sweeps until the record of the dead agent matches `wanted`. */
async function swept(id: string, wanted: Partial<AgentRecord>): Promise<AgentRecord> {
  await eventually(async () => (await machine.mux.get(`svc-orch-${id}`))?.dead ?? true)
  return eventually(async () => {
    daemon.tick(SWEEP)
    const agent = await agents().get(id)
    return Object.entries(wanted).every(([key, value]) => agent[key as keyof AgentRecord] === value) && agent
  })
}

async function killProcess(id: string): Promise<void> {
  const session = await machine.mux.get(`svc-orch-${id}`)
  process.kill(session!.pid, 'SIGKILL')
}

test('marks an agent as stopped when its process exits with 0', async () => {
  await daemon.stop()
  daemon = await machine.open({ bridge: bridge('clean', '') })
  const { id } = await daemon.create()
  expect(await swept(id, { status: 'stopped' })).toMatchObject({ last_error: null })
})

test('marks an agent as failed after another exit code, with last words', async () => {
  await daemon.stop()
  daemon = await machine.open({
    bridge: bridge('bad', 'console.log("no such model"); setTimeout(() => process.exit(3), 300)'),
  })
  const { id } = await daemon.create()
  expect(await swept(id, { status: 'failed' })).toMatchObject({
    last_error: 'it ended with exit code 3: no such model',
    restarts: 0,
  })
  expect(await machine.mux.get(`svc-orch-${id}`)).toBeNull()
  expect(existsSync(join(machine.launchFolder, `${id}.json`))).toBe(false)
  await daemon.awaitChanges()
  expect(daemon.changes.filter((change) => change.id === id).length).toBeGreaterThan(1)
  expect(await daemon.orchestrator.audit.latest('agents', id, 'status')).toMatchObject({ actor: 'supervisor' })
})

test('marks an agent as failed when its session was killed', async () => {
  const { id } = await daemon.create()
  await machine.mux.kill(`svc-orch-${id}`)
  expect(await swept(id, { status: 'failed' })).toMatchObject({ last_error: 'its session no longer exists' })
})

test('queries tmux seldom while processes live and at once when one ends', async () => {
  await machine.close()
  let asked = 0
  const counted = (real: Mux): Mux => {
    const list = real.list.bind(real)
    return Object.assign(real, { list: () => (asked++, list()) })
  }
  machine = new TestMachine({ clock, mux: counted })
  daemon = await machine.open()
  asked = 0
  const first = await daemon.create()
  const sweeps = async (count: number) => {
    for (let sweep = 0; sweep < count; sweep++) {
      daemon.tick(SWEEP)
      await agents().list()
    }
    return asked
  }
  await eventually(async () => (await sweeps(1)) === 1)
  expect(await sweeps(4)).toBe(1)
  await eventually(async () => (await sweeps(1)) === 2)
  const second = await daemon.create()
  await eventually(async () => (await sweeps(1)) === 3)
  await killProcess(first.id)
  expect(await swept(first.id, { status: 'failed' })).toMatchObject({ status: 'failed' })
  expect((await agents().get(second.id)).status).toBe('running')
})

test('checks a closed connection at once, without waiting for the sweep', async () => {
  const { id, agent } = await daemon.createConnected()
  await killProcess(id)
  await eventually(async () => (await machine.mux.get(`svc-orch-${id}`))!.dead)
  agent.socket.terminate()
  await eventually(async () => (await agents().get(id)).status === 'failed')
  expect((await agents().get(id)).last_error).toContain('exit code 137')
})

test('fails an agent that does not connect within 60 s', async () => {
  const { id } = await daemon.create()
  daemon.tick(59_999)
  expect(await agents().get(id)).toMatchObject({ status: 'running' })
  daemon.tick(1)
  await eventually(async () => (await agents().get(id)).status === 'failed')
  expect(await agents().get(id)).toMatchObject({ last_error: 'the agent did not connect within 60 s' })
  expect(await machine.mux.get(`svc-orch-${id}`)).toBeNull()
})

test('does not fail an agent that connected in time', async () => {
  const { id } = await daemon.createConnected()
  daemon.tick(120_000)
  expect(await agents().get(id)).toMatchObject({ status: 'running', connected: true })
})

for (const [restart, kind, again] of [
  ['always', 'a crash', true],
  ['on-failure', 'a crash', true],
  ['never', 'a crash', false],
  ['always', 'a clean end', true],
  ['on-failure', 'a clean end', false],
  ['never', 'a clean end', false],
  ['always', 'a termination', true],
  ['on-failure', 'a termination', false],
  ['never', 'a termination', false],
] as const) {
  test(`${again ? 'restarts' : 'does not restart'} an agent with restart: ${restart} after ${kind}`, async () => {
    const ends = bridge(
      'ends',
      `import { existsSync } from 'node:fs'; setInterval(() => existsSync('${join(machine.folder, 'go')}') && process.exit(${kind === 'a crash' ? 1 : 0}), 10)`,
    )
    await daemon.stop()
    daemon = await machine.open({ bridge: kind === 'a termination' ? machine.idleBridge : ends })
    const { id } = await daemon.create({ restart })
    if (kind === 'a termination') await agents().terminate(id, alice)
    else {
      writeFileSync(join(machine.folder, 'go'), '')
      await eventually(async () => {
        await daemon.orchestrator.agents.get(id)
        return (await machine.mux.get(`svc-orch-${id}`))?.dead
      })
      // A single sweep, so that the back-off has not passed yet.
      daemon.tick(SWEEP)
      await eventually(async () => (await agents().get(id)).status !== 'running')
    }
    expect((await agents().get(id)).restarts).toBe(0)
    // The status is written before the back-off begins.
    const isRestarted = async () => {
      daemon.tick(1000)
      return (await agents().get(id)).restarts > 0
    }
    if (again) await eventually(isRestarted)
    else {
      daemon.tick(600_000)
      expect(await agents().get(id)).toMatchObject({ restarts: 0, status: kind === 'a crash' ? 'failed' : 'stopped' })
    }
  })
}

test('restarts a terminated agent of an enabled workflow, not a purged one', async () => {
  const { id } = await daemon.createConnected()
  const flow = await daemon.orchestrator.workflows.create(workflow(id), alice)
  await agents().addDirectory(id, machine.work, alice)
  expect(await agents().terminate(id, alice)).toMatchObject({ status: 'stopped' })
  daemon.tick(1000)
  await eventually(async () => (await agents().get(id)).status === 'running')
  expect((await machine.launchFile(id)).additional_dirs).toEqual([machine.work])
  await daemon.orchestrator.workflows.patch(flow.id, { enabled: false }, alice)
  await agents().terminate(id, alice)
  daemon.tick(60_000)
  expect(await agents().get(id)).toMatchObject({ status: 'stopped' })
  await daemon.orchestrator.workflows.patch(flow.id, { enabled: true }, alice)
  await agents().purge(id, alice)
  daemon.tick(60_000)
  expect(await agents().list()).toEqual([])
})

test('backs off failed starts and gives up after eight', async () => {
  let launches = 0
  await daemon.stop()
  const planned: number[] = []
  const log = createLog(
    { level: 'info', format: 'json' },
    new PassThrough().on('data', (line: Buffer) => {
      const { wait_ms: wait } = JSON.parse(line.toString()) as { wait_ms?: number }
      if (wait !== undefined) planned.push(wait)
    }),
  )
  const broken = new TestMachine({
    clock: new TestClock(),
    log,
    mux: (real) => Object.assign(real, { launch: () => (launches++, Promise.reject(new Error('no room'))) }),
  })
  try {
    const other = await broken.open()
    const { id } = await other.create({ restart: 'always' })
    for (const [index, wanted] of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000].entries()) {
      const before = launches
      expect(await eventually(() => planned[index])).toBe(wanted)
      other.tick(wanted - 1)
      await other.orchestrator.agents.get(id)
      expect(launches).toBe(before)
      other.tick(1)
      await eventually(() => launches > before)
    }
    await eventually(async () =>
      (await other.orchestrator.agents.get(id)).last_error!.startsWith('gave up after 8 failures in a row'),
    )
    other.tick(3_600_000)
    expect(launches).toBe(9)
    expect(await other.orchestrator.agents.get(id)).toMatchObject({
      status: 'failed',
      last_error: 'gave up after 8 failures in a row; last: the launch failed: no room',
    })
  } finally {
    await broken.close()
  }
})

test('resets the failure count after five minutes of life', async () => {
  const { id } = await daemon.create({ restart: 'always' })
  await daemon.connect(id)
  for (let round = 0; round < 10; round++) {
    daemon.tick(301_000)
    await killProcess(id)
    await eventually(async () => (await machine.mux.get(`svc-orch-${id}`))?.dead ?? true)
    await eventually(async () => {
      daemon.tick(500)
      expect(await agents().get(id)).toMatchObject({ restarts: round + 1, status: 'running' })
      return true
    })
    await daemon.connect(id)
  }
})

test('cancels a planned restart when the daemon stops', async () => {
  const { id } = await daemon.create({ restart: 'always' })
  await agents().terminate(id, alice)
  await daemon.stop()
  expect(clock.pending).toBe(0)
  daemon = await machine.open()
  expect(await agents().get(id)).toMatchObject({ status: 'stopped', restarts: 0 })
  daemon.tick(1000)
  await eventually(async () => (await agents().get(id)).status === 'running')
})

test('ends every session of this daemon and no other', async () => {
  const { id } = await daemon.create({ restart: 'always' })
  await machine.mux.launch({ name: 'somebody-else', directory: machine.work, command: ['sleep', '60'] })
  await daemon.orchestrator.stop({ agents: true })
  expect((await machine.mux.list()).map((session) => session.name)).toEqual(['somebody-else'])
  expect(await agents().get(id)).toMatchObject({ status: 'stopped' })
})

test('reads the terminal of an agent', async () => {
  await daemon.stop()
  daemon = await machine.open({
    bridge: bridge('talks', 'console.log("first line"); console.log("second line"); setInterval(() => {}, 1000)'),
  })
  const { id } = await daemon.create()
  await eventually(async () => (await agents().logs(id, 10)).includes('second line'))
  expect(await agents().logs(id, 1)).toBe('second line')
})
