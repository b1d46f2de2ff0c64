import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { candidates } from '../../../services/code-index/agentic/candidates.ts'
import { TreeRules } from '../../../services/code-index/files/rules.ts'
import { walk } from '../../../services/code-index/files/walk.ts'
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
afterAll(() => tree.remove())
const patterns = ['node_modules', '*.tmp']
const asked = { pattern: 'needle', root: tree.path, hidden: [], ignore: patterns, deadlineMs: 10_000 }
/** Milliseconds since the process start. */
const NEVER = 1e9
async function found(): Promise<string[]> {
  const files: string[] = []
  for await (const file of candidates(asked, { path: process.env.PATH!, deadline: NEVER, isWanted: () => true }))
    files.push(file)
  return files
}

const walked: string[] = []
atOnce(walk({ root: tree.path, hidden: [], patterns, endings: null }, ({ path }) => walked.push(path)))

test('excludes single paths exactly as a walk does', () => {
  const all: string[] = []
  atOnce(walk({ root: tree.path, hidden: [], patterns: ['.gitignore'], endings: null }, ({ path }) => all.push(path)))
  const rules = new TreeRules(tree.path, patterns)
  const everything = execFileSync('find', ['.', '-type', 'f'], { cwd: tree.path, encoding: 'utf8' })
  const kept = everything
    .trim()
    .split('\n')
    .map((path) => path.slice(2))
    .filter((path) => !rules.leavesOut(path))
  expect(kept.sort()).toEqual([...walked].sort())
})

test('finds the files with a match in the order of a walk', async () => {
  const holding = walked.filter((path) => !/none|ignore|wide|binary/.test(path))
  expect(await found()).toEqual(holding)
})

test('filters files lazily, as they are consumed', async () => {
  const judged: string[] = []
  const isWanted = (path: string) => judged.push(path) > 0
  const files = candidates(asked, { path: process.env.PATH!, deadline: NEVER, isWanted })
  expect([await files.next(), await files.next()].map(({ value }) => value)).toEqual(judged)
  expect(judged).toHaveLength(2)
})

test('throws if grep is not installed', async () => {
  const files = candidates(asked, { path: '/nonexistent', deadline: NEVER, isWanted: () => true })
  await expect(files.next()).rejects.toThrow(/failed to start grep: .*not found.*: install GNU grep/)
})

test('reports a directory that was removed meanwhile', async () => {
  const gone = { ...asked, root: join(tree.path, 'gone') }
  const files = candidates(gone, { path: process.env.PATH!, deadline: NEVER, isWanted: () => true })
  await expect(files.next()).rejects.toThrow('path was moved or removed during the search: search again')
})
