import { expect, test } from 'vitest'
import { namesOf } from '../agent-server.ts'
import { scripted } from './stand.ts'

test('begins every turn with the session’s init and grows the context', async () => {
  const { server } = await scripted()
  const first = await server.turn('one')
  const second = await server.turn('two')
  expect(second.result).toMatchObject({ result: 'ECHO(3): two', session_id: first.result['session_id'] })
  expect(second.frames.some((frame) => frame['subtype'] === 'init')).toBe(true)
})

test('reports usage per turn and the cost as a total', async () => {
  const { server } = await scripted()
  const first = (await server.turn('one')).result
  const second = (await server.turn('two')).result
  expect(first['usage']).toMatchObject({
    input_tokens: 1,
    cache_creation_input_tokens: 1,
    cache_read_input_tokens: 0,
    output_tokens: 3,
  })
  expect(second['usage'].cache_read_input_tokens).toBeGreaterThan(0)
  expect(second['total_cost_usd']).toBeGreaterThan(first['total_cost_usd'])
  expect(second['duration_api_ms']).toBeGreaterThan(first['duration_api_ms'])
})

test('reports the same usage for the same prompts', async () => {
  const figures = async () => {
    const { server } = await scripted()
    await server.turn('one')
    const { usage, total_cost_usd, num_turns } = (await server.turn('two')).result
    return { usage, total_cost_usd, num_turns }
  }
  expect(await figures()).toEqual(await figures())
})

test('starts a session with empty context and zero cost on /clear', async () => {
  const { server } = await scripted()
  const before = (await server.turn('remember me')).result
  const { result, frames } = await server.turn('/clear')
  expect(namesOf(frames)).toEqual(['conversation_reset', 'system/init', 'result'])
  expect(frames.find((frame) => frame['type'] === 'conversation_reset')).toMatchObject({
    trigger: 'clear',
    session_id: before['session_id'],
  })
  expect(result).toMatchObject({ result: '', num_turns: 0, total_cost_usd: 0, is_error: false })
  expect(result['session_id']).not.toBe(before['session_id'])
  expect((await server.turn('after')).result).toMatchObject({
    result: 'ECHO(1): after',
    session_id: result['session_id'],
  })
})

test('resumes the given session', async () => {
  const { server } = await scripted({ resume_session: '11111111-2222-3333-4444-555555555555' })
  expect((await server.turn('again')).result['session_id']).toBe('11111111-2222-3333-4444-555555555555')
})
