import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bin } from '../support/built.ts'
import { root } from '../support/root.ts'

/** An installation without the daemon's file. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
  for (const name of ['bin', 'dist', 'manifests', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  rmSync(join(folder, 'dist', 'svc-daemon.js'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(file: string, words: string[], env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH!, HOME: folder, ...env } }
  return promisify(execFile)(file, words, options).then(
    (result) => ({ code: 0, ...result }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test.each([
  [['--help'], 0, /^Usage: svc/],
  [['status', '--url', 'http://127.0.0.1:1'], 1, /no daemon is reachable/],
  [['validate', join(root, 'manifests')], 0, /./],
  [['serve'], 1, /svc-daemon\.js/],
])('runs svc %s without the daemon, except to serve', async (words, code, output) => {
  const result = await run(join(folder, 'bin', 'svc'), words)
  expect(result.stdout + result.stderr).toMatch(output)
  expect(result.code).toBe(code)
})

test('caches compiled code next to the build if Node supports it', async () => {
  const stub = "import m from 'node:module'; m.enableCompileCache = (folder) => console.error(folder)"
  const { stdout, stderr } = await run(bin('svc'), ['version'], {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(stub)}`,
  })
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+\n$/), `${join(root, 'dist', 'compiled')}\n`])
})
