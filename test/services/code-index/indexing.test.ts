import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEVELS } from '../../../schemas/code-index/search.ts'
import { onEachDatabase, sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, startIndex, type IndexStand, type Tree } from './stand.ts'

onEachDatabase((database) => {
  let stand: IndexStand
  let tree: Tree
  beforeAll(async () => {
    stand = await startIndex(database.url)
    tree = makeTree(SAMPLE)
  })
  afterAll(async () => {
    await stand.close()
    tree.remove()
  })

  test('registers a directory as pending, indexes it and finds it', async () => {
    const { status, body } = await stand.ask('POST /repositories', { name: 'tree', path: tree.path })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'pending', last_indexed: null, error_message: null, path: tree.path })
    const state = await stand.settled(body.id, 'ready')
    expect(state).toMatchObject({ id: body.id, last_indexed: expect.any(String), progress: { files: 4 } })
    const { body: list } = await stand.ask('GET /repositories')
    expect(list).toMatchObject({ repositories: [{ id: body.id, status: 'ready' }], total: 1 })
    const { body: found } = await stand.ask('POST /search', { query: 'convertCurrency', search_mode: 'keyword' })
    expect(found.results[0]).toMatchObject({
      file_path: 'src/money.ts',
      language: 'typescript',
      chunk_type: 'function',
      symbol_name: 'convertCurrency',
      start_line: 3,
      end_line: 7,
      summary: null,
      repo_id: body.id,
    })
    expect(found.total).toBe(found.results.length)
  })

  test('returns 409 for a registered directory, also through a link', async () => {
    const link = `${tree.path}-link`
    symlinkSync(tree.path, link)
    const again = [tree.path, link, `${tree.path}/src/..`]
    const replies = await Promise.all(again.map((path) => stand.ask('POST /repositories', { name: 'again', path })))
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(again.map(() => [409, 'name-taken']))
    rmSync(link)
  })

  test.each([
    ['is relative', 'src'],
    ['does not exist', '/no/such/directory'],
    ['is not a directory', '/etc/passwd'],
  ])('rejects a path that %s with 400', async (what, path) => {
    const { status, body } = await stand.ask('POST /repositories', { name: 'x', path })
    expect(status).toBe(400)
    expect(body.detail).toContain(what)
    expect(body.errors).toMatchObject([{ path: 'path' }])
  })

  test('removes a repository and reuses its chunks when registered again', async () => {
    const [{ id }] = (await stand.ask('GET /repositories')).body.repositories
    expect((await stand.ask(`DELETE /repositories/${id}`)).status).toBe(204)
    expect((await stand.ask(`DELETE /repositories/${id}`)).status).toBe(404)
    const { body: none } = await stand.ask('POST /search', { query: 'convertCurrency', search_mode: 'keyword' })
    expect(none.results).toEqual([])
    const before = await runs()
    const again = await stand.indexed(tree.path)
    expect(again.id).not.toBe(id)
    // Its chunks were still stored: nothing was split or embedded again.
    expect(await runs()).toEqual({ ...before, unchanged: before.unchanged! + 1 })
  })

  const runs = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${stand.host.urls.index}/metrics`)).text()
    const found = [...text.matchAll(/^svc_index_runs_total\{outcome="(\w+)"\} (\d+)/gm)]
    return Object.fromEntries(found.map((match) => [match[1]!, Number(match[2])]))
  }
})

describe('index of a tree', () => {
  let stand: IndexStand
  let tree: Tree
  let database: Awaited<ReturnType<typeof sqliteDatabase>>
  beforeAll(async () => {
    database = await sqliteDatabase()
    stand = await startIndex(database.url)
    tree = makeTree({
      ...SAMPLE,
      '.gitignore': 'secret.ts\n/generated/\n',
      'secret.ts': 'export function hiddenThing() {\n  return 1\n}\n',
      'generated/out.ts': 'export function hiddenThing() {\n  return 1\n}\n',
      'src/generated/kept.ts': 'export function keptThing() {\n  return 1\n}\n',
      'deep/.gitignore': '*.js\n!kept.js\n',
      'deep/below/left.js': 'export function hiddenThing() {\n  return 1\n}\n',
      'deep/below/kept.js': 'export function keptThing() {\n  return 1\n}\n',
      'binary.ts': Buffer.from('export function hiddenThing() {}\0'),
      'huge.ts': `export function hiddenThing() {}\n${'// x\n'.repeat(300_000)}`,
      'broken.ts': 'export function brokenThing( {{{\n  const ???\n',
      'note.txt': 'hiddenThing',
      'README.md': 'About\r\nreturns\r\n',
      'returns.ts': '/** Carriage. */\r\nexport function carriageThing() {\r\n  return 1\r\n}\r\n',
    })
    const outside = join(tree.path, '..', 'outside.ts')
    symlinkSync(outside, join(tree.path, 'link.ts'))
    symlinkSync('/usr', join(tree.path, 'usr'))
    mkdirSync(join(tree.path, 'locked'))
    chmodSync(join(tree.path, 'locked'), 0)
    await stand.indexed(tree.path)
  })
  afterAll(async () => {
    await stand.close()
    await database.remove()
    tree.remove()
  })

  const paths = async (query: string, more = {}): Promise<string[]> => {
    const { body } = await stand.ask('POST /search', { query, search_mode: 'keyword', limit: 100, ...more })
    return [...new Set<string>(body.results.map((each: { file_path: string }) => each.file_path))].sort()
  }

  test('applies ignore files of every level, skips links, binary and huge files', async () => {
    expect(await paths('hiddenThing')).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/secret|out|left|binary|huge|note/)]),
    )
    expect(await paths('keptThing')).toEqual(expect.arrayContaining(['deep/below/kept.js', 'src/generated/kept.ts']))
  })

  test('finds an invalid file by its lines', async () => {
    expect(await paths('brokenThing')).toContain('broken.ts')
  })

  test('returns text of CRLF files without carriage returns', async () => {
    for (const hierarchy_level of LEVELS) {
      const asked = { query: 'carriage returns', search_mode: 'keyword', hierarchy_level, limit: 100 }
      const { results } = (await stand.ask('POST /search', asked)).body
      expect(results.length).toBeGreaterThan(0)
      expect(results.filter(({ content }: { content: string }) => content.includes('\r'))).toEqual([])
    }
    const [{ content }] = (await stand.ask('POST /search', { query: 'carriageThing', search_mode: 'keyword' })).body
      .results
    expect(content).toBe('/** Carriage. */\nexport function carriageThing() {\n  return 1\n}')
  })

  test('narrows a search by language, glob and level', async () => {
    expect(await paths('remove old archives', { language: 'python' })).toEqual(['tools/clean.py'])
    expect(await paths('rate', { file_pattern: 'src/*.ts' })).toEqual(['src/bank.ts', 'src/money.ts'])
    expect(await paths('rate', { file_pattern: '*.py' })).toEqual([])
    expect(await paths('money', { hierarchy_level: 'file' })).toEqual(['src/money.ts'])
    expect(await paths('money', { hierarchy_level: 'directory' })).toEqual(['src'])
    expect(await paths('money src', { hierarchy_level: 'repository' })).toEqual(['.'])
  })

  test('indexes an edit in the next scan and embeds only changes', async () => {
    const embedded = async () => {
      const text = await (await fetch(`${stand.host.urls.index}/metrics`)).text()
      return Number(/^svc_index_embedded_total (\d+)/m.exec(text)![1])
    }
    const before = await embedded()
    tree.write('src/bank.ts', `${SAMPLE['src/bank.ts']}\nexport function openVault() {\n  return 'gold'\n}\n`)
    await stand.reopen()
    await eventually(async () => (await paths('openVault')).includes('src/bank.ts'))
    // Counted since start: only the new function was embedded.
    expect(await embedded()).toBe(1)
    expect(before).toBeGreaterThan(1)
  })

  test('reports a missing directory and keeps its index searchable', async () => {
    const [{ id }] = (await stand.ask('GET /repositories')).body.repositories
    chmodSync(join(tree.path, 'locked'), 0o700)
    tree.remove()
    expect((await stand.ask(`POST /repositories/${id}/reindex`)).status).toBe(202)
    const { error_message } = await stand.settled(id, 'error')
    expect(error_message).toContain('is missing')
    expect(await paths('openVault')).toContain('src/bank.ts')
  })
})

test('follows file changes automatically and stays ready without changes', async () => {
  const database = await sqliteDatabase()
  const stand = await startIndex(database.url, { SVC_INDEX_WATCH_INTERVAL: '1' })
  const tree = makeTree(SAMPLE)
  const { id } = await stand.indexed(tree.path)
  const first = async (query: string): Promise<string | undefined> =>
    (await stand.ask('POST /search', { query, search_mode: 'keyword', limit: 1 })).body.results[0]?.symbol_name
  tree.write('src/new.ts', 'export function freshlyBaked() {\n  return 1\n}\n')
  rmSync(join(tree.path, 'tools'), { recursive: true })
  await eventually(async () => (await first('freshlyBaked')) === 'freshlyBaked')
  expect(await first('remove_old_archives')).toBeUndefined()
  const { last_indexed } = await stand.settled(id, 'ready')
  const looks = async () =>
    Number(/outcome="unchanged"\} (\d+)/.exec(await (await fetch(`${stand.host.urls.index}/metrics`)).text())![1])
  const before = await looks()
  await eventually(async () => (await looks()) > before)
  expect((await stand.ask(`GET /repositories/${id}/status`)).body).toMatchObject({ status: 'ready', last_indexed })
  await stand.close()
  await database.remove()
  tree.remove()
})

test('reports a failed status write as an error of that repository only', async () => {
  const database = await sqliteDatabase()
  const stand = await startIndex(database.url)
  const tree = makeTree(SAMPLE)
  const unhandled: unknown[] = []
  const collect = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', collect)
  await stand.db.raw(`CREATE TRIGGER refuse BEFORE UPDATE ON index_repositories WHEN NEW.status = 'indexing'
    BEGIN SELECT RAISE(ABORT, 'not now'); END`)
  const { body } = await stand.ask('POST /repositories', { name: 'tree', path: tree.path })
  expect((await stand.settled(body.id, 'error')).error_message).toContain('not now')
  await stand.db.raw('DROP TRIGGER refuse')
  await stand.ask(`POST /repositories/${body.id}/reindex`)
  await stand.settled(body.id, 'ready')
  expect(unhandled).toEqual([])
  process.off('unhandledRejection', collect)
  await stand.close()
  await database.remove()
  tree.remove()
})
