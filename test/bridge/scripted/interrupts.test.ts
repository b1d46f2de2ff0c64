import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { namesOf } from '../agent-server.ts'
import { isResult, scripted } from './stand.ts'

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('withdraws the open request and ends the turn on an interrupt', async () => {
  const { server, bridge } = await scripted()
  server.prompt('USE_TOOL Bash touch late.txt')
  const question = await server.question()
  const from = server.frames.length
  const answer = await server.control({ subtype: 'interrupt' })
  expect(answer).toMatchObject({ subtype: 'success', response: { still_queued: [] } })
  const result = await server.result()
  expect(namesOf(server.frames.slice(from))).toEqual([
    'control_cancel_request',
    'control_response',
    'user',
    'user',
    'result',
  ])
  expect(server.frames[from]).toEqual({ type: 'control_cancel_request', request_id: question['request_id'] })
  expect(result).toMatchObject({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' })
  expect(result).not.toHaveProperty('result')
  server.allow(question)
  expect((await server.turn('still there')).result['result']).toContain('still there')
  expect(existsSync(join(bridge.directory, 'late.txt'))).toBe(false)
})

test('kills a running command and its children on an interrupt', async () => {
  const { server, bridge } = await scripted()
  server.prompt('USE_TOOL Bash (sleep 300 & echo $! > child.pid; wait)')
  server.allow(await server.question())
  const file = join(bridge.directory, 'child.pid')
  // The line is complete with its newline.
  const pid = await eventually(() => existsSync(file) && /^(\d+)\n/.exec(readFileSync(file, 'utf8'))?.[1]).then(Number)
  await server.control({ subtype: 'interrupt' })
  expect(await server.result()).toMatchObject({ subtype: 'error_during_execution' })
  await eventually(() => !alive(pid))
})

test('ends a delayed turn on an interrupt, and ignores it when idle', async () => {
  const { server } = await scripted()
  server.prompt('SLOW 60000')
  await server.next((frame) => frame['subtype'] === 'init')
  await server.control({ subtype: 'interrupt' })
  expect(await server.result()).toMatchObject({ terminal_reason: 'aborted_streaming', num_turns: 2 })
  await server.control({ subtype: 'interrupt' })
  expect((await server.turn('next')).frames.filter(isResult)).toHaveLength(1)
})

test('ends the turn with an error on a deny that interrupts', async () => {
  const { server } = await scripted()
  server.prompt('USE_TOOL')
  server.deny(await server.question(), 'stop here', { interrupt: true })
  expect(await server.result()).toMatchObject({
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_tools',
  })
})
