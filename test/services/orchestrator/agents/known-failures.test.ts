// Failures that everybody meets are said with what mends them.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPane } from '../../../../bridge/pane.ts'
import { realTimers } from '../../../../bridge/timers.ts'
import { Masker } from '../../../../platform/secrets/masking/masker.ts'
import { lastWordsOf, withRemedy } from '../../../../services/orchestrator/agents/known-failures.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const machine = new TestMachine()
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

test.each([
  ['Invalid API key · Please run /login', /log the program in/],
  ['There is an issue with the selected model (gpt-9). It may not exist', /give the agent another "model"/],
  ['listen EADDRINUSE: address already in use 127.0.0.1:3000', /another program listens there/],
])('%s', (error, mends) => {
  expect(withRemedy(error)).toMatch(mends)
  expect(withRemedy(error).startsWith(`${error}; to mend it: `)).toBe(true)
})

test('what nobody knows is left as it is', () => {
  expect(withRemedy('segmentation fault')).toBe('segmentation fault')
})

test('last words are the last line, or an error of ours with its remedy', () => {
  expect(lastWordsOf('one\ntwo\n\n')).toBe('two')
  expect(lastWordsOf('error: program "claude" is not installed\nhint: install it\n')).toBe(
    'program "claude" is not installed; to mend it: install it',
  )
  expect(lastWordsOf('hint: install it')).toBe('hint: install it')
  expect(lastWordsOf('\n \n')).toBe(null)
})

test('what the bridge sent a program is not its last words', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  createPane(realTimers, new Masker([])).toAgent({ type: 'control_request', request: { subtype: 'initialize' } })
  const [line] = written.mock.calls.map(([text]) => String(text))
  written.mockRestore()
  expect(line).toMatch(/> initialize\n$/)
  expect(lastWordsOf(`no such model\n${line}`)).toBe('no such model')
})

test('a program that runs and cannot work says so on its record, until it can', async () => {
  const { id, agent } = await daemon.createConnected()
  const lastError = async () => (await daemon.orchestrator.agents.get(id)).last_error
  const failing = { is_error: true, subtype: 'error_during_execution', result: 'Invalid API key · Please run /login' }
  await daemon.orchestrator.agents.message(id, 'one', alice)
  await agent.prompt(1)
  agent.result(failing)
  await eventually(async () => (await lastError()) !== null)
  expect(await lastError()).toMatch(/^its program cannot work: Invalid API key .*; to mend it: log the program in/)
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
