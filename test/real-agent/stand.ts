// One whole daemon per test file, with the real CLI in tmux and a fake model.
import { afterAll, beforeAll } from 'vitest'
import type { Approval } from '../../schemas/tools/approval.ts'
import { eventually } from '../support/eventually.ts'
import { startFakeModel, type FakeModel } from './fake-model.ts'
import { forgetOwnAgent } from './real-agent.ts'
import { startWholeDaemon, type WatchedAgent, type WholeDaemon } from './whole-daemon.ts'

export let model: FakeModel
export let daemon: WholeDaemon

beforeAll(async () => {
  forgetOwnAgent()
  model = await startFakeModel()
  daemon = await startWholeDaemon(model)
})
afterAll(async () => {
  await daemon?.close()
  await model?.stop()
})

/** Another model has its own error texts and may not record all input. */
export const otherModel = process.env['SVC_FAKE_MODEL']

export const approve = (approval: Approval, body?: unknown) =>
  daemon.ask('POST', `/approvals/${approval.id}/approve`, body)
export const deny = (approval: Approval, body?: unknown) => daemon.ask('POST', `/approvals/${approval.id}/deny`, body)
export const usageOf = (agent: WatchedAgent) => daemon.ask('GET', `/agents/${agent.id}/usage`)
export const idle = (agent: WatchedAgent) => eventually(async () => (await agent.record()).activity === 'idle')

export const pending = (agent: WatchedAgent): Promise<Approval> =>
  eventually(
    async () =>
      (await daemon.ask('GET', '/approvals?status=pending')).find((each: Approval) => each.agent_id === agent.id),
    30_000,
  )

export const heardSince = async (from: number) => (await model.heard()).slice(from)
