// Where an agent works, as the judge of its tools needs to know it.
import { posix } from 'node:path'
import type { ClosedSet } from '../../../platform/files/closed-set.ts'
import type { DesiredPlace } from '../../../platform/files/desired-files.ts'
import { PathLookups } from './real-path.ts'

export interface Place {
  workingDir: string
  home: string
  /** Directories beside the working directory that tools may reach. */
  additionalDirs?: readonly string[]
  closed: ClosedSet
  /** Files of the desired state that it must not write; default none. */
  desired?: readonly DesiredPlace[]
  /** The program runs in a sandbox, which holds what cannot be told from a call. Default false. */
  isSandboxed?: boolean
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

export interface OpenDirectory {
  /** With links resolved: a link may lead to a closed directory by now. */
  real: string
  /** Closed paths below it. */
  hidden: string[]
  /** Not for writing. */
  isForReading?: boolean
}

/** The directories that the daemon and the tools of an agent may open. */
export function openDirectories({ workingDir, additionalDirs = [], closed }: Place): OpenDirectory[] {
  const lookups = new PathLookups(Infinity)
  const folders = [workingDir, ...additionalDirs].flatMap((written) =>
    (lookups.realPaths(written) ?? []).map((real) => ({ written, real })),
  )
  // A link in a project that leads into the data directory opens nothing there.
  const own = folders.filter(({ written }) => closed.isInData(written)).map(({ real }) => real)
  return folders.flatMap(({ real }) =>
    closed.closing(real, own) === null ? [{ real, hidden: closed.hiddenIn(real) }] : [],
  )
}

/** A folder of the agent in a sandbox. */
const PRIVATE = ['/tmp', '/var/tmp']
/** Programs and libraries. */
const OF_THE_SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64']

/** Further directories that tools of a program in a sandbox may use. */
export function sandboxDirectories({ closed, isSandboxed = false }: Place): OpenDirectory[] {
  if (!isSandboxed) return []
  const open = (real: string) => ({ real, hidden: closed.hiddenIn(real) })
  return [...PRIVATE.map(open), ...OF_THE_SYSTEM.map((real) => ({ ...open(real), isForReading: true }))]
}
