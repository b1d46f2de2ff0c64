// The code index on each store, from outside: the same answers, of one generation each, whatever is missing or dies.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { indexProgram } from '../../../daemon/package-root.ts'
import { chooseStore } from '../../../services/code-index/store/choose.ts'
import { STORES } from '../../../services/code-index/store/port.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, startEndpoint, startIndex, type IndexStand, type Tree } from './stand.ts'
import { lanceProgram } from './stores.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-stores-'))
afterAll(() => rmSync(folder, { recursive: true }))

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
const QUESTIONS = ['queue', 'delete old archives', 'rate of a currency', 'sweep', 'Purse']

async function answers(): Promise<unknown[]> {
  const all: unknown[] = []
  for (const query of QUESTIONS)
    for (const search_mode of ['keyword', 'vector', 'hybrid'])
      for (const hierarchy_level of ['symbol', 'file', 'directory', 'repository']) {
        const results = await search({ query, search_mode, hierarchy_level, explain: true })
        all.push(results.map(({ repo_id: _id, ...rest }: { repo_id: string }) => rest))
      }
  return all
}

describe.each(STORES)('%s', (kind) => {
  const start = async (env: Record<string, string> = {}) =>
    (stand = await startIndex(database.url, { SVC_INDEX_STORE: kind, SVC_INDEX_EMBEDDING_PROVIDER: 'builtin', ...env }))

  test('its name stands in the status of a repository and among the figures', async () => {
    await start()
    const { id } = await stand!.indexed(tree.path)
    expect((await stand!.ask(`GET /repositories/${id}/status`)).body).toMatchObject({
      store: kind,
      progress: { files: 4 },
    })
    expect(await metrics()).toContain(`svc_index_stores{store="${kind}"} 1`)
  })

  test('while everything is indexed anew an answer is of before or of after, and never of both', async () => {
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

  test('chunks outlive the daemon and their repository: nothing but an edit is embedded again', async () => {
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

  test('a model with longer vectors takes the place of another, which answers until then', async () => {
    const endpoint = await startEndpoint()
    const env = {
      SVC_INDEX_EMBEDDING_PROVIDER: 'local',
      SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url,
      SVC_INDEX_LANCE_PATH: join(folder, `models-${kind}`),
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
})

test('both stores give the same answers', async () => {
  const all: unknown[] = []
  for (const SVC_INDEX_STORE of STORES) {
    const own = await sqliteDatabase()
    stand = await startIndex(own.url, { SVC_INDEX_STORE, SVC_INDEX_EMBEDDING_PROVIDER: 'builtin' })
    await stand.indexed(tree.path)
    all.push(await answers())
    await stand.close()
    stand = null
    await own.remove()
  }
  expect(all[0]).toEqual(all[1])
  expect((all[0] as unknown[][]).flat().length).toBeGreaterThan(100)
})

/** Processes that run LanceDB on a folder. */
function processesOf(data: string): number[] {
  try {
    const found = execFileSync('pgrep', ['-f', `svc-index-lancedb.js ${data}`], { encoding: 'utf8' })
    return found.trim().split('\n').map(Number)
  } catch {
    return []
  }
}

test('a table that is damaged on the disk is made anew by itself', async () => {
  stand = await startIndex(database.url, { SVC_INDEX_STORE: 'lancedb' })
  const { id } = await stand.indexed(tree.path)
  const before = await answers()
  const table = join(stand.folder, 'data', 'index', 'code_chunks.lance', 'data')
  for (const name of readdirSync(table)) truncateSync(join(table, name), 9)
  await stand.reopen()
  await eventually(async () => (await answers()).flat().length > 0)
  await stand.settled(id, 'ready')
  expect(await answers()).toEqual(before)
  const tables = () => readdirSync(join(stand!.folder, 'data', 'index')).filter((name) => name.endsWith('.lance'))
  // Nobody's rows are in what is damaged.
  await eventually(() => tables().join() === 'code_chunks_2.lance')
})

test('its process is ended at any time: the next search is answered by another, which ends with the daemon', async () => {
  stand = await startIndex(database.url, { SVC_INDEX_STORE: 'lancedb' })
  await stand.indexed(tree.path)
  const data = join(stand.folder, 'data', 'index')
  const before = await answers()
  const processes = processesOf(data)
  expect(processes.length).toBeGreaterThan(0)
  for (const pid of processes) process.kill(pid, 'SIGKILL')
  await eventually(async () => (await stand!.ask('POST /search', { query: 'queue' })).status === 200)
  expect(await answers()).toEqual(before)
  await stand.close()
  stand = null
  await eventually(() => processesOf(data).length === 0)
})

/** A copy of the built programs, from where no package is found. */
function bareProgram(): string {
  const program = join(folder, 'svc-index.js')
  copyFileSync(indexProgram(), program)
  copyFileSync(lanceProgram(), join(folder, 'svc-index-lancedb.js'))
  return program
}

test('where LanceDB is not installed auto keeps files, says why, and everything is found', async () => {
  stand = await startIndex(database.url, { SVC_INDEX_STORE: 'auto' }, bareProgram())
  const { id } = await stand.indexed(tree.path)
  expect((await stand.ask(`GET /repositories/${id}/status`)).body.store).toBe('files')
  expect(stand.log()).toMatch(/LanceDB cannot run here: .*lancedb.*chunks are kept in files/)
  expect(await search({ query: 'Purse', search_mode: 'keyword', limit: 1 })).toMatchObject([
    { file_path: 'src/money.ts' },
  ])
})

test('where it is asked for and not installed that is an error that says so, with what to do', async () => {
  stand = await startIndex(database.url, { SVC_INDEX_STORE: 'lancedb' }, bareProgram())
  const { body } = await stand.ask('POST /repositories', { name: 'tree', path: tree.path })
  const { error_message, store } = await stand.settled(body.id, 'error')
  expect(error_message).toContain('LanceDB cannot run here')
  expect(error_message).toContain('set SVC_INDEX_STORE to files or auto')
  expect(store).toBe(null)
})

const machine = (flags: string | Error, arch = 'x64') => ({
  platform: 'linux',
  arch,
  flags: () => {
    if (flags instanceof Error) throw flags
    return flags
  },
})

test.each([
  ['no AVX2', machine('flags\t\t: fpu sse4_2 avx f16c\n'), 'files', 'the processor has no AVX2'],
  ['nothing to tell it', machine(new Error('ENOENT')), 'files', 'cannot be told: ENOENT'],
  ['AVX2', machine('flags\t\t: fpu avx avx2 bmi2\n'), 'lancedb', null],
  ['another processor', machine(new Error('not looked at'), 'arm64'), 'lancedb', null],
])('on a machine with %s auto is right', async (_what, given, kind, why) => {
  const where = { folder: join(folder, 'chosen', 'code_chunks'), program: lanceProgram(), machine: given }
  const { store, instead } = await chooseStore({ choice: 'auto', ...where })
  expect([store.kind, instead]).toEqual([kind, why && expect.stringContaining(why)])
  await store.close()
  if (why !== null) {
    // Nothing was loaded to find that out.
    await expect(chooseStore({ choice: 'lancedb', ...where, program: '/no/such.js' })).rejects.toThrow(why)
    expect(readdirSync(join(folder, 'chosen'))).not.toContain('code_chunks.lance')
  }
})

test('files are kept without a look at LanceDB', async () => {
  const { store, instead } = await chooseStore({ choice: 'files', folder, program: '/no/such.js' })
  expect([store.kind, instead]).toEqual(['files', null])
})
