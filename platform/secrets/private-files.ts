// What keeps secrets is closed to everybody but its owner, also where it was made wider before.
import { chmodSync, closeSync, fchmodSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { sqliteFile, type Config } from '../core/config.ts'
import type { Log } from '../core/log/log.ts'

const FOLDER = 0o700
const FILE = 0o600
const OTHERS = 0o077
const STICKY = 0o1000

/**
 * Makes the data folder and the file of the database if they are not there, and takes away what others may do with
 * them and with the key. A folder that is plainly more than ours (the root, one that holds a home, one for everybody)
 * is left and named.
 */
export function keepPrivate(
  config: Pick<Config, 'dataDir' | 'keyFile' | 'runtimeFile' | 'databaseUrl' | 'home'>,
  log: Log,
): void {
  const { dataDir, keyFile, runtimeFile, databaseUrl, home } = config
  mkdirSync(dataDir, { recursive: true, mode: FOLDER })
  if (isShared(dataDir, home))
    log.warn(
      { folder: dataDir },
      'the data folder is for more than this daemon, so its mode is left: set SVC_DATA_DIR to one of its own',
    )
  else tighten(dataDir, FOLDER, log)
  const database = sqliteFile(databaseUrl)
  if (database !== null) {
    mkdirSync(dirname(database), { recursive: true, mode: FOLDER })
    makeFile(database)
    for (const suffix of ['', '-wal', '-shm', '-journal']) tighten(`${database}${suffix}`, FILE, log)
  }
  for (const file of [keyFile, runtimeFile]) tighten(file, FILE, log)
  const launches = join(dataDir, 'launch')
  tighten(launches, FOLDER, log)
  for (const name of names(launches)) tighten(join(launches, name), FILE, log)
}

/** SQLite gives what it makes beside the file the same mode. */
function makeFile(file: string): void {
  if (statOrNull(file) !== null) return
  const made = openSync(file, 'a', FILE)
  fchmodSync(made, FILE)
  closeSync(made)
}

function tighten(path: string, mode: number, log: Log): void {
  const stats = statOrNull(path)
  if (stats === null || stats.isSymbolicLink() || (stats.mode & OTHERS) === 0) return
  try {
    chmodSync(path, mode)
    log.warn({ path, was: octal(stats.mode), now: octal(mode) }, 'others could read this: its mode was tightened')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    log.error(
      { path, mode: octal(stats.mode), code },
      'others can read this, and its mode cannot be changed: its owner should',
    )
  }
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

function isShared(folder: string, home: string): boolean {
  const path = resolve(folder)
  const holdsHome = [home, homedir()].some((each) => `${resolve(each)}/`.startsWith(path === '/' ? '/' : `${path}/`))
  return holdsHome || ((statOrNull(path)?.mode ?? 0) & STICKY) !== 0
}

function statOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // nothing was launched from here yet
  }
}
