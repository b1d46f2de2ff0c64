// Measures the entries of the data folder by `du`, a process of its own: a walk in this one would take its time.
import { lstat, readdir, realpath, statfs } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { MOST_ENTRIES, type DataEntry, type DataFolder, type DiskSpace } from '../../../schemas/monitor/disk.ts'

/** Kibibytes of each folder of the first level, without other file systems. */
const DU = ['du', '-kx', '-d', '1'] as const
const TIMEOUT_MS = 120_000
const KEPT_MS = 15 * 60_000
/** How long the first answer waits. */
const FIRST_MS = 2000
const LOW_PRIORITY = 15

interface FolderOptions {
  clock: Clock
  command?: readonly [program: string, ...args: string[]]
  timeoutMs?: number
}

export class DataFolderMeter {
  readonly path: string
  readonly #options: FolderOptions
  readonly #stopping = new AbortController()
  #last: DataFolder | null = null
  #measuring: Promise<void> | null = null

  constructor(path: string, options: FolderOptions) {
    this.path = path
    this.#options = options
  }

  get measuring(): boolean {
    return this.#measuring !== null
  }

  /** Returns the last measurement, and starts another one if it is older than 15 minutes. */
  async look(): Promise<DataFolder | null> {
    const age = this.#last ? this.#options.clock.now() - Date.parse(this.#last.measured_at) : Number.POSITIVE_INFINITY
    if (age >= KEPT_MS && !this.#stopping.signal.aborted) this.#measuring ??= this.#measure()
    if (!this.#last && this.#measuring)
      await Promise.race([this.#measuring, sleep(FIRST_MS, undefined, { ref: false })])
    return this.#last
  }

  /** Ends a running measurement. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#measuring
  }

  async #measure(): Promise<void> {
    try {
      const real = await realpath(this.path).catch(() => this.path)
      const [folders, files] = await Promise.all([this.#folders(real), filesIn(real)])
      if (this.#stopping.signal.aborted) return
      const all = [...folders.entries, ...files].sort((one, other) => other.bytes - one.bytes)
      this.#last = {
        entries: all.slice(0, MOST_ENTRIES),
        other_bytes: all.slice(MOST_ENTRIES).reduce((sum, { bytes }) => sum + bytes, 0),
        complete: folders.complete,
        measured_at: timestamp(this.#options.clock),
      }
    } finally {
      this.#measuring = null
    }
  }

  /** Those that were measured before an error or the time-out. */
  async #folders(real: string): Promise<{ entries: DataEntry[]; complete: boolean }> {
    const { command = DU, timeoutMs = TIMEOUT_MS } = this.#options
    const [program, ...args] = command
    const running = execa(program, [...args, real], {
      reject: false,
      stdin: 'ignore',
      stderr: 'ignore',
      env: { LC_ALL: 'C' },
      timeout: timeoutMs,
      cancelSignal: this.#stopping.signal,
    })
    lowerPriority(running.pid)
    const { stdout, failed } = await running
    return { entries: entriesOf(stdout ?? '', real), complete: !failed }
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended.
  }
}

/** @testing */
export function entriesOf(printed: string, folder: string): DataEntry[] {
  return printed.split('\n').flatMap((line) => {
    const [, kibibytes, path] = /^(\d+)\t(.+)$/.exec(line) ?? []
    return path === undefined || dirname(path) !== folder
      ? []
      : [{ name: basename(path), bytes: Number(kibibytes) * 1024 }]
  })
}

async function filesIn(folder: string): Promise<DataEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = files.map(async ({ name }) => {
    const found = await lstat(join(folder, name)).catch(() => null)
    return found ? [{ name, bytes: found.blocks * 512 }] : []
  })
  return (await Promise.all(sizes)).flat()
}

/** Null if the folder cannot be read, or its file system has no size. */
export async function spaceIn(folder: string): Promise<DiskSpace | null> {
  const found = await statfs(folder).catch(() => null)
  if (found === null || found.blocks === 0) return null
  return { total_bytes: found.blocks * found.bsize, available_bytes: found.bavail * found.bsize }
}
