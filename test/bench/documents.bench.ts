// 10,000 documents: a list by tag, a search, a document, and a start over files that are known and that are not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { services } from '../../daemon/services.ts'
import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { noLog } from '../../platform/log.ts'
import { startHost } from '../../platform/service/host.ts'
import { createTmux } from '../../platform/tmux.ts'
import { createUserMux } from '../../platform/user-mux.ts'
import { digestOf } from '../../services/docstore/documents/sidecar.ts'
import { conclude, quantile, timed, within } from './report.ts'

const DOCUMENTS = 10_000
/** One of so many has the tag that is asked for. */
const TAGGED = 100
const ROUNDS = 30

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const documents = join(folder, 'documents')
mkdirSync(join(documents, '.docstore'), { recursive: true })
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
  writeFileSync(join(documents, `document-${at}.md`), content)
  writeFileSync(
    join(documents, '.docstore', `document-${at}.json`),
    JSON.stringify({ ...known, revision: 1, digest: digestOf(content) }),
  )
}

const env = process.env
const config = readConfig({
  HOME: folder,
  SVC_DATA_DIR: folder,
  SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.db')}`,
  SVC_DOCSTORE_PORT: '0',
})
const start = () =>
  startHost({
    services: services({ sources: [] }).filter(({ name }) => name === 'docstore'),
    config,
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
const all = '/v1/documents?limit=1'

const indexing = await timed(() => get(all))
process.stdout.write(
  `files that the database does not know: all listed ${(indexing / 1000).toFixed(1)} s after the start\n`,
)
await host.stop()
const starts: number[] = []
for (let round = 0; round < 3; round++) {
  starts.push(
    await timed(async () => {
      host = await start()
      if ((await get(all)).total !== DOCUMENTS) throw new Error('not all documents are listed')
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
