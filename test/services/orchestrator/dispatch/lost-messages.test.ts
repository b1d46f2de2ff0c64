import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const clock = new TestClock()
const machine = new TestMachine({ clock })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const warnings = async (id: string) => (await daemon.orchestrator.agents.get(id)).warnings
const lost = (reason: string) =>
  expect.stringMatching(new RegExp(`^the message sent at 20.*Z got no result \\(${reason}.*send it again`))

async function withMessage(restart: 'on-failure' | 'never' = 'never'): Promise<{ id: string; agent: HandAgent }> {
  const { id, agent } = await daemon.createConnected({ restart })
  await daemon.orchestrator.agents.message(id, 'deploy', alice)
  await agent.prompt(1)
  return { id, agent }
}

test('reports a message lost with its process until a later result', async () => {
  const { id, agent } = await withMessage('on-failure')
  await machine.killAgent(id)
  agent.socket.terminate()
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).status === 'failed')
  expect(daemon.frame('message_lost', id)!.content).toMatch(/^a message got no result: it ended with exit code 137/)
  await eventually(
    async () => {
      const { status } = await daemon.orchestrator.agents.get(id)
      if (status === 'failed') daemon.tick(1000)
      return status === 'running'
    },
    20_000,
    100,
  )
  const back = await daemon.connect(id)
  expect(await warnings(id)).toEqual([lost('it ended with exit code 137')])
  expect(back.prompts()).toEqual([])
  await daemon.orchestrator.agents.message(id, 'deploy again', alice)
  await back.prompt(1)
  back.result()
  await eventually(async () => (await warnings(id)).length === 0)
})

test.each(['terminate', 'restart'] as const)(
  'reports a message lost when a person ends the process: %s',
  async (end) => {
    const { id } = await withMessage()
    await daemon.orchestrator.agents[end](id, alice)
    expect(await warnings(id)).toEqual([lost(`the agent was ${end}(d|ed)`)])
  },
)

test('reports a message lost with its connection when the agent reconnects idle', async () => {
  const { id, agent } = await withMessage()
  agent.socket.terminate()
  await eventually(async () => !(await daemon.orchestrator.agents.get(id)).connected)
  await daemon.connect(id, { state: 'idle' })
  await eventually(async () => (await warnings(id)).length === 1)
  expect(await warnings(id)).toEqual([lost('the connection was lost')])
})

test('reports a message lost while no daemon runs, or with the daemon', async () => {
  const other = new TestMachine({ clock })
  try {
    const first = await other.open()
    const ids: string[] = []
    for (let count = 0; count < 2; count++) {
      const { id, agent } = await first.createConnected()
      await first.orchestrator.agents.message(id, 'deploy', alice)
      await agent.prompt(1)
      ids.push(id)
    }
    await first.crash()
    await other.killAgent(ids[0]!)
    const second = await other.open()
    expect((await second.orchestrator.agents.get(ids[0]!)).warnings).toEqual([lost('it ended with exit code 137')])
    await second.orchestrator.stop({ agents: true })
    await second.stop()
    const third = await other.open()
    expect((await third.orchestrator.agents.get(ids[1]!)).warnings).toEqual([lost('the agent ended')])
    expect(await third.db('orchestrator_prompts').where({ status: 'sent' })).toEqual([])
  } finally {
    await other.close()
  }
})
