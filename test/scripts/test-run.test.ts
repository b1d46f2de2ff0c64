// The test commands and the set-up of a run.
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
  ['test-parts.mjs', ['all', 'sqlite'], /^error: there is no part "sqlite"\nhint: the parts are check, suite, /],
  ['campaign.mjs', ['chaos'], /^error: there is no campaign "chaos"\nhint: the campaigns are attack, laws, /],
  ['campaign.mjs', [], /^error: there is no campaign ""/],
  ['campaign.mjs', ['simulation', '--seeds', '0'], /^error: --seeds and --first are whole numbers from 1 on/],
])('%s %s exits with 64 and names what there is', (script, args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { encoding: 'utf8' })
  expect(status).toBe(64)
  expect(stderr).toMatch(message)
})

test('a test that starts a daemon only through a fixture is an integration test', () => {
  expect(integrationFiles).toContain('test/main-job/sources.test.ts')
  expect(unitFiles).toContain('test/controller/planning/plan.test.ts')
  expect(unitFiles.filter((file) => /bin\/svc|'dist'/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('a build is stale once a source is written, added or removed', () => {
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

test('a tmux server left behind is named and ended', () => {
  const socket = `${tmuxSocket()}-left`
  execFileSync('tmux', ['-L', socket, 'new-session', '-d', 'sleep 60'])
  expect(() => endLeftServers(socket)).toThrow(`tests left tmux servers behind: ${socket}`)
  expect(spawnSync('tmux', ['-L', socket, 'list-sessions']).status).toBe(1)
  endLeftServers(socket)
})
