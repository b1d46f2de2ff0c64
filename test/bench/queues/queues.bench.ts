// Tasks per second, compared with other queues of the same durability.
// By name only: installs the peers with npm, which may compile native code.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex, { type Knex } from 'knex'
import { inBatches } from '../../../platform/async/batches.ts'
import { write } from '../../../platform/database/database.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { claimTasks, settleQueueTasks, type TaskEnd } from '../../../services/orchestrator/record/queue-store.ts'
import { taskOf } from '../../../services/orchestrator/queues/queue-consumers.ts'
import { openTables, type QueueTaskRow } from '../../../services/orchestrator/record/tables.ts'
import { alice, TestMachine } from '../../services/orchestrator/harness.ts'
import { eventually } from '../../support/eventually.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { npmPackages } from '../packages.ts'
import { graphileWorker, liteque, pgBoss, plainjob, type Contender } from './peers.ts'
import { sideBySide } from './rounds.ts'

/** Latest versions that run on the oldest supported Node. */
const PACKAGES = [
  'plainjob@0.0.14',
  'liteque@0.8.0',
  'better-sqlite3@12.11.1',
  'pg-boss@10.4.2',
  'graphile-worker@0.16.6',
]
const peers = npmPackages('queues', PACKAGES)
const DURABLE = ['fsync=on', 'synchronous_commit=on']

async function ours(url?: string): Promise<Contender> {
  const machine = new TestMachine(url === undefined ? {} : { url })
  const daemon = await machine.open()
  const { db, clock } = daemon
  const service = { clock, tables: openTables({ db, vault: new Vault(Buffer.alloc(32)) }) }
  // Batches as in the daemon's consumers.
  const claims = inBatches(32, async (dispatchIds: readonly string[]): Promise<(QueueTaskRow | null)[]> => {
    const claim = { queue: 'jobs', dispatchIds, timeoutSecs: 300 }
    const tasks = await write(db, (transaction) => claimTasks(service, transaction, claim))
    return dispatchIds.map((_id, nth) => tasks[nth] ?? null)
  })
  const ends = inBatches(32, async (some: readonly TaskEnd[]): Promise<null[]> => {
    await write(db, (transaction) => settleQueueTasks(service, transaction, some))
    return some.map(() => null)
  })
  return {
    name: 'ours',
    durability: url === undefined ? 'WAL, synchronous FULL' : 'fsync and synchronous_commit on',
    push: (title) => daemon.orchestrator.queues.push('jobs', { title }, alice),
    work: async () => {
      const id = randomUUID()
      const task = await claims(id)
      if (!task) return false
      await ends({ id, task: taskOf(task), status: 'completed', error: null, final: false })
      return true
    },
    close: () => machine.close(),
  }
}

async function onSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-queues-'))
  const contenders = [
    await ours(),
    await plainjob(peers, join(folder, 'plainjob.db')),
    await liteque(peers, join(folder, 'liteque.db')),
  ] as const
  try {
    await sideBySide('SQLite', contenders)
  } finally {
    for (const each of contenders) await each.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres(DURABLE)
  try {
    await onServer(server)
  } finally {
    await server.stop()
  }
}

async function onServer(server: { host: string; user: string }): Promise<void> {
  const admin = knex({ client: 'pg', connection: { host: server.host, user: server.user, database: 'postgres' } })
  const database = async (name: string) => {
    await admin.raw(`CREATE DATABASE ${name}`)
    return `postgres://${server.user}@/${name}?host=${encodeURIComponent(server.host)}`
  }
  const contenders = [
    await ours(await database('ours')),
    await pgBoss(peers, await database('boss')),
    await graphileWorker(peers, await database('graphile')),
  ] as const
  try {
    await sideBySide('PostgreSQL', contenders)
  } finally {
    for (const each of contenders) await each.close()
    await left(admin)
    await admin.destroy()
  }
}

/** Some pools report that they are closed too early: waits until only `admin` is connected. */
async function left(admin: Knex): Promise<void> {
  const others = () => admin('pg_stat_activity').whereNotNull('datname').whereNot('datname', 'postgres').count('pid')
  await eventually(async () => Number((await others())[0]!.count) === 0)
}

await onSqlite()
await onPostgres()
