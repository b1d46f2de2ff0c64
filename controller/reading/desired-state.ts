import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { DesiredPlace } from '../../platform/files/desired-files.ts'
import type { KindDefinition } from '../../schemas/kind.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Labels } from '../../schemas/resource.ts'
import type { SourceCondition, SourceHold, SourceSync } from '../../schemas/source.ts'

export interface KnownKinds {
  kinds: readonly KindDefinition<any>[]
}

export interface Position {
  line: number
  column: number
}

export interface DesiredResource {
  kind: string
  name: string
  /** Canonical, with secrets as `Secret`. Unchanged specs keep their object identity between reads. */
  spec: any
  /** Relative to the source's folder. */
  file: string
  /** Position of the resource's name; both from 1. */
  line: number
  column: number
  sync: SourceSync
  labels?: Labels | undefined
  /** References and `depends_on`, both as `kind/name`. */
  dependsOn: string[]
  /** Position of a canonical field (dotted path), or of its nearest written parent. */
  position(path: string): Position
  /** True if the manifest sets the field, false for a default. Missing if unknown. */
  setsField?(path: string): boolean
}

export interface DesiredState {
  /** Commit of a repository; digest of all paths and contents of a folder. */
  revision: string
  /** The newest commit, if it was rejected and `revision` stays in force. */
  attempted?: string
  /** Valid resources in dependency order. */
  resources: DesiredResource[]
  /** Sorted by file, line and column. */
  diagnostics: Diagnostic[]
  /** False if any file or document could not be read: nothing may be pruned. */
  complete: boolean
  sync: SourceSync
  /** Requested deletions that are still pending, as kind/name. */
  gone?: ReadonlySet<string>
}

/** The whole source is unreadable. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

export interface ReadContext {
  /** True if another source or the live system has the resource. */
  exists(kind: string, name: string): boolean
  /** Returns its canonical spec. If missing, manifests that need the spec are rejected. */
  resolve?(kind: string, name: string): unknown
  variable(name: string): string | undefined
  /** Of agents whose manifest and policy set none. Default: auto. */
  defaultSandbox?: SandboxSpec | undefined
  /** The closed path that is `path`, or contains it; null if it is open. Default: all are open. */
  closing?(path: string): string | null
}

export type ReadPlace = Omit<DesiredPlace, 'readBy'>

export interface ManifestReader {
  /** Reads one consistent revision of the source. Throws SourceError. */
  read(context: ReadContext): Promise<DesiredState>
  /**
   * Calls `wake` when something may have changed; the next `read` decides. A fetched source calls `polled` after each
   * poll, which may have failed.
   */
  watch(wake: () => void, polled?: () => void): Unsubscribe
  /**
   * Whether the folder is watched, null before watch(); of a fetched source, the local changes that keep its checkout
   * at an older commit.
   */
  condition?(): SourceCondition | null
  /** Files of this machine that the desired state depends on. */
  readPlaces?(): ReadPlace[]
  /** Only for fetched sources. */
  remote?: RemoteReading
}

export type Held = Pick<SourceHold, 'revision' | 'against'>

export interface CommittedFile {
  /** Address of the repository. */
  url: string
  /** From the top of the repository, with links resolved. */
  path: string
  text: string
}

export interface RemoteReading {
  /** Fetches now. Throws SourceError if the remote is unreachable. */
  refresh(): Promise<void>
  /** Requests a fetch; at most one every few seconds. */
  hasten(): void
  /** Why the revision in force may be outdated; null if no problem is known. */
  trouble(): string | null
  /** Newest known revision, accepted or not. */
  attempted(): string | null
  /** Throws SourceError. */
  readRevision(revision: string, context: ReadContext): Promise<DesiredState>
  /** Reads the committed file of a manifest. Throws SourceError. */
  readManifest(revision: string, file: string): Promise<CommittedFile>
  /** Fetches if possible, then returns the newest acceptable revision. */
  fetchNewest(): Promise<string | null>
  /** Reads the held revision; returns null once a newer one is valid. Throws SourceError. */
  readHeld(hold: Held, context: ReadContext): Promise<DesiredState | null>
  /** Why a revision must not widen rights without a confirmation; null if it may. */
  unsigned(revision: string): Promise<string | null>
  /** Absolute path that `.` means in its manifests. */
  project: string
}
