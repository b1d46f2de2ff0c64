import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOlder } from '../../scripts/build-state.mjs'
import { root } from '../support/root.ts'
import { integrationFiles, unitFiles } from '../support/run/projects.ts'
import { endLeftServers, tmuxSocket } from '../support/tmux-server.ts'

test.each([
  ['test-parts.mjs', ['all', 'sqlite'], /^error: unknown part "sqlite"\nhint: the parts are check, suite, /],
  ['campaign.mjs', ['chaos'], /^error: unknown campaign "chaos"\nhint: the campaigns are attack, laws, /],
  ['campaign.mjs', [], /^error: unknown campaign ""/],
  ['campaign.mjs', ['simulation', '--seeds', '0'], /^error: --seeds and --first must be whole numbers of at least 1/],
])('%s %s exits with 64 and lists valid values', (script, args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { encoding: 'utf8' })
  expect(status).toBe(64)
  expect(stderr).toMatch(message)
})

test('classifies tests that start a daemon as integration tests', () => {
  expect(integrationFiles).toContain('test/main-job/sources.test.ts')
  expect(unitFiles).toContain('test/controller/planning/plan.test.ts')
  expect(unitFiles.filter((file) => /bin\/svc|'dist'/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('detects a stale build after a source changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-state-'))
  const [file, nested] = [join(folder, 'a.ts'), join(folder, 'nested')]
  mkdirSync(nested)
  const settle = () => [file, nested, folder].forEach((path) => utimesSync(path, 1000, 1000))
  writeFileSync(file, '')
  settle()
  const before = isOlder(folder, 2_000_000)
  writeFileSync(join(nested, 'b.ts'), '')
  const added = isOlder(folder, 2_000_000)
  rmSync(join(nested, 'b.ts'))
  const removed = isOlder(folder, 2_000_000)
  settle()
  writeFileSync(file, 'changed')
  expect([before, added, removed, isOlder(folder, 2_000_000)]).toEqual([true, false, false, false])
  rmSync(folder, { recursive: true })
})

test('reports and ends a leftover tmux server', () => {
  const socket = `${tmuxSocket()}-left`
  execFileSync('tmux', ['-L', socket, 'new-session', '-d', 'sleep 60'])
  expect(() => endLeftServers(socket)).toThrow(`tests left tmux servers behind: ${socket}`)
  expect(spawnSync('tmux', ['-L', socket, 'list-sessions']).status).toBe(1)
  endLeftServers(socket)
})
