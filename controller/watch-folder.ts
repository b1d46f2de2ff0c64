// Wakes a reader when something below a folder may have changed. What changed, the reader finds out for itself.
import { watch as watchOne, type FSWatcher as NodeWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import type { Unsubscribe } from '../platform/change-feed.ts'
import type { Log } from '../platform/log.ts'

/** Calls `wake` now and then for nothing, and never too seldom: also once when watching has begun. */
export function watchFolder(root: string, wake: () => void, log: Log): Unsubscribe {
  let below: FSWatcher | null = null
  let inside: NodeWatcher | null = null
  const begin = () => {
    inside?.close()
    void below?.close()
    below = watchBelow(root, wake, log)
    // Mounted volumes are replaced by moving the link `..data`; the files that lead through it are then others.
    inside = watchNames(root, (name) => name.startsWith('..'), begin, log)
  }
  // The folder may itself be a link, or not exist yet: what comes under its name is another folder to watch.
  const above = watchNames(dirname(root), (name) => name === basename(root), begin, log)
  begin()
  return () => {
    above?.close()
    inside?.close()
    void below?.close()
  }
}

function watchBelow(root: string, wake: () => void, log: Log): FSWatcher {
  const watcher = watch(root, { ignored: (path) => path !== root && isIgnored(basename(path)), ignoreInitial: true })
  watcher.on('all', wake)
  // What it does not report: a link that leads to nothing, a file that lost its permissions.
  watcher.on('raw', (_, name: string | null) => void (name !== null && isManifest(name) && wake()))
  watcher.on('ready', wake) // something may have changed before anybody watched
  watcher.on('error', (error) => {
    warn(root, error, log)
    wake()
  })
  return watcher
}

function isManifest(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !isIgnored(basename(name))
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
): NodeWatcher | null {
  try {
    const watcher = watchOne(folder, (_, name) => name !== null && concerns(name) && changed())
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
