// Which store is taken where LanceDB is not installed.
import { expect, test } from 'vitest'
import { selectStore } from '../../../../services/code-index/store/selection.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { makeTree, SAMPLE, startIndex } from '../stand.ts'

test('where LanceDB is not installed auto keeps files, says why, and everything is found', async () => {
  const database = await sqliteDatabase()
  const tree = makeTree(SAMPLE)
  const stand = await startIndex(database.url, { SVC_INDEX_STORE: 'auto' })
  const { id } = await stand.indexed(tree.path)
  expect((await stand.ask(`GET /repositories/${id}/status`)).body.store).toBe('files')
  expect(stand.log()).toMatch(/LanceDB cannot run here: .*lancedb.*chunks are kept in files/)
  const { body } = await stand.ask('POST /search', { query: 'Purse', search_mode: 'keyword', limit: 1 })
  expect(body.results).toMatchObject([{ file_path: 'src/money.ts' }])
  await stand.close()
  await database.remove()
  tree.remove()
})

test('files are kept without a look at LanceDB', async () => {
  const { store, instead } = await selectStore({ choice: 'files', folder: '/no/such/folder', program: '/no/such.js' })
  expect([store.kind, instead]).toEqual(['files', null])
})
