import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DirectorySource } from '../../../controller/reading/folder/directory-source.ts'
import { readConfig } from '../../../platform/core/config.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { kinds } from '../../../schemas/kinds.ts'

const CANARY = 'canary-of-the-daemon'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-closed-files-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const write = (file: string, text: string) => {
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), text)
}
write('.data/key', `name: ${CANARY}\nagent: ${CANARY}\n`)
write('.ssh/id', CANARY)
write('prompts/task.md', 'Do it\n')
write('agents/one.yml', 'name: one\nruntime: scripted\nworking_dir: .\n')
const workflow = (name: string, file: string) =>
  write(
    `workflows/${name}.yml`,
    `name: ${name}\nagent: one\ntrigger_config: {type: manual}\nprompt_template_file: ${file}\n`,
  )
workflow('open', '../prompts/task.md')
workflow('direct', '../.data/key')
workflow('through-a-link', '../prompts/linked.md')
symlinkSync(join(root, '.ssh', 'id'), join(root, 'prompts', 'linked.md'))
write('documents/note.yml', 'name: note\ntitle: note\ncontent_file: ../.ssh/id\n')
symlinkSync(join(root, '.data', 'key'), join(root, 'agents', 'key.yml'))
symlinkSync('/etc/shadow', join(root, 'agents', 'shadow.yml'))

test('reads no closed file that a manifest or a link of a source names', async () => {
  const closed = new ClosedSet(readConfig({ HOME: root, SVC_DATA_DIR: join(root, '.data') }))
  const source = new DirectorySource({ kinds, root, home: root, settleMs: 0, closed })
  const state = await source.read({ exists: () => false, variable: () => undefined })
  const faults = state.diagnostics.filter(({ code }) => code === 'path-closed').map(({ file }) => file)
  expect(faults.sort()).toEqual([
    'agents/key.yml',
    'agents/shadow.yml',
    'documents/note.yml',
    'workflows/direct.yml',
    'workflows/through-a-link.yml',
  ])
  expect(
    state.diagnostics.every(({ code }) => code === 'path-closed'),
    JSON.stringify(state.diagnostics),
  ).toBe(true)
  expect(JSON.stringify(state)).not.toContain(CANARY)
  expect(state.resources.map(({ name }) => name).sort()).toEqual(['one', 'open'])
})
