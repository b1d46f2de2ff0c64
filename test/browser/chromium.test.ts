import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findChromium, maySkip } from './support/chromium.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-chromium-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('finds a Chromium on the PATH', () => {
  const program = join(folder, 'chromium')
  writeFileSync(program, '')
  expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(program)
  expect(maySkip({ PATH: folder })).toBe(false)
})

test('prefers the program that SVC_CHROMIUM names', () => {
  const program = join(folder, 'mine')
  writeFileSync(program, '')
  expect(findChromium({ PATH: '/usr/bin', SVC_CHROMIUM: program })).toBe(program)
})

test('names the next step without a Chromium', () => {
  expect(() => findChromium({ PATH: folder })).toThrow(/apt-get install chromium/)
  expect(() => findChromium({ SVC_CHROMIUM: '/no/such' })).toThrow('SVC_CHROMIUM: expected the path of a Chromium')
})

test('skips only where no Chromium is required', () => {
  expect(maySkip({ PATH: folder })).toBe(true)
  expect(maySkip({ PATH: folder, SVC_TEST_BROWSER: '1' })).toBe(false)
  expect(maySkip({ PATH: folder, SVC_CHROMIUM: '/no/such' })).toBe(false)
})
