import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { build } from '../../scripts/build.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-scripts-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const node = (args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, args, { cwd: root, env }).then(
    (result) => ({ code: 0, ...result }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

test.each(['start', 'test', 'bench'])(
  'npm run %s names missing git and tmux with the install command',
  async (script) => {
    symlinkSync('/bin/true', join(folder, 'apt'))
    const { code, stdout, stderr } = await node([`scripts/${script}.mjs`], { PATH: folder })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^error: git is not installed\nhint: .*apt-get install -y git\nerror: tmux is not installed\nhint: .*apt-get install -y tmux\n$/,
    )
  },
)

test('replaces an older build completely', { timeout: 60_000 }, async () => {
  mkdirSync(join(folder, 'chunks'))
  writeFileSync(join(folder, 'chunks', 'old-ABC.js'), 'old')
  writeFileSync(join(folder, 'svc.js'), 'old')
  const count = await build(folder)
  expect(count).toBeGreaterThan(0)
  const { stdout } = await promisify(execFile)('find', [folder, '-type', 'f'])
  expect(stdout.trim().split('\n')).toHaveLength(count)
  expect(stdout).not.toContain('old-ABC')
})
