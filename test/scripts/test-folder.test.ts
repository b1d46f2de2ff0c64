import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from '../support/root.ts'

const place = mkdtempSync(join(tmpdir(), 'svc-places-'))
afterAll(() => rmSync(place, { recursive: true }))

/** In a separate process, as in a test run. */
function made(TMPDIR?: string): string {
  const script = `import { makeTestFolder } from ${JSON.stringify(join(root, 'scripts/tests/test-folder.mjs'))}; console.log(makeTestFolder())`
  const env = { PATH: process.env.PATH, ...(TMPDIR ? { TMPDIR } : {}) }
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim()
}

test('creates the folder below TMPDIR, traversable by others', () => {
  const folder = made(place)
  expect(dirname(folder)).toBe(place)
  expect(statSync(folder).mode & 0o777).toBe(0o711)
})

test('uses memory or the system folder without TMPDIR', () => {
  const folder = made()
  expect(['/dev/shm', '/tmp']).toContain(dirname(folder))
  rmSync(folder, { recursive: true })
})

test('removes folders of ended runs older than a day, and nothing else', () => {
  const before = Date.now() / 1000 - 2 * 86_400
  const [left, fresh] = [made(place), made(place)]
  const [ours, notes] = [join(place, `svc-${process.pid}-abcdef`), join(place, 'svc-notes-of-99999999')]
  for (const folder of [ours, notes, join(left, 'something')]) mkdirSync(folder)
  for (const folder of [left, ours, notes]) utimesSync(folder, before, before)
  const next = made(place)
  expect(existsSync(left)).toBe(false)
  for (const folder of [fresh, ours, notes, next]) expect(existsSync(folder), folder).toBe(true)
})
