// Desired state as it was read from manifests: the join between reading and planning.
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { KindDefinition } from '../../schemas/kind.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
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
  /** Canonical; Secrets inside. The same object again on a later read when nothing about it changed. */
  spec: any
  /** Relative to the source's folder. */
  file: string
  /** Of the document's name, both from 1. */
  line: number
  column: number
  /** The resource's own sync rules. */
  sync: SourceSync
  /** References and depends_on, both as `kind/name`. */
  dependsOn: string[]
  /** Where a canonical member (dotted) stands in the file; the nearest parent where it is a default. */
  position(path: string): Position
  /** Whether the manifest says the member itself, and it is no default; missing where that is not known. */
  says?(path: string): boolean
}

export interface DesiredState {
  /** Digest of every file's path and content; of a repository, the commit. */
  revision: string
  /** The commit that was tried last, where it could not be taken and `revision` stays in force. */
  attempted?: string
  /** Valid resources, each after those it depends on. */
  resources: DesiredResource[]
  /** All faults and warnings, by file, line and column. */
  diagnostics: Diagnostic[]
  /** False when any file or document could not be taken: then nothing may be pruned. */
  complete: boolean
  /** `svc.yaml` of the source. */
  sync: SourceSync
  /** By kind/name: what somebody asked to delete, and which had to wait. */
  gone?: ReadonlySet<string>
}

/** The source as a whole cannot be read now: missing, unreadable, or never at rest. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

/** What reading manifests may ask about the world beside them. */
export interface ReadContext {
  /** True for a resource that another source or the live system has. */
  exists(kind: string, name: string): boolean
  /** Canonical spec of such a resource; without it, a manifest that must see inside one is refused. */
  resolve?(kind: string, name: string): unknown
  /** Value of `${VAR}`. */
  variable(name: string): string | undefined
}

export interface ManifestReader {
  /** Reads the source as one consistent revision. Throws SourceError. */
  read(context: ReadContext): Promise<DesiredState>
  /** Calls back when something may have changed; the next `read` decides. */
  watch(wake: () => void): Unsubscribe
  /** How changes are noticed; null before watch(). Absent for a source that is fetched. */
  condition?(): SourceCondition | null
  /** Of what is fetched from elsewhere in its own time; missing for what is read where it stands. */
  remote?: RemoteReading
}

/** An earlier revision that is in force until something newer comes. */
export type Held = Pick<SourceHold, 'revision' | 'against'>

export interface RemoteReading {
  /** Looks for something newer now. Throws SourceError when it cannot be had. */
  refresh(): Promise<void>
  /** Looks for something newer soon; asked however often, not more often than every few seconds. */
  hasten(): void
  /** Why there may be something newer than what is read; null when nothing is known of that. */
  trouble(): string | null
  /** The newest that was heard of, taken or not. */
  attempted(): string | null
  /** What an earlier revision asks for, be it newest or not. Throws SourceError. */
  readRevision(revision: string, context: ReadContext): Promise<DesiredState>
  /** The newest that is here and may be taken, after a look for a newer one where that can be had. */
  fetchNewest(): Promise<string | null>
  /** What a revision asks for that is in force again; null once something newer is sound. Throws SourceError. */
  readHeld(hold: Held, context: ReadContext): Promise<DesiredState | null>
  /** What `.` means in its manifests: absolute. */
  project: string
}
