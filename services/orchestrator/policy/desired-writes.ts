// Writes to the files that desired state is read from: an agent could give itself another policy there.
import { isWithin } from '../../../platform/files/within.ts'
import type { DesiredPlace } from '../../../platform/files/desired-files.ts'
import type { RequestPlace } from './workplace.ts'

/**
 * What a call may do to a path. `write`: change the file, or files in the folder. `place`: put a file or folder there.
 * `replace`: delete or move it.
 */
export type Access = 'read' | 'write' | 'place' | 'replace'

export interface Reached {
  path: string
  access: Access
  /** The path names a single file, never a folder. */
  isFile?: boolean
  /** The names in the folder are not known. */
  isPattern?: boolean
}

export interface DesiredWrite {
  path: string
  readBy: string
}

/** Null if no file of the desired state would be changed. `own`: directories that the agent works in. */
export function desiredWrite(
  reached: readonly Reached[],
  { desired = [], lookups }: RequestPlace,
  own: readonly string[],
): DesiredWrite | null {
  for (const each of reached) {
    if (each.access === 'read') continue
    const place = desired.find((candidate) => changes(each, candidate, { lookups, own }))
    if (place) return { path: each.path, readBy: place.readBy }
  }
  return null
}

function changes(
  { path, access, isFile, isPattern }: Reached,
  place: DesiredPlace,
  { lookups, own }: Pick<RequestPlace, 'lookups'> & { own: readonly string[] },
): boolean {
  if (place.reads === undefined) return path === place.root || (access === 'replace' && isWithin(place.root, path))
  if (place.reads(path)) return true
  if (isFile) return false
  const holds = place.holds?.(path) ?? false
  if (access === 'replace' && (isWithin(place.root, path) || holds)) return true
  if (!isWithin(path, place.root)) return false
  // A new folder or link could contain manifests.
  if (!lookups.isDirectory(path)) return access !== 'write' && !/\.[^./]+$/.test(path) && !lookups.entryAt(path)
  // Most commands run in the agent's own directory, and change other files there.
  const isOwn = !isPattern && own.some((folder) => isWithin(folder, path))
  return !isOwn && (holds || access === 'place')
}
