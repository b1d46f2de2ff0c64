import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Approval } from '../../schemas/tools/approval.ts'
import { eventually } from '../support/eventually.ts'
import { startFakeModel, type FakeModel } from './fake-model.ts'
import { forgetOwnAgent } from './real-agent.ts'
import { startWholeDaemon, type WholeDaemon } from './whole-daemon.ts'

let model: FakeModel
let daemon: WholeDaemon
beforeAll(async () => {
  forgetOwnAgent()
  model = await startFakeModel()
  daemon = await startWholeDaemon(model, { killed: true })
})
afterAll(async () => {
  await daemon?.close()
  await model?.stop()
})

const waiting = (id: string): Promise<Approval> =>
  eventually(
    async () =>
      (await daemon.ask('GET', '/approvals?status=pending')).find(({ agent_id }: Approval) => agent_id === id),
    30_000,
  )

test('decides a held tool of the same process by the next daemon', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'require_approval' } })
  await agent.say('USE_TOOL Bash touch killed.txt')
  const approval = await waiting(agent.id)
  const processes = agent.processes()
  await daemon.replace()
  await agent.watch()
  await eventually(async () => (await agent.record()).connected, 30_000)
  expect(agent.processes()).toEqual(processes)
  expect(await waiting(agent.id)).toMatchObject({ id: approval.id, request_id: approval.request_id })
  await daemon.ask('POST', `/approvals/${approval.id}/approve`)
  expect((await agent.next('result')).content).toMatch(/^TOOL_OK/)
  expect(existsSync(join(agent.project, 'killed.txt'))).toBe(true)
  expect((await agent.turn('still there')).content).toMatch(/still there$/)
})

test('reports a turn that ended without a daemon once later', async () => {
  const agent = await daemon.agent()
  await agent.turn('first')
  await agent.say('SLOW 3000 second')
  await eventually(async () => (await agent.record()).activity === 'busy', 30_000)
  await daemon.replace()
  await agent.watch()
  const usage = () => daemon.ask('GET', `/agents/${agent.id}/usage`)
  await eventually(async () => (await usage()).cumulative.result_count === 2, 60_000)
  expect((await agent.turn('third')).content).toMatch(/third$/)
  expect((await usage()).cumulative.result_count).toBe(3)
})
