// What a revision of a source is called: one digest of every file it was read from.
import { createHash } from 'node:crypto'

/** Digest of one file's bytes; of a file that could not be taken, of the reason. */
export function contentDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Digest of paths with the digests of their contents; the order of `files` does not count. */
export function revisionOf(files: Iterable<{ path: string; digest: string }>): string {
  const hash = createHash('sha256')
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const { path, digest } of sorted) hash.update(`${path}\0${digest}\n`)
  return hash.digest('hex')
}
