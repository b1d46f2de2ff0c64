import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { POLICY_MODES } from '../../../schemas/tools/policy.ts'
import { alice, TestMachine, type TestOrchestrator } from '../../services/orchestrator/harness.ts'
import { counted } from '../../support/counts.ts'

const machine = new TestMachine()
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const outside: [tool: string, input: Record<string, unknown>][] = [
  ['Read', { file_path: '/etc/passwd' }],
  ['Write', { file_path: '../beside', content: '' }],
  ['Read', { file_path: 'link/passwd' }],
  ['Grep', { pattern: 'x', path: '/etc' }],
  ['Glob', { pattern: '/etc/*' }],
  ['Bash', { command: 'cat /etc/passwd' }],
  ['Bash', { command: 'cd / && ls' }],
  ['Bash', { command: 'echo x > link/x' }],
]

test.each(POLICY_MODES)('refuses a tool that reaches outside under %s without asking', async (mode) => {
  const work = join(machine.work, mode)
  mkdirSync(work)
  symlinkSync('/etc', join(work, 'link'))
  const tools = ['Read', 'Write', 'Grep', 'Glob', 'Bash']
  const { id, agent } = await daemon.createConnected({
    working_dir: work,
    tool_policy: { mode, ...(mode === 'allow_list' ? { tools } : mode === 'deny_list' ? { tools: [] } : {}) },
  })
  for (const [tool, input] of outside) {
    const { behavior, message } = await agent.answer(agent.askTool(tool, input))
    expect({ tool, behavior, message }).toMatchObject({
      tool,
      behavior: 'deny',
      message: expect.stringContaining('is outside its working_dir'),
    })
  }
  counted('directories: requests refused by a running orchestrator', outside.length)
  expect((await daemon.orchestrator.approvals.list({ agentId: id })).items).toEqual([])
})

test('allows an added directory from the next start, and all under /', async () => {
  const beside = join(machine.work, 'beside')
  mkdirSync(beside)
  writeFileSync(join(beside, 'a'), 'x')
  const work = join(machine.work, 'main')
  mkdirSync(work)
  const { id, agent } = await daemon.createConnected({ working_dir: work })
  const asked = async (from: typeof agent, file_path: string) =>
    (await from.answer(from.askTool('Read', { file_path }))).behavior
  expect(await asked(agent, join(beside, 'a'))).toBe('deny')
  await daemon.orchestrator.agents.addDirectory(id, beside, alice)
  expect(await asked(agent, join(beside, 'a'))).toBe('deny')
  const opened = await daemon.createConnected({ name: 'opened', working_dir: work, additional_dirs: [beside] })
  expect(await asked(opened.agent, '../beside/a')).toBe('allow')
  expect(await asked(opened.agent, '/etc/passwd')).toBe('deny')
  const free = await daemon.createConnected({ name: 'free', working_dir: work, additional_dirs: ['/'] })
  expect(await asked(free.agent, '/etc/passwd')).toBe('allow')
})
