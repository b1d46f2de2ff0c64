import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scanFolder } from '../../../controller/reading/folder/folder-scan.ts'
import { atOnce } from '../../../platform/async/time-slices.ts'
import { emptyContext, folder, names, places, policy, reader } from './reading.ts'

test('limits the number of followed folder links', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  // Each level doubles the number of folders.
  for (let level = 0; level < 40; level++) {
    mkdirSync(join(root, `bomb/${level}`), { recursive: true })
    for (const side of ['left', 'right']) symlinkSync(`../${level + 1}`, join(root, `bomb/${level}/${side}`))
  }
  const { complete, diagnostics } = await reader(root).read(emptyContext)
  expect(complete).toBe(false)
  const [reported] = diagnostics.filter(({ code }) => code === 'directory-unreadable')
  expect(reported!.message).toContain('more than 10000 links to folders')
})

test('reports too many manifests once and stops reading', () => {
  const root = folder(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`policies/${name}.yml`, policy(name)])))
  const { files } = atOnce(scanFolder(root, { bounds: { entries: 3, folderLinks: 0 } }))
  expect(files.filter(({ fault }) => fault === null)).toHaveLength(2)
  expect(files.flatMap(({ fault }) => fault ?? [])).toMatchObject([
    { code: 'directory-unreadable', message: 'the source has more than 3 manifests, folders and links' },
  ])
})

test('reports files that are nested too deeply', async () => {
  const root = folder({ 'policies/a.yml': policy('a'), [`policies/${'d/'.repeat(70)}b.yml`]: policy('b') })
  const state = await reader(root).read(emptyContext)
  expect([names(state), state.complete]).toEqual([['policies/a'], false])
  expect(state.diagnostics).toMatchObject([
    { code: 'directory-unreadable', message: expect.stringContaining('64 levels') },
  ])
})

test('reports a folder with a path that is too long', async () => {
  const root = folder({ 'policies/a.yml': policy('a') })
  const deeper = 'name=$(printf "d%.0s" {1..250}); for level in {1..18}; do mkdir $name && cd $name || exit 1; done'
  execFileSync('bash', ['-c', deeper], { cwd: join(root, 'policies') })
  const state = await reader(root).read(emptyContext)
  execFileSync('rm', ['-rf', join(root, 'policies')])
  expect([names(state), state.complete]).toEqual([['policies/a'], false])
  expect(state.diagnostics).toMatchObject([
    { code: 'directory-unreadable', message: expect.stringContaining('too long') },
  ])
  expect(places(state.diagnostics)).toHaveLength(1)
})
