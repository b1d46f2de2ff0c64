// 10,000 documents: a list by tag, a search, a document, and a start over files that are known, that are not, and that
// somebody put there without a sidecar; how long nobody else gets a turn meanwhile.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { services } from '../../daemon/services.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { startHost } from '../../platform/service/host.ts'
import { createTmux } from '../../platform/terminal/tmux.ts'
import { createUserMux } from '../../platform/terminal/user-mux.ts'
import { digestOf } from '../../services/docstore/documents/sidecar.ts'
import { conclude, quantile, timed, within } from './report.ts'

const DOCUMENTS = 10_000
/** One of so many has the tag that is asked for. */
const TAGGED = 100
const ROUNDS = 30
/** Of a first look, once in the life of a folder; on two cores that others work on too. */
const FIRST = { secs: 30, blockMs: 150 }
const FIRST_BY_HAND = { secs: 90, blockMs: 150 }

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const documents = join(folder, 'documents')
const byHand = join(folder, 'by-hand')
for (const each of [join(documents, '.docstore'), byHand]) mkdirSync(each, { recursive: true })
const words =
  'plan release staging deploy review handbook agent workflow trigger monday queue policy audit drift'.split(' ')
for (let at = 0; at < DOCUMENTS; at++) {
  const body = Array.from({ length: 200 }, (_each, index) => words[(at * 7 + index * index) % words.length]).join(' ')
  const content = `# Document ${at}\n\n${body} unique${at}\n`
  const time = new Date(Date.UTC(2030, 0, 1) + at).toISOString()
  const known = {
    title: `Document ${at}`,
    tags: [`t${at % TAGGED}`],
    created_by: 'bench',
    created_at: time,
    updated_at: time,
  }
  for (const each of [documents, byHand]) writeFileSync(join(each, `document-${at}.md`), content)
  writeFileSync(
    join(documents, '.docstore', `document-${at}.json`),
    JSON.stringify({ ...known, revision: 1, digest: digestOf(content) }),
  )
}

const env = process.env
const configOf = (path: string) =>
  readConfig({
    HOME: folder,
    SVC_DATA_DIR: path,
    SVC_DATABASE_URL: `sqlite:${path}.db`,
    SVC_DOCSTORE_PORT: '0',
    DOCSTORE_DOCUMENTS_PATH: path,
  })
const start = (path = documents) =>
  startHost({
    services: services({ sources: [] }).filter(({ name }) => name === 'docstore'),
    config: configOf(path),
    version: 'bench',
    log: noLog,
    clock: systemClock,
    adapters: {
      mux: createTmux({ socket: 'svc-bench', env }),
      userMux: createUserMux({ socket: 'svc-bench', env }),
      bridge: '',
    },
    primary: 'docstore',
  })
let host = await start()
const get = async (path: string) => (await fetch(host.urls.docstore + path)).json() as Promise<any>

/** A thread that does nothing: what it waits, the machine makes everybody wait. */
async function idleThread(): Promise<() => Promise<number>> {
  const program = `const { parentPort } = require('node:worker_threads')
    const delays = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    parentPort.once('message', () => parentPort.postMessage(delays.max / 1e6))`
  const worker = new Worker(program, { eval: true, env: {}, execArgv: [] })
  await new Promise((online) => worker.once('online', online))
  return async () => {
    const longest = new Promise<number>((told) => worker.once('message', told))
    worker.postMessage('', [])
    return longest.finally(() => worker.terminate())
  }
}

/** All of a folder that the database does not know is listed; others get their turn meanwhile. */
async function first(what: string, limits: { secs: number; blockMs: number }): Promise<void> {
  const idle = await idleThread()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  let total = 0
  const ms = await timed(async () => ({ total } = await get('/v1/documents?limit=1')))
  delays.disable()
  const [block, noise] = [delays.max / 1e6, await idle()]
  if (total !== DOCUMENTS) throw new Error(`${total} documents are listed`)
  within(`${what}: all listed`, ms / 1000, limits.secs, 's')
  process.stdout.write(
    `longest block of the loop ${block.toFixed(0)} ms, of a thread that does nothing ${noise.toFixed(0)} ms\n`,
  )
  within(`${what}: longest block of the loop beyond that`, Math.max(0, block - noise), limits.blockMs, 'ms')
  await host.stop()
}
await first('files that the database does not know', FIRST)
host = await start(byHand)
await first('files put there by hand, without sidecars', FIRST_BY_HAND)
const starts: number[] = []
for (let round = 0; round < 3; round++) {
  starts.push(
    await timed(async () => {
      host = await start()
      if ((await get('/v1/documents?limit=1')).total !== DOCUMENTS) throw new Error('not all documents are listed')
    }),
  )
  if (round < 2) await host.stop()
}
within(`start over ${DOCUMENTS} documents until all are listed, median`, quantile(starts, 0.5), 2000, 'ms')

async function median(what: string, path: string, limit: number): Promise<void> {
  for (let round = 0; round < 3; round++) await get(path)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => get(path)))
  within(`${what}, median`, quantile(times, 0.5), limit, 'ms')
}
await median('list by a tag that 100 documents have', '/v1/documents?tags=t7', 30)
await median('list by tag, a page of 50', '/v1/documents?tags=t7,t8&limit=50', 30)
await median('search for a word of one document', '/v1/documents?q=unique4711', 50)
await median('search for two words, a page of 20 of many', '/v1/documents?q=unique1%20release&limit=20', 50)
await median('search for a word of every document, a page of 20', '/v1/documents?q=document&limit=20', 50)
await median('one document', '/v1/documents/document-4711', 30)
await host.stop()
rmSync(folder, { recursive: true, force: true })
conclude()
