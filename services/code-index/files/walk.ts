// Walks a directory in a fixed order; skips ignored folders before reading them and never follows links.
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import { isHidden } from '../../../platform/files/closed-set.ts'
import type { OpenTree } from '../../../platform/files/open-file.ts'
import { endingOf } from './languages.ts'
import { alwaysOf, ignoreFilesOf, isIgnored, withOwnRules, type Rules } from './rules.ts'

export interface WalkOptions extends OpenTree {
  /** In .gitignore syntax; they override every ignore file. */
  patterns: readonly string[]
  /** Wanted file extensions and their languages; null for every file. */
  endings: ReadonlyMap<string, string> | null
}

export interface FoundFile {
  /** Relative to the root, with `/`. */
  path: string
  language: string
  size: number
  /** Milliseconds since 1970, fractional. */
  mtime: number
}

/** Calls `found` for each file; throws if the root is unreadable. */
export function* walk(options: WalkOptions, found: (file: FoundFile) => void): Pieces<void> {
  const always = alwaysOf(options.patterns)
  const entries = readdirSync(options.root, BY_TYPE)
  yield* walkFolder(options, { path: '', always, above: [], entries }, found)
}

const BY_TYPE = { withFileTypes: true } as const

interface Folder {
  path: string
  always: Rules
  above: readonly Rules[]
  entries: Dirent[]
}

function* walkFolder(options: WalkOptions, folder: Folder, found: (file: FoundFile) => void): Pieces<void> {
  const { path, always, entries } = folder
  const ignoreFiles = ignoreFilesOf(join(options.root, path), entries)
  const above = withOwnRules(ignoreFiles, folder.path, folder.above)
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  for (const entry of entries) {
    const within = path + entry.name
    if (entry.isDirectory()) {
      if (isIgnored(`${within}/`, always, above) || isHidden(join(options.root, within), options.hidden)) continue
      const below = entriesOf(join(options.root, within))
      yield* walkFolder(options, { path: `${within}/`, always, above, entries: below }, found)
    } else if (entry.isFile()) {
      const language = options.endings ? options.endings.get(endingOf(entry.name)) : ''
      if (language === undefined || isIgnored(within, always, above)) continue
      if (isHidden(join(options.root, within), options.hidden)) continue
      const file = look(options.root, within, language)
      if (file) found(file)
    }
    yield
  }
}

export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, BY_TYPE)
  } catch {
    return []
  }
}

function look(root: string, path: string, language: string): FoundFile | null {
  try {
    const { size, mtimeMs } = lstatSync(join(root, path))
    return { path, language, size, mtime: mtimeMs }
  } catch {
    return null
  }
}
