import { mkdirSync, symlinkSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const machine = new TestMachine()
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const READER: ToolPolicy = { mode: 'allow_list', tools: ['Read', 'Bash(git log *)'] }
const WRITER: ToolPolicy = { mode: 'allow_list', tools: ['Read', 'Bash(npm test)'] }

function folder(name: string): string {
  const path = join(machine.work, name)
  mkdirSync(path)
  return path
}

/** A version of the file that was written now. */
function written(path: string) {
  writeFileSync(path, 'x')
  return { path, changedAt: statSync(path).ctimeMs }
}
const writersOf = async (path: string, changedAt = Date.now()) =>
  ((await daemon.orchestrator.writersOf([{ path, changedAt }])).get(path) ?? []).sort()

test('names agents whose directories and policy let them write the file', async () => {
  const [work, beside] = [folder('work'), folder('beside')]
  symlinkSync(work, join(machine.work, 'link'))
  await daemon.createConnected({ name: 'inside', working_dir: work, tool_policy: WRITER })
  await daemon.createConnected({ name: 'linked', working_dir: join(machine.work, 'link'), tool_policy: WRITER })
  await daemon.createConnected({ name: 'added', working_dir: beside, additional_dirs: [work], tool_policy: WRITER })
  await daemon.createConnected({ name: 'reader', working_dir: work, tool_policy: READER })
  await daemon.createConnected({ name: 'beside', working_dir: beside, tool_policy: WRITER })
  const { path } = written(join(work, 'a.yml'))
  expect(await writersOf(path)).toEqual(['added', 'inside', 'linked'])
})

test('counts the policies of the workflows of an agent', async () => {
  const work = folder('flow')
  const { id } = await daemon.createConnected({ name: 'flow', working_dir: work, tool_policy: READER })
  const { path } = written(join(work, 'a.yml'))
  expect(await writersOf(path)).toEqual([])
  await daemon.orchestrator.workflows.create(
    {
      name: 'builds',
      agent_id: id,
      trigger_config: { type: 'manual' },
      prompt_template: 'x',
      tool_policy: { mode: 'allow_all' },
    },
    alice,
  )
  expect(await writersOf(path)).toEqual(['flow'])
})

test('counts only agents that were alive when the file changed', async () => {
  const work = folder('alive')
  const before = written(join(work, 'before.yml'))
  const { id } = await daemon.createConnected({ name: 'alive', working_dir: work, tool_policy: WRITER })
  const since = Date.parse((await daemon.orchestrator.agents.get(id)).created_at)
  const while_ = written(join(work, 'while.yml'))
  await daemon.orchestrator.agents.terminate(id, alice)
  expect(since).toBeGreaterThan(before.changedAt)
  expect(await writersOf(before.path, before.changedAt)).toEqual([])
  expect(await writersOf(while_.path, while_.changedAt)).toEqual(['alive'])
  expect(await writersOf(while_.path, Number.MAX_SAFE_INTEGER)).toEqual([])
})

test('names an agent that could have changed a link to the file', async () => {
  const [work, beside] = [folder('links'), folder('targets')]
  await daemon.createConnected({ name: 'linking', working_dir: work, tool_policy: WRITER })
  const { path } = written(join(beside, 'a.yml'))
  const changed = { path, changedAt: Date.now() }
  const namesOf = async (links: string[]) => (await daemon.orchestrator.writersOf([{ ...changed, links }])).get(path)
  expect(await namesOf([])).toBeUndefined()
  expect(await namesOf([join(work, 'a.yml')])).toEqual(['linking'])
})
