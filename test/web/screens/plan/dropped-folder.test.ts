import { expect, test } from 'vitest'
import { filesBelow, readFolder } from '../../../../web/screens/plan/dropped-folder.ts'

const file = (content: string, size = content.length) => ({ size, text: async () => content })

test('reads the files of a folder by their relative paths', async () => {
  const folder = await readFolder([
    ['team/agents/b.yml', file('name: b')],
    ['team/.git/config', file('x')],
    ['team/agents/a.yml', file('name: a')],
  ])
  expect(folder).toEqual({
    name: 'team',
    files: [
      { path: 'agents/a.yml', content: 'name: a' },
      { path: 'agents/b.yml', content: 'name: b' },
    ],
    skipped: 0,
  })
})

test('leaves out binary and large files, and counts them', async () => {
  const { files, skipped } = await readFolder([
    ['team/a.png', file('\0PNG')],
    ['team/b.yml', file('', 10_000_000)],
  ])
  expect([files, skipped]).toEqual([[], 2])
  expect(await readFolder([])).toMatchObject({ name: '', files: [] })
})

test('walks a dropped folder in the batches of its reader', async () => {
  const leaf = (path: string) => ({
    isFile: true,
    fullPath: path,
    file: (done: (value: never) => void) => done(file('x') as never),
  })
  const batches = [[leaf('/team/a.yml')], [leaf('/team/b.yml')], []]
  const readEntries = (done: (entries: never[]) => void) => done(batches.shift() as never[])
  const found = await filesBelow({ isFile: false, fullPath: '/team', createReader: () => ({ readEntries }) })
  expect(found.map(([path]) => path)).toEqual(['team/a.yml', 'team/b.yml'])
})

test('fails when a folder cannot be read', async () => {
  const readEntries = (_done: unknown, failed: (error: unknown) => void) => failed(new Error('denied'))
  await expect(filesBelow({ isFile: false, fullPath: '/t', createReader: () => ({ readEntries }) })).rejects.toThrow(
    'denied',
  )
})
