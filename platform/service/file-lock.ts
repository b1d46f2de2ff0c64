// A lock of the kernel on a file, by the SQLite that is there anyway: its write lock on an empty database. It goes
// with the process that has it, however that ends, and stays with one that is stopped.
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

/** The driver is the default export, which its types leave out. */
const { Database } = (sqlite as unknown as { default: { Database: new (file: string, done: Done) => Connection } })
  .default

const promised = (start: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))

/**
 * The lock on `file`, or null while another has it, be it in this process. Nothing else may open the file: a process
 * that closes it lets go of its lock. Throws where the file system knows no locks.
 */
export async function lockFile(file: string): Promise<FileLock | null> {
  await makePrivate(file)
  const connection = await new Promise<Connection>((resolve, reject) => {
    const opened: Connection = new Database(file, (error) => (error ? reject(error) : resolve(opened)))
  })
  const close = () => promised((done) => connection.close(done))
  connection.configure('busyTimeout', 0)
  try {
    // Nothing is ever written, so there is no journal on the disk either.
    await promised((done) => connection.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE', done))
    return { release: close }
  } catch (error) {
    await close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    throw error
  }
}

/** A file that is there is never opened by other means than the lock's own. */
async function makePrivate(file: string): Promise<void> {
  await open(file, 'wx', 0o600).then(
    (made) => made.close(),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
}
