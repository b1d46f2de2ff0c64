// A test file is an integration test if it imports, directly or indirectly, one of the modules below. Unit tests run
// without a build, a database server or a daemon.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from '../root.ts'

const NEED_SETUP = ['built.ts', 'databases.ts', 'tmux-server.ts'].map((file) => join(root, 'test/support', file))

const tests = join(root, 'test')
const importsOf = new Map<string, string[]>()
for (const name of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ts')) continue
  const file = join(tests, name)
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)[\s(]+'(\.[^']+)'/g)
  importsOf.set(
    file,
    [...specifiers].map(([, specifier]) => resolve(dirname(file), specifier!)),
  )
}

function needsSetup(file: string): boolean {
  const pending = [file]
  const visited = new Set<string>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (NEED_SETUP.includes(next)) return true
    if (visited.has(next)) continue
    visited.add(next)
    pending.push(...(importsOf.get(next) ?? []))
  }
  return false
}

const files = [...importsOf.keys()].filter((file) => file.endsWith('.test.ts'))
const [needing, others] = [files.filter(needsSetup), files.filter((file) => !needsSetup(file))]

/** Paths relative to the checkout. */
export const integrationFiles = needing.map((file) => relative(root, file))
export const unitFiles = others.map((file) => relative(root, file))
