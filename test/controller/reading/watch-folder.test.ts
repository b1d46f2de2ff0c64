// What wakes the reader of a folder, and what does not.
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { described, folder, names, nobody, policy, put, reader, wakes } from './reading.ts'

/** The figure once several looks in a row found the same. */
async function still(figure: () => number): Promise<number> {
  let [last, looks] = [figure(), 0]
  await eventually(() => {
    looks = figure() === last ? looks + 1 : 0
    last = figure()
    return looks > 5
  })
  return last
}

test('a save wakes the source, which then takes it', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const source = reader(root, { settleMs: 250 })
  await source.read(nobody)
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = woken()
  put(root, 'policies/a.yml', policy('a', 'two'))
  await eventually(() => woken() > before)
  expect(described(await source.read(nobody))).toEqual({ a: 'two' })
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
  before = await still(() => count)
  renameSync(join(root, 'policies/.a.yml.tmp'), join(root, 'policies/a.yml'))
  await eventually(() => count > before)
  expect(described(await source.read(nobody))).toEqual({ a: 'two' })
  stop()
  before = count
  put(root, 'policies/a.yml', policy('a', 'three'))
  // Another that watches the same folder has been told: so would this one.
  const other = wakes(reader(root))
  await eventually(() => other() > 0)
  put(root, 'policies/a.yml', policy('a', 'four'))
  const seen = other()
  await eventually(() => other() > seen)
  expect(count).toBe(before)
})

test('a folder that is made only after it is watched wakes the reader', async () => {
  const root = folder()
  const source = reader(join(root, 'later'))
  const woken = wakes(source)
  await eventually(() => woken() > 0)
  const before = await still(woken)
  put(root, 'later/policies/a.yml', policy('a'))
  await eventually(() => woken() > before)
  expect(names(await source.read(nobody))).toEqual(['policies/a'])
})
