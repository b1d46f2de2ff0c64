import { expect, test } from 'vitest'
import { scripted } from './stand.ts'

test('answers initialize with version, mode, state and open requests', async () => {
  const { server } = await scripted()
  expect(await server.control({ subtype: 'initialize' })).toMatchObject({
    subtype: 'success',
    response: {
      agent_version: '1.0.0',
      current_permission_mode: 'default',
      session_state: 'idle',
      pid: expect.any(Number),
    },
    pending_permission_requests: [],
  })
  server.prompt('USE_TOOL')
  const question = await server.question()
  expect(await server.control({ subtype: 'initialize' })).toMatchObject({
    response: { session_state: 'requires_action' },
    pending_permission_requests: [question],
  })
})

test('publishes a mode change and is unguarded meanwhile', async () => {
  const { server } = await scripted()
  expect(await server.control({ subtype: 'set_permission_mode', mode: 'auto' })).toMatchObject({
    subtype: 'success',
    response: { mode: 'auto' },
  })
  expect(await server.next((frame) => frame['subtype'] === 'status')).toMatchObject({ permissionMode: 'auto' })
  expect(await server.next((frame) => frame['subtype'] === 'bridge' && !frame['guarded'])).toMatchObject({
    permission_mode: 'auto',
    guard_reason: 'permission mode: expected "default", got "auto"',
  })
  const from = server.frames.length
  await server.control({ subtype: 'set_permission_mode', mode: 'default' })
  expect(await server.next((frame) => frame['subtype'] === 'bridge', from)).toMatchObject({
    guarded: true,
    guard_reason: null,
  })
  expect(await server.control({ subtype: 'set_permission_mode', mode: 'bypassPermissions' })).toMatchObject({
    subtype: 'error',
    error: expect.stringContaining('bypassPermissions'),
  })
})

test('uses a changed model in the next turn', async () => {
  const { server } = await scripted({ model: 'large' })
  expect((await server.turn('x')).frames.find((frame) => frame['subtype'] === 'init')).toMatchObject({ model: 'large' })
  expect(await server.control({ subtype: 'set_model', model: 'small' })).toMatchObject({ response: { model: 'small' } })
  expect(await server.next((frame) => frame['isReplay'])).toMatchObject({ type: 'user' })
  expect((await server.turn('y')).result['modelUsage']).toHaveProperty('small')
})

test('exits on end_session with 0 if idle, else 1', async () => {
  const idle = await scripted()
  await idle.server.control({ subtype: 'end_session' })
  expect(await idle.bridge.exit).toBe(0)
  const busy = await scripted()
  busy.server.prompt('SLOW 60000')
  await busy.server.next((frame) => frame['subtype'] === 'init')
  await busy.server.control({ subtype: 'end_session' })
  expect(await busy.bridge.exit).toBe(1)
  expect(busy.server.frames.at(-1)).toMatchObject({ type: 'result', is_error: true })
})

test('rejects an unknown control request and ignores unknown frames', async () => {
  const { server } = await scripted()
  server.send({ type: 'keep_alive' })
  server.send({ type: 'of the future' })
  for (const subtype of ['dance', 'toString', 'constructor']) {
    expect(await server.control({ subtype })).toMatchObject({
      subtype: 'error',
      error: `Unsupported control request subtype: ${subtype}`,
    })
  }
})
