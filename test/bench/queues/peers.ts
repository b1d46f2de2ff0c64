// Queues of other projects.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Contender {
  name: string
  durability: string
  push(title: string): unknown
  /** Claims and completes the next task; returns false if none exists. */
  work(): Promise<boolean> | boolean
  /** Reason why `work` is not measured. */
  cannotWork?: string
  /** For queues that cannot claim a single task. */
  workOff?(count: number): Promise<void>
  close(): unknown
}

async function load(folder: string, name: string): Promise<any> {
  const found = createRequire(join(folder, 'package.json')).resolve(name)
  return import(pathToFileURL(found).href)
}

const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }
const FULL = 'synchronous = FULL'

/** Its default `synchronous = NORMAL` can lose acknowledged tasks in a power failure. */
export async function plainjob(folder: string, file: string): Promise<Contender> {
  const [{ better, defineQueue }, { default: Database }] = [
    await load(folder, 'plainjob'),
    await load(folder, 'better-sqlite3'),
  ]
  const connection = better(new Database(file))
  const queue = defineQueue({ connection, logger: silent })
  connection.pragma(FULL)
  return {
    name: 'plainjob',
    durability: 'WAL, synchronous FULL (default: NORMAL)',
    push: (title) => queue.add('jobs', { title, body: '' }),
    work: () => {
      const job = queue.getAndMarkJobAsProcessing('jobs')
      if (!job) return false
      queue.getJobById(job.id)
      queue.markJobAsDone(job.id)
      return true
    },
    close: () => queue.close(),
  }
}

export async function liteque(folder: string, file: string): Promise<Contender> {
  const { SqliteQueue, buildDBClient } = await load(folder, 'liteque')
  const db = buildDBClient(file, { runMigrations: true, walEnabled: true })
  const client = db.$client ?? db.session.client
  client.pragma(FULL)
  const queue = new SqliteQueue('jobs', db, { defaultJobArgs: { numRetries: 3 }, keepFailedJobs: true })
  // The driver rejects its asynchronous transaction.
  const fault: Error | null = await queue.attemptDequeue({ timeoutSecs: 1 }).then(
    () => null,
    (error: Error) => error,
  )
  return {
    name: 'liteque',
    ...(fault && { cannotWork: fault.message }),
    durability: 'WAL, synchronous FULL (default: NORMAL)',
    push: (title) => queue.enqueue({ title, body: '' }),
    work: async () => {
      const job = await queue.attemptDequeue({ timeoutSecs: 300 })
      if (!job) return false
      await queue.finalize(job.id, job.allocationId, 'completed')
      return true
    },
    close: () => client.close(),
  }
}

export async function pgBoss(folder: string, connectionString: string): Promise<Contender> {
  const loaded = await load(folder, 'pg-boss')
  const PgBoss = loaded.PgBoss ?? loaded.default ?? loaded
  const boss = new PgBoss({ connectionString, max: 8, supervise: false, schedule: false })
  boss.on('error', (error: unknown) => {
    throw error
  })
  await boss.start()
  await boss.createQueue('jobs')
  return {
    name: 'pg-boss',
    durability: 'fsync and synchronous_commit on',
    push: (title) => boss.send('jobs', { title, body: '' }),
    work: async () => {
      const [job] = await boss.fetch('jobs')
      if (!job) return false
      await boss.complete('jobs', job.id)
      return true
    },
    close: () => boss.stop({ graceful: false }),
  }
}

export async function graphileWorker(folder: string, connectionString: string): Promise<Contender> {
  const { makeWorkerUtils, run, Logger } = await load(folder, 'graphile-worker')
  const logger = new Logger(() => () => undefined)
  const utils = await makeWorkerUtils({ connectionString, logger, maxPoolSize: 8 })
  await utils.migrate()
  return {
    name: 'graphile-worker',
    durability: 'fsync and synchronous_commit on',
    push: (title) => utils.addJob('jobs', { title, body: '' }),
    work: () => {
      throw new Error('graphile-worker runs tasks itself')
    },
    workOff: async (count) => {
      let left = count
      let done: () => void = () => undefined
      const all = new Promise<void>((resolve) => (done = resolve))
      const taskList = {
        jobs: async () => {
          if (--left === 0) done()
        },
      }
      const options = { connectionString, logger, taskList, concurrency: 16, maxPoolSize: 8, noHandleSignals: true }
      const runner = await run(options)
      await all
      // Tasks are completed when the runner has stopped.
      await runner.stop()
    },
    close: () => utils.release(),
  }
}
