// `npm run bench:queues`: a push, and a claim that is completed, of our queues next to those of others, on the same
// file system and server, each at the same durability. Sixteen ask at once, as they do of a daemon.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex from 'knex'
import type { TestProject } from 'vitest/node'
import { Batches } from '../../../platform/async/batches.ts'
import { write } from '../../../platform/database.ts'
import { Vault } from '../../../platform/vault.ts'
import { claimTasks, settleQueueTasks, type TaskEnd } from '../../../services/orchestrator/queues/queue-store.ts'
import { openTables, type QueueTaskRow } from '../../../services/orchestrator/tables.ts'
import { alice, TestMachine } from '../../services/orchestrator/harness.ts'
import startPostgres from '../../support/postgres-server.ts'
import { compare, conclude, median, timed } from '../report.ts'
import { graphileWorker, liteque, pgBoss, plainjob, type Contender } from './peers.ts'

const TASKS = 1000
const AT_ONCE = 16
const ROUNDS = 3
const peers = process.argv[2]!

async function atOnce(count: number, work: (at: number) => unknown): Promise<void> {
  let at = 0
  const worker = async () => {
    while (at < count) await work(at++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** The way of a request beyond the route, and that of a dispatch beyond its prompt. */
async function ours(url?: string): Promise<Contender> {
  const machine = new TestMachine(url === undefined ? {} : { url })
  const daemon = await machine.open()
  const { db, clock } = daemon
  const service = { clock, tables: openTables({ db, vault: new Vault(Buffer.alloc(32)) }) }
  // As the consumers of a daemon do.
  const claims = new Batches<string, QueueTaskRow | null>(32, async (dispatchIds) => {
    const claim = { queue: 'jobs', dispatchIds, timeoutSecs: 300 }
    const tasks = await write(db, (transaction) => claimTasks(service, transaction, claim))
    return dispatchIds.map((_id, nth) => ({ value: tasks[nth] ?? null }))
  })
  const ends = new Batches<TaskEnd, null>(32, async (some) => {
    await write(db, (transaction) => settleQueueTasks(service, transaction, some))
    return some.map(() => ({ value: null }))
  })
  return {
    name: 'ours',
    durability: url === undefined ? 'WAL, synchronous FULL' : 'synchronous_commit on',
    push: (title) => daemon.orchestrator.queues.push('jobs', { title }, alice),
    work: async () => {
      const id = randomUUID()
      const task = await claims.run(id)
      if (!task) return false
      await ends.run({ id, status: 'completed', error: null, final: false })
      return true
    },
    close: () => machine.close(),
  }
}

const workOff = (contender: Contender) => contender.workOff?.(TASKS) ?? atOnce(TASKS, () => contender.work())

/** Milliseconds a task, pushed and worked off: the median of the rounds. */
async function measure(contender: Contender): Promise<{ push: number; work: number }> {
  const times = { push: [] as number[], work: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const push = await timed(() => atOnce(TASKS, (at) => contender.push(`task ${at}`)))
    const work = contender.cannotWork === undefined ? await timed(() => workOff(contender)) : Number.NaN
    // The first warms up.
    if (round === 0) continue
    times.push.push(push / TASKS)
    times.work.push(work / TASKS)
  }
  await contender.close()
  return { push: median(times.push), work: median(times.work) }
}

async function sideBySide(where: string, own: Contender, others: Contender[]): Promise<void> {
  const mine = await measure(own)
  process.stdout.write(`${where}: ours with ${own.durability}\n`)
  for (const other of others) {
    const theirs = await measure(other)
    const against = `next to ${other.name} with ${other.durability}`
    if (other.cannotWork !== undefined)
      process.stdout.write(`${where}: ${other.name} gives no task away (${other.cannotWork}): not measured\n`)
    for (const what of other.cannotWork === undefined ? (['push', 'work'] as const) : (['push'] as const))
      compare({
        what: `${where}, ${what === 'push' ? 'a push' : 'a claim that is completed'}, ${against}`,
        ours: mine[what] * 1000,
        floor: theirs[what] * 1000,
        unit: 'us',
        bound: 1,
      })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-queues-'))
await sideBySide('SQLite', await ours(), [
  await plainjob(peers, join(folder, 'plainjob.db')),
  await liteque(peers, join(folder, 'liteque.db')),
])

let server = { host: '', user: '' }
const provide = (_name: string, given: typeof server) => (server = given)
const stopPostgres = await startPostgres({ provide } as unknown as TestProject)
const admin = knex({ client: 'pg', connection: { ...server, database: 'postgres' } })
const database = async (name: string) => {
  await admin.raw(`CREATE DATABASE ${name}`)
  return `postgres://${server.user}@/${name}?host=${encodeURIComponent(server.host)}`
}
await sideBySide('PostgreSQL', await ours(await database('ours')), [
  await pgBoss(peers, await database('boss')),
  await graphileWorker(peers, await database('graphile')),
])
await admin.destroy()
await stopPostgres()
rmSync(folder, { recursive: true, force: true })
conclude()
process.exit()
