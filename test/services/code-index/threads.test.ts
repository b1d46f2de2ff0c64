import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexProgram } from '../../../daemon/package-root.ts'
import { Client, WorkerClient } from '../../../services/code-index/workers/rpc.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { makeTree, SAMPLE, startEndpoint, startIndex, type IndexStand, type Tree } from './stand.ts'

type Echo = { echo(word: string): Promise<string>; die(): Promise<void>; never(): Promise<void> }

const ECHO = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ id, method, input }) => {
  if (method === 'die') process.exit(3)
  if (method === 'never') for (;;);
  parentPort.postMessage({ id, result: input })
})
`

/** A worker that exits on the query `die`. */
const MORTAL = `
import { parentPort } from 'node:worker_threads'
await import(${JSON.stringify(pathToFileURL(indexProgram()).href)})
parentPort.on('message', ({ input }) => {
  if (input?.question?.query === 'die') process.exit(3)
})
`

/** A worker that never indexes a directory whose name has `endless`. */
const ENDLESS = `
import { parentPort } from 'node:worker_threads'
import { existsSync } from 'node:fs'
await import(${JSON.stringify(pathToFileURL(indexProgram()).href)})
parentPort.on('message', ({ method, input }) => {
  if (method === 'index' && existsSync(input.root + '/endless')) for (;;);
})
`

let folder: string
let tree: Tree
let database: Awaited<ReturnType<typeof sqliteDatabase>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-threads-'))
  writeFileSync(join(folder, 'echo.mjs'), ECHO)
  writeFileSync(join(folder, 'mortal.mjs'), MORTAL)
  writeFileSync(join(folder, 'endless.mjs'), ENDLESS)
  tree = makeTree(SAMPLE)
  database = await sqliteDatabase()
})
afterAll(async () => {
  await database.remove()
  tree.remove()
  rmSync(folder, { recursive: true })
})

const newClient = () => new WorkerClient<Echo>(join(folder, 'echo.mjs'), {}, {})

test('fails all calls of a thread that ends, then restarts it', async () => {
  const client = newClient()
  const asked = [client.call('die', undefined), client.call('die', undefined), client.call('echo', 'lost')]
  const ended = await Promise.allSettled(asked)
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(ended[0]).toMatchObject({ reason: { name: 'WorkerFailure', kind: 'Ended' } })
  expect(await client.call('echo', 'again')).toBe('again')
  await client.stop()
  await expect(client.call('echo', 'late')).rejects.toMatchObject({ kind: 'Stopped' })
})

test('stops a thread that does not answer in time and answers the other calls', async () => {
  const client = newClient()
  const [never, beside] = [client.call('never', undefined, { deadlineMs: 300 }), client.call('echo', 'beside')]
  await expect(never).rejects.toMatchObject({ kind: 'Late', message: expect.stringContaining('within 0.3 s') })
  expect(await beside).toBe('beside')
  expect(await client.call('echo', 'again')).toBe('again')
  await client.stop()
})

test('answers an innocent call behind two that never end', async () => {
  const client = newClient()
  const never = [300, 300].map((deadlineMs) => client.call('never', undefined, { deadlineMs }))
  const innocent = client.call('echo', 'innocent', { deadlineMs: 20_000 })
  const ended = await Promise.allSettled(never)
  expect(ended).toMatchObject([{ reason: { kind: 'Late' } }, { reason: { kind: 'Late' } }])
  expect(await innocent).toBe('innocent')
  await client.stop()
})

test('stops an idle worker and restarts it on demand', async () => {
  const start = () => new Worker(join(folder, 'echo.mjs'))
  const client = new Client<Echo>('thread', start, 100)
  expect(await client.call('echo', 'once')).toBe('once')
  expect(client.running).toBe(true)
  await eventually(() => !client.running)
  expect(await client.call('echo', 'again')).toBe('again')
  await client.stop()
})

const found = async (stand: IndexStand) =>
  (await stand.ask('POST /search', { query: 'Purse', search_mode: 'keyword', limit: 1 })).body.results

test('finds everything again after the search thread has ended', async () => {
  const stand = await startIndex(database.url, {}, join(folder, 'mortal.mjs'))
  await stand.indexed(tree.path)
  const before = await found(stand)
  expect(before).toMatchObject([{ symbol_name: 'Purse' }])
  const { status, body } = await stand.ask('POST /search', { query: 'die' })
  expect([status, body.detail]).toEqual([500, expect.stringContaining('the worker thread ended')])
  expect(await found(stand)).toEqual(before)
  await stand.close()
})

test.each(['symbol.bin', 'symbol.symbols.json', 'about.json'])(
  'rebuilds an index with a damaged %s automatically',
  async (name) => {
    const own = await sqliteDatabase()
    const stand = await startIndex(own.url, { SVC_INDEX_STORE: 'files' })
    const { id } = await stand.indexed(tree.path)
    const before = await found(stand)
    const store = join(stand.folder, 'data', 'index', 'code_chunks')
    const [home] = readdirSync(store).filter((each) => /^[0-9a-f]{32}$/.test(each))
    truncateSync(join(store, home!, '1', name), 9)
    await stand.reopen()
    await eventually(async () => (await found(stand)).length > 0)
    await stand.settled(id, 'ready')
    expect(await found(stand)).toEqual(before)
    expect(before).toMatchObject([{ symbol_name: 'Purse' }])
    await stand.close()
    await own.remove()
  },
)

test('stays unready until an indexing requested in between is done', async () => {
  const own = await sqliteDatabase()
  const endpoint = await startEndpoint()
  const stand = await startIndex(own.url, { SVC_INDEX_EMBEDDING_ENDPOINT: endpoint.url })
  const slow = makeTree(SAMPLE)
  endpoint.delayMs = 400
  const { body } = await stand.ask('POST /repositories', { name: 'slow', path: slow.path })
  await stand.settled(body.id, 'indexing')
  slow.write('late.ts', 'export function lateComer() {\n  return 1\n}\n')
  await stand.ask(`POST /repositories/${body.id}/reindex`)
  await stand.settled(body.id, 'ready')
  const { results } = (await stand.ask('POST /search', { query: 'lateComer', search_mode: 'keyword' })).body
  expect(results).toMatchObject([{ symbol_name: 'lateComer' }])
  await stand.close()
  await endpoint.close()
  await own.remove()
  slow.remove()
})

test('stops a repository without progress and indexes others, also after a restart', { timeout: 90_000 }, async () => {
  const own = await sqliteDatabase()
  const env = { SVC_INDEX_TIMEOUT_SECS: '6', SVC_INDEX_WATCH_INTERVAL: '1' }
  const stand = await startIndex(own.url, env, join(folder, 'endless.mjs'))
  const hostile = makeTree({ endless: '', 'a.ts': 'export const a = 1\n' })
  const runs = async (outcome: string) => {
    const text = await (await fetch(`${stand.host.urls.index}/metrics`)).text()
    return Number(new RegExp(`^svc_index_runs_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)?.[1])
  }
  const { body } = await stand.ask('POST /repositories', { name: 'hostile', path: hostile.path })
  const good = await stand.indexed(tree.path)
  const { error_message } = await stand.settled(body.id, 'error')
  expect(error_message).toBe(
    'indexing made no progress for 6 s before its first file and was stopped: exclude files with "ignore" of the repository, or raise SVC_INDEX_TIMEOUT_SECS, then reindex it',
  )
  await stand.reopen()
  await eventually(async () => (await runs('failed')) === 1)
  // Later scans leave it out.
  const before = await runs('unchanged')
  await eventually(async () => (await runs('unchanged')) > before + 1)
  expect(await runs('failed')).toBe(1)
  expect((await stand.settled(good.id, 'ready')).id).toBe(good.id)
  expect(await found(stand)).toMatchObject([{ symbol_name: 'Purse' }])
  rmSync(join(hostile.path, 'endless'))
  await stand.ask(`POST /repositories/${body.id}/reindex`)
  expect(await stand.settled(body.id, 'ready')).toMatchObject({ error_message: null })
  await stand.close()
  await own.remove()
  hostile.remove()
})
