// Rules of CONTRIBUTING.md that can be checked by reading files.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { TEXT_KINDS, textsOf, unusualPhrases } from './house/language.ts'
import { root } from './support/root.ts'

const FOLDERS = [
  'schemas',
  'platform',
  'services',
  'controller',
  'reconcilers',
  'api',
  'cli',
  'daemon',
  'bridge',
  'web',
]

/** Path and content of the files of these folders whose names match `end`. */
function texts(folders: string[], end: RegExp): [file: string, text: string][] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && end.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')])
}

function rootFiles(end: RegExp): [file: string, text: string][] {
  return readdirSync(root)
    .filter((file) => end.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')])
}

/** `file:line: text` of each line that matches. */
function linesWith(pattern: RegExp, files: [string, string][]): string[] {
  return files.flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

const own = 'test/rules.test.ts'
const tests = texts(['test'], /\.test\.ts$/).filter(([file]) => file !== own)

test('skips no test', () => {
  expect(linesWith(/\b(test|it|describe)\.(skip|only|todo|fails|runIf|skipIf)\b/, tests)).toEqual([])
})

test('compares no duration with the wall clock', () => {
  // These compare the ratio of two measurements in one run.
  const exempt = (file: string) => /(^|\/)(graph|masking)\.test\.ts$/.test(file)
  const clocks = tests.filter(([file]) => !exempt(file))
  expect(linesWith(/\bperformance\.now\(|\bDate\.now\(\) *[-+<>]|hrtime/, clocks)).toEqual([])
})

test('starts no title with should or test', () => {
  expect(linesWith(/^\s*(test|it)\((['"`])(should\b|tests?\b|\2)/, tests)).toEqual([])
})

const page = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8')
const ownPackages = Object.keys(manifest.dependencies)

test('lists every dependency in docs/dependencies.md', () => {
  const listed = new Set(
    [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap((match) => match[1]!.split(',').map((each) => each.trim())),
  )
  const missing = ownPackages.filter((name) => !listed.has(name))
  expect(missing).toEqual([])
})

test('imports every dependency, or loads it by name', () => {
  /** Loaded by other packages, without an import. */
  const loaded = new Set(['pg', 'pino-pretty', 'bufferutil'])
  const sources = texts(FOLDERS, /\.ts$/)
    .map(([, text]) => text)
    .join('\n')
  const idle = ownPackages.filter(
    (name) => !loaded.has(name) && !new RegExp(`(from|import|import\\()\\s*['"]${name}(/[^'"]*)?['"]`).test(sources),
  )
  expect(idle).toEqual([])
})

test('pins every dependency to one version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('reads frames of sockets only where they are redacted', () => {
  const readers = texts(['api', 'services'], /\.ts$/).filter(([, text]) => text.includes("socket.on('message'"))
  expect(readers.map(([file]) => file)).toEqual([
    'api/communicate.ts',
    // Stores nothing of them.
    'api/gateway/live.ts',
    // The client of the daemon itself.
    'services/orchestrator/rooms/room-bridge.ts',
    'services/orchestrator/session/agent-sockets.ts',
  ])
})

const everything = texts([...FOLDERS, 'test', 'scripts'], /\.m?[tj]sx?$/)

test('keeps 99.5 % of lines within 120 columns', () => {
  const lines = everything.flatMap(([, text]) => text.split('\n'))
  const wide = lines.filter((line) => line.length > 120)
  expect(wide.length / lines.length).toBeLessThan(0.005)
})

test('has at most 20 files in a folder', () => {
  const folders = new Map<string, number>()
  for (const [file] of everything) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
  expect([...folders].filter(([, count]) => count > 20)).toEqual([])
})

test('uses no metaphors as names', () => {
  const pictures = /\b(seats?|desks?|lanes?|pumps?|prospects?|canon)\b/i
  const named = everything.filter(([file]) => file !== own)
  expect(linesWith(pictures, named)).toEqual([])
})

test('defines each term of the glossary once, and uses it in code', () => {
  const glossary = readFileSync(join(root, 'docs', 'glossary.md'), 'utf8')
  const terms = [...glossary.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)]
    .map(([, term]) => term!)
    .filter((term) => term !== 'term' && term !== '---')
  const code = everything.map(([, text]) => text.toLowerCase()).join('\n')
  expect(terms.length).toBeGreaterThan(20)
  expect(new Set(terms).size).toBe(terms.length)
  expect(terms.filter((term) => !code.includes(term) && !code.includes(term.replaceAll(' ', '')))).toEqual([])
})

test('reads the texts of the elements of the page', () => {
  const found = textsOf('web/x.tsx', 'export const x = <p title="a b c">Nothing <b>x</b> waits here anew</p>')
  expect(unusualPhrases(found).places).toEqual([expect.stringMatching(/^web\/x\.tsx:1: anew: /)])
})

const prose = [...everything, ...texts(['docs'], /\.md$/), ...rootFiles(/\.(md|ts)$/)].flatMap(([file, text]) =>
  textsOf(file, text),
)

test.each(TEXT_KINDS)('has at most 2 unusual phrases per 1,000 words of %s', (kind) => {
  const { perThousandWords, places } = unusualPhrases(prose.filter((text) => text.kind === kind))
  expect(
    perThousandWords > 2 ? [`${perThousandWords.toFixed(1)} per 1,000 words`, ...places.slice(0, 20)] : [],
  ).toEqual([])
})

test('reads environment and time only in configuration and clock', () => {
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

test('starts git in one place, without the configuration of a repository', () => {
  const sources = texts(FOLDERS, /\.ts$/).filter(([file]) => file !== 'platform/git/git.ts')
  const starts = linesWith(/(['"`])git\1\s*,/, sources)
  // `git --version` reads no repository.
  expect(starts.filter((line) => !line.includes("'git', ['--version']") && !line.startsWith('schemas/'))).toEqual([])
})

test('captures terminals in one place, which masks them', () => {
  const sources = texts(['services', 'api', 'daemon', 'reconcilers'], /\.ts$/)
  const captures = linesWith(/\bmux\.capture\(/, sources).filter(
    (line) => !line.startsWith('services/orchestrator/agents/terminal.ts:'),
  )
  expect(captures).toEqual([])
})
