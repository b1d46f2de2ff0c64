// Where a repository stands that is a source, and all that reading it leans on.
import type { KnownKinds } from '../desired-state.ts'
import { join } from 'node:path'
import type { Clock } from '../../../platform/core/clock.ts'
import type { GitCredentials } from '../../../platform/git/credentials.ts'
import type { WantedRef } from '../../../platform/git/refs.ts'
import type { Signers } from '../../../platform/git/commit-signature.ts'
import type { Log } from '../../../platform/core/log/log.ts'

export interface GitPlace {
  url: string
  ref: WantedRef
  /** Folder in the repository; empty for the whole of it. */
  path: string
  /** Seconds between two looks for a new commit, give or take a fifth. */
  pollSecs: number
  credentials: GitCredentials
  /** Who may sign; null: nobody needs to. */
  verify: Signers | null
}

/** What `.` is in the manifests of a repository: absolute, below the folder that holds all that is kept of it. */
export const projectIn = (folder: string): string => join(folder, 'project')
/** Its commits. */
export const mirrorIn = (folder: string): string => join(folder, 'mirror.git')
/** What git remembers of the files of the project. */
export const indexIn = (folder: string): string => join(folder, 'index')

export interface GitOptions extends KnownKinds {
  place: GitPlace
  /** Absolute; holds all that is kept of the repository. */
  folder: string
  home: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  log: Log
}
