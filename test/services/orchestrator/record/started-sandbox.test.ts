import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LaunchSandbox } from '../../../../schemas/sandbox/sandbox.ts'
import {
  couldNotWrite,
  protectionOf,
  withRefused,
  withTampered,
  type StartedSandbox,
} from '../../../../services/orchestrator/record/started-sandbox.ts'

let project: string
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'svc-started-')))
  mkdirSync(join(project, 'manifests'))
})
afterAll(() => rmSync(project, { recursive: true }))

const time = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`
const at = (minute: number) => Date.parse(time(minute))

function start(
  minute: number,
  before: StartedSandbox | null,
  more: Partial<LaunchSandbox> | null = {},
): StartedSandbox {
  const readonly = [join(project, 'manifests')]
  const launch = more && ({ write: [project], tmp: '/data/sandbox/a/tmp', readonly, ...more } as LaunchSandbox)
  const rest = { directories: [], opened: [], absent: [], tampered: [], refused: [], finding: null, fault: null }
  return { launch, ...rest, ...protectionOf(launch, before, time(minute)) }
}
const manifest = () => join(project, 'manifests', 'a.yml')

test('holds read-only files from the start on', () => {
  const started = start(10, null)
  expect(couldNotWrite(started, manifest(), at(11))).toBe(true)
  expect(couldNotWrite(started, manifest(), at(9))).toBe(false)
  expect(couldNotWrite(started, join(project, 'other'), at(11))).toBe(false)
  expect(couldNotWrite(null, manifest(), at(11))).toBe(false)
})

test('counts the private folder as writable', () => {
  expect(couldNotWrite(start(10, null), '/data/sandbox/a/tmp/a.yml', at(11))).toBe(false)
  expect(couldNotWrite(start(10, null), '/data/sandbox/b/tmp/a.yml', at(11))).toBe(true)
})

test('continues the protection over a restart', () => {
  const again = start(20, start(10, null))
  expect(couldNotWrite(again, manifest(), at(15))).toBe(true)
  expect(couldNotWrite(again, '/etc/hosts', at(15))).toBe(true)
})

test('begins again after a start without a sandbox', () => {
  const without = start(15, start(10, null), null)
  expect(couldNotWrite(without, manifest(), at(16))).toBe(false)
  expect(couldNotWrite(start(20, without), manifest(), at(17))).toBe(false)
})

test('begins again for a file that became read-only later', () => {
  const before = start(10, null, { readonly: [] })
  expect(couldNotWrite(start(20, before), manifest(), at(15))).toBe(false)
})

test('begins again outside of directories that changed', () => {
  const before = start(10, null, { readonly: [] })
  const after = start(20, before, { write: [join(project, 'manifests')], readonly: [] })
  expect(couldNotWrite(after, join(project, 'a.yml'), at(15))).toBe(false)
})

test('notes files of git that have appeared, once', () => {
  const absent = [join(project, 'commondir')]
  const started = { ...start(10, null), absent }
  expect(withTampered(started)).toBeNull()
  writeFileSync(absent[0]!, '')
  const noted = withTampered(started)!
  expect(noted.tampered).toEqual(absent)
  expect(withTampered(noted)).toBeNull()
})

test('keeps the last ten refused hosts, and counts', () => {
  const refuse = (started: StartedSandbox, host: string) =>
    withRefused(started, { host, port: 443, count: 1, at: time(30) })
  let started = start(10, null)
  for (let index = 0; index < 12; index++) started = refuse(started, `host-${index}.example.org`)
  started = refuse(started, 'host-5.example.org')
  expect(started.refused).toHaveLength(10)
  expect(started.refused[0]).toMatchObject({ host: 'host-5.example.org', count: 2 })
})
