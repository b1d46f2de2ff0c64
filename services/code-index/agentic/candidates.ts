import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { hasTime, nextTurn } from '../../../platform/async/time-slices.ts'
import { isHidden } from '../../../platform/files/closed-set.ts'
import type { OpenTree } from '../../../platform/files/open-file.ts'
import { TreeRules } from '../files/rules.ts'
import { entriesOf } from '../files/walk.ts'
import { noExpression, runGrep, tooSlow } from './grep-process.ts'
import { withOptionalReturn } from './line-ends.ts'

export interface CandidatesAsked extends OpenTree {
  pattern: string
  /** In .gitignore syntax. */
  ignore: string[]
  deadlineMs: number
}

/** Bytes; larger files are data. */
const LARGEST_FILE = 64 * 1024 * 1024
/** Folders near the root whose ignored entries are excluded before grep runs; deeper results are filtered. */
const MOST_FOLDERS = 16
const MOST_ARGUMENTS = 64 * 1024

/**
 * Yields files that may have a match lazily, relative to the root, in walk order. Throws a GrepRefusal or a
 * GrepFailure.
 */
export async function* candidates(
  asked: CandidatesAsked,
  { path, deadline, isWanted }: { path: string; deadline: number; isWanted(path: string): boolean },
): AsyncGenerator<string, void, void> {
  const rules = new TreeRules(asked.root, asked.ignore)
  const places = await topOf(asked, rules, deadline)
  // Even without files, grep validates the expression.
  const found = await filesWithMatch(asked, { places: places.length === 0 ? ['/dev/null'] : places, path, deadline })
  for (const file of inOrder(found)) {
    await breathe(asked, deadline)
    if (!isWanted(file) || rules.leavesOut(file)) continue
    if (isReadable(join(asked.root, file))) yield file
  }
}

/** False also if it is gone or its path is too long. */
function isReadable(path: string): boolean {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && stats.size <= LARGEST_FILE
  } catch {
    return false
  }
}

/** Lets other searches proceed. Throws a GrepRefusal after the deadline. */
async function breathe(asked: CandidatesAsked, deadline: number): Promise<void> {
  if (!hasTime()) await nextTurn()
  if (performance.now() > deadline) throw tooSlow(asked)
}

async function filesWithMatch(
  asked: CandidatesAsked,
  { places, path, deadline }: { places: readonly string[]; path: string; deadline: number },
): Promise<string[]> {
  const own = asked.ignore
    .filter((name) => /^[\w.-]+$/.test(name))
    .flatMap((name) => [`--exclude-dir=${name}`, `--exclude=${name}`])
  const pattern = withOptionalReturn(asked.pattern)
  const args = ['-r', '-l', '-Z', '-I', '-s', '-D', 'skip', ...own, '-e', pattern, '--', ...places]
  const parts: Buffer[] = []
  const heard = (bytes: Buffer) => parts.push(bytes) > 0
  const { code, said } = await runGrep({ args, root: asked.root, path, deadline, about: asked, heard })
  if (code === 2 && said !== '') throw noExpression(said)
  const files = Buffer.concat(parts).toString('utf8').split('\0')
  return files.filter((file) => file !== '').map((file) => file.replace(/^\.\//, ''))
}

interface Folder {
  /** Relative to the root, with a trailing slash; empty for the root. */
  path: string
  above: Folder | null
  folders: Folder[]
  files: string[]
  /** False if anything below is excluded. */
  isWhole: boolean
}

const folderAt = (path: string, above: Folder | null): Folder => ({
  path,
  above,
  folders: [],
  files: [],
  isWhole: true,
})

/** Paths that cover the tree except the excluded folders near its top; no links. Hidden files are not opened later. */
async function topOf(asked: CandidatesAsked, rules: TreeRules, deadline: number): Promise<string[]> {
  const top = folderAt('', null)
  const queue = [top]
  for (let read = 0; queue.length > 0 && read < MOST_FOLDERS; read++) {
    const folder = queue.shift()!
    for (const entry of entriesOf(join(asked.root, folder.path))) {
      const within = folder.path + entry.name
      if (entry.isFile()) folder.files.push(within)
      if (!entry.isDirectory()) continue
      await breathe(asked, deadline)
      if (rules.leavesOutFolder(`${within}/`) || isHidden(join(asked.root, within), asked.hidden))
        for (let at: Folder | null = folder; at?.isWhole; at = at.above) at.isWhole = false
      else queue.push(folder.folders[folder.folders.push(folderAt(`${within}/`, folder)) - 1]!)
    }
  }
  const places = placesOf(top)
  // Too many arguments: search everything and filter the results.
  return places.join('').length > MOST_ARGUMENTS ? ['./'] : places
}

function placesOf({ path, folders, files, isWhole }: Folder): string[] {
  return isWhole ? [`./${path}`] : [...folders.flatMap(placesOf), ...files.map((file) => `./${file}`)]
}

/** Sorts by path segment, as a walk does. */
const inOrder = (files: readonly string[]): string[] =>
  files
    .map((file) => file.replaceAll('/', '\0'))
    .sort()
    .map((file) => file.replaceAll('\0', '/'))
