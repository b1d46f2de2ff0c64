import { mkdirSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { FolderListings } from '../../../controller/reading/folder/folder-listings.ts'
import { isSameScan, scanFolder } from '../../../controller/reading/folder/folder-scan.ts'
import { systemClock, TestClock } from '../../../platform/core/clock.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { folder, policy } from './reading.ts'

let clock: TestClock
let listings: FolderListings
beforeEach(() => {
  clock = new TestClock(systemClock.now())
  listings = new FolderListings(clock)
})

/** Makes folders written now appear an hour old. */
const anHourLater = () => clock.tick(3_600_000)
const scan = (root: string) => atOnce(scanFolder(root, { listings }))
const paths = (root: string) =>
  scan(root)
    .files.map(({ path }) => path)
    .sort()

test('lists an idle folder every ten seconds, but a changed one always', () => {
  const root = folder({ 'a.yml': policy('a') })
  const listed = () => {
    const entries = listings.list(root, '', statSync(root))
    listings.end()
    return entries
  }
  expect(listed()).not.toBe(listed())
  anHourLater()
  const once = listed()
  expect(listed()).toBe(once)
  clock.tick(10_000)
  expect(listed()).not.toBe(once)
})

test('returns the same object for an unchanged file only', () => {
  anHourLater()
  const root = folder({ 'policies/a.yml': policy('a'), 'policies/b.yml': policy('b') })
  const before = scan(root)
  expect(scan(root).files).toEqual(before.files)
  expect(scan(root).files[0]).toBe(before.files[0])
  writeFileSync(join(root, before.files[1]!.path), policy('longer'))
  const after = scan(root)
  expect(after.files[0]).toBe(before.files[0])
  expect(after.files[1]).not.toBe(before.files[1])
  expect(isSameScan(before, after)).toBe(false)
})

test('detects added, removed and replaced files in an idle folder', () => {
  anHourLater()
  const root = folder({ 'policies/a.yml': policy('a'), 'b.yml': policy('b') })
  expect(paths(root)).toEqual(['b.yml', 'policies/a.yml'])
  writeFileSync(join(root, 'policies', 'c.yml'), policy('c'))
  expect(paths(root)).toEqual(['b.yml', 'policies/a.yml', 'policies/c.yml'])
  unlinkSync(join(root, 'b.yml'))
  expect(paths(root)).toEqual(['policies/a.yml', 'policies/c.yml'])
  renameSync(join(root, 'policies'), join(root, 'others'))
  mkdirSync(join(root, 'policies'))
  expect(paths(root)).toEqual(['others/a.yml', 'others/c.yml'])
})

test('follows a link that is moved to another folder', () => {
  const root = folder({ 'v1/policies/a.yml': policy('a'), 'v2/policies/b.yml': policy('b') })
  mkdirSync(join(root, 'live'))
  symlinkSync('../v1/policies', join(root, 'live', 'policies'))
  anHourLater()
  const live = join(root, 'live')
  expect(paths(live)).toEqual(['policies/a.yml'])
  symlinkSync('../v2/policies', join(live, '.next'))
  renameSync(join(live, '.next'), join(live, 'policies'))
  expect(paths(live)).toEqual(['policies/b.yml'])
})
