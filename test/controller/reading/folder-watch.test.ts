import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ManifestReader } from '../../../controller/reading/desired-state.ts'
import type { DirectoryOptions } from '../../../controller/reading/folder/directory-source.ts'
import { nextTurn } from '../../../platform/async/time-slices.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { described, emptyContext, folder, names, policy, put, reader, wakes } from './reading.ts'

/** Returns the value once several reads in a row are equal. */
async function waitUntilStable(read: () => number): Promise<number> {
  let [last, equalReads] = [read(), 0]
  await eventually(() => {
    equalReads = read() === last ? equalReads + 1 : 0
    last = read()
    return equalReads > 5
  })
  return last
}

test('wakes on a save and reads the new content', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root, { settleMs: 250 })
  await source.read(emptyContext)
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  put(root, 'policies/a.yml', policy('a', 'two'))
  await eventually(() => woken() > before)
  expect(described(await source.read(emptyContext))).toEqual({ a: 'two' })
})

test('reads the whole release when a link moves to it', async () => {
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
  expect(described(await source.read(emptyContext))).toEqual({ a: 'one', b: 'one' })
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  point('r2')
  await eventually(() => woken() > before)
  expect(described(await source.read(emptyContext))).toEqual({ a: 'two', b: 'two' })
})

test('detects a ..data swap of a mounted volume without mixing versions', async () => {
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
  expect(described(await source.read(emptyContext))).toEqual({ a: 'one', b: 'one' })
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  symlinkSync('..2', join(root, '..tmp'))
  renameSync(join(root, '..tmp'), join(root, '..data'))
  await eventually(() => woken() > before)
  expect(described(await source.read(emptyContext))).toEqual({ a: 'two', b: 'two' })
})

test('wakes on an atomic save, not on dotfiles or after closing', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root)
  let count = 0
  const stop = source.watch(() => count++)
  await eventually(() => count > 0)
  let before = count
  put(root, 'policies/.a.yml.tmp', policy('a', 'two'))
  put(root, 'policies/new/.keep', '')
  await eventually(() => count > before)
  before = await waitUntilStable(() => count)
  renameSync(join(root, 'policies/.a.yml.tmp'), join(root, 'policies/a.yml'))
  await eventually(() => count > before)
  expect(described(await source.read(emptyContext))).toEqual({ a: 'two' })
  stop()
  before = count
  put(root, 'policies/a.yml', policy('a', 'three'))
  // A second watcher of the folder was notified, so this one would have been.
  const other = wakes(reader(root))
  await eventually(() => other() > 0)
  put(root, 'policies/a.yml', policy('a', 'four'))
  const seen = other()
  await eventually(() => other() > seen)
  expect(count).toBe(before)
})

test('wakes the reader when a watched folder is created', async () => {
  const root = folder()
  const source = reader(join(root, 'later'))
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = await waitUntilStable(woken)
  put(root, 'later/policies/a.yml', policy('a'))
  await eventually(() => woken() > before)
  expect(names(await source.read(emptyContext))).toEqual(['policies/a'])
})

interface Watched {
  source: ManifestReader
  clock: TestClock
  woken: () => number
  /** Resolves when an event of `change` has woken the reader. No virtual time passes. */
  wakesFor(change: () => void): Promise<void>
  /** Runs the listing after the last event and waits until the folder is watched again. */
  reopened(): Promise<void>
}

/** A watching reader on a virtual clock. */
async function watched(root: string, options: Partial<DirectoryOptions> = {}): Promise<Watched> {
  const clock = new TestClock()
  const source = reader(root, { clock, settleMs: 0, ...options })
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const wakesFor = async (change: () => void) => {
    const before = await waitUntilStable(woken)
    change()
    await eventually(() => woken() > before)
  }
  return { source, clock, woken, wakesFor, reopened: () => wakesFor(() => clock.tick(1000)) }
}

/** Replaces a link atomically, as a mounted volume does. */
function moveLink(link: string, target: string): void {
  symlinkSync(target, `${link}_tmp`)
  renameSync(`${link}_tmp`, link)
}

describe('a folder that is replaced', () => {
  test('wakes the reader and stays watched when recreated in one tick', async () => {
    const root = folder({ 'policies/a.yml': policy('a', 'one') })
    const { wakesFor, reopened } = await watched(root)
    await wakesFor(() => {
      rmSync(join(root, 'policies'), { recursive: true })
      put(root, 'policies/a.yml', policy('a', 'two'))
    })
    await reopened()
    await wakesFor(() => put(root, 'policies/b.yml', policy('b')))
  })

  test('wakes the reader and stays watched when the root is replaced', async () => {
    const top = folder({ 'm/policies/a.yml': policy('a', 'one'), 'next/policies/a.yml': policy('a', 'two') })
    const { source, wakesFor, reopened } = await watched(join(top, 'm'))
    await wakesFor(() => {
      renameSync(join(top, 'm'), join(top, 'old'))
      renameSync(join(top, 'next'), join(top, 'm'))
    })
    await reopened()
    await wakesFor(() => put(top, 'm/policies/b.yml', policy('b')))
    expect(described(await source.read(emptyContext))).toEqual({ a: 'two', b: 'x' })
  })

  test('wakes the reader and stays watched when a parent is renamed', async () => {
    const top = folder({ 'v1/team/m/a.yml': policy('a', 'one'), 'v2/team/m/a.yml': policy('a', 'two') })
    const { wakesFor, reopened } = await watched(join(top, 'v1/team/m'))
    await wakesFor(() => {
      renameSync(join(top, 'v1'), join(top, 'old'))
      renameSync(join(top, 'v2'), join(top, 'v1'))
    })
    await reopened()
    await wakesFor(() => put(top, 'v1/team/m/b.yml', policy('b')))
  })

  test('wakes the reader and stays watched when ..data is moved', async () => {
    const root = folder({ '..1/a.yml': policy('a', 'one'), '..2/a.yml': policy('a', 'two') })
    symlinkSync('..1', join(root, '..data'))
    symlinkSync('..data/a.yml', join(root, 'a.yml'))
    const { wakesFor, reopened } = await watched(root)
    await wakesFor(() => moveLink(join(root, '..data'), '..2'))
    await reopened()
    await wakesFor(() => put(root, '..2/a.yml', policy('a', 'three')))
  })

  test('wakes the reader and stays watched when a link inside is moved', async () => {
    const top = folder({ 'm/a.yml': policy('a'), 'v1/b.yml': policy('b'), 'v2/b.yml': policy('b') })
    symlinkSync('../v1', join(top, 'm/current'))
    const { wakesFor, reopened } = await watched(join(top, 'm'))
    await wakesFor(() => moveLink(join(top, 'm/current'), '../v2'))
    await reopened()
    await wakesFor(() => put(top, 'v2/c.yml', policy('c')))
  })
})

test('watches a folder with a link to its parent', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  for (const name of ['left', 'right']) symlinkSync('..', join(root, 'policies', name))
  const { wakesFor } = await watched(root)
  await wakesFor(() => put(root, 'policies/b.yml', policy('b')))
})

test('leaks no watcher when closed while files are removed', async () => {
  const files = Array.from({ length: 100 }, (_, index) => [`policies/d${index % 5}/p${index}.yml`, policy(`p${index}`)])
  for (let round = 0; round < 8; round++) {
    const root = folder(Object.fromEntries(files))
    let woken = 0
    const stop = reader(root).watch(() => woken++)
    await eventually(() => woken > 0)
    rmSync(root, { recursive: true })
    for (let turn = 0; turn < round; turn++) await nextTurn()
    stop()
  }
  const watchers = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
  expect(await waitUntilStable(watchers)).toBe(0)
})

test('ignores changes of dotfiles and node_modules', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  const { woken, wakesFor } = await watched(root)
  await wakesFor(() => put(root, 'policies/b.yml', policy('b')))
  const before = await waitUntilStable(woken)
  for (const path of ['policies/.a.yml.tmp', '.cache/a.yml', 'node_modules/x/a.yml']) put(root, path, 'x')
  // The second watch starts after the events of the files.
  const other = await watched(root)
  expect(woken()).toBe(before)
  await other.wakesFor(() => put(root, 'policies/c.yml', policy('c')))
})

test('finds changes without events by listing every 30 s', async () => {
  const work = folder({ 'here/.keep': '' })
  const root = folder({ 'agents/a.yml': `name: a\nworking_dir: ${join(work, 'here')}\n` })
  const { source, clock, woken } = await watched(root)
  expect((await source.read(emptyContext)).diagnostics).toEqual([])
  const before = await waitUntilStable(woken)
  for (let round = 0; round < 3; round++) {
    clock.tick(30_000)
    expect(await waitUntilStable(woken)).toBe(before)
  }
  rmSync(join(work, 'here'), { recursive: true })
  await eventually(() => {
    clock.tick(30_000)
    return woken() > before
  })
})

test('wakes the source for a change that a plan already read', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const clock = new TestClock()
  const source = reader(root, { clock, settleMs: 0, mostWatched: 0 })
  const woken = wakes(source)
  await eventually(() => source.condition!()?.status === 'False')
  await source.read(emptyContext)
  put(root, 'policies/a.yml', policy('a', 'two'))
  expect(described(await source.read(emptyContext))).toEqual({ a: 'two' })
  await eventually(() => {
    clock.tick(5000)
    return woken() > 0
  })
})

test('lists a folder of too many files instead of watching it', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one'), 'policies/b.yml': policy('b'), 'notes.md': 'x' })
  const clock = new TestClock()
  const source = reader(root, { clock, settleMs: 0, mostWatched: 2 })
  const woken = wakes(source)
  await eventually(() => source.condition!()?.status === 'False')
  expect(source.condition!()).toMatchObject({
    type: 'Watching',
    reason: 'TooManyFiles',
    message: '3 files are listed every 5 s: a folder of more than 2 files is not watched',
  })
  await source.read(emptyContext)
  put(root, 'policies/a.yml', policy('a', 'two'))
  expect(await waitUntilStable(woken)).toBe(0)
  await eventually(() => {
    clock.tick(5000)
    return woken() > 0
  })
  expect(described(await source.read(emptyContext))).toMatchObject({ a: 'two' })
  unlinkSync(join(root, 'notes.md'))
  await eventually(() => {
    clock.tick(5000)
    return source.condition!()?.status === 'True'
  })
})
