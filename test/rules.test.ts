// The rules of CONTRIBUTING.md that can be checked by reading: tests and dependencies.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { root } from './support/root.ts'

const FOLDERS = ['schemas', 'platform', 'services', 'controller', 'reconcilers', 'api', 'cli', 'daemon', 'bridge']

/** Path from the root to text, of every file of these folders with this end. */
function texts(folders: string[], end: RegExp): [file: string, text: string][] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && end.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')])
}

/** `file:line: text` of each line that matches. */
function linesWith(pattern: RegExp, files: [string, string][]): string[] {
  return files.flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

const own = 'test/rules.test.ts'
const tests = texts(['test'], /\.test\.ts$/).filter(([file]) => file !== own)

test('every test runs: none is skipped, alone or yet to come', () => {
  expect(linesWith(/\b(test|it|describe)\.(skip|only|todo|fails|runIf|skipIf)\b/, tests)).toEqual([])
})

test('no test holds a duration against the clock on the wall', () => {
  // Growth is a ratio of two measurements of one run.
  const exempt = (file: string) => /(^|\/)(graph|masking)\.test\.ts$/.test(file)
  const clocks = tests.filter(([file]) => !exempt(file))
  expect(linesWith(/\bperformance\.now\(|\bDate\.now\(\) *[-+<>]|hrtime/, clocks)).toEqual([])
})

test('a title says what holds, not what should', () => {
  expect(linesWith(/^\s*(test|it)\((['"`])(should\b|tests?\b|\2)/, tests)).toEqual([])
})

const page = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8')
const ownPackages = Object.keys(manifest.dependencies)

test('every dependency has its line in docs/dependencies.md', () => {
  const told = new Set(
    [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap((match) => match[1]!.split(',').map((each) => each.trim())),
  )
  const untold = ownPackages.filter((name) => !told.has(name))
  expect(untold).toEqual([])
})

test('every dependency is imported, or loaded by name by one that is', () => {
  /** Never named by an import: who loads it. */
  const loaded = new Set(['pg', 'pino-pretty', 'bufferutil'])
  const sources = texts(FOLDERS, /\.ts$/)
    .map(([, text]) => text)
    .join('\n')
  const idle = ownPackages.filter(
    (name) => !loaded.has(name) && !new RegExp(`(from|import|import\\()\\s*['"]${name}(/[^'"]*)?['"]`).test(sources),
  )
  expect(idle).toEqual([])
})

test('every dependency is pinned to one version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

const everything = texts([...FOLDERS, 'test', 'scripts'], /\.m?[tj]s$/)

test('hardly a line is wider than 120 columns', () => {
  const lines = everything.flatMap(([, text]) => text.split('\n'))
  const wide = lines.filter((line) => line.length > 120)
  expect(wide.length / lines.length).toBeLessThan(0.005)
})

test('no folder has more than 20 files of its own', () => {
  const folders = new Map<string, number>()
  for (const [file] of everything) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
  expect([...folders].filter(([, count]) => count > 20)).toEqual([])
})

test('names are the words of the field, not pictures of it', () => {
  const pictures = /\b(seats?|desks?|lanes?|pumps?|prospects?|canon)\b/i
  const named = everything.filter(([file]) => file !== own)
  expect(linesWith(pictures, named)).toEqual([])
})

test('each word of ARCHITECTURE.md is used, and has its meaning there once', () => {
  const [, section = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n## Words\n')
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].slice(1)
  const words = rows.flatMap((row) => row[1]!.split(',').map((word) => word.trim()))
  const code = everything.map(([, text]) => text.toLowerCase()).join('\n')
  expect(words.length).toBeGreaterThan(20)
  expect(new Set(words).size).toBe(words.length)
  expect(
    words.filter((word) => word !== '---' && !code.includes(word) && !code.includes(word.replaceAll(' ', ''))),
  ).toEqual([])
})

test('only the configuration reads the environment, and only the clock asks the time', () => {
  const sources = texts(FOLDERS, /\.ts$/)
  const mayRead = new Set(['platform/core/config.ts', 'bridge/main.ts', 'bridge/claude-code.ts'])
  expect(
    linesWith(
      /\bprocess\.env\b/,
      sources.filter(([file]) => !mayRead.has(file)),
    ),
  ).toEqual([])
  const mayAsk = /^(platform\/core\/clock\.ts|cli\/|bridge\/)/
  expect(
    linesWith(
      /\bDate\.now\(|new Date\(\)/,
      sources.filter(([file]) => !mayAsk.test(file)),
    ),
  ).toEqual([])
})

test('git is started in one place, which leaves out what a repository would have it run', () => {
  const sources = texts(FOLDERS, /\.ts$/).filter(([file]) => file !== 'platform/git/git.ts')
  const starts = linesWith(/(['"`])git\1\s*,/, sources)
  // Asking for the version reads no repository.
  expect(starts.filter((line) => !line.includes("'git', ['--version']") && !line.startsWith('schemas/'))).toEqual([])
})

test('what a terminal shows is taken in one place, which masks it', () => {
  const sources = texts(['services', 'api', 'daemon', 'reconcilers'], /\.ts$/)
  const captures = linesWith(/\bmux\.capture\(/, sources).filter(
    (line) => !line.startsWith('services/orchestrator/agents/terminal.ts:'),
  )
  expect(captures).toEqual([])
})
