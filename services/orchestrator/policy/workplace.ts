// Where an agent works, as the judge of its tools needs to know it.
import { posix } from 'node:path'
import { PathLookups } from './real-path.ts'

export interface Place {
  workingDir: string
  home: string
  /** Directories beside the working directory that tools may reach. */
  additionalDirs?: readonly string[]
}

/** The workplace of one request, with what the request looks up. */
export interface RequestPlace extends Place {
  lookups: PathLookups
}

/** An absolute path of what was written; `..` stays, since links may stand before it. */
export function absolute(path: string, { workingDir, home }: Place): string {
  const fromHome = path === '~' || path.startsWith('~/') ? home + path.slice(1) : path
  return fromHome.startsWith('/') ? fromHome : posix.join(workingDir, '/') + fromHome
}

/** The directories that tools may reach, as they really are. */
export function openDirectories(place: Place): string[] {
  const lookups = new PathLookups(Infinity)
  return [place.workingDir, ...(place.additionalDirs ?? [])].flatMap((folder) => lookups.realPaths(folder) ?? [])
}
