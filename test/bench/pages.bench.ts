// Pages of a long list. Floor: counting the rows and reading those of the page by key.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controllerMigrations } from '../../controller/migrations.ts'
import { isPostgres, migrate, openDatabase, write, type Knex } from '../../platform/database/database.ts'
import { pageIndex, type Order } from '../../platform/store/page.ts'
import { table } from '../../platform/store/table.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import { Run } from '../../schemas/run.ts'
import { DispatchRecord } from '../../schemas/workflow.ts'
import { migrations } from '../../services/orchestrator/migrations.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { compare, medians, timed } from './report.ts'

const ROWS = 100_000
const LIMIT = 50
const ROUNDS = 15
const vault = Vault.ephemeral()
const dispatchesOf = (db: Knex) => table({ db, vault }, 'orchestrator_dispatches', DispatchRecord, { what: 'dispatch' })
const runsOf = (db: Knex) =>
  table({ db, vault }, 'controller_runs', Run, { what: 'run', computed: ['steps'], order: ['started_at', 'id'] })

const time = (index: number) => new Date(Date.UTC(2030, 0, 1) + index * 1000).toISOString()
const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** 90 % of the rows belong to one workflow, so that its filter matches most rows. */
const workflowOf = (index: number) => id(index % 10 === 0 ? 1 : 0)

async function fill(db: Knex): Promise<void> {
  await migrate(db, migrations)
  await migrate(db, controllerMigrations)
  await pageIndex(db, 'orchestrator_dispatches', ['workflow_id', 'seq'])
  await pageIndex(db, 'controller_runs', ['started_at', 'id'])
  const summary = { create: 1, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 4999 }
  const indices = Array.from({ length: Math.ceil((ROWS * 10) / 9) }, (_, index) => index)
  await write(db, async (transaction) => {
    await dispatchesOf(db).insertAll(
      indices.map((index) => ({
        id: id(index),
        workflow_id: workflowOf(index),
        source_id: `task-${index}`,
        agent_id: id(2),
        prompt_sent: `Complete task ${index}. ${'Check each result twice.  '.repeat(8)}`,
        status: 'completed' as const,
        trigger_type: 'manual',
        attempt: 1,
        result: 'It is done.',
        created_at: time(index),
        completed_at: time(index + 1),
      })),
      transaction,
    )
    await runsOf(db).insertAll(
      indices.slice(0, ROWS).map((index) => ({
        id: id(index),
        source: 'default',
        status: 'succeeded' as const,
        actor: 'bench',
        diagnostics: [],
        summary,
        started_at: time(index),
      })),
      transaction,
    )
  })
  await db.raw(isPostgres(db) ? 'VACUUM ANALYZE' : 'PRAGMA wal_checkpoint')
}

interface List {
  name: string
  page(offset: number): Promise<{ items: unknown[]; total: number }>
  floor(offset: number): Promise<unknown>
}

function lists(db: Knex): List[] {
  const [dispatches, runs] = [dispatchesOf(db), runsOf(db)]
  const where = { workflow_id: id(0) }
  const keysOf = async (query: Knex.QueryBuilder, order: Order[]) =>
    (await query.orderBy(order.map((column) => ({ column: column as string, order: 'desc' }))).pluck('id')) as string[]
  const known = {
    dispatches: keysOf(db(dispatches.name).where(where), ['seq']),
    runs: keysOf(db(runs.name), ['started_at', 'id']),
  }
  const part = async (keys: Promise<string[]>, offset: number) => (await keys).slice(offset, offset + LIMIT)
  return [
    {
      name: 'dispatches of a workflow',
      page: (offset) => dispatches.page({ where, limit: LIMIT, offset }),
      floor: async (offset) => {
        await dispatches.count(where)
        await dispatches.list({ where: { id: await part(known.dispatches, offset) } })
      },
    },
    {
      name: 'runs',
      page: (offset) => runs.page({ limit: LIMIT, offset }),
      floor: async (offset) => {
        await runs.count()
        await runs.list({ where: { id: await part(known.runs, offset) } })
      },
    },
  ]
}

async function run(database: string, url: string): Promise<void> {
  const db = openDatabase(url)
  await fill(db)
  for (const list of lists(db)) {
    const pageAt = (offset: number) => () =>
      timed(async () => {
        const { items, total } = await list.page(offset)
        if (items.length !== LIMIT || total !== ROWS) throw new Error(`${list.name}: ${items.length} of ${total} rows`)
      })
    const figures = await medians(ROUNDS, {
      first: pageAt(0),
      middle: pageAt(ROWS / 2),
      last: pageAt(ROWS - LIMIT),
      floor: () => timed(() => list.floor(ROWS - LIMIT)),
    })
    const [what, floor] = [`${database}, page of ${LIMIT} of ${ROWS} ${list.name}`, figures.floor]
    compare({ what: `${what}, first`, ours: figures.first, floor, unit: 'ms', bound: 3 })
    // The middle page is slowest: half of the rows are skipped.
    compare({ what: `${what}, middle`, ours: figures.middle, floor, unit: 'ms', bound: 5 })
    compare({ what: `${what}, last`, ours: figures.last, floor, unit: 'ms', bound: 3 })
  }
  await db.destroy()
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
await run('SQLite', `sqlite:${join(folder, 'svc.db')}`)
rmSync(folder, { recursive: true, force: true })
const server = await startPostgres()
await run('PostgreSQL', `postgres://${server.user}@/postgres?host=${encodeURIComponent(server.host)}`)
await server.stop()
