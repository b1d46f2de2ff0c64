// Kernel lock on the data folder and SQLite file. A suspended process keeps it.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteFile, type Config } from '../core/config.ts'
import { replaceFile } from '../core/replace-file.ts'
import { lockFile, type FileLock } from './file-lock.ts'
import { isAlive } from '../peer/alive.ts'
import { unavailable } from '../core/problem.ts'
import { heldBy, readHolder, type Holder } from './holder.ts'

export interface StateLock {
  /** Identifies the lock file. Only the daemon that holds it can have a live lease with this place. */
  readonly place: string
  describeHolder(holder: Holder): void
  release(): Promise<void>
}

const folderLock = (dataDir: string): string => join(dataDir, 'daemon.lock')
const aboutOf = (lock: string): string => `${lock}.json`

/** Describes the holder; exists until that daemon has stopped completely. */
export const holderFile = (dataDir: string): string => aboutOf(folderLock(dataDir))

/** Milliseconds to wait for a stopping daemon, and for a starting one to describe itself. */
const STOPPING_MS = 12_000
const UNKNOWN_MS = 1000
const LOOK_EVERY_MS = 50

/** Throws a 409 that names the holder, before anything is changed. */
export async function lockState(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  holder: Holder,
  stop?: AbortSignal,
): Promise<StateLock> {
  const folder = await lock(folderLock(config.dataDir), `the data folder ${config.dataDir}`, holder, stop)
  const file = sqliteFile(config.databaseUrl)
  if (file === null) return folder
  try {
    const database = await lock(`${realPath(file)}.lock`, `the database ${file}`, holder, stop)
    return both(folder, database)
  } catch (error) {
    await folder.release()
    throw error
  }
}

function both(first: StateLock, second: StateLock): StateLock {
  return {
    place: first.place,
    describeHolder: (holder) => [first, second].forEach((each) => each.describeHolder(holder)),
    release: async () => {
      await second.release()
      await first.release()
    },
  }
}

async function lock(file: string, what: string, holder: Holder, stop?: AbortSignal): Promise<StateLock> {
  const about = aboutOf(file)
  const held = await attempt(file, what)
  const taken = held ?? (await waitFor(file, what, about, stop))
  writeAbout(about, holder)
  return {
    place: placeOf(file),
    describeHolder: (now) => writeAbout(about, now),
    release: async () => {
      rmSync(about, { force: true })
      await taken.release()
    },
  }
}

async function waitFor(file: string, what: string, about: string, stop?: AbortSignal): Promise<FileLock> {
  const began = performance.now()
  for (;;) {
    const holder = readAbout(about)
    const patience = holder?.stopping ? STOPPING_MS : holder && isHere(holder) ? 0 : UNKNOWN_MS
    if (performance.now() - began > patience || stop?.aborted) throw heldBy(what, holder)
    await sleep(LOOK_EVERY_MS)
    const held = await attempt(file, what)
    if (held) return held
  }
}

async function attempt(file: string, what: string): Promise<FileLock | null> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return await lockFile(file)
  } catch (error) {
    throw unavailable(`${what} cannot be locked: ${(error as Error).message}`, 'storage-unavailable', error)
  }
}

const writeAbout = (about: string, holder: Holder): void => replaceFile(about, `${JSON.stringify(holder)}\n`)

function readAbout(about: string): Holder | null {
  try {
    return readHolder(readFileSync(about, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns false for a stale description. */
function isHere({ pid, host }: Holder): boolean {
  return host !== hostname() || isAlive(pid)
}

/** A lock is valid until its kernel restarts. */
function placeOf(file: string): string {
  const { dev, ino } = statSync(file)
  const boot = '/proc/sys/kernel/random/boot_id'
  return [existsSync(boot) ? readFileSync(boot, 'utf8').trim() : hostname(), dev, ino].join(':')
}

/** Resolves links, so that a file has one lock. */
function realPath(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return join(realpathSync(dirname(file)), basename(file))
}
