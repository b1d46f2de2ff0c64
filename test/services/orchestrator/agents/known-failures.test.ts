import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPane } from '../../../../bridge/pane.ts'
import { realTimers } from '../../../../bridge/timers.ts'
import { Masker } from '../../../../platform/secrets/masking/masker.ts'
import { lastOutputOf, withRemedy } from '../../../../services/orchestrator/agents/known-failures.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const machine = new TestMachine()
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

test.each([
  ['Invalid API key · Please run /login', /log in: run the program/],
  ['There is an issue with the selected model (gpt-9). It may not exist', /set another "model"/],
  ['listen EADDRINUSE: address already in use 127.0.0.1:3000', /another program uses the port/],
])('adds a remedy to: %s', (error, remedy) => {
  expect(withRemedy(error)).toMatch(remedy)
  expect(withRemedy(error).startsWith(`${error}; to fix it: `)).toBe(true)
})

test('returns an unknown error unchanged', () => {
  expect(withRemedy('segmentation fault')).toBe('segmentation fault')
})

test('returns the last line, or our own error with its remedy', () => {
  expect(lastOutputOf('one\ntwo\n\n')).toBe('two')
  expect(lastOutputOf('error: program "claude" is not installed\nhint: install it\n')).toBe(
    'program "claude" is not installed; to fix it: install it',
  )
  expect(lastOutputOf('hint: install it')).toBe('hint: install it')
  expect(lastOutputOf('\n \n')).toBe(null)
})

test('ignores frames to the program and the connection of the bridge', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const pane = createPane(realTimers, new Masker([]))
  pane.toAgent({ type: 'control_request', request: { subtype: 'initialize' } })
  pane.text('connected to ws://127.0.0.1:17006/ws/1')
  pane.text('not connected (1006); retrying in 500 ms')
  const lines = written.mock.calls.map(([text]) => String(text))
  written.mockRestore()
  expect(lines[0]).toMatch(/> initialize\n$/)
  for (const line of lines) expect(lastOutputOf(`no such model\n${line}`)).toBe('no such model')
})

test('reports a program that cannot work on its record until it can', async () => {
  const { id, agent } = await daemon.createConnected()
  const lastError = async () => (await daemon.orchestrator.agents.get(id)).last_error
  const failing = { is_error: true, subtype: 'error_during_execution', result: 'Invalid API key · Please run /login' }
  await daemon.orchestrator.agents.message(id, 'one', alice)
  await agent.prompt(1)
  agent.result(failing)
  await eventually(async () => (await lastError()) !== null)
  expect(await lastError()).toMatch(/^its program cannot work: Invalid API key .*; to fix it: log in/)
  await daemon.orchestrator.agents.message(id, 'two', alice)
  await agent.prompt(2)
  agent.result({ is_error: true, subtype: 'error_during_execution', result: 'something else' })
  await agent.prompt(2)
  expect(await lastError()).toMatch(/Invalid API key/)
  await daemon.orchestrator.agents.message(id, 'three', alice)
  await agent.prompt(3)
  agent.result()
  await eventually(async () => (await lastError()) === null)
})
