// Revision ids: one digest over every file of a source.
import { createHash } from 'node:crypto'

/** Digest of a file's bytes; for an unreadable file, of the reason. */
export function contentDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Digest of paths and content digests; order does not matter. */
export function revisionOf(files: Iterable<{ path: string; digest: string }>): string {
  const hash = createHash('sha256')
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const { path, digest } of sorted) hash.update(`${path}\0${digest}\n`)
  return hash.digest('hex')
}
