import { environment, findRepository, gitBytes, type GitUser } from '../../../platform/git/git.ts'
import { unprocessable } from '../../../platform/core/problem.ts'
import { isHidden, isManifest } from '../folder/folder-listings.ts'
import { MOST_BYTES } from '../yaml/parse.ts'
import type { SentFile } from '../manifest.ts'

export interface FolderAtRevision {
  commit: string
  /** Paths are relative to the folder. */
  manifests: SentFile[]
  /** Files that manifests may reference. */
  texts: { path: string; content: string }[]
}

const REGULAR = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t([^\0]+)$/

/**
 * Reads the merge base of `revision` and HEAD. Throws a Problem 422 without a repository, revision or common ancestor.
 */
export async function readFolderAtRevision(folder: string, revision: string, user: GitUser): Promise<FolderAtRevision> {
  const place = await findRepository(folder, user)
  if (!place) throw unprocessable(`${folder} is not in a git repository, so a revision of it cannot be read`)
  const variables = { ...environment(user), GIT_COMMON_DIR: place.commonDir }
  const git = async (args: readonly string[], input?: string) => {
    const { stdout, failed, said } = await gitBytes(variables, ['-C', place.top, ...args], { input })
    if (!failed) return stdout
    const why = said.trim() || 'it has no common ancestor with HEAD'
    throw unprocessable(`revision ${revision} of ${folder} cannot be read: ${why}`)
  }
  const wanted = (await git(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`])).toString().trim()
  const commit = (await git(['merge-base', wanted, 'HEAD'])).toString().trim()
  const tree = place.below === '' ? commit : `${commit}:${place.below}`
  const files = (await git(['ls-tree', '-r', '-z', '-l', tree]))
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, object, size, path] = REGULAR.exec(line) ?? []
      return path !== undefined && Number(size) <= MOST_BYTES && !isHidden(path) ? [{ object: object!, path }] : []
    })
  const blobs = await git(['cat-file', '--batch'], files.map(({ object }) => `${object}\n`).join(''))
  const found: FolderAtRevision = { commit, manifests: [], texts: [] }
  let at = 0
  for (const { path } of files) {
    const header = blobs.indexOf(NEWLINE, at)
    const size = Number(blobs.toString('utf8', at, header).split(' ')[2])
    const content = blobs.subarray(header + 1, header + 1 + size)
    at = header + 1 + size + 1
    if (isManifest(path)) found.manifests.push({ path, content })
    else found.texts.push({ path, content: content.toString('utf8') })
  }
  return found
}

const NEWLINE = 10
