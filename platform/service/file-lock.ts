// Kernel lock, taken as SQLite's write lock on an empty database. It ends with its process and survives suspension.
import { open } from 'node:fs/promises'
import * as sqlite from '@appthreat/sqlite3'

export interface FileLock {
  release(): Promise<void>
}

type Done = (error: (Error & { code?: string }) | null) => void

interface Connection {
  configure(option: 'busyTimeout', ms: number): void
  exec(sql: string, done: Done): void
  close(done: Done): void
}

/** The driver is the default export, which its types omit. */
const { Database } = (sqlite as unknown as { default: { Database: new (file: string, done: Done) => Connection } })
  .default

const promised = (start: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))

/**
 * Returns null if the lock is held, also by this process. Nothing else may open the file: a process that closes it
 * loses its lock. Throws if the file system has no locks.
 */
export async function lockFile(file: string): Promise<FileLock | null> {
  await makePrivate(file)
  const connection = await new Promise<Connection>((resolve, reject) => {
    const opened: Connection = new Database(file, (error) => (error ? reject(error) : resolve(opened)))
  })
  const close = () => promised((done) => connection.close(done))
  connection.configure('busyTimeout', 0)
  try {
    // Nothing is written, so no journal is needed.
    await promised((done) => connection.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE', done))
    return { release: close }
  } catch (error) {
    await close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    throw error
  }
}

/** Never opens an existing file: closing it would release the lock. */
async function makePrivate(file: string): Promise<void> {
  await open(file, 'wx', 0o600).then(
    (made) => made.close(),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
}
