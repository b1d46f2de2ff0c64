// A folder as a source: what becomes a revision, what never does, and how soon.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
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
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { directoryReader, type DirectoryOptions } from '../../controller/directory-source.ts'
import { SourceError, type DesiredState, type ManifestReader } from '../../controller/desired.ts'
import { TestClock } from '../../platform/clock.ts'
import { eventually } from '../support/eventually.ts'
import { folder, known, names, nobody, places, put } from './reading.ts'

const policy = (name: string, description = 'x') => `name: ${name}\nmode: allow_all\ndescription: ${description}\n`
const agent = (name: string, more = 'working_dir: /\n') => `name: ${name}\n${more}`

function reader(root: string, options: Partial<DirectoryOptions> = {}): ManifestReader {
  return directoryReader({ ...known, root, settleMs: 60, ...options })
}

const described = (state: DesiredState) =>
  Object.fromEntries(state.resources.map(({ name, spec }) => [name, spec.description]))

test('takes .yml and .yaml below the folder, sorted, without dotfiles and node_modules', async () => {
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
  const state = await reader(root).read(nobody)
  expect(state.diagnostics).toEqual([])
  expect(state.resources.map(({ file }) => file)).toEqual(['policies/b.yaml', 'policies/deep/er/a.yml'])
})

test('an empty folder is a whole revision without resources', async () => {
  expect(await reader(folder()).read(nobody)).toMatchObject({
    resources: [],
    diagnostics: [],
    complete: true,
    sync: {},
  })
})

test('only the named files are read when some are named', async () => {
  const root = folder({ 'policies/a.yml': policy('a'), 'policies/b.yml': policy('b') })
  expect(names(await reader(root, { only: ['policies/b.yml'] }).read(nobody))).toEqual(['policies/b'])
})

test('a folder that is missing, a file, or behind a broken link cannot be read, and the message says what to do', async () => {
  const root = folder({ file: 'x' })
  symlinkSync('nowhere', join(root, 'link'))
  await expect(reader(join(root, 'none')).read(nobody)).rejects.toThrow(/none: the folder does not exist; create it/)
  await expect(reader(join(root, 'link')).read(nobody)).rejects.toBeInstanceOf(SourceError)
  await expect(reader(join(root, 'file')).read(nobody)).rejects.toThrow(/it is a file; name the folder/)
})

test('a folder that comes back is read again', async () => {
  const root = folder({ 'm/policies/a.yml': policy('a') })
  const source = reader(join(root, 'm'))
  await source.read(nobody)
  renameSync(join(root, 'm'), join(root, 'away'))
  await expect(source.read(nobody)).rejects.toBeInstanceOf(SourceError)
  renameSync(join(root, 'away'), join(root, 'm'))
  expect(names(await source.read(nobody))).toEqual(['policies/a'])
})

test('what has not changed is the very same object again, also when other files have', async () => {
  const root = folder({
    'policies/a.yml': policy('a'),
    'policies/b.yml': policy('b'),
    'agents/x.yml': agent('x', 'working_dir: /\npolicy: a\n'),
    'agents/y.yml': agent('y', 'working_dir: /\npolicy: b\n'),
  })
  const source = reader(root)
  const first = await source.read(nobody)
  expect(await source.read(nobody)).toBe(first)
  put(root, 'policies/a.yml', 'name: a\nmode: deny_all\n')
  const second = await source.read(nobody)
  expect(second.revision).not.toBe(first.revision)
  const changed = second.resources.filter((resource) => !first.resources.includes(resource)).map(({ name }) => name)
  expect(changed).toEqual(['a', 'x'])
  expect(second.resources.find(({ name }) => name === 'y')!.spec).toBe(
    first.resources.find(({ name }) => name === 'y')!.spec,
  )
})

test('what a manifest leans on is looked at on every read: directories, templates, variables, other sources', async () => {
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

test('a change of the same length within the same second is seen', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root)
  await source.read(nobody)
  const { atime, mtime } = statSync(join(root, 'policies/a.yml'))
  put(root, 'policies/a.yml', policy('a', 'two'))
  utimesSync(join(root, 'policies/a.yml'), atime, mtime)
  expect(described(await source.read(nobody))).toEqual({ a: 'two' })
})

test('a file that is still being written is waited for', async () => {
  const root = folder({ 'policies/a.yml': 'name: a\n' })
  const reading = reader(root, { settleMs: 200 }).read(nobody)
  await pause(60)
  appendFileSync(join(root, 'policies/a.yml'), 'mode: allow_all\n')
  await pause(60)
  appendFileSync(join(root, 'policies/a.yml'), 'description: whole\n')
  const state = await reading
  expect(state.diagnostics).toEqual([])
  expect(described(state)).toEqual({ a: 'whole' })
})

test('a tree that is still being written is waited for', async () => {
  const root = folder()
  const reading = reader(root, { settleMs: 250 }).read(nobody)
  for (let index = 0; index < 20; index++) {
    put(root, `policies/p${index}.yml`, policy(`p${index}`))
    await pause(10)
  }
  expect((await reading).resources).toHaveLength(20)
})

test('a save is taken within two seconds', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root, { settleMs: 250 })
  await source.read(nobody)
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  const start = performance.now()
  put(root, 'policies/a.yml', policy('a', 'two'))
  await eventually(() => woken() > before)
  expect(described(await source.read(nobody))).toEqual({ a: 'two' })
  expect(performance.now() - start).toBeLessThan(2000)
})

test('while git holds the index the folder is not at rest, in a worktree too', async () => {
  const root = folder({ 'repo/manifests/policies/a.yml': policy('a', 'one') })
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', join(root, 'repo'), '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
      stdio: 'pipe',
    })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'one')
  git('worktree', 'add', '--quiet', '../tree')
  for (const [manifests, lock] of [
    ['repo/manifests', 'repo/.git/index.lock'],
    ['tree/manifests', 'repo/.git/worktrees/tree/index.lock'],
  ] as const) {
    writeFileSync(join(root, lock), '')
    let done = false
    const reading = reader(join(root, manifests))
      .read(nobody)
      .finally(() => (done = true))
    await pause(250)
    expect(done).toBe(false)
    put(root, `${manifests}/policies/a.yml`, policy('a', 'two'))
    unlinkSync(join(root, lock))
    expect(described(await reading)).toEqual({ a: 'two' })
  }
})

test('a folder that never comes to rest gives up, naming what moves and what to do', async () => {
  const root = folder({ 'repo/policies/a.yml': policy('a') })
  mkdirSync(join(root, 'repo/.git'))
  writeFileSync(join(root, 'repo/.git/index.lock'), '')
  const clock = new TestClock(Date.now())
  const reading = reader(join(root, 'repo'), { clock }).read(nobody)
  const rejected = expect(reading).rejects.toThrow(
    /never at rest: git is at work \(.*index\.lock exists\); if no git command runs, remove that file/,
  )
  await pause(20)
  clock.tick(11_000)
  await rejected

  const busyClock = new TestClock(Date.now())
  const busy = reader(folder({ 'policies/a.yml': policy('a') }), { clock: busyClock, settleMs: 60_000 }).read(nobody)
  const told = expect(busy).rejects.toThrow(/policies\/a\.yml keeps changing; stop what writes there/)
  await pause(20)
  busyClock.tick(11_000)
  await told
})

test('a link that is moved to another release gives that release whole, and is seen', async () => {
  const root = folder({
    'r1/policies/a.yml': policy('a', 'one'),
    'r1/policies/b.yml': policy('b', 'one'),
    'r2/policies/a.yml': policy('a', 'two'),
    'r2/policies/b.yml': policy('b', 'two'),
  })
  const point = (release: string) => {
    symlinkSync(release, join(root, 'next'))
    renameSync(join(root, 'next'), join(root, 'current'))
  }
  point('r1')
  const source = reader(join(root, 'current'))
  expect(described(await source.read(nobody))).toEqual({ a: 'one', b: 'one' })
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  point('r2')
  await eventually(() => woken() > before)
  expect(described(await source.read(nobody))).toEqual({ a: 'two', b: 'two' })
})

test('a ..data swap, as mounted volumes do it, is seen and never mixed', async () => {
  const root = folder({
    '..1/a.yml': policy('a', 'one'),
    '..1/b.yml': policy('b', 'one'),
    '..2/a.yml': policy('a', 'two'),
    '..2/b.yml': policy('b', 'two'),
  })
  mkdirSync(join(root, 'policies'))
  symlinkSync('..1', join(root, '..data'))
  for (const file of ['a.yml', 'b.yml']) symlinkSync(`../..data/${file}`, join(root, 'policies', file))
  const source = reader(root)
  expect(described(await source.read(nobody))).toEqual({ a: 'one', b: 'one' })
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  symlinkSync('..2', join(root, '..tmp'))
  renameSync(join(root, '..tmp'), join(root, '..data'))
  await eventually(() => woken() > before)
  expect(described(await source.read(nobody))).toEqual({ a: 'two', b: 'two' })
})

test('whatever swaps while it is read, a revision is one release and never two', async () => {
  const files = Array.from({ length: 40 }, (_, index) => `policies/p${index}.yml`)
  const root = folder(
    Object.fromEntries(
      ['r1', 'r2'].flatMap((release) =>
        files.map((file, index) => [`${release}/${file}`, policy(`p${index}`, release)]),
      ),
    ),
  )
  symlinkSync('r1', join(root, 'current'))
  const source = reader(join(root, 'current'), { settleMs: 0 })
  let swaps = 0
  const swapping = setInterval(() => {
    symlinkSync(`r${(++swaps % 2) + 1}`, join(root, 'next'))
    renameSync(join(root, 'next'), join(root, 'current'))
  }, 3)
  onTestFinished(() => clearInterval(swapping))
  for (let round = 0; round < 30; round++) {
    const state = await source.read(nobody)
    expect(new Set(Object.values(described(state))).size).toBe(1)
    expect(state.resources).toHaveLength(files.length)
    await pause(2)
  }
  expect(swaps).toBeGreaterThan(3)
})

test('a link that leads back up is not followed round and round', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  symlinkSync('..', join(root, 'policies/up'))
  symlinkSync('loop.yml', join(root, 'policies/loop.yml'))
  const state = await reader(root).read(nobody)
  expect(names(state)).toEqual(['policies/a'])
  expect(places(state.diagnostics)).toEqual(['policies/loop.yml:1:1 file-unreadable'])
})

test('a link to nothing, a device, and a folder called like a file are told of or passed, and never waited on', async () => {
  const root = folder({ 'policies/a.yml': policy('a'), 'policies/dir.yml/b.yml': policy('b') })
  symlinkSync('nowhere.yml', join(root, 'policies/dangling.yml'))
  symlinkSync('/dev/null', join(root, 'policies/device.yml'))
  const state = await reader(root).read(nobody)
  expect(places(state.diagnostics)).toEqual([
    'policies/dangling.yml:1:1 file-unreadable',
    'policies/device.yml:1:1 file-unreadable',
  ])
  expect(names(state)).toEqual(['policies/a', 'policies/b'])
  expect(state.complete).toBe(false)
})

test('a file and a folder that may not be read are told of, and taken once they may', async () => {
  const root = folder({
    'policies/a.yml': policy('a'),
    'policies/b.yml': policy('b'),
    'policies/sub/c.yml': policy('c'),
  })
  const paths = [join(root, 'policies/b.yml'), join(root, 'policies/sub')]
  onTestFinished(() => paths.forEach((path) => chmodSync(path, 0o755)))
  const source = reader(root)
  if (process.getuid?.() === 0) {
    // For root nothing is unreadable: a link to nothing stands in.
    for (const path of paths) rmSync(path, { recursive: true })
    symlinkSync('nowhere', paths[0]!)
  } else for (const path of paths) chmodSync(path, 0)
  const state = await source.read(nobody)
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
  expect(names(await source.read(nobody))).toEqual(['policies/a', 'policies/b', 'policies/c'])
})

test('a file that vanishes while the folder is read is simply not there', async () => {
  const root = folder(
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`policies/p${index}.yml`, policy(`p${index}`)])),
  )
  const source = reader(root, { settleMs: 0 })
  const reading = source.read(nobody)
  for (let index = 0; index < 300; index += 2) unlinkSync(join(root, `policies/p${index}.yml`))
  const state = await reading
  expect(state.diagnostics).toEqual([])
  expect([150, 300]).toContain(state.resources.length)
  expect((await source.read(nobody)).resources).toHaveLength(150)
})

test('a file of 100 MB is refused unread', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  const file = openSync(join(root, 'policies/huge.yml'), 'w')
  ftruncateSync(file, 100 * 1024 * 1024)
  closeSync(file)
  const before = process.memoryUsage().rss
  const start = performance.now()
  const state = await reader(root, { settleMs: 0 }).read(nobody)
  expect(performance.now() - start).toBeLessThan(500)
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
  expect(places(state.diagnostics)).toEqual(['policies/huge.yml:1:1 file-too-large'])
  expect(names(state)).toEqual(['policies/a'])
})

test('while svc.yaml has faults the rules it had before stay in force', async () => {
  const root = folder({ 'svc.yaml': 'sync: { mode: manual, drift: heal }\n', 'policies/svc.yaml': policy('inner') })
  const source = reader(root)
  expect((await source.read(nobody)).sync).toEqual({ mode: 'manual', drift: 'heal' })
  put(root, 'svc.yaml', 'sync: { mode: \n')
  expect(await source.read(nobody)).toMatchObject({ sync: { mode: 'manual', drift: 'heal' }, complete: false })
  unlinkSync(join(root, 'svc.yaml'))
  expect((await source.read(nobody)).sync).toEqual({})
})

test('an atomic save wakes the reader, a dotfile does not, and nothing does after the end', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root)
  let count = 0
  const stop = source.watch(() => count++)
  await eventually(() => count > 0)
  let before = count
  put(root, 'policies/.a.yml.tmp', policy('a', 'two'))
  put(root, 'policies/new/.keep', '')
  await eventually(() => count > before)
  await pause(50)
  before = count
  renameSync(join(root, 'policies/.a.yml.tmp'), join(root, 'policies/a.yml'))
  await eventually(() => count > before)
  expect(described(await source.read(nobody))).toEqual({ a: 'two' })
  stop()
  await pause(50)
  before = count
  put(root, 'policies/a.yml', policy('a', 'three'))
  await pause(150)
  expect(count).toBe(before)
})

test('a folder that is made only after it is watched wakes the reader', async () => {
  const root = folder()
  const source = reader(join(root, 'later'))
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  await pause(50)
  const before = woken()
  put(root, 'later/policies/a.yml', policy('a'))
  await eventually(() => woken() > before)
  expect(names(await source.read(nobody))).toEqual(['policies/a'])
})

test('two reads at once give the same state', async () => {
  const source = reader(folder({ 'policies/a.yml': policy('a') }))
  const [one, two] = await Promise.all([source.read(nobody), source.read(nobody)])
  expect(one).toBe(two)
})

/** Counts wakes until the test ends. */
function wakes(source: ManifestReader): () => number {
  let count = 0
  const stop = source.watch(() => count++)
  onTestFinished(stop)
  return () => count
}
