// Installs LanceDB in a temporary folder with the command that svc suggests.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { indexProgram } from '../../../../daemon/package-root.ts'
import { STORES } from '../../../../services/code-index/store/port.ts'
import { selectStore } from '../../../../services/code-index/store/selection.ts'
import { LanceStore } from '../../../../services/code-index/store/lance/store.ts'
import { testKills } from '../../../attack/code-index/kills.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { testIndexOn } from './service-contract.ts'
import { makeTree, SAMPLE, startIndex, type IndexStand, type Tree } from '../stand.ts'
import { testStore } from './store-contract.ts'

/** LanceDB is installed here and resolved from every subfolder. */
const folder = mkdtempSync(join(tmpdir(), 'svc-lancedb-'))
const newFolder = (): string => mkdtempSync(join(folder, 'store-'))
const onLance = () => ({
  SVC_INDEX_STORE: 'lancedb',
  SVC_INDEX_LANCE_PATH: newFolder(),
  SVC_INDEX_EMBEDDING_PROVIDER: 'builtin',
})

const program = join(dirname(indexProgram()), 'svc-index-lancedb.js')

const commandIn = (message: string): string => /install it with "([^"]+)"/.exec(message)![1]!

beforeAll(async () => {
  const chosen = selectStore({ choice: 'lancedb', folder: join(folder, 'code_chunks'), program })
  const { message } = await chosen.then(
    () => Promise.reject(new Error('LanceDB is installed')),
    (error: Error) => error,
  )
  // `npm run` exports the settings of this project.
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  execFileSync('/bin/sh', ['-c', commandIn(message)], { env: Object.fromEntries(env), stdio: 'pipe' })
}, 300_000)
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

const lanceStore = (place: string): LanceStore => new LanceStore({ folder: place, table: 'code_chunks', program })

testStore('store', {
  make: lanceStore,
  newFolder,
  generations: 'code_chunks.generations',
  damaged: [/generations\/.*1\.json$/, /\.lance\/data\/.*\.lance$/, /\.lance\/_versions\/.*\.manifest$/],
})
testIndexOn('lancedb', newFolder)
testKills('lancedb', { newFolder, open: lanceStore, longestMs: 1200 })

test('indexes once LanceDB is installed, without a restart', async () => {
  const place = mkdtempSync(join(tmpdir(), 'svc-bare-'))
  stand = await startIndex(database.url, { ...onLance(), SVC_INDEX_LANCE_PATH: place })
  const { body } = await stand.ask('POST /repositories', { name: 'tree', path: tree.path })
  const { error_message, store } = await stand.settled(body.id, 'error')
  expect(error_message).toMatch(/^LanceDB cannot run here: Cannot find module '@lancedb\/lancedb'/)
  expect(error_message).toContain('or set SVC_INDEX_STORE to files or auto')
  expect(commandIn(error_message!)).toContain(`--prefix '${place}'`)
  expect(store).toBe(null)
  symlinkSync(join(folder, 'node_modules'), join(place, 'node_modules'))
  await stand.ask(`POST /repositories/${body.id}/reindex`)
  expect((await stand.settled(body.id, 'ready')).store).toBe('lancedb')
  await stand.close()
  stand = null
  rmSync(place, { recursive: true })
})

test('returns the same results from both stores', async () => {
  const all: unknown[] = []
  for (const SVC_INDEX_STORE of STORES) {
    const own = await sqliteDatabase()
    stand = await startIndex(own.url, { ...onLance(), SVC_INDEX_STORE })
    await stand.indexed(tree.path)
    all.push(await answers())
    await stand.close()
    stand = null
    await own.remove()
  }
  expect(all[0]).toEqual(all[1])
  expect((all[0] as unknown[][]).flat().length).toBeGreaterThan(100)
})

function processesOf(data: string): number[] {
  try {
    const found = execFileSync('pgrep', ['-f', `svc-index-lancedb.js ${data}`], { encoding: 'utf8' })
    return found.trim().split('\n').map(Number)
  } catch {
    return []
  }
}

test('rebuilds a damaged table automatically', async () => {
  const env = onLance()
  stand = await startIndex(database.url, env)
  const { id } = await stand.indexed(tree.path)
  const before = await answers()
  const table = join(env.SVC_INDEX_LANCE_PATH, 'code_chunks.lance', 'data')
  for (const name of readdirSync(table)) truncateSync(join(table, name), 9)
  await stand.reopen()
  await eventually(async () => (await answers()).flat().length > 0)
  await stand.settled(id, 'ready')
  expect(await answers()).toEqual(before)
  const tables = () => readdirSync(env.SVC_INDEX_LANCE_PATH).filter((name) => name.endsWith('.lance'))
  // The damaged table contains no current rows.
  await eventually(() => tables().join() === 'code_chunks_2.lance')
})

test('restarts a killed process, which ends with the daemon', async () => {
  const env = onLance()
  stand = await startIndex(database.url, env)
  await stand.indexed(tree.path)
  const data = env.SVC_INDEX_LANCE_PATH
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
  ['unreadable CPU features', machine(new Error('ENOENT')), 'files', 'has AVX2: ENOENT'],
  ['AVX2', machine('flags\t\t: fpu avx avx2 bmi2\n'), 'lancedb', null],
  ['another processor', machine(new Error('not looked at'), 'arm64'), 'lancedb', null],
])('selects a store by auto with %s', async (_what, given, kind, why) => {
  const place = newFolder()
  const where = { folder: join(place, 'code_chunks'), program, machine: given }
  const { store, instead } = await selectStore({ choice: 'auto', ...where })
  expect([store.kind, instead]).toEqual([kind, why && expect.stringContaining(why)])
  await store.close()
  if (why !== null) {
    // Detected without loading anything.
    await expect(selectStore({ choice: 'lancedb', ...where, program: '/no/such.js' })).rejects.toThrow(why)
    expect(readdirSync(place)).not.toContain('code_chunks.lance')
  }
})
