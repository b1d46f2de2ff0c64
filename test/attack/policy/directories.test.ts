import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
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

test('refuses closed paths to every tool, also with additional_dirs: [/]', async () => {
  const key = join(machine.folder, 'key')
  writeFileSync(key, '0'.repeat(64))
  const work = join(machine.work, 'wide')
  const open = join(machine.work, 'open')
  for (const folder of [work, open]) mkdirSync(folder)
  symlinkSync(key, join(work, 'to-key'))
  symlinkSync(machine.folder, join(work, 'to-data'))
  const { agent } = await daemon.createConnected({ name: 'wide', working_dir: work, additional_dirs: ['/'] })
  const answer = async (tool: string, input: Record<string, unknown>) => {
    const { behavior, message = '' } = await agent.answer(agent.askTool(tool, input))
    return { tool, input, behavior, closed: /closed to agents/.test(message) }
  }
  const keyForms = [key, `${work}/../../${relative(tmpdir(), key)}`, `${work}/to-key`, `${work}/to-data/key`]
  const others = [`${machine.folder}/launch/a.json`, '~/.ssh/id', `${homedir()}/.aws/credentials`, '/etc/shadow']
  let tried = 0
  for (const path of [...keyForms, ...others, '/proc/1/environ']) {
    const calls: [tool: string, input: Record<string, unknown>][] = [
      ['Read', { file_path: path }],
      ['NotebookRead', { notebook_path: path }],
      ['Write', { file_path: path, content: '' }],
      ['Edit', { file_path: path, old_string: 'x', new_string: 'y' }],
      ['MultiEdit', { file_path: path, edits: [] }],
      ['NotebookEdit', { notebook_path: path, new_source: '' }],
      ['Grep', { pattern: '.', path }],
      ['Glob', { pattern: '*', path }],
      ['LS', { path }],
      ['mcp__files__read', { path }],
      ['Bash', { command: `cat ${path}` }],
      ['Bash', { command: `bash -c 'base64 < ${path}'` }],
      ['Bash', { command: `cp ${path} copy; ls` }],
    ]
    for (const [tool, input] of calls) {
      expect(await answer(tool, input)).toEqual({ tool, input, behavior: 'deny', closed: true })
      tried++
    }
  }
  expect(await answer('Grep', { pattern: '.', path: dirname(machine.folder) })).toMatchObject({ closed: true })
  expect(await answer('Grep', { pattern: '.', path: open })).toMatchObject({ behavior: 'allow' })
  expect(await answer('Bash', { command: `ls ${open}` })).toMatchObject({ behavior: 'allow' })
  counted('directories: requests for closed paths refused by a running orchestrator', tried)
})
