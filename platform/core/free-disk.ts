import { statfs } from 'node:fs/promises'
import { unavailable } from './problem.ts'

/** Milliseconds. */
const KEPT_MS = 1000
const MIB = 1024 * 1024

/** Refuses additions while the data folder has too little free space, so that the daemon can still record changes. */
export class FreeDisk {
  readonly #folder: string
  readonly #least: number
  #found: Promise<number> | null = null

  /** `least`: bytes; 0: no check. */
  constructor({ dataDir, minFreeDisk }: { dataDir: string; minFreeDisk: number }) {
    this.#folder = dataDir
    this.#least = minFreeDisk
  }

  /** Throws 503. */
  async mustHaveRoom(): Promise<void> {
    const fault = await this.fault()
    if (fault !== null) throw unavailable(fault, 'folder-unavailable')
  }

  /** Returns why nothing can be added, or null. */
  async fault(): Promise<string | null> {
    const free = this.#least === 0 ? Number.POSITIVE_INFINITY : await this.#free()
    if (free >= this.#least) return null
    const [has, needs] = [free, this.#least].map((bytes) => Math.floor(bytes / MIB))
    return `the data folder ${this.#folder} has ${has} MiB of free disk space, less than ${needs} MiB (SVC_MIN_FREE_DISK): free some space, then retry`
  }

  #free(): Promise<number> {
    if (this.#found === null) {
      this.#found = freeIn(this.#folder)
      setTimeout(() => (this.#found = null), KEPT_MS).unref()
    }
    return this.#found
  }
}

/** A folder that cannot be read is reported by its writes. */
async function freeIn(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null)
  // A total of 0 means no limit.
  if (found === null || found.blocks === 0) return Number.POSITIVE_INFINITY
  return (process.getuid?.() === 0 ? found.bfree : found.bavail) * found.bsize
}
