import { chmodSync, closeSync, fchmodSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { sqliteFile, type Config } from '../core/config.ts'
import type { Log } from '../core/log/log.ts'

const FOLDER = 0o700
const FILE = 0o600
const OTHERS = 0o077
const STICKY = 0o1000

/** Removes other users' access to the data, except to a shared folder: `/`, above a home, or sticky. */
export function keepPrivate(
  config: Pick<Config, 'dataDir' | 'keyFile' | 'serviceTokenFile' | 'runtimeFile' | 'databaseUrl' | 'home'>,
  log: Log,
): void {
  const { dataDir, keyFile, serviceTokenFile, runtimeFile, databaseUrl, home } = config
  mkdirSync(dataDir, { recursive: true, mode: FOLDER })
  if (isShared(dataDir, home))
    log.warn(
      { folder: dataDir },
      'the data folder is shared, so its mode was not changed: set SVC_DATA_DIR to a separate folder',
    )
  else tighten(dataDir, FOLDER, log)
  const database = sqliteFile(databaseUrl)
  if (database !== null) {
    mkdirSync(dirname(database), { recursive: true, mode: FOLDER })
    makeFile(database)
    for (const suffix of ['', '-wal', '-shm', '-journal']) tighten(`${database}${suffix}`, FILE, log)
  }
  for (const file of [keyFile, serviceTokenFile, runtimeFile]) tighten(file, FILE, log)
  const launches = join(dataDir, 'launch')
  tighten(launches, FOLDER, log)
  for (const name of names(launches)) tighten(join(launches, name), FILE, log)
}

/** SQLite gives its other files the same mode. */
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
    log.warn({ path, was: octal(stats.mode), now: octal(mode) }, 'path was readable by other users; mode tightened')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    log.error(
      { path, mode: octal(stats.mode), code },
      'path is readable by other users, and its mode cannot be changed: ask its owner to restrict it',
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
    return [] // nothing launched yet
  }
}
