import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DesiredState, ReadContext } from '../../../../controller/reading/desired-state.ts'
import { GitSource } from '../../../../controller/reading/git/git-source.ts'
import { systemClock } from '../../../../platform/core/clock.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import { kinds } from '../../../../schemas/kinds.ts'
import { Origin } from '../../../platform/git/origin.ts'

const context: ReadContext = { exists: () => false, variable: () => undefined }

function reading(origin: Origin, path = 'manifests') {
  const reader = new GitSource({
    kinds,
    home: origin.home,
    env: { PATH: process.env.PATH },
    clock: systemClock,
    log: noLog,
    folder: join(origin.home, 'kept'),
    checkout: join(origin.home, 'checkout'),
    busyIn: async () => [],
    place: { url: origin.url, ref: {}, path, pollSecs: 3600, credentials: {}, verify: null },
  })
  onTestFinished(reader.watch(() => undefined))
  const read = async (): Promise<DesiredState> => {
    await reader.remote.refresh()
    return reader.read(context)
  }
  return { reader, read }
}

const agent = 'name: planner\nworking_dir: .\nadditional_dirs: [../../src]\n'

test('keeps project paths stable across commits', async () => {
  const origin = new Origin()
  origin.commit({ 'manifests/agents/planner.yml': agent, 'src/a.ts': '1', 'big.bin': Buffer.alloc(100) })
  const { read } = reading(origin)
  const project = join(origin.home, 'checkout')
  const first = await read()
  expect(first.diagnostics).toEqual([])
  expect(first.resources[0]!.spec).toMatchObject({ working_dir: project, additional_dirs: [join(project, 'src')] })
  expect(readFileSync(join(project, 'src', 'a.ts'), 'utf8')).toBe('1')
  const commit = origin.commit({ 'src/a.ts': '2' })
  const second = await read()
  expect(second.revision).toBe(commit)
  expect(second.resources[0]).toBe(first.resources[0])
  expect(readFileSync(join(project, 'src', 'a.ts'), 'utf8')).toBe('2')
})

test('applies a commit whose files a changed checkout does not get, and names the changed files', async () => {
  const origin = new Origin()
  const first = origin.commit({ 'manifests/agents/planner.yml': agent, 'src/a.ts': '1' })
  const { reader, read } = reading(origin)
  await read()
  const checkout = join(origin.home, 'checkout')
  writeFileSync(join(checkout, 'src', 'a.ts'), 'mine')
  const commit = origin.commit({ 'src/b.ts': '2' })
  expect((await read()).revision).toBe(commit)
  expect([readFileSync(join(checkout, 'src', 'a.ts'), 'utf8'), existsSync(join(checkout, 'src', 'b.ts'))]).toEqual([
    'mine',
    false,
  ])
  expect(reader.remote.trouble()).toBe(null)
  expect(reader.condition()).toMatchObject({ type: 'CheckoutDirty', message: expect.stringContaining(first) })
})

const INVALID: Record<string, [string, string]> = {
  'a folder that the commit does not have': ['working_dir: ../../lib', 'directory-missing'],
  'an OS user in the checkout': ['working_dir: .\nuser: someone', 'directory-private'],
  'a worktree outside the repository': ['working_dir: /\nworktree: true', 'not-a-repository'],
}

test.each(Object.keys(INVALID))('rejects %s at validation', async (name) => {
  const [members, code] = INVALID[name]!
  const origin = new Origin()
  origin.commit({ 'manifests/agents/planner.yml': `name: planner\n${members}\n`, 'src/a.ts': '1' })
  const { diagnostics, resources } = await reading(origin).read()
  expect([diagnostics.map((each) => each.code), resources]).toEqual([[code], []])
})

test('takes a worktree of a folder of the repository', async () => {
  const origin = new Origin()
  const planner = 'name: planner\nworking_dir: ../../src\nworktree: true\n'
  origin.commit({ 'manifests/agents/planner.yml': planner, 'src/a.ts': '1' })
  const { diagnostics, resources } = await reading(origin).read()
  expect(diagnostics).toEqual([])
  expect(resources[0]!.spec).toMatchObject({ working_dir: join(origin.home, 'checkout', 'src'), worktree: true })
})

test('ignores manifests that an agent writes in its working directory', async () => {
  const origin = new Origin()
  origin.commit({ 'manifests/agents/planner.yml': agent, 'src/a.ts': '1' })
  const { read } = reading(origin)
  const before = await read()
  const mine = join(origin.home, 'checkout', 'manifests', 'agents', 'planner.yml')
  writeFileSync(mine, 'name: planner\nworking_dir: /\n')
  writeFileSync(join(origin.home, 'checkout', 'manifests', 'agents', 'evil.yml'), 'name: evil\nworking_dir: /\n')
  expect(await read()).toBe(before)
})

test('checks out nothing if no manifest names a repository folder', async () => {
  const origin = new Origin()
  origin.commit({ 'policies/p.yml': 'name: p\nmode: allow_all\n', 'big.bin': Buffer.alloc(100) })
  const { read } = reading(origin, '')
  expect((await read()).resources).toHaveLength(1)
  expect(existsSync(join(origin.home, 'checkout'))).toBe(false)
})

const flow = `name: flow
agent: planner
trigger_config: { type: manual }
prompt_template_file: ../texts/PATH
`

test('reads prompt templates from the commit, never outside the folder', async () => {
  const origin = new Origin()
  origin.commit({
    'manifests/agents/planner.yml': 'name: planner\nworking_dir: .\n',
    'manifests/workflows/flow.yml': flow.replace('PATH', 'link.md'),
    'manifests/texts/a.md': 'Do {{title}}',
    'manifests/texts/link.md': { link: 'a.md' },
    'outside.md': 'Not {{title}}',
  })
  const { read } = reading(origin)
  const templateOf = ({ resources }: DesiredState) =>
    resources.find(({ name }) => name === 'flow')?.spec.prompt_template
  const first = await read()
  expect(first.diagnostics).toEqual([])
  expect(templateOf(first)).toBe('Do {{title}}')
  origin.commit({ 'manifests/texts/a.md': 'Do it, {{title}}' })
  expect(templateOf(await read())).toBe('Do it, {{title}}')
  origin.commit({ 'manifests/texts/link.md': { link: '../../outside.md' } })
  const out = await read()
  expect(out.diagnostics.map(({ code }) => code)).toEqual(['file-outside'])
  expect(templateOf(out)).toBe('Do it, {{title}}')
})

test('reads an earlier revision, also one that was not fetched', async () => {
  const origin = new Origin()
  const [one, two] = ['allow_all', 'deny_list'].map((mode) =>
    origin.commit({ 'policies/p.yml': `name: p\nmode: ${mode}\n${mode === 'deny_list' ? 'tools: [Bash]\n' : ''}` }),
  )
  const { reader, read } = reading(origin, '')
  expect((await read()).revision).toBe(two)
  const earlier = await reader.remote.readRevision(one!, context)
  expect([earlier.revision, earlier.resources[0]!.spec.mode]).toEqual([one, 'allow_all'])
  expect((await read()).revision).toBe(two)
  await expect(reader.remote.readRevision('f'.repeat(40), context)).rejects.toThrow(/commit ffff\w* cannot be fetched/)
  await expect(reader.remote.readRevision('--all', context)).rejects.toThrow(/is not a commit/)
})
