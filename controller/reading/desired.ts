// Desired state as it was read from manifests: the join between reading and planning.
import type { Unsubscribe } from '../../platform/change-feed.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { SourceSync } from '../../schemas/source.ts'

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
}

export interface DesiredState {
  /** Digest of every file's path and content. */
  revision: string
  /** Valid resources, each after those it depends on. */
  resources: DesiredResource[]
  /** All faults and warnings, by file, line and column. */
  diagnostics: Diagnostic[]
  /** False when any file or document could not be taken: then nothing may be pruned. */
  complete: boolean
  /** `svc.yaml` of the source. */
  sync: SourceSync
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
}
