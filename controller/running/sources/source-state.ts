// What is known of a source while the daemon runs, and why it may not be taken as it is.
import { conflict, unprocessable, type Problem } from '../../../platform/core/problem.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { Secret } from '../../../schemas/secret.ts'
import type { SourceHold, SourceSync } from '../../../schemas/source.ts'
import { SourceError, type DesiredState, type ManifestReader } from '../../reading/desired-state.ts'

/** Sources named so are made by `agent apply`; what follows is their absolute path. */
export const APPLY_PREFIX = 'apply:'

export interface SourceState {
  name: string
  location: string
  /** Absolute: where the manifests stand, or would in a checkout. Missing: at the location. */
  root?: string
  /** Null for `apply:` sources: they are read when somebody applies them. */
  reader: ManifestReader | null
  /** What its forge signs with; none: no webhook is heeded. */
  webhookSecret?: Secret
  /** Of the configuration. */
  configured: SourceSync | undefined
  /** Of `svc.yaml`, as last read. */
  declared: SourceSync
  /** What was read last: a turn takes no older one than an earlier turn has taken. */
  read?: DesiredState
  revision: string | null
  /** What was tried last, taken or not. */
  attempted: string | null
  /** What the live system was last found or made equal to. */
  applied: string | null
  observedAt: string | null
  suspended: boolean
  /** An earlier revision that is in force by a rollback. */
  hold: SourceHold | null
  /** It is configured no more: what it still owns is left as it is until somebody says whose it shall be. */
  orphaned?: boolean
  error: string | null
  /** Faults that the last plan found where desired met live and what others own. */
  planFaults?: string | null
  /** What the log was told last of its faults: once a revision, not once a pass. */
  told?: { reading?: string; planning?: string }
  /** Why the last pass held deletions back. */
  held?: string | null
}

/** A source of which nothing is known yet. */
export function newSource(name: string, location: string): SourceState {
  const unread = { revision: null, attempted: null, applied: null, observedAt: null }
  const state = { suspended: false, hold: null, error: null }
  return { name, location, reader: null, configured: undefined, declared: {}, ...unread, ...state }
}

/** Rules from outside the manifests, later ones winning. `apply:` sources do not prune unless asked. */
export function outerSync({ name, configured }: Pick<SourceState, 'name' | 'configured'>): (SourceSync | undefined)[] {
  return [name.startsWith(APPLY_PREFIX) ? { prune: false } : undefined, configured]
}

/** A state of which nothing was read: every resource is desired as it was last good. */
export function asOnRecord({ revision, declared }: SourceState): DesiredState {
  return { revision: revision ?? '', resources: [], diagnostics: [], complete: false, sync: declared }
}

/** The 409 where a suspended source is to be applied. */
export function suspendedProblem({ name }: Pick<SourceState, 'name'>): Problem {
  return conflict(`source ${name} is suspended: resume it first (POST /sources/${name}/resume)`, 'source-suspended')
}

/** Throws a 422 in place of a SourceError. */
export function refuseUnreadable(error: unknown): never {
  throw error instanceof SourceError ? unprocessable(error.message, 'source-unreadable') : error
}

/** The first faults of what was read, and what is in force in its place. */
export function firstFaults(read: DesiredState): string {
  const errors = read.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  if (read.attempted === undefined)
    return `${shownFaults(errors)}; nothing is pruned, the last good state stays in force`
  const inForce = read.revision === '' ? 'nothing is in force yet' : `commit ${read.revision} stays in force`
  return `commit ${read.attempted} is not taken: ${shownFaults(errors)}; nothing is pruned, ${inForce}`
}

export function shownFaults(faults: readonly Diagnostic[]): string {
  const shown = faults.slice(0, 3).map((fault) => `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`)
  return `${shown.join('; ')}${faults.length > 3 ? `; and ${faults.length - 3} more` : ''}`
}

/** All that keeps the last pass from having taken the source as it is, in words; null when nothing does. */
export function errorOf(
  { name, reader, error, planFaults, held, orphaned }: SourceState,
  owned: number,
): string | null {
  const orphan = `source ${name} is configured no more and still owns ${owned === 1 ? '1 resource' : `${owned} resources`}, which nothing changes or deletes: svc sources adopt ${name} --into SOURCE hands them over, svc sources forget ${name} leaves them to nobody`
  const all = [orphaned ? orphan : null, error, reader?.remote?.trouble(), planFaults, held]
  return [...new Set(all)].filter((each) => each !== null && each !== undefined).join('; ') || null
}
