import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { namesOf } from '../agent-server.ts'
import { isResult, scripted } from './stand.ts'

test('sends its token and introduces itself first', async () => {
  const { server, bridge } = await scripted()
  expect(server.last.headers.authorization).toBe('Bearer secret-of-agent-1')
  expect(server.frames[0]).toMatchObject({
    type: 'system',
    subtype: 'bridge',
    runtime: 'scripted',
    agent_version: '1.0.0',
    permission_mode: 'default',
    guarded: true,
    guard_reason: null,
    pid: bridge.pid,
    uuid: expect.any(String),
  })
  expect(server.last.texts[0]).toMatch(/\}\n$/)
})

test('stays silent until a prompt, then sends init, assistant and result', async () => {
  const { server } = await scripted()
  const { result, frames } = await server.turn('hello')
  expect(namesOf(server.frames.slice(0, 2))).toEqual(['system/bridge'])
  expect(namesOf(frames)).toEqual(['system/init', 'assistant', 'result'])
  expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'ECHO(1): hello', num_turns: 1 })
  const init = frames.find((frame) => frame['subtype'] === 'init')!
  expect(init).toMatchObject({ permissionMode: 'default', session_id: result['session_id'], mcp_servers: [] })
  await server.next((frame) => frame['state'] === 'idle')
  expect(
    server.frames.filter((frame) => frame['subtype'] === 'session_state_changed').map((frame) => frame['state']),
  ).toEqual(['running', 'idle'])
})

test('accepts content as a list of blocks', async () => {
  const { server } = await scripted()
  server.send({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] },
  })
  expect((await server.result())['result']).toBe('ECHO(1): a\n\nb')
})

test('joins prompts sent during a turn and keeps /clear separate', async () => {
  const { server } = await scripted()
  for (const prompt of ['USE_TOOL Bash true', 'first', 'second', '/clear', 'third']) server.prompt(prompt)
  server.allow(await server.question())
  await eventually(() => server.frames.filter(isResult).length === 4)
  expect(server.frames.filter(isResult).map((frame) => frame['result'])).toEqual([
    'TOOL_OK: ',
    'ECHO(5): first\nsecond',
    '',
    'ECHO(1): third',
  ])
})

test('ends the turn like a failed model request on FAIL', async () => {
  const { server } = await scripted()
  expect((await server.turn('FAIL out of credit')).result).toMatchObject({
    subtype: 'success',
    is_error: true,
    api_error_status: 400,
    result: 'API Error: 400 out of credit',
    terminal_reason: 'api_error',
  })
})

test('exits with the code of EXIT after delivering all frames', async () => {
  const { server, bridge } = await scripted()
  server.prompt('EXIT 7')
  expect(await bridge.exit).toBe(7)
  expect(namesOf(server.frames).slice(1)).toEqual(['system/init', 'assistant'])
  expect(server.last.closed).toBe(1000)
})
