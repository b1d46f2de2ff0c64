// A directory as it was when it was last walked, for looks that only ask whether anything is different: what a walk has
// to read and to match is not read and matched again while no folder and no ignore file has changed.
import { lstatSync, type Stats } from 'node:fs'
import { systemClock } from '../../../platform/core/clock.ts'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { FoundFile, VisitedFolder } from './walk.ts'

/** A folder that changed so shortly before it was read may have changed once more since, at the same time of the clock. */
const SETTLED_MS = 1000
/** Files looked at between two points where the look may be interrupted. */
const STRETCH = 256

interface Stamped {
  path: string
  stamp: string
}

export class TreeSnapshot {
  readonly #root: string
  readonly #folders: Stamped[] = []
  readonly #ignoreFiles: Stamped[] = []
  #files: readonly FoundFile[] = []
  #isSettled = true

  constructor(root: string) {
    this.#root = root
  }

  addFolder({ path, stats, ignoreFiles }: VisitedFolder): void {
    if (stats === null || systemClock.now() - stats.ctimeMs < SETTLED_MS) this.#isSettled = false
    else this.#folders.push({ path, stamp: folderStamp(stats) })
    for (const each of ignoreFiles) this.#ignoreFiles.push({ path: each, stamp: fileStamp(look(each)) })
  }

  /** What was found: the walk is over. */
  setFiles(files: readonly FoundFile[]): void {
    this.#files = files
  }

  /** False where a walk may find something else than it did. */
  *isSame(): Pieces<boolean> {
    if (!this.#isSettled) return false
    for (const { path, stamp } of this.#folders) {
      const stats = look(path)
      if (stats === undefined || folderStamp(stats) !== stamp) return false
      yield
    }
    for (const { path, stamp } of this.#ignoreFiles) if (fileStamp(look(path)) !== stamp) return false
    for (const [at, { path, size, mtime }] of this.#files.entries()) {
      const stats = look(`${this.#root}/${path}`)
      if (stats?.mtimeMs !== mtime || stats.size !== size) return false
      if (at % STRETCH === 0) yield
    }
    return true
  }
}

/** Undefined for what is gone or cannot be looked at. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The time of its last change of any kind: also of its rights, and of what is in it. */
const folderStamp = ({ dev, ino, ctimeMs }: Stats): string => `${dev}:${ino}:${ctimeMs}`
const fileStamp = (stats: Stats | undefined): string => (stats ? `${stats.ino}:${stats.ctimeMs}:${stats.size}` : '')
