// The first scan of 10,000 documents, and searches. Floor: reading every file.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { services } from '../../daemon/services.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { startHost } from '../../platform/service/host.ts'
import { Tmux } from '../../platform/terminal/tmux.ts'
import { UserTmux } from '../../platform/terminal/user-mux.ts'
import { digestOf } from '../../services/docstore/documents/sidecar.ts'
import { compare, medians, print, timed, within } from './report.ts'

const DOCUMENTS = 10_000
/** One in this many documents has a given tag. */
const TAGGED = 100
const ROUNDS = 15
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
      mux: new Tmux({ socket: 'svc-bench', env }),
      userMux: new UserTmux({ socket: 'svc-bench', env }),
      bridge: '',
    },
    primary: 'docstore',
  })
let host = await start(byHand)
const get = async (path: string) => (await fetch(host.urls.docstore + path)).json() as Promise<any>

function scan(word: string): number {
  const names = readdirSync(byHand).filter((name) => name.endsWith('.md'))
  return names.filter((name) => readFileSync(join(byHand, name), 'utf8').includes(word)).length
}

/** The first list waits until all files are scanned. */
async function firstList(what: string): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  let total = 0
  const ms = await timed(async () => ({ total } = await get('/v1/documents?limit=1')))
  delays.disable()
  if (total !== DOCUMENTS) throw new Error(`expected ${DOCUMENTS} documents, got ${total}`)
  print(`first list of ${DOCUMENTS} ${what}`, ms / 1000, 's')
  within(`longest event-loop block, ${what}`, delays.max / 1e6, 100, 'ms')
}

await firstList('files without sidecars')
await host.stop()
host = await start()
await firstList('files with sidecars')
const figures = await medians(ROUNDS, {
  word: () => timed(() => get('/v1/documents?q=unique4711')),
  words: () => timed(() => get('/v1/documents?q=unique1%20release&limit=20')),
  tag: () => timed(() => get('/v1/documents?tags=t7&limit=50')),
  scan: () => timed(() => scan('unique4711')),
})
const floor = { floor: figures.scan, unit: 'ms', bound: 1 }
compare({ what: `search for a word in one of ${DOCUMENTS}, vs reading all`, ours: figures.word, ...floor })
compare({ what: `search for two words, page of 20, vs reading all`, ours: figures.words, ...floor })
compare({ what: `list by tag, page of 50, vs reading all`, ours: figures.tag, ...floor })
await host.stop()
rmSync(folder, { recursive: true, force: true })
