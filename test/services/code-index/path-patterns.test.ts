import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { alwaysOf, isIgnored } from '../../../services/code-index/files/rules.ts'
import { pathFilter } from '../../../services/code-index/files/path-patterns.ts'
import { walk } from '../../../services/code-index/files/walk.ts'
import { counted } from '../../support/counts.ts'
import { numbers } from '../../support/random.ts'

const random = numbers(31)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
const several = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * most) }, make)

const NAMES = ['a', 'b', 'ab', 'Ab', 'a.b', '.a', 'a b', 'a ', '[a]', '!a', '#a', 'a*', 'c-d', 'aab', '-', ']']
const ATOMS = String.raw`
  a b A ab . - * * ** *** ? / / /**/ **/ /** ! #
  [ab] [!a] [^b] [a-c] []a] [!]a] [a/b] [a-] [-a] [[:alpha:]] [[:punct:]-] [a [\]a] [[:no:]] [[:]
  \* \a \! \# \ \[a]
`
  .trim()
  .split(/\s+/)
  .concat(' ', '\\ ')

function randomTree(root: string, depth = 0): void {
  for (const name of new Set(several(6, () => pick(NAMES)))) {
    const path = join(root, name)
    if (depth < 3 && random() < 0.5) {
      mkdirSync(path)
      randomTree(path, depth + 1)
    } else writeFileSync(path, '')
  }
  if (random() < (depth === 0 ? 1 : 0.3)) writeFileSync(join(root, '.gitignore'), several(5, randomRule).join('\n'))
}

const randomRule = (): string =>
  (random() < 0.2 ? '!' : '') + several(4, () => pick(ATOMS)).join('') + pick(['', '', '', '/', ' ', '\r'])

test('leaves out the same files as git for random trees and rules', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-ignore-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.ignorecase=true', ...args], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    }).toString()
  git('init', '-q')
  let ignored = 0
  for (let round = 0; round < 60; round++) {
    const root = join(home, String(round))
    mkdirSync(root)
    randomTree(root)
    const listed = (...more: string[]) => {
      const names = git('ls-files', '-z', '--others', ...more, '--', `${round}/`).split('\0')
      return names.filter((name) => name !== '').map((name) => name.slice(`${round}/`.length))
    }
    const walked: string[] = []
    atOnce(walk({ root, patterns: ['.git'], endings: null, hidden: [] }, ({ path }) => walked.push(path)))
    const rules = () => execFileSync('grep', ['-r', '', '--include=.gitignore', '.'], { cwd: root }).toString()
    const kept = listed('--exclude-per-directory=.gitignore')
    expect(walked.sort(), rules()).toEqual(kept.sort())
    ignored += listed().length - kept.length
  }
  counted('ignore rules: random trees compared with git', 60)
  counted('ignore rules: files that git ignores in them', ignored)
  expect(ignored).toBeGreaterThan(200)
  rmSync(home, { recursive: true })
})

test.each([
  ['*.ts', ['a.ts', 'src/a.ts', '.hidden.ts'], ['a.tsx', 'a.ts/x']],
  ['src/*.ts', ['src/a.ts', 'src/.a.ts'], ['a.ts', 'src/x/a.ts', 'lib/src/a.ts']],
  ['./src/*.ts', ['src/a.ts'], ['a.ts']],
  ['**/*.ts', ['a.ts', 'x/y/a.ts'], ['a.js']],
  ['src/**', ['src/a', 'src/x/a', 'src'], ['a', 'lib/src/a']],
  ['src/**/test/*', ['src/test/a', 'src/x/y/test/a'], ['test/a', 'src/test/x/a']],
  ['{a.txt,src/**}', ['a.txt', 'src/x/y'], ['b.txt']],
  ['*.{ts,{js,mjs}}', ['a.ts', 'a.js', 'x/a.mjs'], ['a.{ts', 'a.cjs']],
  ['[ab]?.c', ['ax.c', 'b1.c'], ['cx.c', 'a.c']],
  ['[!a]*', ['b', 'x/b'], ['a', 'x/ab']],
  ['!*.test.ts', ['a.ts', 'x/b.ts'], ['a.test.ts', 'x/b.test.ts']],
  ['app/(group)/*', ['app/(group)/page.tsx'], ['app/group/page.tsx']],
  ['a\\*', ['a*'], ['ab']],
  ['{a}', ['{a}'], ['a']],
  ['[a', [], ['a', '[a']],
  ['README', ['README', 'x/README'], ['readme']],
])('matches paths against %s', (pattern, fitting, others) => {
  const filter = pathFilter(pattern)
  expect(fitting.filter((path) => !filter(path))).toEqual([])
  expect(others.filter(filter)).toEqual([])
})

test.each([
  [
    '+(a|b)',
    'has a group in parentheses, which is not supported: write {a,b} for alternatives, or \\( for a parenthesis',
  ],
  ['src/!(a).ts', 'has a group in parentheses'],
  ['{a,b}'.repeat(7), 'has more than 64 alternatives in braces: use fewer'],
])('refuses the pattern %s', (pattern, said) => {
  expect(() => pathFilter(pattern)).toThrow(`file_pattern ${JSON.stringify(pattern)} ${said}`)
})

/** CPU time in milliseconds, the best of several runs. */
function cost(work: () => void): number {
  const once = () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(...Array.from({ length: 3 }, once))
}

const HOSTILE = [
  `${'*a'.repeat(11)}b`,
  `${'*a'.repeat(120)}b`,
  `*${'a'.repeat(120)}b*`,
  `${'?*'.repeat(120)}b`,
  `${'[a-z]*'.repeat(60)}b`,
  `${'**/a/'.repeat(60)}b`,
  `${'**/*a*a*a/'.repeat(20)}b`,
  `${'/**'.repeat(120)}/b`,
  `${'**'.repeat(120)}b`,
  `${'a/'.repeat(60)}**/*a*a*a*b`,
  '['.repeat(240),
  '\\'.repeat(241),
  ' '.repeat(250),
]
const PATHS = ['a'.repeat(250), `src/${'a'.repeat(120)}.js`, 'a/'.repeat(120) + 'a', `${'aaa/'.repeat(60)}aaa`]

test.each(HOSTILE)('matches 100 paths within 50 ms: %s', (pattern) => {
  const paths = PATHS.flatMap((path) => Array.from({ length: 25 }, () => path))
  const ignoring = () => {
    const always = alwaysOf([pattern])
    for (const path of paths) isIgnored(path, always, [])
  }
  expect(cost(ignoring)).toBeLessThan(50)
  expect(cost(() => paths.forEach(pathFilter(pattern)))).toBeLessThan(50)
})
