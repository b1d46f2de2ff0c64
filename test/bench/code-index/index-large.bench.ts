// SVC_INDEX_STORE selects the store; SVC_INDEX_LANCE_PATH is the folder that LanceDB is installed in.
// By name only: downloads npm and Debian packages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEARCH_MODES } from '../../../schemas/code-index/search.ts'
import { settings } from '../../../services/code-index/settings.ts'
import { memoryOf, processTree } from '../memory.ts'
import { median, print, timed, within } from '../report.ts'
import { indexed, startIndex } from './indexed.ts'
import { writeSources } from './sources.ts'

const STORE = process.env.SVC_INDEX_STORE ?? settings.store.default
const QUESTIONS = [
  'parse a header into its parts',
  'close the connection after a timeout',
  'random number in a range',
  'matrix multiplication',
  'serialize a value to a string',
  'retry a request with back-off',
  'validate an email address',
  'split a path into segments',
]

const into = mkdtempSync(join(tmpdir(), 'svc-bench-large-'))
const tree = join(into, 'large')
const files = await writeSources(tree)
const place = process.env.SVC_INDEX_LANCE_PATH ?? settings.lancePath.default
const index = await startIndex(into, { SVC_INDEX_STORE: STORE, SVC_INDEX_LANCE_PATH: place })
let found = { files: 0, chunks: 0 }
const ms = await timed(async () => (found = await indexed(index, tree)))
console.log(`store ${STORE}: ${found.files} of ${files} files, ${found.chunks} chunks`)
within('time to index 40 MB', ms / 1000, 40, 's')
within('lost files', files - found.files, 0, 'files')
within('peak resident memory', memoryOf(processTree(process.pid), 'VmHWM'), 700, 'MiB')
for (const mode of SEARCH_MODES) {
  const times: number[] = []
  for (const query of [...QUESTIONS, ...QUESTIONS, ...QUESTIONS])
    times.push(await timed(() => index.ask('POST', '/search', { query, search_mode: mode })))
  print(`${mode} search over ${found.chunks} chunks, median`, median(times), 'ms')
}
await index.close()
rmSync(into, { recursive: true, force: true })
