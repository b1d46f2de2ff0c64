import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { daemon, heardSince, idle, model, usageOf } from './stand.ts'

test('streams the answer to a message and adds up usage', async () => {
  const agent = await daemon.agent({ model: 'haiku' })
  const result = await agent.turn('hello there')
  expect(result).toMatchObject({
    agent_id: agent.id,
    content: expect.stringMatching(/^ECHO\(\d+\): hello there$/),
    message: { subtype: 'success', is_error: false },
  })
  expect(agent.frames.map((frame) => frame.type)).toEqual(
    expect.arrayContaining(['system', 'assistant', 'agent_status', 'result']),
  )
  const first = await usageOf(agent)
  expect(first).toMatchObject({ agent_id: agent.id, session_count: 1, cumulative: { result_count: 1, num_turns: 1 } })
  expect(first.current_session.input_tokens).toBeGreaterThan(0)
  expect(first.current_session.output_tokens).toBeGreaterThan(0)
  expect(first.current_session.total_cost_usd).toBeGreaterThan(0)
  const second = (await agent.turn('and again')).message as Record<string, any>
  const { cumulative } = await usageOf(agent)
  expect(cumulative.result_count).toBe(2)
  expect(cumulative.total_cost_usd).toBeCloseTo(second['total_cost_usd'], 6)
  expect(cumulative.input_tokens).toBe(first.cumulative.input_tokens + second['usage'].input_tokens)
})

test('queues messages to a busy agent, one turn each', async () => {
  const agent = await daemon.agent()
  await agent.say('SLOW 300 one')
  await agent.say('two')
  await agent.say('three')
  const results = await eventually(() => {
    const found = agent.frames.filter((frame) => frame.type === 'result')
    return found.length === 3 && found
  }, 30_000)
  expect(results.map((frame) => frame.content.split(' ').at(-1))).toEqual(['one', 'two', 'three'])
})

test('begins a new conversation and usage session on clear-context without a restart', async () => {
  const agent = await daemon.agent()
  await agent.turn('the word is xylophone')
  const [pid] = agent.processes()
  const before = await usageOf(agent)
  expect(await daemon.ask('POST', `/agents/${agent.id}/clear-context`)).toMatchObject({
    agent_id: agent.id,
    new_session_number: 2,
    session_usage: { result_count: 1, input_tokens: before.current_session.input_tokens },
  })
  await agent.next('context_cleared')
  await idle(agent)
  const from = (await model.heard()).length
  const count = agent.frames.filter((frame) => frame.type === 'context_cleared').length
  expect((await agent.turn('what was the word')).content).toMatch(/what was the word$/)
  expect(await heardSince(from)).not.toContain('xylophone')
  expect(agent.frames.filter((frame) => frame.type === 'context_cleared')).toHaveLength(count)
  expect(await usageOf(agent)).toMatchObject({ session_count: 2 })
  expect(agent.processes()).toEqual([pid])
})
