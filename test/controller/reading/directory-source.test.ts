import {
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SourceError } from '../../../controller/reading/desired-state.ts'
import { described, emptyContext, folder, names, places, policy, put, reader } from './reading.ts'

const agent = (name: string, more = 'working_dir: /\n') => `name: ${name}\n${more}`

test('reads .yml and .yaml files, sorted, without dotfiles and node_modules', async () => {
  const root = folder({
    'policies/b.yaml': policy('b'),
    'policies/deep/er/a.yml': policy('a'),
    'policies/.hidden.yml': policy('h'),
    '.git2/policies/g.yml': policy('g'),
    'node_modules/policies/n.yml': policy('n'),
    'policies/readme.md': '# hi',
    'policies/b.yml~': 'x',
    'policies/b.yml.swp': 'x',
  })
  const state = await reader(root).read(emptyContext)
  expect(state.diagnostics).toEqual([])
  expect(state.resources.map(({ file }) => file)).toEqual(['policies/b.yaml', 'policies/deep/er/a.yml'])
})

test('returns a complete revision without resources for an empty folder', async () => {
  expect(await reader(folder()).read(emptyContext)).toMatchObject({
    resources: [],
    diagnostics: [],
    complete: true,
    sync: {},
  })
})

test('rejects a missing folder, a file and a broken link', async () => {
  const root = folder({ file: 'x' })
  symlinkSync('nowhere', join(root, 'link'))
  await expect(reader(join(root, 'none')).read(emptyContext)).rejects.toThrow(
    /none: the folder does not exist; create it/,
  )
  await expect(reader(join(root, 'link')).read(emptyContext)).rejects.toBeInstanceOf(SourceError)
  await expect(reader(join(root, 'file')).read(emptyContext)).rejects.toThrow(/it is a file; name the folder/)
})

test('reads a restored folder again', async () => {
  const root = folder({ 'm/policies/a.yml': policy('a') })
  const source = reader(join(root, 'm'))
  await source.read(emptyContext)
  renameSync(join(root, 'm'), join(root, 'away'))
  await expect(source.read(emptyContext)).rejects.toBeInstanceOf(SourceError)
  renameSync(join(root, 'away'), join(root, 'm'))
  expect(names(await source.read(emptyContext))).toEqual(['policies/a'])
})

test('returns the same object for an unchanged manifest', async () => {
  const root = folder({
    'policies/a.yml': policy('a'),
    'policies/b.yml': policy('b'),
    'agents/x.yml': agent('x', 'working_dir: /\npolicy: a\n'),
    'agents/y.yml': agent('y', 'working_dir: /\npolicy: b\n'),
  })
  const source = reader(root)
  const first = await source.read(emptyContext)
  expect(await source.read(emptyContext)).toBe(first)
  put(root, 'policies/a.yml', 'name: a\nmode: deny_all\n')
  const second = await source.read(emptyContext)
  expect(second.revision).not.toBe(first.revision)
  const changed = second.resources.filter((resource) => !first.resources.includes(resource)).map(({ name }) => name)
  expect(changed).toEqual(['a', 'x'])
  expect(second.resources.find(({ name }) => name === 'y')!.spec).toBe(
    first.resources.find(({ name }) => name === 'y')!.spec,
  )
})

test('checks directories, templates, variables and other sources on every read', async () => {
  const root = folder({
    'work/.keep': '',
    'go.md': 'one',
    'agents/a.yml': agent('a', 'working_dir: ../work\nenv: { A: "${TOKEN}" }\n'),
    'workflows/w.yml': 'name: w\nagent: a\nsource: { type: manual }\nprompt_template_file: ../go.md\n',
    'workflows/v.yml': 'name: v\nagent: stranger\nsource: { type: manual }\nprompt_template: go\n',
  })
  const source = reader(root)
  const context = (token: string | undefined, stranger: boolean) => ({ exists: () => stranger, variable: () => token })
  const first = await source.read(context('a', true))
  expect(names(first)).toEqual(['agents/a', 'workflows/v', 'workflows/w'])
  expect(await source.read(context('a', true))).toBe(first)
  expect((await source.read(context('b', true))).resources[0]!.spec.env.A.reveal()).toBe('b')
  expect(places((await source.read(context('b', false))).diagnostics)).toEqual([
    'workflows/v.yml:2:8 unknown-reference',
  ])
  writeFileSync(join(root, 'go.md'), 'two')
  expect((await source.read(context('b', true))).resources.find(({ name }) => name === 'w')!.spec.prompt_template).toBe(
    'two',
  )
  renameSync(join(root, 'work'), join(root, 'gone'))
  expect(places((await source.read(context('b', true))).diagnostics)).toEqual(['agents/a.yml:2:14 directory-missing'])
  expect(places((await source.read(context(undefined, true))).diagnostics)).toEqual([
    'agents/a.yml:2:14 directory-missing',
    'agents/a.yml:3:11 variable-unset',
  ])
})

test('detects a change with the same length and modification time', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root)
  await source.read(emptyContext)
  const { atime, mtime } = statSync(join(root, 'policies/a.yml'))
  put(root, 'policies/a.yml', policy('a', 'two'))
  utimesSync(join(root, 'policies/a.yml'), atime, mtime)
  expect(described(await source.read(emptyContext))).toEqual({ a: 'two' })
})

test('stops at links that form a loop', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  symlinkSync('..', join(root, 'policies/up'))
  symlinkSync('loop.yml', join(root, 'policies/loop.yml'))
  const state = await reader(root).read(emptyContext)
  expect(names(state)).toEqual(['policies/a'])
  expect(places(state.diagnostics)).toEqual(['policies/loop.yml:1:1 file-unreadable'])
})

test('never blocks on dangling links, devices or folders named like files', async () => {
  const root = folder({ 'policies/a.yml': policy('a'), 'policies/dir.yml/b.yml': policy('b') })
  symlinkSync('nowhere.yml', join(root, 'policies/dangling.yml'))
  symlinkSync('/dev/null', join(root, 'policies/device.yml'))
  const state = await reader(root).read(emptyContext)
  expect(places(state.diagnostics)).toEqual([
    'policies/dangling.yml:1:1 file-unreadable',
    'policies/device.yml:1:1 file-unreadable',
  ])
  expect(names(state)).toEqual(['policies/a', 'policies/b'])
  expect(state.complete).toBe(false)
})

test('reports unreadable files and folders, and reads them once they are readable', async () => {
  const root = folder({
    'policies/a.yml': policy('a'),
    'policies/b.yml': policy('b'),
    'policies/sub/c.yml': policy('c'),
  })
  const paths = [join(root, 'policies/b.yml'), join(root, 'policies/sub')]
  onTestFinished(() => paths.forEach((path) => chmodSync(path, 0o755)))
  const source = reader(root)
  if (process.getuid?.() === 0) {
    // Root can read everything, so a dangling link is used.
    for (const path of paths) rmSync(path, { recursive: true })
    symlinkSync('nowhere', paths[0]!)
  } else for (const path of paths) chmodSync(path, 0)
  const state = await source.read(emptyContext)
  expect(names(state)).toEqual(['policies/a'])
  expect(state.complete).toBe(false)
  expect(state.diagnostics.every(({ code }) => code === 'file-unreadable' || code === 'directory-unreadable')).toBe(
    true,
  )
  if (process.getuid?.() === 0) {
    unlinkSync(paths[0]!)
    put(root, 'policies/b.yml', policy('b'))
    put(root, 'policies/sub/c.yml', policy('c'))
  } else for (const path of paths) chmodSync(path, 0o755)
  expect(names(await source.read(emptyContext))).toEqual(['policies/a', 'policies/b', 'policies/c'])
})

test('rejects a file of 100 MiB without reading it', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  const file = openSync(join(root, 'policies/huge.yml'), 'w')
  ftruncateSync(file, 100 * 1024 * 1024)
  closeSync(file)
  const before = process.memoryUsage().rss
  const state = await reader(root, { settleMs: 0 }).read(emptyContext)
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
  expect(places(state.diagnostics)).toEqual(['policies/huge.yml:1:1 file-too-large'])
  expect(names(state)).toEqual(['policies/a'])
})

test('applies nothing automatically while the first svc.yaml has errors', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  const source = reader(root)
  expect((await source.read(emptyContext)).sync).toEqual({})
  for (let time = 0; time < 2; time++) {
    put(root, 'svc.yaml', 'sync: { mode: \n')
    expect((await source.read(emptyContext)).sync).toEqual({ mode: 'manual', drift: 'report', prune: false })
    unlinkSync(join(root, 'svc.yaml'))
    expect((await source.read(emptyContext)).sync).toEqual({})
  }
})

test('keeps the previous rules while svc.yaml has errors', async () => {
  const root = folder({ 'svc.yaml': 'sync: { mode: manual, drift: heal }\n', 'policies/svc.yaml': policy('inner') })
  const source = reader(root)
  expect((await source.read(emptyContext)).sync).toEqual({ mode: 'manual', drift: 'heal' })
  put(root, 'svc.yaml', 'sync: { mode: \n')
  expect(await source.read(emptyContext)).toMatchObject({ sync: { mode: 'manual', drift: 'heal' }, complete: false })
  unlinkSync(join(root, 'svc.yaml'))
  expect((await source.read(emptyContext)).sync).toEqual({})
})
