// Pages by cursor of long lists of resources, drift and audit records. Floor: the first page; the bound is what a reader who scrolls
// to the end may wait.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { createController } from '../../controller/index.ts'
import { controllerMigrations } from '../../controller/migrations.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { isPostgres, migrate, openDatabase, write, type Knex } from '../../platform/database/database.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import type { CursorAsked } from '../../platform/store/keyset.ts'
import { table } from '../../platform/store/table.ts'
import { AuditRecord } from '../../schemas/operations/audit.ts'
import type { Slice } from '../../schemas/operations/page.ts'
import { Things } from '../controller/fixture.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { compare, medians, timed, within } from './report.ts'

const ROWS = 100_000
const LIMIT = 50
const LARGEST = 200
const ROUNDS = 15
const AT_ONCE = 50

const time = (index: number) => new Date(Date.UTC(2030, 0, 1) + index * 1000).toISOString()
const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
/** Names in no order. */
const name = (index: number) => `agent-${String((index * 37_123) % ROWS).padStart(6, '0')}`

const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  message: 'as the last observation found it',
  revision: 'r1',
  observed_at: new Date().toISOString(),
})
const conditions = JSON.stringify([condition('Ready', 'True', 'Healthy'), condition('Drifted', 'False', 'InSync')])

const resourceAt = (index: number) => ({
  kind: 'things',
  name: name(index),
  source: `team-${index % 10}`,
  file: `agents/${name(index)}.yml`,
  line: 1,
  column: 1,
  live_id: id(index),
  revision: 'r1',
  sync: '{}',
  labels: JSON.stringify({ team: `team-${index % 100}` }),
  depends_on: index % 10 === 0 ? '[]' : JSON.stringify([`things/${name(index - (index % 10))}`]),
  desired: JSON.stringify({ name: name(index), size: index, hard: '', parent: null, env: {} }),
  applied: '=desired',
  conditions,
})

const driftAt = (index: number) => ({
  id: id((index * 37_123) % ROWS),
  kind: 'things',
  name: name(index % 1000),
  path: 'size',
  desired: '1',
  live: '2',
  last_applied: '1',
  // 90 % of the rows have one author, so that its filter matches most rows.
  actor: index % 10 === 0 ? 'alice' : 'mia',
  first_seen: time(index),
  last_seen: time(index + 60),
  resolution: 'reverted',
})

const writeAt = (index: number) => ({
  kind: 'things',
  // 90 % of the rows are of one resource.
  resource_id: index % 10 === 0 ? name(index) : 't',
  field: 'size',
  actor: 'mia',
  request_id: id(index),
  endpoint: 'PUT /things/{id}',
  at: time(index),
})

async function fill(db: Knex): Promise<void> {
  await migrate(db, controllerMigrations)
  await write(db, async (transaction) => {
    for (const [table, rowAt] of [
      ['controller_inventory', resourceAt],
      ['controller_drift', driftAt],
      ['controller_audit', writeAt],
    ] as const)
      for (let at = 0; at < ROWS; at += AT_ONCE)
        await transaction(table).insert(Array.from({ length: AT_ONCE }, (_, index) => rowAt(at + index)))
  })
  await db.raw(isPostgres(db) ? 'VACUUM ANALYZE' : 'PRAGMA wal_checkpoint')
}

type Read = (asked: CursorAsked) => Promise<Slice<unknown>>

async function measure(what: string, read: Read): Promise<void> {
  const page = async (side: CursorAsked['side'], cursor = '') => {
    const slice = await read({ limit: LIMIT, side, cursor })
    if (slice.items.length !== LIMIT) throw new Error(`${what}: ${slice.items.length} items`)
    return slice
  }
  const beforeLast = (await page('before')).previous!
  const figures = await medians(ROUNDS, {
    first: () => timed(() => page('after')),
    last: () => timed(() => page('before')),
    deep: () => timed(() => page('before', beforeLast)),
  })
  const floor = figures.first
  compare({ what: `${what}, last page and first page`, ours: figures.last, floor, unit: 'ms', bound: 2 })
  compare({ what: `${what}, page before the last one and first page`, ours: figures.deep, floor, unit: 'ms', bound: 2 })
}

/** The shortest of several rounds, in milliseconds: other programs only lengthen it. */
async function longestBlock(read: Read): Promise<number> {
  const blocks: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    await read({ limit: LIMIT, side: 'after', cursor: '' })
    delays.disable()
    blocks.push(delays.max / 1e6)
  }
  return Math.min(...blocks)
}

async function run(database: string, url: string, home: string): Promise<void> {
  const db = openDatabase(url)
  await fill(db)
  const settings = { drainTimeoutSecs: 600, observeTimeoutSecs: 10, applyTimeoutSecs: 120, settleSecs: 1 }
  const controller = await createController(
    {
      db,
      vault: Vault.ephemeral(),
      clock: systemClock,
      log: noLog,
      settings: { ...settings, widening: 'hold' },
      config: readConfig({ HOME: home, SVC_DATA_DIR: join(home, 'data') }),
    },
    { reconcilers: [new Things().reconciler()], sources: [] },
  )
  const of = `${database}, page of ${LIMIT} of ${ROWS}`
  await measure(`${of} resources`, (asked) => controller.resourceSlice({}, asked))
  await measure(`${of} resources by file`, (asked) => controller.resourceSlice({ sort: '-file' }, asked))
  await measure(`${of} resources with words`, (asked) => controller.resourceSlice({ q: 'agent is:synced' }, asked))
  const block = await longestBlock((asked) => controller.resourceSlice({ q: 'agent is:synced' }, asked))
  within(`${of} resources, longest event-loop block`, block, 100, 'ms')
  await measure(`${of} drift records`, (asked) => controller.driftSlice({}, asked))
  await measure(`${of} drift records of an author`, (asked) => controller.driftSlice({ actor: 'mia' }, asked))
  await measure(`${of} resolved drift records`, (asked) => controller.driftSlice({ open: false }, asked))
  const audit = table({ db, vault: Vault.ephemeral() }, 'controller_audit', AuditRecord, {
    what: 'record',
    key: ['seq'],
  })
  await measure(`${of} audit records`, (asked) => audit.listed({}, asked))
  const where = { kind: 'things', resource_id: 't' }
  await measure(`${of} audit records of a resource`, (asked) => audit.listed({ where }, asked))
  const page = await controller.resourceSlice({}, { limit: LARGEST, side: 'after', cursor: '' })
  within(`page of ${LARGEST} resources, compressed`, gzipSync(JSON.stringify(page)).length / 1000, 60, 'kB')
  await db.destroy()
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
await run('SQLite', `sqlite:${join(folder, 'svc.db')}`, folder)
const server = await startPostgres()
await run('PostgreSQL', `postgres://${server.user}@/postgres?host=${encodeURIComponent(server.host)}`, folder)
await server.stop()
rmSync(folder, { recursive: true, force: true })
