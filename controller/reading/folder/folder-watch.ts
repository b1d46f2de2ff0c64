// Wakes the reader when a folder may have changed; a scan finds the change.
import { watch, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FSWatcher } from 'chokidar'
import type { Clock, Timer } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { SourceCondition } from '../../../schemas/source.ts'
import { realOrNull, statOrNull } from '../text-files.ts'
import { isIgnored } from './folder-listings.ts'
import { placeIdentity, type FolderScan } from './folder-scan.ts'

export interface Look {
  /** Null if the folder cannot be listed. */
  scan: FolderScan | null
  /** A read would return another state than the last one. */
  changed: boolean
}

export interface FolderWatchOptions {
  /** Absolute; may be a link or missing. */
  root: string
  /** Never rejects. */
  look(): Promise<Look>
  wake(): void
  clock: Clock
  log: Log
  mostWatched: number
}

/** Watched folders are polled too: some file systems report no events. */
const WATCHED_MS = 30_000
const UNWATCHED_MS = 5_000
/** Delay between the last event and a scan, which finds replaced folders and events merged by chokidar. */
const AFTER_EVENT_MS = 1_000
/** Delay before watching is retried after a system limit. */
const RETRY_MS = 300_000
/** Events that leave the process no other work for this long stop watching: node reads them until none is left. */
const STORM_MS = 500
const CALM_MS = 60_000

const SYSCTLS: Record<string, string> = {
  ENOSPC: 'fs.inotify.max_user_watches',
  EMFILE: 'fs.inotify.max_user_instances',
}
/** Not logged: the reader reports them. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']

type Places = Map<string, { identity: string | null; isLink: boolean }>

export class FolderWatch {
  condition: SourceCondition = watching('Unknown', 'Starting', 'the folder is listed for the first time')
  readonly #options: FolderWatchOptions
  /** The folder and its parents, without `/`. */
  readonly #path: readonly string[]
  #watchers: { close(): unknown }[] = []
  #places: Places = new Map()
  #fileCount = 0
  #retryAt = 0
  /** Monotonic time of the first event of this turn of the event loop. */
  #turnBegan: number | null = null
  #timer: Timer | null = null
  #isClosed = false

  constructor(options: FolderWatchOptions) {
    this.#options = options
    const path = []
    for (let at = options.root; at !== dirname(at); at = dirname(at)) path.push(at)
    this.#path = path
    void this.#look()
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#closeWatchers()
  }

  async #look(): Promise<void> {
    const { look, wake, clock, mostWatched } = this.#options
    this.#timer = null
    const { scan, changed } = await look()
    if (this.#isClosed) return
    if (changed) wake()
    const before = this.#places
    this.#places = this.#placesOf(scan)
    this.#fileCount = scan?.fileCount ?? 0
    if (this.#fileCount > mostWatched)
      this.#stopWatching('TooManyFiles', `a folder of more than ${mostWatched} files is not watched`)
    else if (clock.monotonic() >= this.#retryAt && (this.#watchers.length === 0 || isReplaced(before, this.#places)))
      this.#open(scan)
    if (!this.#timer) this.#lookIn(this.#watchers.length > 0 ? WATCHED_MS : UNWATCHED_MS)
  }

  #lookIn(ms: number): void {
    this.#timer?.cancel()
    this.#timer = this.#options.clock.after(ms, () => void this.#look())
  }

  #placesOf(scan: FolderScan | null): Places {
    const places: Places = new Map(scan?.places)
    for (const at of this.#path) {
      const stats = statOrNull(at)
      places.set(at, { identity: stats && placeIdentity(stats), isLink: false })
    }
    return places
  }

  #open(scan: FolderScan | null): void {
    this.#closeWatchers()
    this.condition = watching('True', 'Watched', 'the folder is watched')
    for (const path of this.#path) if (this.condition.status === 'True') this.#watchName(path)
    if (scan && this.condition.status === 'True') this.#watchTree(scan)
    else this.#options.wake()
  }

  /** Notices a folder or link that replaces this one: chokidar keeps watching the old one. */
  #watchName(path: string): void {
    try {
      const watcher = watch(dirname(path), (_, name) => {
        this.#onRawEvent()
        if (name === basename(path)) this.#onEvent()
      })
      this.#watchers.push(watcher.on('error', this.#onError))
    } catch (error) {
      this.#onError(error)
    }
  }

  /** Watches link targets separately: chokidar follows links in circles. */
  #watchTree({ root, places }: FolderScan): void {
    const tops = new Set([root])
    for (const [path, { isLink }] of places) if (isLink) tops.add(realOrNull(join(root, path)) ?? join(root, path))
    const isIgnoredPath = (path: string, stats?: Stats): boolean => {
      const name = basename(path)
      // Mounted volumes are replaced by moving the link `..data`.
      return isIgnored(name) && !tops.has(path) && !(name.startsWith('..') && (stats?.isSymbolicLink() ?? true))
    }
    const tree = new TreeWatcher({
      ignored: isIgnoredPath,
      followSymlinks: false,
      ignoreInitial: true,
      ignorePermissionErrors: true,
      atomic: false,
    })
    this.#watchers.push(tree)
    tree
      .on('raw', this.#onRawEvent)
      .on('all', this.#onEvent)
      .on('ready', this.#onEvent)
      .on('error', this.#onError)
      .add([...tops])
  }

  readonly #onRawEvent = (): void => {
    const now = this.#options.clock.monotonic()
    if (this.#turnBegan === null) {
      this.#turnBegan = now
      setImmediate(() => (this.#turnBegan = null))
    } else if (now - this.#turnBegan > STORM_MS && this.#watchers.length > 0) {
      this.#retryAt = now + CALM_MS
      this.#stopWatching('TooManyEvents', 'the folder, or one above it, changes without pause')
    }
  }

  readonly #onEvent = (): void => {
    this.#options.wake()
    this.#lookIn(AFTER_EVENT_MS)
  }

  readonly #onError = (error: unknown): void => {
    const { code = '' } = error as NodeJS.ErrnoException
    const { root, clock, log } = this.#options
    const sysctl = SYSCTLS[code]
    if (sysctl) {
      this.#retryAt = clock.monotonic() + RETRY_MS
      this.#stopWatching(
        'WatchLimit',
        `the system limit of file watches is reached; raise it with sysctl -w ${sysctl}=NUMBER`,
      )
    } else if (!UNREADABLE.includes(code))
      log.warn({ folder: root, error: String(error) }, 'failed to watch a folder; it is still listed every 30 s')
  }

  #stopWatching(reason: 'TooManyEvents' | 'TooManyFiles' | 'WatchLimit', why: string): void {
    const { root, log } = this.#options
    const message = `${this.#fileCount} files are listed every ${UNWATCHED_MS / 1000} s: ${why}`
    if (this.condition.reason !== reason) log.warn({ folder: root }, message)
    this.condition = watching('False', reason, message)
    this.#closeWatchers()
    this.#lookIn(UNWATCHED_MS)
  }

  #closeWatchers(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close()
  }
}

/** A chokidar watcher that stays closed: a pending check of a removed file would reopen it. */
class TreeWatcher extends FSWatcher {
  #isClosed = false

  override add(...added: Parameters<FSWatcher['add']>): this {
    if (!this.#isClosed) super.add(...added)
    return this
  }

  override close(): Promise<void> {
    this.#isClosed = true
    const closed = super.close()
    this.on('error', () => undefined)
    return closed
  }
}

/** True if a folder or link was replaced, or a link is new: chokidar notices neither. */
function isReplaced(before: Places, now: Places): boolean {
  return [...now].some(([path, { identity, isLink }]) => {
    const known = before.get(path)
    return known ? known.identity !== identity : isLink
  })
}

function watching(
  status: SourceCondition['status'],
  reason: SourceCondition['reason'],
  message: string,
): SourceCondition {
  return { type: 'Watching', status, reason, message }
}
