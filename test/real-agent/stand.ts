// The whole daemon over the real CLI, one for the tests of a file: REST in, tmux and the bridge between, the fake
// model at the far end.
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

/** A model other than ours fails by another word, and need not keep all it hears. */
export const otherModel = process.env['SVC_FAKE_MODEL']

export const approve = (approval: Approval, body?: unknown) =>
  daemon.ask('POST', `/approvals/${approval.id}/approve`, body)
export const deny = (approval: Approval, body?: unknown) => daemon.ask('POST', `/approvals/${approval.id}/deny`, body)
export const usageOf = (agent: WatchedAgent) => daemon.ask('GET', `/agents/${agent.id}/usage`)
export const idle = (agent: WatchedAgent) => eventually(async () => (await agent.record()).activity === 'idle')

/** The one request of this agent that waits for a person. */
export const pending = (agent: WatchedAgent): Promise<Approval> =>
  eventually(
    async () =>
      (await daemon.ask('GET', '/approvals?status=pending')).find((each: Approval) => each.agent_id === agent.id),
    30_000,
  )

/** What the model was sent since this many characters. */
export const heardSince = async (from: number) => (await model.heard()).slice(from)
