import { conflict, unprocessable, type Problem } from '../../../platform/core/problem.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { Secret } from '../../../schemas/secret.ts'
import type { Source, SourceHold, SourceSync } from '../../../schemas/source.ts'
import { appliedPath } from '../../../schemas/sync/applied-source.ts'
import { SourceError, type DesiredState, type ManifestReader } from '../../reading/desired-state.ts'

export interface SourceState {
  name: string
  location: string
  /** Absolute manifest folder; default `location`. */
  root?: string
  /** Null for `apply:` sources, which are read when applied. */
  reader: ManifestReader | null
  /** Without one, webhooks are rejected. */
  webhookSecret?: Secret
  configured: SourceSync | undefined
  /** From `svc.yaml`, as last read. */
  declared: SourceSync
  /** A turn never uses an older state than an earlier turn. */
  read?: DesiredState
  revision: string | null
  attempted: string | null
  /** Revision that live state last matched. */
  applied: string | null
  observedAt: string | null
  suspended: boolean
  hold: SourceHold | null
  /** No longer configured: resources are unchanged until adopted or released. */
  orphaned?: boolean
  error: string | null
  /** Errors that only live state or other owners show. */
  planFaults?: string | null
  /** Errors are logged once per revision, not per pass. */
  loggedErrors?: { reading?: string; planning?: string }
  /** Why the last pass held steps back. */
  held?: string | null
  /** The same as data. */
  heldBack?: Source['held_back']
}

export function newSource(name: string, location: string): SourceState {
  const unread = { revision: null, attempted: null, applied: null, observedAt: null }
  const state = { suspended: false, hold: null, error: null }
  return { name, location, reader: null, configured: undefined, declared: {}, ...unread, ...state }
}

/** Later rules win. `apply:` sources do not prune by default. */
export function outerSync({ name, configured }: Pick<SourceState, 'name' | 'configured'>): (SourceSync | undefined)[] {
  return [appliedPath(name) !== null ? { prune: false } : undefined, configured]
}

/** Null for sent manifests: they may be on no disk of this machine. */
export function driftAcceptanceOf({ reader }: Pick<SourceState, 'reader'>): Source['drift_acceptance'] {
  if (reader === null) return null
  return reader.remote ? 'branch' : 'write'
}

/** Without a read: every resource keeps its last good spec. */
export function asOnRecord({ revision, declared }: SourceState): DesiredState {
  return { revision: revision ?? '', resources: [], diagnostics: [], complete: false, sync: declared }
}

export function suspendedProblem({ name }: Pick<SourceState, 'name'>): Problem {
  return conflict(`source ${name} is suspended: resume it first (POST /sources/${name}/resume)`, 'source-suspended')
}

/** Of a stale plan. */
export const syncTitle = ({ name }: Pick<SourceState, 'name'>): string => `sync source ${name}`

/** Throws 422 instead of a SourceError. */
export function refuseUnreadable(error: unknown): never {
  throw error instanceof SourceError ? unprocessable(error.message, 'source-unreadable') : error
}

export function firstFaults(read: DesiredState): string {
  const errors = read.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  if (read.attempted === undefined)
    return `${shownFaults(errors)}; nothing is pruned, the last good state stays in force`
  const inForce = read.revision === '' ? 'nothing is in force yet' : `commit ${read.revision} stays in force`
  return `commit ${read.attempted} was rejected: ${shownFaults(errors)}; nothing is pruned, ${inForce}`
}

export function shownFaults(faults: readonly Diagnostic[]): string {
  const shown = faults.slice(0, 3).map((fault) => `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`)
  return `${shown.join('; ')}${faults.length > 3 ? `; and ${faults.length - 3} more` : ''}`
}

/** Everything that prevents a complete apply; null if nothing does. */
export function errorOf(
  { name, reader, error, planFaults, held, orphaned }: SourceState,
  owned: number,
): string | null {
  const orphan = `source ${name} is no longer configured and still owns ${owned === 1 ? '1 resource' : `${owned} resources`}, which are neither changed nor deleted: hand them over with svc sources adopt ${name} --into SOURCE, or release them with svc sources forget ${name}`
  const all = [orphaned ? orphan : null, error, reader?.remote?.trouble(), planFaults, held]
  return [...new Set(all)].filter((each) => each !== null && each !== undefined).join('; ') || null
}
