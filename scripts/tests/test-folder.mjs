// The folder for all temporary files of a run of tests: in memory where there is plenty of it, for each of many thousand
// commits to a database waits for a disk.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Bytes that must be free; a run takes some hundred MiB. */
const PLENTY = 8 * 1024 ** 3
const NAME = /^svc-(\d+)-/
/** Milliseconds after which what was left is nobody's: a process that we do not see may share the place with us. */
const LEFT = 24 * 3_600_000

/** Made anew; what runs of ours left behind that could not remove theirs goes. TMPDIR says where, if it is given. */
export function makeTestFolder() {
  const place = !process.env.TMPDIR && memoryIsPlenty() ? MEMORY : tmpdir()
  for (const name of readdirSync(place)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (pid && !lives(pid) && isLeft(join(place, name))) removeTestFolder(join(place, name))
  }
  const folder = mkdtempSync(join(place, `svc-${process.pid}-`))
  // Agents of another user of the system find their way through it, and see nothing of what is in it.
  chmodSync(folder, 0o711)
  return folder
}

/** What still writes there is waited for a second; a folder that stays is told of, and fails no run. */
export function removeTestFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  } catch (error) {
    console.error(`could not be removed: ${folder} (${error.message})`)
  }
}

function isLeft(path) {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  return facts?.uid === process.getuid?.() && Date.now() - facts.mtimeMs > LEFT
}

/** Programs are started from there as well. */
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
