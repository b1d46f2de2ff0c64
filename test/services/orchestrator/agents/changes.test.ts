import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const agents = () => daemon.orchestrator.agents

test('patches only the given fields, keeps masked secrets and reports restarts', async () => {
  const { id } = await daemon.create({ env: { A: 'one', B: 'two' } })
  expect(await agents().patch(id, { prompt: 'again', name: 'renamed' }, alice)).toMatchObject({
    name: 'renamed',
    requires_restart: false,
    config: { prompt: 'again' },
  })
  expect(await agents().patch(id, { config: { env: { A: '***', C: 'three' } } }, alice)).toMatchObject({
    requires_restart: true,
    config: { env: { A: '***', B: '***', C: '***' } },
  })
  const { env } = await agents().spec(id)
  expect(Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.reveal()]))).toEqual({
    A: 'one',
    B: 'two',
    C: 'three',
  })
  expect((await agents().get(id)).warnings).toEqual(['a restart is needed to apply env'])
  expect(await refusal(agents().patch(id, { env: { NEW: '***' } }, alice))).toMatchObject({ status: 400 })
  expect(await refusal(agents().patch(id, { working_dir: '/does/not/exist' }, alice))).toMatchObject({ status: 422 })
  const removal: Record<string, any> = { A: null }
  expect(await refusal(agents().patch(id, { tool_policy: { mode: 'allow_list' } }, alice))).toMatchObject({
    status: 400,
  })
  expect(
    await agents().patch(
      id,
      { tool_policy: { mode: 'allow_list', tools: ['Read'] }, prompt: null, config: { env: removal } },
      alice,
    ),
  ).toMatchObject({
    config: { prompt: null, tool_policy: { mode: 'allow_list', tools: ['Read'] }, env: { B: '***', C: '***' } },
  })
  expect(await agents().patch(id, { tool_policy: { mode: 'deny_list' } }, alice)).toMatchObject({
    config: { tool_policy: { mode: 'deny_list', tools: ['Read'] } },
  })
  expect(await refusal(agents().patch(id, { working_dir: null as never }, alice))).toMatchObject({ status: 400 })
  expect(await agents().restart(id, alice)).toMatchObject({ warnings: [] })
})

test('writes one audit row per changed field', async () => {
  const { id } = await daemon.create({ env: { A: 'one' } })
  const bob = { actor: 'bob', requestId: 'req-2', endpoint: 'PATCH /agents/{id}' }
  await agents().patch(id, { model: 'm', env: { A: 'changed' } }, bob)
  const { audit } = daemon.orchestrator
  expect(await audit.latest('agents', id, 'model')).toMatchObject({
    actor: 'bob',
    requestId: 'req-2',
    endpoint: 'PATCH /agents/{id}',
  })
  expect(await audit.latest('agents', id, 'env')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('agents', id, 'env.A')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('agents', id, 'prompt')).toMatchObject({ actor: 'alice' })
  expect(await audit.latest('agents', id, '')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('agents', randomUUID(), '')).toBeNull()
})

test('changes and publishes nothing for a write of the current value', async () => {
  const { id } = await daemon.create({ env: { A: 'one' } })
  const before = await agents().get(id)
  await daemon.awaitChanges()
  daemon.changes.length = 0
  await agents().assign(id, await agents().spec(id), { ...alice, actor: 'bob' })
  expect(await agents().get(id)).toEqual(before)
  await daemon.awaitChanges()
  expect(daemon.changes.filter((change) => change.id === id)).toEqual([])
  expect(await daemon.orchestrator.audit.latest('agents', id, '')).toMatchObject({ actor: 'alice' })
})

test('adds and removes existing directories once, effective at the next start', async () => {
  const { id } = await daemon.create()
  const extra = join(machine.work, 'extra')
  mkdirSync(extra)
  const added = { agent_id: id, additional_dirs: [extra], requires_restart: true }
  expect(await agents().addDirectory(id, extra, alice)).toEqual(added)
  expect(await agents().addDirectory(id, extra, alice)).toEqual(added)
  expect(await refusal(agents().addDirectory(id, '/does/not/exist', alice))).toMatchObject({ status: 422 })
  expect(await refusal(agents().addDirectory(id, '/etc/passwd', alice))).toMatchObject({ status: 422 })
  expect((await machine.launchFile(id)).additional_dirs).toEqual([])
  await agents().restart(id, alice)
  expect((await machine.launchFile(id)).additional_dirs).toEqual([extra])
  const removed = { agent_id: id, additional_dirs: [], requires_restart: true }
  expect(await agents().removeDirectory(id, extra, alice)).toEqual(removed)
  expect(await agents().removeDirectory(id, extra, alice)).toEqual(removed)
})

test('changes and starts nothing when the database refuses a write', async () => {
  const agent = await daemon.create()
  const sessions = (await machine.mux.list()).length
  await daemon.db.raw('PRAGMA query_only = ON')
  try {
    expect(await refusal(daemon.create())).toMatchObject({ status: 503 })
    expect(await refusal(agents().setPolicy(agent.id, { mode: 'deny_all' }, alice))).toMatchObject({ status: 503 })
  } finally {
    await daemon.db.raw('PRAGMA query_only = OFF')
  }
  expect((await machine.mux.list()).length).toBe(sessions)
  expect(await agents().get(agent.id)).toEqual(agent)
})
