import { expect, test } from 'vitest'
import { selectStore } from '../../../../services/code-index/store/selection.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { makeTree, SAMPLE, startIndex } from '../stand.ts'

test('uses files and logs the reason if LanceDB is not installed', async () => {
  const database = await sqliteDatabase()
  const tree = makeTree(SAMPLE)
  const stand = await startIndex(database.url, { SVC_INDEX_STORE: 'auto' })
  const { id } = await stand.indexed(tree.path)
  expect((await stand.ask(`GET /repositories/${id}/status`)).body.store).toBe('files')
  expect(stand.log()).toMatch(/LanceDB cannot run here: .*lancedb.*chunks are stored in files/)
  const { body } = await stand.ask('POST /search', { query: 'Purse', search_mode: 'keyword', limit: 1 })
  expect(body.results).toMatchObject([{ file_path: 'src/money.ts' }])
  await stand.close()
  await database.remove()
  tree.remove()
})

test('uses files by choice without checking for LanceDB', async () => {
  const { store, instead } = await selectStore({ choice: 'files', folder: '/no/such/folder', program: '/no/such.js' })
  expect([store.kind, instead]).toEqual(['files', null])
})
