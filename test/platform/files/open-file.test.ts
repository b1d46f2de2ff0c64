import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { execa } from 'execa'
import { TextFiles } from '../../../controller/reading/text-files.ts'
import { readConfig } from '../../../platform/core/config.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { openWithin, presentPath, readOpenText, type OpenTree } from '../../../platform/files/open-file.ts'
import { grep } from '../../../services/code-index/agentic/grep.ts'
import { textOf } from '../../../services/code-index/files/text.ts'
import { whileSwapped } from './swapped-folder.ts'

const ROUNDS = 1000
/** A template is looked at before it is opened: only a link that comes and goes between these looks could be followed. */
const TEMPLATES = 100_000
/** Each starts processes. */
const SEARCHES = 60
const SECRET = 'the-secret-key'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-swapped-')))
const [root, data] = [join(top, 'root'), join(top, 'data')]
const tree: OpenTree = { root, hidden: [join(root, 'hidden')] }
for (const folder of ['folder', 'hidden']) mkdirSync(join(root, folder), { recursive: true })
mkdirSync(data)
writeFileSync(join(data, 'key'), SECRET)
writeFileSync(join(root, 'hidden', 'key'), SECRET)
writeFileSync(join(root, 'folder', 'key'), 'harmless\n')
afterAll(() => rmSync(top, { recursive: true, force: true }))

const read = (name: string): string | null => {
  const file = openWithin(join(root, name), tree)
  if (file === null) return null
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

test('takes no file that was removed after it was opened for the one at its path', () => {
  const path = join(root, 'replaced')
  writeFileSync(path, SECRET)
  const file = openSync(path, 'r')
  expect(presentPath(file, path)).toBe(path)
  unlinkSync(path)
  writeFileSync(path, 'harmless\n')
  expect(() => presentPath(file, path)).toThrow(/was removed or replaced while it was opened/)
  closeSync(file)
})

test('opens regular files of the tree only', async () => {
  symlinkSync(join(data, 'key'), join(root, 'file-link'))
  symlinkSync(data, join(root, 'folder-link'))
  await execa('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')])
  expect(read('folder/key')).toBe('harmless\n')
  for (const name of ['file-link', 'folder-link/key', 'hidden/key', 'pipe', 'folder', 'missing', '../data/key'])
    expect(read(name), name).toBeNull()
})

test('reads a text through links, and no closed file', () => {
  const closed = new ClosedSet(readConfig({ HOME: top, SVC_DATA_DIR: data }))
  symlinkSync(join(root, 'folder'), join(root, 'open-link'))
  symlinkSync(join(data, 'key'), join(root, 'closed-link'))
  expect(readOpenText(join(root, 'open-link', 'key'), closed)).toBe('harmless\n')
  expect(() => readOpenText(join(root, 'closed-link'), closed)).toThrow(`is in ${data}, which is closed`)
  expect(() => readOpenText(join(root, 'missing'), closed)).toThrow('ENOENT')
})

test('opens no removed file', () => {
  writeFileSync(join(root, 'gone'), 'x')
  linkSync(join(root, 'gone'), join(data, 'gone'))
  unlinkSync(join(root, 'gone'))
  expect(read('gone')).toBeNull()
})

const swapped = (work: () => Promise<void> | void) => whileSwapped(join(root, 'folder'), data, work)

test('reads no file through a folder that is swapped for a link', { timeout: 120_000 }, async () => {
  const seen = new Map<string | null, number>()
  let naive = 0
  await swapped(() => {
    for (let round = 0; round < ROUNDS || (naive === 0 && round < 100 * ROUNDS); round++) {
      for (const text of [read('folder/key'), textOf('folder/key', tree)]) seen.set(text, (seen.get(text) ?? 0) + 1)
      try {
        if (readFileSync(join(root, 'folder', 'key'), 'utf8') === SECRET) naive++
      } catch {
        // Between two states.
      }
    }
  })
  expect(seen.has(SECRET)).toBe(false)
  expect(naive).toBeGreaterThan(0)
})

test('reads no template through a folder that is swapped for a link', { timeout: 120_000 }, async () => {
  const texts = new Set<string>()
  await swapped(() => {
    for (let round = 0; round < TEMPLATES; round++) {
      const read = new TextFiles().read(join(root, 'folder', 'key'), root)
      if ('text' in read) texts.add(read.text)
    }
  })
  expect([...texts]).toEqual(['harmless\n'])
})

test('finds no line through a folder that is swapped for a link', { timeout: 120_000 }, async () => {
  const asked = { ...tree, pattern: '.', filePattern: '*', ignore: [], contextLines: 2, limit: 20, deadlineMs: 60_000 }
  const lines = new Set<string>()
  await swapped(async () => {
    for (let round = 0; round < SEARCHES; round++) {
      const { matches } = await grep(asked, process.env.PATH!)
      for (const { content, context_before, context_after } of matches)
        for (const line of [content, ...context_before, ...context_after]) lines.add(line)
    }
  })
  expect([...lines]).toEqual(['harmless'])
})
