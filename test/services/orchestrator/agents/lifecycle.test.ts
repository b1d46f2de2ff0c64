import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const agents = () => daemon.orchestrator.agents

test('removes session and launch file of a terminated agent, keeps its record', async () => {
  const { id, mux_session } = await daemon.create()
  const { pid } = (await machine.mux.get(mux_session))!
  expect(await agents().terminate(id, alice)).toMatchObject({ id, status: 'stopped', last_error: null })
  expect(await machine.mux.get(mux_session)).toBeNull()
  expect(existsSync(join(machine.launchFolder, `${id}.json`))).toBe(false)
  await eventually(() => !existsSync(`/proc/${pid}`))
  expect(await agents().terminate(id, alice)).toMatchObject({ status: 'stopped' })
  expect(await agents().list({ status: 'stopped' })).toEqual(expect.arrayContaining([expect.objectContaining({ id })]))
  expect(await daemon.orchestrator.audit.latest('agents', id, 'status')).toMatchObject({
    actor: 'alice',
    requestId: 'req-1',
    endpoint: 'TEST',
  })
})

test('keeps the id on restart and creates a new process and secret', async () => {
  const { id, agent } = await daemon.createConnected()
  const before = await machine.launchFile(id)
  const { pid } = (await machine.mux.get(`svc-orch-${id}`))!
  expect(await agents().restart(id, alice)).toMatchObject({ id, status: 'running', restarts: 1, connected: false })
  expect((await machine.mux.get(`svc-orch-${id}`))!.pid).not.toBe(pid)
  const after = await machine.launchFile(id)
  expect(after.token).not.toBe(before.token)
  expect(await daemon.orchestrator.sockets.admit(id, before.token)).toBe(false)
  expect(await daemon.orchestrator.sockets.admit(id, after.token)).toBe(true)
  await eventually(() => agent.closeCode === 4001)
})

test('opens the agent socket only for the secret of the current launch', async () => {
  const { id } = await daemon.create()
  const { token } = await machine.launchFile(id)
  const { sockets } = daemon.orchestrator
  expect(await sockets.admit(id, token)).toBe(true)
  expect(await sockets.admit(id, `${token}x`)).toBe(false)
  expect(await sockets.admit(id, null)).toBe(false)
  expect(await sockets.admit(randomUUID(), token)).toBe(false)
  await agents().terminate(id, alice)
  expect(await sockets.admit(id, token)).toBe(false)
})

test('removes record, files and worktree of a purged agent, preserving uncommitted work', async () => {
  const repository = join(machine.work, 'repository')
  mkdirSync(repository)
  const git = (...args: string[]) =>
    execa('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args])
  await git('init', '-q', '-b', 'main')
  await git('commit', '-q', '--allow-empty', '-m', 'one')
  const clean = await daemon.create({ name: 'clean', working_dir: repository, worktree: true })
  const tree = join(machine.folder, 'worktrees', `clean-${clean.id.slice(0, 8)}`)
  expect((await machine.launchFile(clean.id)).directory).toBe(tree)
  expect(existsSync(tree)).toBe(true)
  await agents().purge(clean.id, alice)
  expect(existsSync(tree)).toBe(false)
  expect(await refusal(agents().get(clean.id))).toMatchObject({ status: 404 })
  expect(await daemon.orchestrator.audit.latest('agents', clean.id, '')).toMatchObject({ actor: 'alice' })

  const dirty = await daemon.create({ name: 'dirty', working_dir: repository, worktree: true })
  const kept = join(machine.folder, 'worktrees', `dirty-${dirty.id.slice(0, 8)}`)
  writeFileSync(join(kept, 'unsaved'), 'work')
  await agents().purge(dirty.id, alice)
  expect(existsSync(kept)).toBe(false)
  const ref = `refs/svc/preserved/dirty-${dirty.id.slice(0, 8)}`
  expect((await git('show', `${ref}:unsaved`)).stdout).toBe('work')
  expect(daemon.frame('work_preserved', dirty.id)).toMatchObject({ content: expect.stringContaining(ref) })
})

test('answers 404 to an unknown id on every operation', async () => {
  const id = randomUUID()
  const calls = [
    agents().get(id),
    agents().spec(id),
    agents().patch(id, {}, alice),
    agents().assign(id, daemon.spec(), alice),
    agents().terminate(id, alice),
    agents().purge(id, alice),
    agents().restart(id, alice),
    agents().message(id, 'x', alice),
  ]
  const more = [
    agents().setPolicy(id, { mode: 'deny_all' }, alice),
    agents().addDirectory(id, machine.work, alice),
    agents().removeDirectory(id, '/x', alice),
    agents().clearContext(id, alice),
    agents().interrupt(id, alice),
    agents().usage(id),
    agents().logs(id, 5),
    agents().work(id),
  ]
  for (const refused of await Promise.all([...calls, ...more].map(refusal)))
    expect(refused).toMatchObject({ status: 404 })
})

test('counts agents by status and connections in the metrics', async () => {
  const created = (await daemon.figure('agents_created_total')) as number
  await daemon.createConnected()
  expect(await daemon.figure('agents_created_total')).toBe(created + 1)
  expect(await daemon.figure('agents')).toMatchObject({
    pending: 0,
    failed: (await agents().list({ status: 'failed' })).length,
    running: (await agents().list({ status: 'running' })).length,
  })
  const connected = (await agents().list()).filter((agent) => agent.connected)
  expect(connected.length).toBeGreaterThan(0)
  expect(await daemon.figure('websocket_connections_active')).toBe(connected.length)
})
