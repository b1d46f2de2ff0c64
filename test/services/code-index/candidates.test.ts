// Which files a search by expression looks into: never fewer than hold a match, and the same with ripgrep and without.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { candidates } from '../../../services/code-index/agentic/candidates.ts'
import { grep } from '../../../services/code-index/agentic/grep.ts'
import { isSurelyOne, supersetOf } from '../../../services/code-index/agentic/superset.ts'
import { TreeRules } from '../../../services/code-index/files/rules.ts'
import { walk } from '../../../services/code-index/files/walk.ts'
import { numbers } from '../../support/random.ts'
import { makeTree } from './stand.ts'

const tree = makeTree({
  '.gitignore': 'build/\n*.log\n!kept.log\n/top.ts\n',
  'top.ts': 'needle\n',
  'a.ts': 'a needle (x)\n',
  'a/z.ts': 'needle\n',
  'a-b.ts': 'needle\n',
  'build/out.ts': 'needle\n',
  'kept.log': 'needle\n',
  'left.log': 'needle\n',
  'src/.ignore': 'gone/\n!build/\n',
  'src/build/in.ts': 'needle\n',
  'src/gone/x.ts': 'needle\n',
  'src/top.ts': 'needle\n',
  'node_modules/x/needle.ts': 'needle\n',
  'deep/1/2/3/.gitignore': '*\n!*/\n!kept.ts\n',
  'deep/1/2/3/4/kept.ts': 'needle\n',
  'deep/1/2/3/4/left.ts': 'needle\n',
  'wide.txt': Buffer.from('\ufeffneedle\n', 'utf16le'),
  'binary.ts': Buffer.from('needle\0'),
  '.hidden/x.ts': 'needle\n',
  'none.ts': 'nothing\n',
})
symlinkSync(join(tree.path, 'a.ts'), join(tree.path, 'link.ts'))
symlinkSync(join(tree.path, 'a'), join(tree.path, 'linked'))
const bin = mkdtempSync(join(tmpdir(), 'svc-bin-'))
symlinkSync(execFileSync('/bin/sh', ['-c', 'command -v grep'], { encoding: 'utf8' }).trim(), join(bin, 'grep'))
afterAll(() => {
  tree.remove()
  rmSync(bin, { recursive: true })
})
const patterns = ['node_modules', '*.tmp']
const asked = { pattern: 'needle', root: tree.path, ignore: patterns, deadlineMs: 10_000 }
/** Days after the start of the process. */
const NEVER = 1e9
async function found(path: string): Promise<string[]> {
  const files: string[] = []
  for await (const file of candidates(asked, { path, deadline: NEVER, isWanted: () => true })) files.push(file)
  return files
}

const walked: string[] = []
atOnce(walk({ root: tree.path, patterns, endings: null }, ({ path }) => walked.push(path)))

test('single paths are left out exactly where a walk leaves them out', () => {
  const all: string[] = []
  atOnce(walk({ root: tree.path, patterns: ['.gitignore'], endings: null }, ({ path }) => all.push(path)))
  const rules = new TreeRules(tree.path, patterns)
  const everything = execFileSync('find', ['.', '-type', 'f'], { cwd: tree.path, encoding: 'utf8' })
  const kept = everything
    .trim()
    .split('\n')
    .map((path) => path.slice(2))
    .filter((path) => !rules.leavesOut(path))
  expect(kept.sort()).toEqual([...walked].sort())
})

/** What stands in the place of ripgrep: it refuses its options, is ended, or is not there. */
const REFUSING = {
  'does not know what it is told': 'echo "error: Found argument --encoding which wasn\'t expected" >&2; exit 2',
  'is ended by the kernel': 'kill -9 $$',
  'fails in its own way': 'exit 101',
}

describe('the files of a walk that hold a match are found, in its order', () => {
  const holding = walked.filter((path) => !/none|ignore|wide|binary/.test(path))

  test('with what is installed here', async () => {
    const paths = await found(process.env.PATH!)
    expect(paths.filter((path) => holding.includes(path))).toEqual(holding)
    expect(walked).toEqual(expect.arrayContaining(paths))
  })

  test('without ripgrep', async () => {
    expect(await found(bin)).toEqual(holding)
  })

  test.each(Object.entries(REFUSING))('where ripgrep %s', async (_what, script) => {
    const own = mkdtempSync(join(tmpdir(), 'svc-bin-'))
    writeFileSync(join(own, 'rg'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(own, 'rg'), 0o755)
    expect(await found([own, bin].join(delimiter))).toEqual(holding)
    rmSync(own, { recursive: true })
  })

  test('and their lines are the same with ripgrep and without', async () => {
    const lines = (path: string) =>
      grep({ ...asked, filePattern: '*', contextLines: 1, limit: 200, deadlineMs: 10_000 }, path)
    expect(await lines(process.env.PATH!)).toEqual(await lines(bin))
  })
})

test('files are judged one after the other, as they are taken', async () => {
  const judged: string[] = []
  const isWanted = (path: string) => judged.push(path) > 0
  const files = candidates(asked, { path: process.env.PATH!, deadline: NEVER, isWanted })
  expect([await files.next(), await files.next()].map(({ value }) => value)).toEqual(judged)
  expect(judged).toHaveLength(2)
})

test.each([
  ['\\bTODO\\b', 'TODO'],
  ['a[0-9]\\.*', 'a[\\x30-\\x39]\\.*'],
])('what is written for ripgrep keeps letters together and sets small: %s', (pattern, wanted) => {
  expect(supersetOf(pattern)).toBe(wanted)
})

describe('an expression in the place of one of grep', () => {
  const ATOMS =
    'a b . ( ) + ? { } | ^ $ * é \\+ \\? \\| \\. \\* \\(a\\) \\(b*\\) \\(^*a\\) \\1 [a-c] [^a] []a] [^]b] [[:digit:]] [a\\] \\w \\W \\s \\b \\< \\> \\{2\\} \\{1,\\} \\{,2\\} \\{0,1\\} [[:punct:]] [^[:alnum:]_] [[:space:]-] [[:upper:]é] [+--] [^é]'.split(
      ' ',
    )
  const LINES = [
    '',
    'a',
    'aa',
    'b*a',
    'ab.b',
    'a+b?',
    '$a',
    '^a^',
    'a{2}',
    '(a|b)',
    'é1_',
    '*',
    ']b',
    'a\\',
    'abab baba',
    '12 a',
    'É٣\u00a0ß',
    ...Array.from({ length: 126 }, (_each, at) => String.fromCharCode(at + 1)).filter((each) => each !== '\n'),
  ]
  const file = join(bin, 'lines')
  writeFileSync(file, `${LINES.join('\n')}\n`)

  test('matches on every line that grep matches on', { timeout: 120_000 }, () => {
    const random = numbers(29)
    const pick = (): string => ATOMS[Math.floor(random() * ATOMS.length)]!
    const patterns = Array.from({ length: 600 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 5) }, pick).join(''),
    ).filter((pattern) => supersetOf(pattern) !== null)
    let [judged, narrower] = [0, 0]
    for (const [pattern, wanted] of grepped(patterns)) {
      if (wanted === null) continue
      // Of the two the syntax that is written is the same.
      const superset = supersetOf(pattern)!
      const expression = new RegExp(superset, 's')
      for (const line of wanted) expect(expression.test(line), `${pattern} as ${superset} on ${line}`).toBe(true)
      judged++
      if (LINES.some((line) => !expression.test(line))) narrower++
    }
    expect(judged).toBeGreaterThan(200)
    // It tells something: not every line is matched by what is wider.
    expect(narrower).toBeGreaterThan(50)
  })

  test('what is surely an expression is one for grep', { timeout: 120_000 }, () => {
    const random = numbers(31)
    const atoms = [
      ...ATOMS,
      ...'[0-9] [a-z_] [^A-Z] [z-a] [a [] [a-z-9] \\ \\[ ** \\| \\B \\S no.*such[0-9]line'.split(' '),
    ]
    const pick = (): string => atoms[Math.floor(random() * atoms.length)]!
    const patterns = Array.from({ length: 600 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, pick).join(''),
    ).filter(isSurelyOne)
    for (const [pattern, lines] of grepped(patterns)) expect(lines, pattern).not.toBeNull()
    expect(patterns.length).toBeGreaterThan(50)
    for (const pattern of ['no.*such[0-9]line', '\\bTODO\\b', 'a\\|b']) expect(isSurelyOne(pattern), pattern).toBe(true)
    for (const pattern of ['[z-a]', '[a', 'a\\', '\\(a', '[[:no:]]', ''])
      expect(isSurelyOne(pattern), pattern).toBe(false)
  })

  test.each(['\\(a', 'a\\)', 'a\\', '[a', '[[.space.]]', '\\{2\\}', 'a\nb', '\\+a', 'a\\d'])(
    'is none for %j',
    (pattern) => {
      expect(supersetOf(pattern)).toBeNull()
    },
  )

  /** The lines on which grep matches for each of them, by one shell; null: it takes the pattern for no expression. */
  function grepped(patterns: readonly string[]): [pattern: string, lines: string[] | null][] {
    const script = 'for pattern; do grep -G -e "$pattern" "$0" 2>/dev/null; echo "== $?"; done'
    const options = { env: { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8' }, encoding: 'utf8' } as const
    const printed = execFileSync('sh', ['-c', script, file, ...patterns], options)
    const answers = [...printed.matchAll(/(.*?)== ([012])\n/gs)]
    expect(answers).toHaveLength(patterns.length)
    return patterns.map((pattern, at) => {
      const [, lines, status] = answers[at]!
      return [pattern, status === '2' ? null : lines!.split('\n').slice(0, -1)]
    })
  }
})
