// Follows "To add" of ARCHITECTURE.md in a copy of the tree.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { root } from '../support/root.ts'
import { add } from './additions/addition.ts'
import { additions } from './additions/index.ts'

vi.setConfig({ testTimeout: 720_000, hookTimeout: 60_000 })
const run = promisify(execFile)

let copy: string
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'svc-house-'))
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of stdout.split('\n').filter(Boolean))
    cpSync(join(root, file), join(copy, file), { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  await run('git', ['init', '--quiet', copy])
  await commit()
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

async function commit(): Promise<void> {
  await run('git', ['add', '--all'], { cwd: copy })
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@localhost']
  await run('git', [...who, 'commit', '--quiet', '--no-verify', '--allow-empty', '-m', 'before'], { cwd: copy })
}

/** Rows of the table "To add", with placeholders. */
function promised(): [what: string, made: string[], touched: string[]][] {
  const [, section = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n## To add\n')
  const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  return [...section.split('\n## ')[0]!.matchAll(/^\| (an? [a-z]+) \|(.*)\|(.*)\|$/gm)].map((row) => [
    row[1]!,
    names(row[2]!),
    names(row[3]!),
  ])
}

/** Matches a path with placeholders such as `<kind>`. */
function isNamed(name: string, path: string): boolean {
  const pattern = name.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&').replace(/<\w+>/g, '[\\w-]+')
  return new RegExp(`^${pattern}$`).test(path)
}

const sameFiles = (names: string[], paths: string[]): boolean =>
  names.length === paths.length && names.every((name) => paths.some((path) => isNamed(name, path)))

describe('ARCHITECTURE.md, To add', () => {
  test('names the files that each addition makes and touches', () => {
    expect(promised().map(([what]) => what)).toEqual(Object.keys(additions))
    for (const [what, made, touched] of promised()) {
      const addition = additions[what]!
      expect(sameFiles(made, Object.keys(addition.made)), `${what} makes ${made.join(', ')}`).toBe(true)
      expect(sameFiles(touched, Object.keys(addition.touched)), `${what} touches ${touched.join(', ')}`).toBe(true)
    }
  })

  test('results in a tree that passes all checks and new tests', async () => {
    for (const addition of Object.values(additions)) add(copy, addition)
    await run(join(root, 'node_modules', '.bin', 'oxfmt'), ['.'], { cwd: copy })
    const checked = await run(process.execPath, ['scripts/check.mjs'], { cwd: copy, maxBuffer: 1 << 26 }).catch(
      (error: { stdout: string }) => error,
    )
    expect(checked.stdout).toMatch(/check: all \d+ passed/)
    const vitest = join(root, 'node_modules', '.bin', 'vitest')
    const files = [
      'test/services/notes',
      'test/web/routes.test.ts',
      'test/web/listed-screens.test.ts',
      'test/web/screens/models',
      'test/cli/pages.test.ts',
      'test/specification/table.test.ts',
    ]
    await run(vitest, ['run', ...files], { cwd: copy, env: { ...process.env, SVC_TEST_RUN: undefined } })
    await commit()
  })
})

test('fails type checks in every user of a renamed operation', async () => {
  const operations = join(copy, 'schemas', 'operations', 'orchestrator')
  for (const file of ['agents.ts', 'index.ts']) {
    const path = join(operations, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('listAgents', 'listAllAgents'))
  }
  const { stdout } = await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', '.'], { cwd: copy }).catch(
    (error: { stdout: string }) => error,
  )
  const broken = new Set([...stdout.matchAll(/^([\w./-]+)\(\d+,\d+\): error/gm)].map((match) => match[1]!))
  expect([...broken]).toEqual(
    expect.arrayContaining([
      'api/orchestrator/agents.ts',
      'cli/agent/orchestrator/agents.ts',
      'cli/lookup.ts',
      'test/services/services.test.ts',
    ]),
  )
  expect([...broken].map(dirname).filter((folder) => folder.startsWith('schemas'))).toEqual([])
})
