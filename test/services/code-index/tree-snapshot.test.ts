// A look at a tree that was walked before: whatever a walk would find otherwise is noticed, and nothing else.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { TreeSnapshot } from '../../../services/code-index/files/tree-snapshot.ts'
import { walk, type FoundFile } from '../../../services/code-index/files/walk.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, type Tree } from './stand.ts'

let tree: Tree
beforeEach(() => {
  tree = makeTree({
    'src/a.ts': 'a\n',
    'src/deep/b.ts': 'b\n',
    'src/deep/.gitignore': 'left.ts\n',
    'src/deep/left.ts': 'left\n',
    'note.txt': 'none of ours\n',
  })
})
afterEach(() => tree.remove())
const at = (name: string) => join(tree.path, name)

function walked(): { seen: TreeSnapshot; files: string[] } {
  const seen = new TreeSnapshot(tree.path)
  const files: FoundFile[] = []
  const visited = seen.addFolder.bind(seen)
  atOnce(
    walk({ root: tree.path, patterns: [], endings: new Map([['ts', 'typescript']]), visited }, (file) =>
      files.push(file),
    ),
  )
  seen.setFiles(files)
  return { seen, files: files.map(({ path }) => path) }
}
const isSame = (seen: TreeSnapshot): boolean => atOnce(seen.isSame())

/** A walk of a tree that has been at rest long enough to be trusted. */
async function atRest(): Promise<TreeSnapshot> {
  let seen!: TreeSnapshot
  await eventually(() => isSame((seen = walked().seen)))
  return seen
}

test('a tree that was written a moment ago is walked again: what changes at the same time of the clock would be missed', () => {
  expect(isSame(walked().seen)).toBe(false)
})

test.each([
  ['a file that grows', () => appendFileSync(at('src/a.ts'), 'more\n')],
  ['a file of the same length and another time', () => utimesSync(at('src/a.ts'), 1, 1)],
  ['a file that is new', () => writeFileSync(at('src/deep/c.ts'), 'c\n')],
  ['a file that is gone', () => rmSync(at('src/a.ts'))],
  ['a file that has another name', () => renameSync(at('src/a.ts'), at('src/z.ts'))],
  ['a file moved in with its old time', () => renameSync(at('note.txt'), at('src/note.ts'))],
  ['a folder that is new', () => mkdirSync(at('src/new'))],
  ['a folder that is gone', () => rmSync(at('src/deep'), { recursive: true })],
  [
    'a folder that is a link now',
    () => (renameSync(at('src/deep'), at('away')), symlinkSync(at('away'), at('src/deep'))),
  ],
  ['a folder whose rights change', () => chmodSync(at('src/deep'), 0o500)],
  ['an ignore file that says something else', () => writeFileSync(at('src/deep/.gitignore'), 'other.ts\n')],
  ['an ignore file that is new', () => writeFileSync(at('src/.ignore'), 'a.ts\n')],
])('%s is noticed', async (_what, change) => {
  const seen = await atRest()
  change()
  expect(isSame(seen)).toBe(false)
})

test('what is ignored, and what is in no language that is indexed, may change', async () => {
  const seen = await atRest()
  appendFileSync(at('src/deep/left.ts'), 'more\n')
  appendFileSync(at('note.txt'), 'more\n')
  expect(isSame(seen)).toBe(true)
})

test('a root that is gone is not the same', async () => {
  const seen = await atRest()
  expect(statSync(tree.path).isDirectory()).toBe(true)
  renameSync(tree.path, `${tree.path}-away`)
  expect(isSame(seen)).toBe(false)
  renameSync(`${tree.path}-away`, tree.path)
})
