import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { daemon, idle, otherModel } from './stand.ts'

test('completes a dispatch with result and usage under the workflow’s policy', async () => {
  const agent = await daemon.agent({ tool_policy: { mode: 'allow_all' } })
  const workflow = await daemon.ask('POST', '/workflows', {
    name: 'nightly',
    agent_id: agent.id,
    trigger_config: { type: 'manual' },
    prompt_template: 'USE_TOOL Bash touch {{title}}',
    enabled: true,
    tool_policy: { mode: 'deny_all' },
  })
  // Refused until the bridge has reported its verdict.
  const dispatch = await eventually(
    () => daemon.ask('POST', `/workflows/${workflow.id}/trigger`, { title: 'report.txt' }),
    30_000,
  )
  const done = await eventually(async () => {
    const record = (await daemon.ask('GET', `/workflows/${workflow.id}/history`)).find(
      (each: { id: string }) => each.id === dispatch.id,
    )
    return record.completed_at && record
  }, 30_000)
  expect(done).toMatchObject({
    status: 'completed',
    prompt_sent: 'USE_TOOL Bash touch report.txt',
    result: "TOOL_ERR: Tool 'Bash' is not allowed by policy 'deny_all'",
    error: null,
    usage: { num_turns: 2, result_count: 1 },
  })
  expect(done.usage.input_tokens).toBeGreaterThan(0)
  expect((await agent.turn('USE_TOOL Bash touch own.txt')).content).toMatch(/^TOOL_OK/)
  expect(existsSync(join(agent.project, 'own.txt'))).toBe(true)
  await daemon.ask('DELETE', `/workflows/${workflow.id}`)
})

test('fails only the dispatch of a failed turn, with the reason', async () => {
  const agent = await daemon.agent()
  const workflow = await daemon.ask('POST', '/workflows', {
    name: 'failing',
    agent_id: agent.id,
    trigger_config: { type: 'manual' },
    prompt_template: '{{title}}',
    enabled: true,
  })
  await daemon.ask('POST', `/workflows/${workflow.id}/trigger`, {
    title: otherModel ? 'LLM_STATUS 400' : 'FAIL out of credit',
  })
  const [failed] = await eventually(async () => {
    const history = await daemon.ask('GET', `/workflows/${workflow.id}/history`)
    return history[0]?.completed_at && history
  }, 30_000)
  expect(failed).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(otherModel ? '400' : 'out of credit'),
  })
  await idle(agent)
  expect((await agent.turn('go on')).message).toMatchObject({ is_error: false })
  await daemon.ask('DELETE', `/workflows/${workflow.id}`)
})
