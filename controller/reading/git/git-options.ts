import type { KnownKinds } from '../desired-state.ts'
import type { Clock } from '../../../platform/core/clock.ts'
import type { GitCredentials } from '../../../platform/git/credentials.ts'
import type { WantedRef } from '../../../platform/git/refs.ts'
import type { Signers } from '../../../platform/git/commit-signature.ts'
import type { Log } from '../../../platform/core/log/log.ts'

export interface GitPlace {
  url: string
  ref: WantedRef
  /** Folder in the repository; empty for its top. */
  path: string
  /** Poll interval, varied by up to a fifth. */
  pollSecs: number
  credentials: GitCredentials
  /** Null if signatures are not required. */
  verify: Signers | null
  /** Commits that need a signature: all, or those that widen rights. Default all. */
  requireSigned?: 'all' | 'widening'
}

export interface GitOptions extends KnownKinds {
  place: GitPlace
  /** Absolute; of the mirror. */
  folder: string
  /** Absolute; what `.` means in the repository's manifests. */
  checkout: string
  /** Names resources that are working in a folder. Throws if that is unknown. */
  busyIn(folder: string): Promise<string[]>
  home: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  log: Log
}
