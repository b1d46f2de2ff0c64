// The files below a directory, in one order whatever the disk's is: ignored ones left out before they are looked into,
// links never followed.
import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { Ignore } from 'ignore'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import { endingOf } from './languages.ts'
import { alwaysOf, ignoreFilesOf, isIgnored, withOwnRules, type Rules } from './rules.ts'

export interface WalkOptions {
  /** Absolute. */
  root: string
  /** As in a .gitignore at the root; they win over every .gitignore. */
  patterns: readonly string[]
  /** Ends of file names that are wanted, with their language; null: every file. */
  endings: ReadonlyMap<string, string> | null
}

export interface FoundFile {
  /** Within the root, with `/`. */
  path: string
  language: string
  size: number
  /** Milliseconds since 1970, with fractions. */
  mtime: number
}

/** Hands each file to `found`; throws what reading the root itself throws. Nothing is kept of what was walked. */
export function* walk(options: WalkOptions, found: (file: FoundFile) => void): Pieces<void> {
  const always = alwaysOf(options.patterns)
  const entries = readdirSync(options.root, BY_TYPE)
  yield* walkFolder(options, { path: '', always, above: [], entries }, found)
}

const BY_TYPE = { withFileTypes: true } as const

interface Folder {
  path: string
  always: Ignore
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
      if (isIgnored(`${within}/`, always, above)) continue
      const below = entriesOf(join(options.root, within))
      yield* walkFolder(options, { path: `${within}/`, always, above, entries: below }, found)
    } else if (entry.isFile()) {
      const language = options.endings ? options.endings.get(endingOf(entry.name)) : ''
      if (language === undefined || isIgnored(within, always, above)) continue
      const file = look(options.root, within, language)
      if (file) found(file)
    }
    yield
  }
}

/** Empty for a folder that cannot be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, BY_TYPE)
  } catch {
    return []
  }
}

/** Null for one that is gone by now. */
function look(root: string, path: string, language: string): FoundFile | null {
  try {
    const { size, mtimeMs } = lstatSync(join(root, path))
    return { path, language, size, mtime: mtimeMs }
  } catch {
    return null
  }
}
