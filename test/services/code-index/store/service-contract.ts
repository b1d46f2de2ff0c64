import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoreKind } from '../../../../services/code-index/store/port.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { makeTree, SAMPLE, startEndpoint, startIndex, type IndexStand, type Tree } from '../stand.ts'

/** Registers service tests for a store; `newFolder` creates a folder for it. */
export function testIndexOn(kind: StoreKind, newFolder: () => string): void {
  describe(kind, () => {
    let database: Awaited<ReturnType<typeof sqliteDatabase>>
    let tree: Tree
    let stand: IndexStand | null = null
    beforeEach(async () => {
      database = await sqliteDatabase()
      tree = makeTree(SAMPLE)
    })
    afterEach(async () => {
      await stand?.close()
      stand = null
      await database.remove()
      tree.remove()
    })

    const search = async (body: object) => (await stand!.ask('POST /search', body)).body.results
    const metrics = async () => (await fetch(`${stand!.host.urls.index}/metrics`)).text()
    const own = () => ({
      SVC_INDEX_STORE: kind,
      SVC_INDEX_LANCE_PATH: newFolder(),
      SVC_INDEX_EMBEDDING_PROVIDER: 'builtin',
    })
    const start = async (env: Record<string, string> = {}) =>
      (stand = await startIndex(database.url, { ...own(), ...env }))

    test('names the store in repository status and metrics', async () => {
      await start()
      const { id } = await stand!.indexed(tree.path)
      expect((await stand!.ask(`GET /repositories/${id}/status`)).body).toMatchObject({
        store: kind,
        progress: { files: 4 },
      })
      expect(await metrics()).toContain(`svc_index_stores{store="${kind}"} 1`)
    })

    test('answers from one generation while everything is reindexed', async () => {
      const made = (version: number) =>
        Array.from(
          { length: 60 },
          (_each, at) => [`many/${at}.ts`, `export function marker${at}() {\n  return 'v${version}'\n}\n`] as const,
        )
      for (const [file, text] of made(1)) tree.write(file, text)
      await start()
      const { id } = await stand!.indexed(tree.path)
      const seen = new Set<string>()
      const ask = async () => {
        const results = await search({ query: 'marker', search_mode: 'keyword', limit: 100 })
        const versions = new Set<string>(results.map((each: { content: string }) => /v\d/.exec(each.content)![0]))
        expect([results.length, versions.size]).toEqual([60, 1])
        for (const version of versions) seen.add(version)
      }
      await ask()
      for (const [file, text] of made(2)) tree.write(file, text)
      await stand!.ask(`POST /repositories/${id}/reindex`)
      while (!seen.has('v2')) await Promise.all([ask(), ask(), ask()])
      expect([...seen]).toEqual(['v1', 'v2'])
      await stand!.settled(id, 'ready')
    })

    test('keeps chunks over restarts and removal, and embeds only edits', async () => {
      const endpoint = await startEndpoint()
      await start({ SVC_INDEX_EMBEDDING_PROVIDER: 'local', SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url })
      const { id } = await stand!.indexed(tree.path)
      await stand!.ask(`DELETE /repositories/${id}`)
      expect(await search({ query: 'Purse', search_mode: 'keyword' })).toEqual([])
      await stand!.reopen()
      endpoint.texts.length = 0
      tree.write('tools/clean.py', SAMPLE['tools/clean.py'].replace('rmtree(archive)', 'rmtree(archive.path)'))
      await stand!.indexed(tree.path)
      const passages = endpoint.texts.filter((text) => text.includes('\n'))
      expect(passages).toEqual([expect.stringMatching(/^tools\/clean\.py remove_old_archives\n/)])
      const [found] = await search({ query: 'remove_old_archives', search_mode: 'keyword', limit: 1 })
      expect(found.content).toContain('archive.path')
      await endpoint.close()
    })

    test('answers by the old model until one with longer vectors is ready', async () => {
      const endpoint = await startEndpoint()
      const env = {
        SVC_INDEX_EMBEDDING_PROVIDER: 'local',
        SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url,
        SVC_INDEX_LANCE_PATH: newFolder(),
      }
      await start(env)
      const { id } = await stand!.indexed(tree.path)
      await stand!.close()
      endpoint.delayMs = 300
      await start({ ...env, SVC_INDEX_EMBEDDING_MODEL: 'wide' })
      const question = { query: 'delete archives that are older', search_mode: 'vector', limit: 1, explain: true }
      const foundBy = (model: string) => [{ file_path: 'tools/clean.py', explanation: { model: `local/${model}` } }]
      expect(await search(question)).toMatchObject(foundBy('nomic-embed-text'))
      await eventually(async () => (await stand!.ask(`GET /repositories/${id}/status`)).body.model === 'local/wide')
      expect(await search(question)).toMatchObject(foundBy('wide'))
      await stand!.settled(id, 'ready')
      await endpoint.close()
    })

    test('stores chunks at SVC_INDEX_LANCE_PATH under SVC_INDEX_LANCE_TABLE', async () => {
      const folder = newFolder()
      await start({ SVC_INDEX_LANCE_PATH: folder, SVC_INDEX_LANCE_TABLE: 'my_rows' })
      await stand!.indexed(tree.path)
      expect(readdirSync(folder)).toContain(kind === 'files' ? 'my_rows' : 'my_rows.lance')
      expect(await search({ query: 'Purse', search_mode: 'keyword', limit: 1 })).toMatchObject([
        { symbol_name: 'Purse' },
      ])
    })
  })
}
