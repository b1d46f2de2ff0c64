// Reads lines of a file that the index reads, too: by the same rules, and never through a link.
import { closeSync, fstatSync, lstatSync, type Stats } from 'node:fs'
import { basename, join } from 'node:path'
import { openedPath, openWithin, type OpenTree } from '../../../platform/files/open-file.ts'
import { MOST_BYTES, MOST_LINES, type FileLines } from '../../../schemas/code-index/file.ts'
import { endingOf, endingsOf } from '../files/languages.ts'
import { TreeRules } from '../files/rules.ts'
import { LARGEST_FILE, readText } from '../files/text.ts'
import { LONGEST_LINE, shown } from './match-reader.ts'

export interface FileAsked extends OpenTree {
  /** Relative to the root, without empty parts, `.` and `..`. */
  path: string
  languages: string[]
  /** In .gitignore syntax. */
  patterns: string[]
  /** Numbers of lines, from 1. */
  from: number
  to: number
}

class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
}

class FileMissing extends Error {
  override readonly name = 'FileMissing'
}

/** Throws a FileRefusal for a file that the index does not read, a FileMissing if there is none. */
export function fileLines(asked: FileAsked): FileLines {
  const { root, path, from } = asked
  const language = languageOf(asked)
  refuseExcluded(asked)
  const place = join(root, path)
  const file = openWithin(place, asked)
  if (file === null) throw refusal(path, 'cannot be opened: it is closed, or was replaced meanwhile')
  try {
    if (openedPath(file, place) !== place) throw refusal(path, 'was replaced while it was opened: try again')
    const { size, mtimeMs } = fstatSync(file)
    const { total, ...part } = linesOf(textIn(file, path), asked)
    const modified_at = new Date(mtimeMs).toISOString()
    return { path, language, size, modified_at, total_lines: total, from, ...part }
  } finally {
    closeSync(file)
  }
}

const refusal = (path: string, reason: string): FileRefusal => new FileRefusal(`path ${JSON.stringify(path)} ${reason}`)

function languageOf({ path, languages }: FileAsked): string {
  const language = endingsOf(languages).get(endingOf(basename(path)))
  if (language !== undefined) return language
  throw refusal(path, `is in no language of the index (${languages.join(', ')}): add it to languages of the repository`)
}

/** A folder is checked before anything in it is read, so that a link reveals nothing of its target. */
function refuseExcluded({ root, path, patterns }: FileAsked): void {
  const rules = new TreeRules(root, patterns)
  const names = path.split('/')
  if (names.some((name) => name.toLowerCase() === '.git')) throw refusal(path, 'is in .git, which is never indexed')
  for (let depth = 1; depth <= names.length; depth++) {
    const part = names.slice(0, depth).join('/')
    const isFile = depth === names.length
    if (isFile ? rules.leavesOut(part) : rules.leavesOutFolder(`${part}/`))
      throw refusal(
        path,
        `is not indexed: an ignore file, "ignore" of the repository or SVC_INDEX_IGNORE_PATTERNS excludes ${part}`,
      )
    const stats = statsOf(join(root, part))
    if (stats === null) throw new FileMissing(`file ${JSON.stringify(path)} does not exist: ${part} is missing`)
    if (stats.isSymbolicLink()) throw refusal(path, `is not indexed: ${part} is a link`)
    if (isFile ? !stats.isFile() : !stats.isDirectory())
      throw refusal(path, `is not indexed: ${part} is not a ${isFile ? 'file' : 'directory'}`)
  }
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

function textIn(file: number, path: string): string {
  const found = readText(file)
  if ('text' in found) return found.text
  throw refusal(
    path,
    found.fault === 'binary' ? 'is a binary file' : `is larger than ${LARGEST_FILE / 1024} KiB and not indexed`,
  )
}

function linesOf(
  text: string,
  { from, to }: Pick<FileAsked, 'from' | 'to'>,
): Pick<FileLines, 'lines' | 'cut' | 'next'> & { total: number } {
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  const last = Math.min(all.length, to, from + MOST_LINES - 1)
  const lines: string[] = []
  const cut: number[] = []
  let [number, bytes] = [from, 0]
  for (; number <= last; number++) {
    const whole = all[number - 1]!
    const isLong = whole.length > LONGEST_LINE
    const line = isLong ? `${shown(whole)}…` : whole
    bytes += Buffer.byteLength(JSON.stringify(line))
    if (bytes > MOST_BYTES) break
    if (isLong) cut.push(number)
    lines.push(line)
  }
  return { lines, cut, next: number <= all.length ? number : null, total: all.length }
}
