import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { daemon, idle } from './stand.ts'
import { processesOf } from './whole-daemon.ts'

test('starts and connects an agent that is idle without warnings', async () => {
  const agent = await daemon.agent({ name: 'calm', tool_policy: { mode: 'require_approval' }, prompt: 'first words' })
  expect((await agent.next('result')).content).toMatch(/^ECHO\(\d+\): first words$/)
  await idle(agent)
  expect(await agent.record()).toMatchObject({
    status: 'running',
    connected: true,
    last_error: null,
    warnings: [],
    config: { env: { ANTHROPIC_API_KEY: '***' } },
  })
  expect(daemon.warnings.filter((line) => line['agent_id'] === agent.id)).toEqual([])
})

test('starts a guarded agent by manifest and leaves no process after removal', async () => {
  const file = join(daemon.manifests, 'declared.yaml')
  writeFileSync(
    file,
    JSON.stringify({
      kind: 'Agent',
      ...daemon.claude({ name: 'declared', tool_policy: { mode: 'require_approval' } }),
    }),
  )
  const condition = async () =>
    (await daemon.askController('/resources?kind=agents'))
      .find((each: { name: string }) => each.name === 'declared')
      ?.conditions.find((each: { type: string }) => each.type === 'Ready')
  expect(
    await eventually(async () => ((await condition())?.status === 'True' ? condition() : undefined), 30_000),
  ).toMatchObject({ status: 'True' })
  const [agent] = await eventually(async () => {
    const found = (await daemon.ask('GET', '/agents?status=running')).filter(
      (each: { name: string }) => each.name === 'declared',
    )
    return found.length === 1 && found
  })
  expect(agent).toMatchObject({ managed_by: { file: 'declared.yaml' }, warnings: [], config: { restart: 'always' } })
  expect(processesOf(agent.id)).toHaveLength(1)
  rmSync(file)
  await eventually(
    async () => (await daemon.ask('GET', '/agents')).every((each: { id: string }) => each.id !== agent.id),
    30_000,
  )
  await eventually(() => processesOf(agent.id).length === 0)
})
