import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { execa } from 'execa'
import { readConfig } from '../../../platform/core/config.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { openWithin, readOpenText, type OpenTree } from '../../../platform/files/open-file.ts'
import { grep } from '../../../services/code-index/agentic/grep.ts'
import { textOf } from '../../../services/code-index/files/text.ts'

const ROUNDS = 1000
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

/** Replaces a folder by a link to the data folder and back until it is killed. */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const [folder, data] = process.argv.slice(1)
process.stdout.write('.')
for (;;) {
  renameSync(folder, folder + '-away')
  symlinkSync(data, folder)
  unlinkSync(folder)
  renameSync(folder + '-away', folder)
}
`

let swapping: ChildProcess
async function swapped(work: () => Promise<void> | void): Promise<void> {
  swapping = spawn(process.execPath, ['-e', SWAP, join(root, 'folder'), data])
  await once(swapping.stdout!, 'data')
  try {
    await work()
  } finally {
    swapping.kill('SIGKILL')
    await once(swapping, 'exit')
    const folder = join(root, 'folder')
    if (existsSync(`${folder}-away`)) {
      rmSync(folder, { force: true })
      renameSync(`${folder}-away`, folder)
    }
  }
}

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
