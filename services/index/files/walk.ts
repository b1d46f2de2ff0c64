// The files below a directory, in one order whatever the disk's is: ignored ones left out before they are looked into,
// links never followed.
import { lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { Pieces } from '../../../platform/async/pieces.ts'
import { endingOf } from './languages.ts'

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

export interface Walked {
  /** Folders that could not be read. */
  unreadable: number
}

/** Ignore files of a folder; read at every level. */
const IGNORE_FILES = ['.gitignore', '.ignore']
const LARGEST_IGNORE_FILE = 1024 * 1024

interface Rules {
  /** Length of the folder's path within the root, the slash included. */
  from: number
  rules: Ignore
}

/** Hands each file to `found`; throws what reading the root itself throws. Nothing is kept of what was walked. */
export function* walk(options: WalkOptions, found: (file: FoundFile) => void): Pieces<Walked> {
  const always = ignore().add([...options.patterns])
  const walked: Walked = { unreadable: 0 }
  yield* walkFolder(
    options,
    { path: '', always, above: [], walked, entries: readdirSync(options.root, BY_TYPE) },
    found,
  )
  return walked
}

const BY_TYPE = { withFileTypes: true } as const

interface Folder {
  path: string
  always: Ignore
  above: readonly Rules[]
  walked: Walked
  entries: Dirent[]
}

function* walkFolder(options: WalkOptions, folder: Folder, found: (file: FoundFile) => void): Pieces<void> {
  const { path, always, walked, entries } = folder
  const above = withOwnRules(options.root, folder)
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  for (const entry of entries) {
    const within = path + entry.name
    if (entry.isDirectory()) {
      if (isIgnored(`${within}/`, always, above)) continue
      const below = listed(join(options.root, within), walked)
      yield* walkFolder(options, { path: `${within}/`, always, above, walked, entries: below }, found)
    } else if (entry.isFile()) {
      const language = options.endings ? options.endings.get(endingOf(entry.name)) : ''
      if (language === undefined || isIgnored(within, always, above)) continue
      const file = look(options.root, within, language)
      if (file) found(file)
    }
    yield
  }
}

function listed(path: string, walked: Walked): Dirent[] {
  try {
    return readdirSync(path, BY_TYPE)
  } catch {
    walked.unreadable++
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

function withOwnRules(root: string, { path, above, entries }: Folder): readonly Rules[] {
  const own = entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name))
  const texts = own.flatMap(({ name }) => ruleText(join(root, path, name)))
  return texts.length === 0 ? above : [...above, { from: path.length, rules: ignore().add(texts.join('\n')) }]
}

function ruleText(path: string): string[] {
  try {
    return lstatSync(path).size > LARGEST_IGNORE_FILE ? [] : [readFileSync(path, 'utf8')]
  } catch {
    return []
  }
}

/** The nearest ignore file that says anything of the path decides. */
function isIgnored(path: string, always: Ignore, above: readonly Rules[]): boolean {
  if (always.ignores(path)) return true
  for (let at = above.length - 1; at >= 0; at--) {
    const { from, rules } = above[at]!
    const { ignored, unignored } = rules.test(path.slice(from))
    if (ignored) return true
    if (unignored) return false
  }
  return false
}
