import { createHash } from 'node:crypto'

/** For an unreadable file, digest the reason. */
export function contentDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

export function revisionOf(files: Iterable<{ path: string; digest: string }>): string {
  const hash = createHash('sha256')
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const { path, digest } of sorted) hash.update(`${path}\0${digest}\n`)
  return hash.digest('hex')
}
