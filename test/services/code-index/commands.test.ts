import { afterAll, beforeAll, expect, test } from 'vitest'
import { agent } from '../../support/command.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { makeTree, SAMPLE, startIndex, type IndexStand, type Tree } from './stand.ts'

let stand: IndexStand
let tree: Tree
let database: Awaited<ReturnType<typeof sqliteDatabase>>
beforeAll(async () => {
  database = await sqliteDatabase()
  stand = await startIndex(database.url)
  tree = makeTree(SAMPLE)
})
afterAll(async () => {
  await stand.close()
  await database.remove()
  tree.remove()
})

const index = (...words: string[]) =>
  agent(['index', ...words], { env: { SVC_INDEX_SERVICE_URL: stand.host.urls.index! } })

test('registers, watches, searches, reindexes and removes a repository', async () => {
  const added = await index('add-repo', '--name', 'tree', '--path', tree.path)
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('repository tree is pending')])
  const watched = await index('status', 'tree', '--watch')
  expect([watched.code, watched.stdout]).toEqual([0, expect.stringMatching(/^ready {2}4 of 4 files, \d+ chunks/)])
  expect((await index('list-repos')).stdout).toContain(tree.path)
  const found = await index('search', 'delete old archives', '--mode', 'hybrid', '--limit', '1', '--repo', 'tree')
  expect(found.stdout).toMatch(/^tools\/clean\.py:4-8 {2}function remove_old_archives/)
  const json = await index('search', 'Purse', '--mode', 'keyword', '--language', 'typescript', '--json')
  expect(JSON.parse(json.stdout).results[0]).toMatchObject({ symbol_name: 'Purse' })
  const lines = await index('search-agentic', 'rmtree', '--path', tree.path, '--file-pattern', '*.py')
  expect(lines.stdout).toContain('tools/clean.py:8:')
  const shown = await index('file', 'tree', 'tools/clean.py', '--from', '8', '--to', '9')
  expect(shown.stdout).toBe('8              shutil.rmtree(archive)\n9  \ntools/clean.py: lines 8 to 9 of 13\n')
  expect((await index('update-repo', 'tree', '--languages', 'python')).stdout).toContain('pending')
  expect((await index('reindex', 'tree')).code).toBe(0)
  expect((await index('status', 'tree', '--watch')).stdout).toMatch(/^ready {2}1 of 1 files/)
  expect((await index('remove-repo', 'tree')).code).toBe(0)
  expect((await index('list-repos')).stdout).toContain('No repositories.')
  expect((await index('health')).code).toBe(0)
})

test('exits with 1 and the next step on errors', async () => {
  const blank = await index('search', '  ')
  expect([blank.code, blank.stderr]).toEqual([1, expect.stringContaining('query must not be blank')])
  const noFile = await index('file', 'tree', '../etc/passwd')
  expect([noFile.code, noFile.stderr]).toEqual([1, expect.stringContaining('agent index list-repos')])
  const missing = await index('status', 'nothing')
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('agent index list-repos')])
})
