// Checks out commits into a fixed folder for programs. Manifests are never read from it.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Mirror } from './mirror.ts'

const CHECKOUT_MS = 600_000

export interface CheckoutOptions {
  mirror: Mirror
  /** Absolute path of the files. */
  folder: string
  /** Absolute path of the git index, on the file system of the folder. */
  index: string
}

/** Ref of the mirror, below `refs/svc/`. */
const HELD = 'checkout'
export const CHECKED_OUT = `refs/svc/${HELD}`
/** Ref of the mirror while the folder moves. */
const NEXT = 'checkout-next'

/** Commit of the files; null if there are none. */
export async function checkedOut({ mirror, folder }: CheckoutOptions): Promise<string | null> {
  return existsSync(folder) ? mirror.kept(HELD) : null
}

/**
 * Creates the folder, or moves it to `commit`. Keeps local changes; on a conflict, changes nothing. Returns the reason
 * of a failure, or null.
 */
export async function checkOut(files: CheckoutOptions, commit: string): Promise<string | null> {
  const held = await checkedOut(files)
  if (held === commit) return null
  return held === null ? fill(files, commit) : move(files, commit)
}

async function move(files: CheckoutOptions, commit: string): Promise<string | null> {
  const { mirror, folder, index } = files
  await finishMove(files)
  await mirror.outward(['update-index', '-q', '--refresh'], inTree(folder, index))
  const present = await mirror.outward(['write-tree', '--missing-ok'], inTree(folder, index))
  if (present.failed) return present.why
  const trees = [present.stdout.toString('utf8').trim(), commit]
  const lost = await ignoredBelow(files, trees)
  if (lost !== null) return lost
  await mirror.keep(NEXT, commit)
  const moved = await mirror.outward(['read-tree', '-m', '-u', ...trees], inTree(folder, index))
  if (!moved.failed) await mirror.keep(HELD, commit)
  await mirror.drop(NEXT)
  return moved.failed ? moved.why : null
}

/** git would overwrite ignored files. Returns why it must not, or null. */
async function ignoredBelow({ mirror, folder, index }: CheckoutOptions, trees: string[]): Promise<string | null> {
  const list = ['-C', folder, 'ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const [others, changes] = [
    await mirror.git(list, inTree(folder, index)),
    await mirror.git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=A', ...trees]),
  ]
  if (others.failed || changes.failed) return others.failed ? others.why : changes.why
  const ignored = pathsIn(others.stdout).map((path) => path.replace(/\/$/, ''))
  const added = new Set(pathsIn(changes.stdout))
  const needed = new Set([...added].flatMap((path) => [path, ...foldersOf(path)]))
  const lost = ignored.find((path) => needed.has(path) || foldersOf(path).some((folder) => added.has(folder)))
  return lost === undefined ? null : `it adds ${lost}, where an ignored file is: move that away`
}

const pathsIn = (output: Buffer): string[] => output.toString('utf8').split('\0').filter(Boolean)

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join('/'))
}

/** A killed git may have written files of the next commit that its index does not have. */
async function finishMove({ mirror, folder, index }: CheckoutOptions): Promise<void> {
  await rm(`${index}.lock`, { force: true })
  const next = await mirror.kept(NEXT)
  if (next === null) return
  const other = `${index}.next`
  await rm(other, { force: true })
  await mirror.git(['read-tree', next], inTree(folder, other))
  const [fromIndex, fromNext] = [await listChanged(mirror, folder, index), await listChanged(mirror, folder, other)]
  const different = new Set(fromNext)
  const written = (fromNext && fromIndex)?.filter((path) => !different.has(path)) ?? []
  const take = ['-C', folder, 'update-index', '--add', '--remove', '--replace', '-z', '--stdin']
  await mirror.git(take, { ...inTree(folder, index), input: written.map((path) => `${path}\0`).join('') })
  await rm(other, { force: true })
  await mirror.drop(NEXT)
}

/** Fills a folder beside the index first, so that an interrupted checkout is repeated from the start. */
async function fill({ mirror, folder, index }: CheckoutOptions, commit: string): Promise<string | null> {
  const present = await readdir(folder).catch(() => [])
  if (present.length > 0) return 'the folder has files of another origin: move it away'
  const fresh = `${index}.files`
  for (const left of [fresh, index]) await rm(left, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  const filled = await mirror.outward(['read-tree', '-m', '-u', commit], inTree(fresh, index))
  if (filled.failed) return filled.why
  await mirror.keep(HELD, commit)
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await rename(fresh, folder)
  return null
}

const inTree = (folder: string, index: string) => ({
  variables: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index },
  patienceMs: CHECKOUT_MS,
})

/** Earlier versions had the files beside the index. */
export async function adoptFormerFolder({ folder, index }: Pick<CheckoutOptions, 'folder' | 'index'>): Promise<void> {
  const former = join(dirname(index), 'project')
  if (existsSync(folder) || !existsSync(former)) return
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await rename(former, folder)
}

/** Lists local changes, except ignored files; null if unknown. */
export async function changedIn(files: CheckoutOptions): Promise<string[] | null> {
  await finishMove(files)
  return listChanged(files.mirror, files.folder, files.index)
}

async function listChanged(mirror: Mirror, folder: string, index: string): Promise<string[] | null> {
  const asked = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard']
  const { stdout, failed } = await mirror.git(['-C', folder, ...asked], inTree(folder, index))
  return failed ? null : [...new Set(pathsIn(stdout))]
}
