// Wakes a reader when something below a folder may have changed. What changed, the reader finds out for itself.
import { watch as watchOne, type FSWatcher as NodeWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import type { Unsubscribe } from '../platform/change-feed.ts'
import type { Log } from '../platform/log.ts'

/** Dotfiles do not count, but for `..data` and its like: links that are moved to put a whole folder in place of another. */
function isIgnored(path: string, root: string): boolean {
  if (path === root) return false
  const name = basename(path)
  return name === 'node_modules' || (name.startsWith('.') && !name.startsWith('..'))
}

export function watchFolder(root: string, wake: () => void, log: Log): Unsubscribe {
  let below = watchBelow(root, wake, log)
  // The folder may itself be a link or not exist yet: a new one under its name is another folder to watch.
  const above = watchName(dirname(root), basename(root), log, () => {
    void below.close()
    below = watchBelow(root, wake, log)
  })
  return () => {
    above?.close()
    void below.close()
  }
}

function watchBelow(root: string, wake: () => void, log: Log): FSWatcher {
  const watcher = watch(root, { ignored: (path) => isIgnored(path, root), ignoreInitial: true })
  watcher.on('all', wake)
  watcher.on('ready', wake) // something may have changed before anybody looked
  watcher.on('error', (error) => {
    log.warn({ folder: root, error: String(error) }, 'watching a folder failed; it is still read at every full pass')
    wake()
  })
  return watcher
}

function watchName(folder: string, name: string, log: Log, changed: () => void): NodeWatcher | null {
  try {
    const watcher = watchOne(folder, { persistent: false }, (_, which) => which === name && changed())
    watcher.on('error', (error) => log.warn({ folder, error: String(error) }, 'watching a folder failed; it is still read at every full pass'))
    return watcher
  } catch (error) {
    log.warn({ folder, error: String(error) }, 'watching a folder failed; it is still read at every full pass')
    return null
  }
}
