// Uses memory if enough is free, because thousands of database commits would wait for the disk.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PLENTY = 8 * 1024 ** 3
const NAME = /^svc-(\d+)-/
/** A younger folder may belong to a process in another PID namespace. */
const STALE_MS = 24 * 3_600_000

/** Creates the folder and removes stale ones. Uses TMPDIR if set. */
export function makeTestFolder() {
  const place = !process.env.TMPDIR && memoryIsPlenty() ? MEMORY : tmpdir()
  for (const name of readdirSync(place)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (pid && !lives(pid) && isStale(join(place, name))) removeTestFolder(join(place, name))
  }
  const folder = mkdtempSync(join(place, `svc-${process.pid}-`))
  // Agents of another user may traverse it, but not list it.
  chmodSync(folder, 0o711)
  return folder
}

/** Retries while programs still write; does not fail the run. */
export function removeTestFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  } catch (error) {
    console.error(`failed to remove ${folder}: ${error.message}`)
  }
}

function isStale(path) {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  return facts?.uid === process.getuid?.() && Date.now() - facts.mtimeMs > STALE_MS
}

/** Requires exec permission: tests start programs there. */
function memoryIsPlenty() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
    const options = mounts.findLast((line) => line.split(' ')[1] === MEMORY)?.split(' ')[3] ?? ''
    return Math.min(bavail * bsize, freemem()) >= PLENTY && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
