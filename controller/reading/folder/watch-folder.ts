// Wakes a reader when something below a folder may have changed. What changed, the reader finds out for itself.
import { lstatSync, readdirSync, watch, type Dirent, type FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { statOrNull } from '../text-files.ts'

export interface FolderWatch {
  /** Watches anew where another folder has come to the path: watchers hold on to the one they were given. */
  refresh(): void
  close: Unsubscribe
}

/** Calls `wake` now and then for nothing, and never too seldom: also once when watching has begun. */
export function watchFolder(root: string, wake: () => void, log: Log): FolderWatch {
  let below: TreeWatch | null = null
  let inside: FSWatcher | null = null
  let above: FSWatcher | null = null
  let watched = ''
  // The path itself, and what stands above it: renaming a parent tells neither of them.
  const place = () => `${identity(root)} ${identity(dirname(root))}`
  const begin = () => {
    inside?.close()
    below?.close()
    below = new TreeWatch(root, wake, log)
    // Mounted volumes are replaced by moving the link `..data`; the files that lead through it are then others.
    inside = watchNames(root, (name) => name.startsWith('..'), begin, log)
    watched = place()
  }
  const beginAbove = () => {
    above?.close()
    // The folder may itself be a link, or not exist yet: what comes under its name is another folder to watch.
    above = watchNames(dirname(root), (name) => name === basename(root), begin, log)
    begin()
  }
  beginAbove()
  return {
    refresh: () => {
      if (place() !== watched) beginAbove()
    },
    close: () => {
      above?.close()
      inside?.close()
      below?.close()
    },
  }
}

/**
 * Watches a folder and those below it, one watcher a folder: it tells of every file in it. A file behind a link has one
 * of its own, for its folder tells of the link alone.
 */
class TreeWatch {
  readonly #wake: () => void
  readonly #log: Log
  readonly #watchers = new Map<string, FSWatcher>()
  #closed = false

  constructor(root: string, wake: () => void, log: Log) {
    this.#wake = wake
    this.#log = log
    this.#addFolder(root, [])
    // Something may have changed before anybody watched.
    setImmediate(() => !this.#closed && wake())
  }

  close(): void {
    this.#closed = true
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #addFolder(folder: string, above: readonly string[]): void {
    const self = identity(folder)
    if (self === null || above.includes(self)) return
    this.#drop(folder)
    if (!this.#watch(folder, (type, name) => this.#moved(folder, [...above, self], type, name))) return
    let entries: Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch {
      return // a folder that may not be listed: the reader says so
    }
    for (const entry of entries)
      if (!entry.isFile() && !isIgnored(entry.name)) this.#addEntry(join(folder, entry.name), [...above, self])
  }

  /** Of what is no plain file. */
  #addEntry(path: string, above: readonly string[]): void {
    const stats = statOrNull(path)
    if (stats?.isDirectory()) this.#addFolder(path, above)
    else if (stats?.isFile()) this.#watch(path, () => this.#wake())
  }

  #moved(folder: string, above: readonly string[], type: string, name: string | null): void {
    if (this.#closed || (name !== null && isIgnored(name))) return
    if (type === 'rename' && name !== null) {
      const path = join(folder, name)
      this.#drop(path)
      if (isFolderOrLink(path)) this.#addEntry(path, above)
    }
    this.#wake()
  }

  /** Forgets what was watched at a path and below it. */
  #drop(path: string): void {
    if (!this.#watchers.has(path)) return
    for (const [watched, watcher] of this.#watchers) {
      if (watched !== path && !watched.startsWith(`${path}/`)) continue
      watcher.close()
      this.#watchers.delete(watched)
    }
  }

  #watch(path: string, moved: (type: string, name: string | null) => void): boolean {
    try {
      const watcher = watch(path, moved)
      watcher.on('error', (error) => {
        warn(path, error, this.#log)
        this.#wake()
      })
      this.#watchers.get(path)?.close()
      this.#watchers.set(path, watcher)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') warn(path, error, this.#log)
      return false
    }
  }
}

function identity(path: string): string | null {
  const stats = statOrNull(path)
  return stats && `${stats.dev}:${stats.ino}`
}

function isFolderOrLink(path: string): boolean {
  try {
    const itself = lstatSync(path)
    return itself.isDirectory() || itself.isSymbolicLink()
  } catch {
    return false // it has gone, or may not be looked at
  }
}

function isIgnored(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.')
}

/** Watches the entries of one folder; null when it cannot be watched, such as one that is not there. */
function watchNames(
  folder: string,
  concerns: (name: string) => boolean,
  changed: () => void,
  log: Log,
): FSWatcher | null {
  try {
    const watcher = watch(folder, (_, name) => name !== null && concerns(name) && changed())
    watcher.on('error', (error) => warn(folder, error, log))
    return watcher
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') warn(folder, error, log)
    return null
  }
}

function warn(folder: string, error: unknown, log: Log): void {
  log.warn({ folder, error: String(error) }, 'watching a folder failed; it is still read at every full pass')
}
